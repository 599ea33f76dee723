# SPDX-License-Identifier: Apache-2.0
"""Vector files: what an instruction does, as a page says it, case by case.

    page WormholeB0/TensixTile/TensixCoprocessor/SETADC.md

    The upper two bits of a value say whose counter it is
        adc.value[0,0,0,1] = 3                          before: rows of the record
        T1: SETADC u0=1, xyzw=Y, new_value=65536        Tensix instructions, in order
        adc.value[0,0,0,1] = 0                          after: every row that has changed

A case begins with its name, at the left margin. Rows are named as in the record; several values
are those of consecutive elements. What is not named after the instructions must be as before,
except for what every instruction moves (`ALWAYS`). Other lines of a case:

    passes T0 0 3 4      cycles, from the first one, in which the thread's instructions have passed
                         the wait gate, in the schedule `latency`
    fault TENSIX_MODE    it ends with this fault, and with the last instruction at its gate
    on wormhole          of Wormhole: its instructions, `--arch wormhole`
    only latency         a case about time: not in the schedule `sc`
    waits                something never ends, and Scalar Unit and latched wait hold it: what
                         they hold is looked at as far as it is named
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.devices.wormhole import config_words
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.architecture import DIALECTS, Arch
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.record.layout import Tag, View
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import STOPPED
from tensix_gdb.core.tensix.auto_ttsync import tracker
from tensix_gdb.core.tensix.coprocessor import step
from tensix_gdb.core.tensix.frontend import fifo
from tests.vectors import both_engines

FOLDER = Path(__file__).parent / "vectors"
ALWAYS = (
    *("fifo.", "gate.", "tensix.", "tracker.", "tile.", "stop.", "schedule."),
    *("fpu_pipe.", "fpu_stale."),  # what is under way in the Matrix Unit
)
HOLD = ("thcon.", "latch.")
LONGEST = 400  # cycles; `waits` looks then

_ROW = re.compile(r"([a-z_0-9]+)\.([a-z_0-9]+)(?:\[([\d, ]+)\])? = (.+)")


@dataclass
class Case:
    """One case of a file."""

    name: str
    page: str
    before: list[tuple[str, tuple[int, ...], int]] = field(default_factory=list)
    program: list[tuple[int, int]] = field(default_factory=list)
    after: list[tuple[str, tuple[int, ...], int]] = field(default_factory=list)
    passes: dict[int, list[int]] = field(default_factory=dict)
    fault: str = ""
    only: str = ""
    waits: bool = False
    arch: Arch = Arch.BLACKHOLE

    def __str__(self) -> str:
        return re.sub(r"\W+", "-", self.name)


def cases(path: Path) -> Iterator[Case]:
    """The cases of a file."""
    page, case = "", None
    for number, raw in enumerate(path.read_text().splitlines(), 1):
        line = raw.partition("#")[0].rstrip()
        if line.startswith("page "):
            page = line.removeprefix("page ")
        elif line and not line[0].isspace():
            if case:
                yield case
            case = Case(line, page)
        elif line.strip():
            assert case, f"{path}:{number}: a line before the first case"
            try:
                _read(case, line.strip())
            except (ValueError, KeyError) as error:
                raise ValueError(f"{path}:{number}: {error}") from error
    if case:
        yield case


def _read(case: Case, line: str) -> None:
    word, _, rest = line.partition(" ")
    if re.fullmatch(r"T[012]:", word):
        case.program.append(
            (
                int(word[1]),
                int(rest, 0)
                if rest[0].isdigit()
                else parse(rest, DIALECTS[case.arch.name.lower()]),
            )
        )
    elif word == "passes":
        thread, *cycles = rest.split()
        case.passes[int(thread[1])] = [int(cycle) for cycle in cycles]
    elif word == "fault":
        Fault[rest]  # that there is one
        case.fault = rest
    elif word == "only":
        case.only = rest
    elif word == "on":
        case.arch = Arch[rest.upper()]
    elif word == "waits":
        case.waits = True
    else:
        found = _ROW.fullmatch(line)
        if not found:
            raise ValueError(f"{line!r} is no line of a case")
        where = case.after if case.program else case.before
        where += _elements(f"{found[1]}.{found[2]}", found[3], found[4])


def _elements(
    path: str, index: str | None, values: str
) -> Iterator[tuple[str, tuple[int, ...], int]]:
    numbers = [int(value, 0) for value in values.split(",")]
    if index is None:
        yield path, (), numbers[0]
        return
    *front, first = (int(i) for i in index.split(","))
    for offset, number in enumerate(numbers):
        yield path, (*front, first + offset), number


def drive(S: View, cycles: int) -> int:
    """Let the coprocessor run until it has nothing to do; the cycles that it took."""
    start = S.tile.cycle
    while S.tensix.active and S.tile.cycle < start + cycles:
        if step(S, 0) == STOPPED:
            break
        S.tile.cycle += 1
    return S.tile.cycle - start


def put(record: Record, path: str, index: tuple[int, ...], value: int) -> None:
    part, _, name = path.partition(".")
    view = getattr(record.S, part)
    if index:
        getattr(view, name)[index if len(index) > 1 else index[0]] = value
    else:
        setattr(view, name, value)


def _get(record: Record, path: str, index: tuple[int, ...]) -> int:
    part, _, name = path.partition(".")
    found = getattr(getattr(record.S, part), name)
    return int(found[index if len(index) > 1 else index[0]]) if index else int(found)


def push(record: Record, program: list[tuple[int, int]]) -> None:
    """Put instructions into the first FIFOs of their threads."""
    S = record.S
    tracker.power_up(S)
    for number, (thread, word) in enumerate(program):
        tracker.note_push(S, thread, word)
        hart, pc, slot = T0 + thread, 0x1000 + 4 * number, tracker.enter(S, thread)
        fifo.put(S, thread, fifo.A, word, hart, pc, 0, 0, slot)
    S.tensix.active = 1


def run(case: Case, schedule: Schedule) -> None:
    """Run a case on both engines and look at everything that it says."""
    record, expected = Record(LAYOUT), Record(LAYOUT)
    for one in (record, expected):
        one.S.schedule.kind = schedule
        if case.arch is Arch.WORMHOLE:
            one.S.tile.chip = 1
            config_words.power_up(one.S)
        for path, index, value in case.before:
            put(one, path, index, value)
    for path, index, value in case.after:
        put(expected, path, index, value)
    push(record, case.program)
    if case.passes and schedule is Schedule.LATENCY:
        _watch(case, record)
    else:
        both_engines(drive, record, LONGEST)
    code = Fault(record.S.stop.code).name if record.S.stop.code else ""
    assert code == case.fault, code
    active = bool(record.S.tensix.active)
    assert active == (case.waits or bool(case.fault)), f"active: {active}"
    wrong = [
        f"{one.path}: {one.left}, not {one.right}"
        for one in record.diff(expected, Tag.ARCHITECTURAL, limit=10_000)
        if not one.path.startswith((*ALWAYS, *HOLD) if case.waits else ALWAYS)
    ]
    assert not wrong, wrong
    for path, index, value in case.after:  # those that `diff` leaves out, too
        assert _get(record, path, index) == value, f"{path}{list(index)}"


def _watch(case: Case, record: Record) -> None:
    """Run it cycle by cycle and compare when instructions pass."""
    passed: dict[int, list[int]] = {thread: [] for thread in case.passes}
    for cycle in range(LONGEST):
        held = {thread: _waiting(record, thread) for thread in passed}
        both_engines(drive, record, 1)
        for thread, cycles in passed.items():
            if _waiting(record, thread) < held[thread]:
                cycles.append(cycle)
        if not record.S.tensix.active or record.S.stop.code:
            break
    first = min(cycles[0] for cycles in passed.values() if cycles)
    relative = {thread: [at - first for at in cycles] for thread, cycles in passed.items()}
    assert relative == case.passes, relative


def _waiting(record: Record, thread: int) -> int:
    """Instructions before the thread's gate."""
    S = record.S
    return sum(int(S.fifo.count[thread, which]) for which in range(fifo.FIFOS))
