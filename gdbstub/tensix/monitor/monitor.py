# SPDX-License-Identifier: Apache-2.0
"""`monitor` commands of the tile.

A command is a row: its name, its arguments, one line of help, a function. Any beginning of a name
that fits one command only is enough.
"""

from __future__ import annotations

from collections.abc import Sequence

from tensix_gdb.core.arch.blackhole import HART_NAMES
from tensix_gdb.core.faults.policy import PolicyError
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.memory.map import REGION_NAMES, ROWS
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.blocked.fault_report import fault_table
from tensix_gdb.gdbstub.tensix.capabilities.execution import TileExecution
from tensix_gdb.gdbstub.tensix.capabilities.files import path_of
from tensix_gdb.gdbstub.tensix.capabilities.restart import TileRestart
from tensix_gdb.gdbstub.tensix.capabilities.reverse import TileHistory
from tensix_gdb.gdbstub.tensix.capabilities.status import thread_lines
from tensix_gdb.gdbstub.tensix.capabilities.threads import hart_of
from tensix_gdb.gdbstub.tensix.corefile.write import core_command
from tensix_gdb.gdbstub.tensix.glance.lines import coprocessor_lines
from tensix_gdb.gdbstub.tensix.host.circular_buffers import circular_buffer_commands
from tensix_gdb.gdbstub.tensix.host.host import HostSide, plain_host
from tensix_gdb.gdbstub.tensix.monitor.coprocessor import tensix_commands
from tensix_gdb.gdbstub.tensix.monitor.ignore import ignore
from tensix_gdb.gdbstub.tensix.monitor.input import input_commands
from tensix_gdb.gdbstub.tensix.monitor.instructions import monitor_disasm, monitor_explain
from tensix_gdb.gdbstub.tensix.monitor.record import record_commands
from tensix_gdb.gdbstub.tensix.monitor_row import Command, no_more
from tensix_gdb.gdbstub.usage import UsageError, parse_schedule

# Commands that not every tile has.
NEEDS = {
    "core": "writes where the server may: start `tensix-gdb serve` with --core-dir DIR",
    "input": "is for programs that read: start tensix-gdb with --semihosting",
}
ANEW = ("reset", "reload", "goto", "races", "wrong")  # after these all registers may be others
RACES = "[N|witness N|promises|checks|on [strict] [CHECKS]]"
CHECK = "[N|on [NAMES]|kernel|buffers|rules]"
ORIGIN = "PLACE|nan [--brief|--settings|--values|--json|--cycles N]"
FRESH = (
    "The tile is as it was loaded. GDB keeps old registers until `maintenance flush "
    "register-cache` or the next stop, unless it has tensix.py.\n"
)


class HartMonitor:
    """The `Monitor` capability."""

    def __init__(
        self,
        machine: Machine,
        execution: TileExecution,
        restart: TileRestart,
        history: TileHistory,
        core_dir: str | None = None,
        host: HostSide | None = None,
    ) -> None:
        host = host or plain_host(machine)
        self._restart = restart
        self._changes = 0
        self._machine = machine
        self._execution = execution
        rows = (
            Command("help", "[COMMAND]", "list the commands, or explain one", self._help),
            Command(
                "status",
                "",
                "the whole tile at a glance: threads, programs, units, semaphores, banks, Dst",
                self._status,
            ),
            Command("reset", "[halt]", "the tile as it was loaded, halted", self._reset, True),
            Command(
                "reload", "", "the same, with ELF files that were built again", self._reload, True
            ),
            Command("halt", "", "no effect: the tile has stopped already", self._halt),
            Command("map", "", "the address map of the current thread's hart", self._map),
            Command("step-limit", "[CYCLES]", "how long a step may wait", self._step_limit),
            Command("ebreak", "[at|after]", "where the pc is at an ebreak", self._ebreak),
            Command("schedule", "[NAME]", "when stores take effect", self._schedule, True),
            Command(
                "disasm", "[ADDR [N]]", "N instructions in memory, or those at the pc", self._disasm
            ),
            Command("explain", "[WORD|TEXT]", "one instruction, or that at the pc", self._explain),
            Command(
                "faults", "[CATEGORY=POLICY,...]", "stop, count or ignore faults", self._faults
            ),
            Command("ignore", "COUNT [AT|gate N]", "ignore hits of a breakpoint", self._ignore),
            *record_commands(lambda: int(machine.S.tile.cycle), history),
            *tensix_commands(machine),
            self._races(history),
            self._check(),
            self._origin(history),
            self._wrong(history),
            *input_commands(host.calls),
            host.prints.command(),
            *circular_buffer_commands(machine),
            Command("riscv", "info", "facts in the form that OpenOCD's users read", self._riscv),
        )
        self._rows = {row.name: row for row in (*rows, *core_command(machine, core_dir))}

    def _races(self, history: TileHistory) -> Command:
        """Load its module when it is asked for: a server listens before."""

        def run(thread: int, words: list[str]) -> str:
            from tensix_gdb.gdbstub.tensix.races.monitor import races

            return races(self._machine, history, thread, words)

        return Command("races", RACES, "accesses that nothing orders", run)

    def _check(self) -> Command:
        """Load its module as `_races` does."""

        def run(thread: int, words: list[str]) -> str:
            from tensix_gdb.gdbstub.tensix.races.checks import monitor_check

            return monitor_check(self._machine, words)

        return Command("check", CHECK, "uninitialised state, leaks, mistakes with memory", run)

    def _origin(self, history: TileHistory) -> Command:
        """Return the same: what it needs is loaded when it is asked for."""

        def run(thread: int, words: list[str]) -> str:
            from tensix_gdb.gdbstub.tensix.origins.monitor import origin

            return origin(self._machine, history, thread, words)

        return Command("origin", ORIGIN, "who wrote a value, and what it was made of", run, True)

    def _wrong(self, history: TileHistory) -> Command:
        """Return the same."""

        def run(thread: int, words: list[str]) -> str:
            from tensix_gdb.gdbstub.tensix.origins.first_wrong import wrong

            return wrong(self._machine, history, words)

        about = "back to what made the first wrong datum of L1, `dst ROW=` or `src a BANK=`"
        return Command("wrong", "ADDR=FILE.npy:FORMAT", about, run, True)

    def command(self, thread: int, line: str, *, running: bool) -> str:
        words = line.split()
        if not words:
            return self._help(thread, [])
        row = self._find(words[0])
        changes = row.changes or words[1:2] == ["witness"]
        if running and changes:
            raise TargetError(
                f"`monitor {row.name}` is not possible while the tile runs for another client, or "
                "threads of this one run"
            )
        if self._machine.unknown:
            from tensix_gdb.gdbstub.tensix.corefile.unknown import answered

            said = answered(self._machine, row.name, thread, words[1:])
            if said is not None:
                return said
        said = row.run(thread, words[1:])
        self._changes += changes and ("=" in line or row.name in ANEW)
        return said

    def changes(self) -> tuple[int, int]:
        return self._changes, self._machine.resets

    def names(self) -> Sequence[str]:
        return tuple(self._rows)

    def full_name(self, word: str) -> str:
        """Return the name of the command that a word means. TargetError if it means none."""
        return self._find(word).name

    def _find(self, word: str) -> Command:
        if word in self._rows:
            return self._rows[word]
        fitting = [row for name, row in self._rows.items() if name.startswith(word)]
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            names = ", ".join(row.name for row in fitting)
            raise TargetError(f"`monitor {word}` could be {names}; type one of them")
        if word in NEEDS:
            raise TargetError(f"`monitor {word}` {NEEDS[word]}")
        import difflib  # what most sessions never need

        near = difflib.get_close_matches(word, self._rows, 1)
        meant = f" (`monitor {near[0]}`?)" if near else ""
        raise TargetError(
            f"there is no `monitor {word}`{meant}; type `monitor help` for the list of commands"
        )

    def _help(self, thread: int, words: list[str]) -> str:
        rows = [self._find(words[0])] if words else list(self._rows.values())
        uses = [f"monitor {row.name} {row.arguments}".rstrip() for row in rows]
        width = max(map(len, uses))
        return "".join(f"{use:{width}}  {row.help}\n" for use, row in zip(uses, rows, strict=True))

    def _status(self, thread: int, words: list[str]) -> str:
        machine = self._machine
        out = [
            f"cycle {machine.S.tile.cycle}, {machine.engine.kind} engine, "
            f"schedule {machine.execution}",
        ]
        out += thread_lines(machine, thread)
        for image in machine.images:
            assert image.hart is not None
            out.append(f"{HART_NAMES[image.hart]} runs {path_of(image)}")
        if machine.unknown:
            out += [f"unknown: {what}, because {why}" for what, why in machine.unknown.items()]
        else:
            out += coprocessor_lines(machine)
        return "\n".join(out) + "\n"

    def _reset(self, thread: int, words: list[str]) -> str:
        if words and words != ["halt"]:
            raise TargetError("type `monitor reset` or `monitor reset halt`; both halt the tile")
        self._restart.reset()
        return self._restart.outdated() + FRESH

    def _reload(self, thread: int, words: list[str]) -> str:
        no_more(words, "reload")
        changed = self._restart.reload()
        if not changed:
            return f"No file has changed. {FRESH}"
        return (
            f"Loaded again: {', '.join(changed)}. GDB reads the file that it was started with "
            "again by `file NAME`, the others by `nosharedlibrary` and `sharedlibrary`.\n" + FRESH
        )

    def _halt(self, thread: int, words: list[str]) -> str:
        return "The tile has stopped already.\n"

    def _map(self, thread: int, words: list[str]) -> str:
        hart = hart_of(thread)
        return "".join(
            f"{row.start:#010x} to {row.end - 1:#010x}  {REGION_NAMES[row.region]}\n"
            for row in ROWS
            if hart in row.harts
        )

    def _step_limit(self, thread: int, words: list[str]) -> str:
        if words:
            if not words[0].isdecimal() or not 0 < int(words[0]) < 1 << 40:
                raise TargetError("type `monitor step-limit 1000000`: a number of cycles above 0")
            self._execution.steps.limit = int(words[0])
        return f"A step waits {self._execution.steps.limit} cycles for its hart.\n"

    def _ebreak(self, thread: int, words: list[str]) -> str:
        if words:
            if words[0] not in ("at", "after"):
                raise TargetError(
                    "type `monitor ebreak at` for a pc at the ebreak that a hart has come to, as "
                    "debuggers expect, or `monitor ebreak after`, as the hardware has it"
                )
            self._execution.ebreak_behind = words[0] == "after"
        where = "after it" if self._execution.ebreak_behind else "at it"
        return f"A hart that comes to an ebreak stops with its pc {where}; it resumes after it.\n"

    def _ignore(self, thread: int, words: list[str]) -> str:
        return ignore(self._machine, thread, words)

    def _schedule(self, thread: int, words: list[str]) -> str:
        machine = self._machine
        if words:
            try:
                execution = parse_schedule(words[0])
            except UsageError as problem:
                raise TargetError(str(problem)) from None
            machine.reschedule(execution)
            if machine.S.tile.cycle or machine.S.schedule.cycle_phase:
                return f"Schedule {words[0]} begins with the next `monitor reset`.\n"
        return f"The schedule is {machine.execution}.\n"

    def _disasm(self, thread: int, words: list[str]) -> str:
        return monitor_disasm(self._machine, thread, words)

    def _explain(self, thread: int, words: list[str]) -> str:
        return monitor_explain(self._machine, thread, words)

    def _faults(self, thread: int, words: list[str]) -> str:
        if len(words) > 1:
            raise TargetError("type `monitor faults all=count`, with a comma between several")
        if words:
            try:
                self._machine.faults.set(words[0])
            except PolicyError as problem:
                raise TargetError(str(problem)) from None
        return "".join(f"{row}\n" for row in fault_table(self._machine))

    def _riscv(self, thread: int, words: list[str]) -> str:
        if words != ["info"]:
            raise TargetError("type `monitor riscv info`")
        return "hart.xlen               32\nhart.count              5\n"
