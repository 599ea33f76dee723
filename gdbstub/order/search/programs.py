# SPDX-License-Identifier: Apache-2.0
"""The programs of `tensix-gdb seeds`, from the options: ELF files, firmware with kernels, a
recording, kept runs, litmus tests. Each is brought to its beginning once, here."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tensix_gdb.core.litmus.text import LitmusError, read
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.checks.table import DEFAULT as DEFAULT_CHECKS
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.cli.build import launch, machine_of, programs_named, tile_files
from tensix_gdb.gdbstub.cli.firmware import Boot
from tensix_gdb.gdbstub.cli.run import places_named
from tensix_gdb.gdbstub.order.report.known import read_suppressions
from tensix_gdb.gdbstub.order.search.options import SeedsOptions
from tensix_gdb.gdbstub.order.seeds.bench import Bench
from tensix_gdb.gdbstub.order.seeds.case import Case
from tensix_gdb.gdbstub.order.seeds.chosen import check as check_chosen
from tensix_gdb.gdbstub.order.seeds.program import (
    Check,
    Program,
    cycles_for,
    files_of,
    outside_of,
    state_of,
)
from tensix_gdb.gdbstub.order.seeds.worker import judge_of
from tensix_gdb.gdbstub.tensix.corefile.kept_run import KeptRun
from tensix_gdb.gdbstub.tensix.output.recording import open_recording
from tensix_gdb.gdbstub.usage import UsageError, parse_schedule

_log = logging.getLogger(__name__)
PER_MESSAGE = 2000  # cycles between two looks at what a host polls
LONGEST = 30_000_000  # cycles of the first run
KEPT = "run-*.core"


def programs_of(options: SeedsOptions) -> list[Program]:
    """Return all programs of the command line, each with the cycles that a run of it may take.
    UsageError with a sentence."""
    made = list(_named(options))
    if not made:
        raise UsageError(
            "nothing to search: name a program, as in --elf t0=kernel.elf, --dir build, "
            "--recording FILE, --kept DIR or --litmus FILE"
        )
    found: list[Program] = []
    left_out: list[str] = []
    for program in made:
        try:
            found.append(program if program.litmus else _measured(program, options))
        except UsageError as problem:
            if len(made) == 1 or not program.is_kept:
                raise
            left_out.append(str(problem))  # a run with a host that takes part: of many, others
    if not found:
        raise UsageError(left_out[0])
    for said in left_out:
        _log.warning("left out: %s", said)
    return found


def _named(options: SeedsOptions) -> Iterator[Program]:
    load = options.load
    if load.elf or load.dir or load.firmware or load.launch:
        yield _loaded(options)
    for path in options.recording:
        yield _recorded(path, options)
    for path in options.kept:
        yield from _kept_programs(Path(path), options)
    for path in options.litmus:
        yield from _litmus(Path(path), options)


def _wanted(program: Program, machine: Machine, options: SeedsOptions) -> Program:
    """With what makes a run of it wrong."""
    wrong = options.wrong
    for text in wrong.state:
        check_chosen(text, machine)
    until = places_named(machine, wrong.until) if wrong.until else ()
    rows = [row for path in wrong.races_suppressions for row in read_suppressions(path)]
    return replace(
        program,
        until=tuple(until),
        until_name=wrong.until or "",
        check=_check(wrong.check),
        pauses=tuple(pause for pause, _, _ in machine.pauses),
        faults=options.load.faults or "",
        races=wrong.races or "",
        checks=tuple(DEFAULT_CHECKS) if wrong.races else (),
        suppressions=tuple(rows) if wrong.races else (),
        chosen=wrong.state,
    )


def _check(text: str | None) -> Check | None:
    """Return the function of `--check`. UsageError if there is no such file."""
    if text is None:
        return None
    module, colon, function = text.rpartition(":")
    path = Path(module if module.endswith(".py") else f"{module.replace('.', '/')}.py")
    if not colon or not function.isidentifier():
        raise UsageError(
            f"--check {text}: type a module and a function, as in checks:sums_are_right"
        )
    try:
        source = path.read_text(encoding="utf-8")
        compile(source, str(path), "exec")
    except OSError as problem:
        raise UsageError(f"--check {text}: {path} cannot be read: {problem.strerror}") from None
    except (SyntaxError, ValueError) as problem:
        raise UsageError(f"--check {text}: {problem}") from None
    return Check(text, source, str(path), function)


def _loaded(options: SeedsOptions) -> Program:
    load = options.load
    tiles = tile_files(load.tile, options.wrong.expect)
    machine, host = machine_of(load, tiles)
    with contextlib.closing(machine):
        paths = [path for _, path in programs_named(load)]
        over: tuple[tuple[int, bytes], ...] = ()
        if host is not None:
            boot = Boot(host)
            stop = boot.initialise()
            if stop is not None or not host.is_done():
                said = stop.text if stop is not None else "it takes too long"
                raise UsageError(f"--firmware {load.firmware}: does not boot: {said}")
            if not load.launch:
                raise UsageError("--firmware: name kernels to launch, as in --launch t0=FILE")
            launch(host, load.launch)
            over = (host.done_at(),)
            paths = [path for _, path in load.launch]
        program = Program(
            " ".join(dict.fromkeys(_short(path) for path in paths)),
            state_of(machine),
            files_of(machine.images),
            outside_of(machine),
            (load.arch or "blackhole").upper(),
            over=over,
            expect=tiles if tiles is not None and tiles.wanted else None,
        )
        if over:
            program.slice = PER_MESSAGE
        return _wanted(program, machine, options)


def _recorded(path: str, options: SeedsOptions) -> Program:
    recording = open_recording(path)
    if recording.execution.schedule not in (Schedule.LATENCY, Schedule.RANDOM):
        raise UsageError(f"--recording {path}: was made in another schedule than latency or random")
    if any(step.patches or any(step.outside) for step in recording.steps[1:]):
        raise UsageError(
            f"--recording {path}: a client or host has changed the tile while it ran, and in "
            "another order that would be another moment; record a run without, by `run --record-to`"
        )
    machine = recording.machine("auto")
    with contextlib.closing(machine):
        program = Program(
            *(_short(path), state_of(machine), files_of(machine.images), outside_of(machine)),
            recording.arch.name or "BLACKHOLE",
        )
        return _wanted(program, machine, options)


def _kept_programs(path: Path, options: SeedsOptions) -> Iterator[Program]:
    cores = sorted(path.rglob(KEPT)) if path.is_dir() else [path]
    if not cores:
        raise UsageError(f"--kept {path}: no run is kept there ({KEPT})")
    for core in cores:
        yield kept_program(core, options)


def kept_program(core: Path, options: SeedsOptions) -> Program:
    """Return a run that `tensix-gdb simulator --keep` has kept: right if what its host has read is
    there."""
    run = KeptRun(core, core.with_suffix(".json"))
    machine = run.machine("auto", parse_schedule("latency"))
    with contextlib.closing(machine):
        program = Program(
            f"{core.parent.name}/{core.stem}",
            *(state_of(machine), files_of(machine.images), outside_of(machine)),
            machine.arch.name or "BLACKHOLE",
            over=run.polled(),
            is_kept=True,
            slice=PER_MESSAGE,
            result=run.read_last(),
            poison=tuple((addr, len(data)) for addr, data in run.read_last()),
        )
        return _wanted(program, machine, options)


def _litmus(path: Path, options: SeedsOptions) -> Iterator[Program]:
    try:
        tests = [test for test in read(path) if (options.only or "") in test.name]
    except LitmusError as problem:
        raise UsageError(str(problem)) from None
    if not tests:
        raise UsageError(f"--only {options.only}: no test of {path} has this in its name")
    text = path.read_text(encoding="utf-8")
    for test in tests:
        yield Program(test.name, b"", litmus=(text, str(path), test.name))


def _measured(program: Program, options: SeedsOptions) -> Program:
    """Run once in `latency`: how long a run takes, and with `--same` how it has to end."""
    with contextlib.closing(Bench(program, "auto", judge=judge_of(program))) as bench:
        bench.program = replace(program, most=options.wrong.max_cycles or LONGEST, poison=())
        first = bench.run(Case(0, "latency"))
        if program.poison:
            if first.wrong:
                raise UsageError(
                    f"{program.name}: is not what it was with its host, in latency: {first.text}"
                )
            # What the kernel does not write is then that of no run before.
            bench.program = replace(program, most=bench.program.most, result=())
            bench.run(Case(0, "latency"))
            program = replace(program, result=bench.have(program.poison))
    if first.wrong and program.over and first.end == "no end":
        raise UsageError(f"{program.name}: does not end in latency: {first.text}")
    same = ""
    if options.wrong.same:
        if not program.chosen:
            raise UsageError(
                "--same is about the chosen state: name it, as in --state 0x21000+4096"
            )
        same = first.state
    most = options.wrong.max_cycles or cycles_for(first.cycles)
    return replace(program, most=most, same=same, seen={"latency": first})


def _short(path: str) -> str:
    return Path(path).name if len(path) > 40 else path
