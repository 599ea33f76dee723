# SPDX-License-Identifier: Apache-2.0
"""The steps of a hart from one access to another, as a litmus test.

The hart runs in `sc`, instruction by instruction, from the earlier access to the later one. Its
loads, stores, fences and pushes become statements with the addresses and values that they have
there; of the rest it matters only whether it uses what was loaded. So the test has one path of the
program, the one that this run takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field

from tensix_gdb.core.arch.blackhole import HART_NAMES, L1_BYTES, PUSH_BASE, PUSH_STRIDE, T0, THREADS
from tensix_gdb.core.assembly.rv32_read import REGISTERS
from tensix_gdb.core.assembly.tensix_text import show
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.devices.backend_config import CONFIG_BASE, WORDS
from tensix_gdb.core.devices.gprs import GPR_BASE
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.litmus.text import Outcome
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.findings import Access, Kind, Report, State
from tensix_gdb.core.riscv.decode import decode
from tensix_gdb.core.riscv.table import FIRST, FORMS, ROWS, SIZES, Form
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind
from tensix_gdb.core.tensix.table import find

MOST_STEPS = 4000
MOST_STATEMENTS = 60
MOST_CYCLES = 10_000_000
NAMES = {number: name for name, number in REGISTERS.items() if not name.startswith("x")}
_RESULTS = ("result_reg", "result_half_reg")


class CannotCut(Exception):
    """No litmus test can be made of the pair; the message says why."""


@dataclass
class Cut:
    """A test, without its head, and where a fix goes."""

    hart: int
    statements: list[str]
    init: list[str] = field(default_factory=list)
    final: list[str] = field(default_factory=list)
    # Of begins.py and begun.py: statements after the last one, and what another hart looks at. Only
    # outcomes in which it has first found `counted` say in which order the two came.
    after: list[str] = field(default_factory=list)
    observer: tuple[int, list[str]] | None = None
    counted: int = 1
    others: list[tuple[int, list[str]]] = field(default_factory=list)  # harts, statements
    several_say_nothing: str = ""  # why several outcomes do not show that both orders are possible
    fixes: dict[str, tuple[str, ...]] = field(default_factory=dict)  # that are no instruction
    pushed: Callable[[str], str] = "push {}".format  # a Tensix instruction as a statement

    def text(self, name: str, fix: str = "") -> str:
        """Return the litmus test; with `fix` before the last statement: a Tensix instruction that
        is pushed, or one of `fixes`."""
        lines = list(self.statements)
        if fix:
            lines[-1:-1] = self.fixes.get(fix) or [self.pushed(fix)]
        lines = [HART_NAMES[self.hart], *lines, *self.after]
        for other, does in [*([self.observer] if self.observer else []), *self.others]:
            lines += [HART_NAMES[other], *does]
        head = [f"litmus  {name}", *(f"init    {one}" for one in self.init)]
        return "\n".join([*head, *lines, f"final   {'  '.join(self.final)}", ""])

    def counts(self, outcome: Outcome) -> bool:
        """True if the outcome says in which order the two came."""
        return self.observer is None or outcome.values[0] == self.counted


def cut_lines(machine: Machine, hart: int, earlier: int, later: int) -> Cut:
    """Return the same of a request at one address and a push at another, which no report names.
    CannotCut if the instruction reads nothing that the request touches."""
    statements = list(statements_between(machine, hart, earlier, later))
    words = statements[0].replace(",", " ").split()
    place = place_at(hart, int(words[-1], 0) if words[-1].startswith("0x") else 0)
    if words[0] not in ("sw", "sh", "sb") or place not in _reads(statements[-1], hart - T0):
        raise CannotCut("the later line reads no configuration or GPR that the earlier one stores")
    final = list(_results_of_push(statements[-1], hart - T0))
    if not final:
        raise CannotCut("the later line leaves nothing in a register or the configuration")
    return Cut(hart, statements, [f"{place} = {_another_value(statements[0])}"], final)


def place_at(hart: int, addr: int) -> str:
    """Return the name of a word of the configuration, or of a GPR of the hart's thread."""
    if CONFIG_BASE <= addr < CONFIG_BASE + 8 * WORDS:
        return f"CFG[{(addr - CONFIG_BASE) >> 2}]"
    return f"T{hart - T0}:GPR[{(addr - GPR_BASE) >> 2 & 63}]"


def _reads(statement: str, thread: int) -> Iterator[str]:
    """Yield the places that a pushed instruction reads."""
    word = word_of(statement)
    row = find(word, Arch.BLACKHOLE)
    for name, bits in (row.encoding.fields if row else {}).items():
        if row is not None and row.mnemonic == "RDCFG" and name == "cfg_index":
            yield f"CFG[{bits.get(word)}]"
        elif name.endswith("_reg") and name not in _RESULTS:
            yield f"T{thread}:GPR[{bits.get(word)}]"


def cut(machine: Machine, report: Report) -> Cut:
    """Cut a pair out of the programs of a machine, which is reset for it. CannotCut with why."""
    earlier, later = report.earlier, report.later
    if earlier.thread is not None or later.thread is None or earlier.hart != later.hart:
        raise CannotCut("only a hart and an instruction that it pushes itself can be cut out")
    if not T0 <= later.hart < T0 + THREADS or later.hart - T0 != later.thread:
        raise CannotCut("only a T core and its own thread can be cut out")
    if later.via:
        raise CannotCut(f"the instruction comes from a {later.via}")
    place = _place(report)
    statements = list(statements_between(machine, earlier.hart, earlier.pc, later.pc))
    result = Cut(earlier.hart, statements, [f"{place} = {_another_value(statements[0])}"])
    result.final = [*_results(statements[0], earlier), *_results(statements[-1], later)]
    if not result.final:
        raise CannotCut(f"{later.instruction} leaves nothing in a register or the configuration")
    return result


def _place(report: Report) -> str:
    """Return the name of the place in a litmus test."""
    place = report.place
    match place.state:
        case State.CONFIG:
            return f"CFG[{place.unit * WORDS + place.index}]"
        case State.GPR:
            return f"T{place.unit}:GPR[{place.index}]"
        case _:
            raise CannotCut(f"the place is no configuration and no GPR: {place.name}")


def _another_value(statement: str) -> str:
    """Return a value that the first statement does not store."""
    words = statement.replace(",", " ").split()
    value = int(words[1], 0) if words[0] in ("sw", "sh", "sb") else 0
    return hex(value ^ 0x11)


def _results(statement: str, access: Access) -> Iterator[str]:
    """Yield where the effect of an access can be seen at the end."""
    if access.thread is None:
        if access.kind is Kind.READ:
            yield f"{HART_NAMES[access.hart]}:{statement.split()[1].rstrip(',')}"
    else:
        yield from _results_of_push(statement, access.thread)


def _results_of_push(statement: str, thread: int) -> Iterator[str]:
    word = word_of(statement)
    row = find(word, Arch.BLACKHOLE)
    for name, bits in (row.encoding.fields if row else {}).items():
        value = bits.get(word)
        if name in _RESULTS:
            register = value >> 1 if "half" in name else value
            yield f"T{thread}:GPR[{register}]"
    if row is not None and row.mnemonic in ("WRCFG", "CFGSHIFTMASK"):
        yield f"CFG[{row.encoding.fields['cfg_index'].get(word)}]"


def word_of(statement: str) -> int:
    """Return the Tensix instruction that a statement pushes. CannotCut if it pushes none."""
    if "#" not in statement:
        raise CannotCut("the later line pushes no instruction")
    return int(statement.rpartition("#")[2], 0)


def statements_between(machine: Machine, hart: int, earlier: int, later: int) -> Iterator[str]:
    """Yield those of the hart from one address to the other."""
    was = machine.execution
    machine.reschedule(Execution(Schedule.SC))
    machine.reset()
    machine.add_break(earlier, hart)
    try:
        _run_to(machine, hart)
        yield from _Walk(machine, hart).statements(later)
    finally:
        machine.remove_break(earlier, hart)
        machine.disarm()
        machine.reschedule(was)
        machine.reset()


def _run_to(machine: Machine, hart: int) -> None:
    while machine.S.tile.cycle < MOST_CYCLES:
        stop = machine.run(MOST_CYCLES)
        if stop is not None and stop.kind is StopKind.BREAK and stop.hart == hart:
            return
        if stop is None or stop.kind not in (StopKind.EBREAK, StopKind.ECALL, StopKind.BREAK):
            break
    raise CannotCut("in `sc` the program does not come to the earlier line")


class _Walk:
    """Steps a hart and writes down what it does."""

    def __init__(self, machine: Machine, hart: int) -> None:
        self._machine, self._hart = machine, hart
        self._loaded: set[int] = set()
        self._lines: dict[int, str] = {}
        self._count = 0

    def statements(self, last: int) -> Iterator[str]:
        machine, hart = self._machine, self._hart
        for _ in range(MOST_STEPS):
            pc = int(machine.S.hart.pc[hart])
            for line in self._instruction(pc):
                self._count += 1
                yield line
            if self._count > MOST_STATEMENTS:
                raise CannotCut(f"there are more than {MOST_STATEMENTS} accesses between the two")
            if pc == last:
                return
            machine.resume_from(hart)
            machine.step(hart)
            stop = machine.run(MOST_CYCLES)
            while stop is not None and stop.kind in (StopKind.EBREAK, StopKind.ECALL):
                stop = machine.run(MOST_CYCLES)
            if stop is None or stop.kind not in (StopKind.STEP, StopKind.BREAK):
                break
        raise CannotCut("in `sc` the hart does not get from the earlier line to the later one")

    def _instruction(self, pc: int) -> Iterator[str]:
        machine, hart = self._machine, self._hart
        word = int(machine.S.l1.word[pc >> 2]) if pc < L1_BYTES else 0
        decoded = decode(word)
        op = decoded & 0xFF
        form = FORMS[op]
        rd, rs1, rs2 = decoded >> 8 & 31, decoded >> 16 & 31, decoded >> 24 & 31
        if form is Form.TTINSN:
            yield self._pushed("ttinsn", word >> 2 | (word & 3) << 30)
            return
        for register in dict.fromkeys((rs1, rs2)):
            if register in self._loaded:
                self._loaded.discard(register)
                yield f"use {NAMES[register]}"
        addr = (int(machine.read_x(hart, rs1)) + (decoded >> 32)) & 0xFFFFFFFF
        name = ROWS[op - FIRST].name if op >= FIRST else ""
        match form:
            case Form.STORE:
                value = int(machine.read_x(hart, rs2)) & (1 << 8 * SIZES[op]) - 1
                if PUSH_BASE <= addr < PUSH_BASE + 3 * PUSH_STRIDE:
                    yield self._pushed("push", value)
                else:
                    yield f"{name} {value:#x}, {self._address(addr)}"
            case Form.LOAD:
                yield f"{name} {NAMES[rd]}, {self._address(addr)}"
                self._loaded.add(rd)
            case Form.FENCE:
                yield "fence"
                self._loaded.clear()
            case Form.AMO | Form.VECTOR | Form.VECTOR_LOAD | Form.VECTOR_STORE | Form.ECALL:
                raise CannotCut(f"between the two is {name}, which no litmus test has")
            case _:
                self._loaded.discard(rd)
                if self._loaded:
                    yield "nop"

    def _pushed(self, how: str, word: int) -> str:
        if find(word, Arch.BLACKHOLE) is None:
            raise CannotCut(f"between the two {word:#010x} is pushed, which is no instruction")
        return f"{how} {show(word)}  # {word:#010x}"

    def _address(self, addr: int) -> str:
        """L1 of a litmus test is small: each line of 16 bytes gets a name."""
        if addr >= L1_BYTES:
            return f"{addr:#x}"
        line = self._lines.setdefault(addr >> 4, f"X{len(self._lines)}")
        return f"{line}+{addr & 15}"
