# SPDX-License-Identifier: Apache-2.0
"""`--races` and what goes with it: observe a run, say what was found, write it to files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.faults.codes import ENTRIES, Fault
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.checks.rule import NotObservable
from tensix_gdb.core.race.checks.table import DEFAULT
from tensix_gdb.core.race.state.areas import Buffer
from tensix_gdb.gdbstub.cli.options.declare import option_values
from tensix_gdb.gdbstub.cli.options.races import RaceFlags
from tensix_gdb.gdbstub.replace_file import replace_file
from tensix_gdb.gdbstub.tensix.blocked.at_fault import fault_of
from tensix_gdb.gdbstub.tensix.output.recording import Ending, own_version
from tensix_gdb.gdbstub.usage import UsageError

# Runs that are not observed do without what reads and writes files of races.
if TYPE_CHECKING:
    from tensix_gdb.core.chip.chip import Chip
    from tensix_gdb.core.program.elf import Image
    from tensix_gdb.gdbstub.order.report.known import Judgement, Suppression
    from tensix_gdb.gdbstub.order.report.located import Elsewhere
    from tensix_gdb.gdbstub.order.report.sarif import Caused

CANNOT = 2  # exit status: a file was not written
STRICT = "strict"
ENDINGS = (".sarif", ".json", ".xml")
# --check alone has no use for these.
OF_RACES = ("--races-checks", "--races-local")
NEEDED = (*OF_RACES, "--races-to", "--races-suppressions", "--races-baseline", "--error-exitcode")


@dataclass
class RaceOptions:
    """The observer's options on the command line, with the contents of the files that it names."""

    strict: bool = False
    checks: tuple[str, ...] = DEFAULT
    files: tuple[str, ...] = ()
    suppressions: list[Suppression] = field(default_factory=list)
    baseline: frozenset[str] = frozenset()
    status: int = 0  # exit status for reports that count; 0 leaves it as it is
    is_written: bool = True  # False after a file that could not be written
    judgement: Judgement | None = None  # of the last report
    races: bool = True  # False: --check alone
    groups: tuple[str, ...] = ()  # of --check
    buffers: tuple[Buffer, ...] = ()
    local: bool | None = None  # observe local RAMs; None: on Wormhole
    judges_unknown: bool = True  # reports of programs that are not known count
    width: int | None = None  # of the terminal that shows reports; None: of no terminal
    # Tells the checks of state what the tile had been told before it was observed.
    tell: Callable[[Machine], None] = lambda machine: None

    def observe(self, machine: Machine | Chip) -> None:
        """Observe from now on, a tile or a chip. Of a chip, a tile is observed for races from its
        first kernel on (`observe_tile`); checks of state need to know what came before. UsageError
        if that is not possible."""
        waits = not self.groups and not isinstance(machine, Machine)
        later: dict[str, Any] = {"tiles": ()} if waits else {}
        try:
            machine.observe_races(
                strict=self.strict,
                checks=self.checks if self.races else (),
                local=self.local if self.races else False,
                **later,
            )
            for tile in tiles_of(machine):
                if not later:
                    self._check_state(tile)
        except NotObservable as problem:
            raise UsageError(f"--{'races' if self.races else 'check'}: {problem}") from None

    def _check_state(self, machine: Machine) -> None:
        """Switch --check on; where it is on, the observer has kept what it knows."""
        assert machine.runner.races is not None
        if not self.groups or machine.runner.races.state is not None:
            return
        state = machine.check_state(self.groups, races=self.races)
        state.buffers = list(self.buffers)
        state.note_programs()
        self.tell(machine)

    def report(
        self,
        machine: Machine,
        run: str | None = None,
        since: int | None = None,
        elsewhere: Elsewhere | None = None,
        only: Callable[[Judgement], Judgement] = lambda judgement: judgement,
    ) -> tuple[list[str], Judgement]:
        """Report what was found so far, or with both accesses from a cycle on: lines for people,
        and the files. Each `run` has files of its own: FILE-1.json. `elsewhere` finds programs of
        other tiles; `only` chooses what people are told. A file that cannot be written is a line;
        nothing else is lost."""
        from tensix_gdb.gdbstub.order.report.known import firmware_rows, judge
        from tensix_gdb.gdbstub.order.report.located import located
        from tensix_gdb.gdbstub.order.report.run_text import all_lines
        from tensix_gdb.gdbstub.order.report.text import width_in

        rows = self.suppressions
        if machine.loader.has_hosted("firmware"):
            rows = [*rows, *firmware_rows()]
        findings = machine.races()
        if since is not None:
            reports = [
                report
                for report in findings.reports
                if min(report.earlier.last, report.later.last) >= since
            ]
            findings = replace(findings, reports=tuple(reports), first_cycle=since)
        found = located(findings, machine.places, elsewhere)
        judgement = judge(findings, found, rows, self.baseline, unknown=self.judges_unknown)
        self.judgement = judgement
        told = only(judgement)
        lines = list(all_lines(told, machine.places, width_in(self.width)))
        for name in self.files:
            path = Path(name)
            if run is not None:
                path = path.with_stem(f"{path.stem}-{run}")
            try:
                replace_file(path, _form(path, judgement, machine).encode())
            except OSError as problem:
                self.is_written = False
                lines.append(f"{path}: cannot be written: {problem.strerror}")
            else:
                what = "races" if self.races else "reports"
                lines.append(f"wrote the {what} to {path}")
        return lines, told


def race_options(flags: RaceFlags, schedule: str | None) -> RaceOptions | None:
    """Read the options; None without --races and --check. UsageError if a file is wrong."""
    if flags.mode is None:
        values = option_values(flags)
        for name in NEEDED:
            if values.get(name) and (not flags.check or name in OF_RACES):
                more = "" if name in OF_RACES else " or --check"
                raise UsageError(f"{name} is about races: add --races{more}")
        if not flags.check:
            if flags.buffer:
                raise UsageError("--buffer is for --check memory: add it")
            return None
    if schedule == "sc":
        what = "--check: accesses" if flags.mode is None else "--races: races"
        raise UsageError(f"{what} cannot be observed in schedule sc; use latency")
    for path in flags.races_to:
        if not path.endswith(ENDINGS):
            raise UsageError(f"--races-to {path}: the name has to end in .sarif, .json or .xml")
    from tensix_gdb.gdbstub.order.report.known import read_baseline, read_suppressions

    return RaceOptions(
        flags.mode == STRICT,
        DEFAULT if flags.races_checks is None else flags.races_checks,
        flags.races_to,
        [row for path in flags.races_suppressions for row in read_suppressions(path)],
        read_baseline(flags.races_baseline) if flags.races_baseline else frozenset(),
        flags.status,
        races=flags.mode is not None,
        groups=flags.check,
        buffers=flags.buffer,
        local=True if flags.races_local else None,
    )


def stop_observing(machine: Machine) -> None:
    """Observe no more, and forget what was found: what runs now is another run."""
    if machine.runner.races is not None:
        machine.runner.races.stop()
        machine.runner.races = machine.reports.races = None


def tiles_of(machine: Machine | Chip) -> list[Machine]:
    """Return the tiles of a chip, or the one."""
    return [machine] if isinstance(machine, Machine) else list(machine.tiles.values())


def note_firmware(machine: Machine, images: Iterable[Image]) -> None:
    """Note the files that are a firmware's, and no kernel's, for --check."""
    if machine.runner.races is not None and machine.runner.races.state is not None:
        machine.runner.races.state.firmware = tuple(images)
        machine.runner.races.state.note_programs()


@contextmanager
def observed(machine: Machine, options: RaceOptions | None) -> Iterator[Ending]:
    """Observe from now on. Gives what says the end: lines, and the exit status, from the one that
    it would be otherwise."""
    if options is None:
        yield lambda status: ([], status)
        return
    options.observe(machine)

    def end(status: int) -> tuple[list[str], int]:
        lines, judgement = options.report(machine)
        if status == 0 and not options.is_written:
            return lines, CANNOT
        if judgement.new and options.status and status == 0:
            status = options.status
        return lines, status

    yield end


def _form(path: Path, judgement: Judgement, machine: Machine) -> str:
    """Return a file of reports, in the form that its name asks for. SARIF has a fault besides, at
    the line of its instruction."""
    from tensix_gdb.gdbstub.order.report.as_json import json_text
    from tensix_gdb.gdbstub.order.report.junit import junit_text
    from tensix_gdb.gdbstub.order.report.sarif import sarif_text

    if path.suffix == ".json":
        return json_text(judgement, machine.places)
    if path.suffix == ".xml":
        return junit_text(judgement)
    return sarif_text(judgement, own_version(), faults_of(machine))


def faults_of(machine: Machine) -> list[Caused]:
    """Return the fault at which a tile has stopped, if it has, with its line: that of the hart's
    instruction, or of the push of a thread's."""
    from tensix_gdb.gdbstub.order.report.located import chain_at, innermost
    from tensix_gdb.gdbstub.order.report.sarif import FAULT, Caused

    stop = fault_of(machine)
    if stop is None:
        return []
    is_pushed = "{origin}" in ENTRIES[Fault(stop.code)].said
    pc = int(machine.S.stop.b) & MASK32 if is_pushed else stop.pc
    step = innermost(tuple(chain_at(machine.places, stop.hart, pc)))
    return [Caused(FAULT, stop.text, [(step, "")] if step is not None else [])]
