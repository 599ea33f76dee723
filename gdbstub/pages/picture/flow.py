# SPDX-License-Identifier: Apache-2.0
"""The ways through the tile, as the documents draw it, and what is on them at a moment.

    harts -> FIFOs -> wait gates -> units      instructions, in the colour of their thread
    L1 -> unpackers -> SrcA, SrcB -> Matrix Unit -> Dst -> packer -> L1      tiles

A way between two boxes is a path in the room that no box has: before the units, after them, and
above the source banks. What is on a way was given to a unit in this cycle or the one before, or is
still there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tensix_gdb.core.arch.blackhole import T0, THREAD_NAMES, THREADS
from tensix_gdb.gdbstub.pages.picture import plan
from tensix_gdb.gdbstub.pages.picture.plan import Box, unit_id
from tensix_gdb.gdbstub.pages.picture.state import Picture, ThreadState
from tensix_gdb.gdbstub.tensix.glance.units import UnitState

PLAN = {box.id: box for box in plan.boxes()}
NEW = 1  # cycles since an instruction has passed its gate, while it is shown on its way
LONGEST = 9  # characters of a label
L1, DST, LREGS, SRC, SRC_A, SRC_B = "l1", "dst", "lregs", "src", "srca", "srcb"
# Lanes: x of the vertical part of a way, before the units and after them.
LANES = {
    ("l1", "unit-unpacker-0"): 826, ("l1", "unit-unpacker-1"): 832, ("unit-packer", "l1"): 838,
    ("unit-unpacker-0", "srca"): 850, ("unit-unpacker-1", "srcb"): 856,
    ("src", "unit-matrix-unit"): 862,
    ("unit-matrix-unit", "dst"): 1216, ("dst", "unit-packer"): 1222,
    ("unit-vector-unit", "lregs"): 1230,
}  # fmt: skip
ROUND = 5  # radius of a corner


class Way(NamedTuple):
    """A way that is always there: of a thread's instructions, or of data (`thread` is -1)."""

    start: str
    end: str
    thread: int
    path: str


class Flow(NamedTuple):
    """An instruction or a tile on a way, at (x, y): `label` is its name, empty for a tile; `text`
    says it whole."""

    start: str
    end: str
    thread: int
    path: str
    label: str
    text: str
    x: int
    y: int


def ways() -> tuple[Way, ...]:
    """Return the ways that are drawn once."""
    found = []
    for thread in range(THREADS):
        for start, end in _stations(thread):
            found.append(Way(start, end, thread, _straight(PLAN[start], PLAN[end])))
    found += [Way(start, end, -1, _lane(start, end)) for start, end in LANES]
    return tuple(found)


def flows(picture: Picture) -> list[Flow]:
    """Return what is on the ways."""
    found: list[Flow] = []
    for number, thread in enumerate(picture.threads):
        found += _to_gate(number, thread)
    for unit in picture.units:
        for number in _threads_in(unit, picture.cycle):
            found += _through(unit, number)
    return found


def _stations(thread: int) -> tuple[tuple[str, str], ...]:
    front = f"front-{thread}"
    return (f"hart-{T0 + thread}", front), (front, f"gate-{thread}")


def _to_gate(number: int, thread: ThreadState) -> Iterator[Flow]:
    """Yield what a hart has pushed and the front end still has, and what is at the gate."""
    waiting = [one for fifo in thread.fifos for one in fifo.waiting]
    newest = next((fifo.waiting[-1] for fifo in thread.fifos if fifo.waiting), "")
    for (start, end), one in zip(_stations(number), (newest, thread.gate), strict=True):
        if not one:
            continue
        x = (PLAN[start].x + PLAN[start].width + PLAN[end].x) // 2
        text = f"{one}; {len(waiting)} of {thread.name} are on the way to its gate"
        path = _straight(PLAN[start], PLAN[end])
        yield Flow(start, end, number, path, "", text, x, _middle(PLAN[start]))


def _threads_in(unit: UnitState, cycle: int) -> list[int]:
    """Return the threads that have something in a unit."""
    names = set(unit.threads)
    if unit.last and cycle - unit.cycle <= NEW:
        names.add(unit.thread)
    return sorted(map(THREAD_NAMES.index, names))


def _through(unit: UnitState, number: int) -> Iterator[Flow]:
    """Yield the instruction on its way to the unit, and the tile through it."""
    box, name = PLAN[unit_id(unit.name)], unit.last.split(" ")[0].split(".")[0]
    is_last = unit.thread == THREAD_NAMES[number]
    said = f"{unit.last if is_last else 'an instruction'} of {THREAD_NAMES[number]}"
    said += f" from {unit.place}" if is_last else ""
    yield Flow(
        f"gate-{number}",
        box.id,
        number,
        _to_unit(PLAN[f"gate-{number}"], box),
        name[:LONGEST] if is_last else "",
        said,
        box.x - 34,
        _entry(box, number),
    )
    for (start, end), x in LANES.items():
        if box.id in (start, end):
            other = end if start == box.id else start
            text = f"{said}: {_named(start)} to {_named(end)}"
            y = (_entry(box, -1) + _height(other, box.id)) // 2
            yield Flow(start, end, number, _lane(start, end), "", text, x, y)


def _named(end: str) -> str:
    names = {L1: "L1", DST: "Dst", LREGS: "LRegs", SRC: "SrcA and SrcB", SRC_A: "SrcA",
             SRC_B: "SrcB"}  # fmt: skip
    return names.get(end) or PLAN[end].title


def _middle(box: Box) -> int:
    return box.y + box.height // 2


def _entry(box: Box, thread: int) -> int:
    """Return where on a unit's edge the ways of a thread end; those of data are below them."""
    return box.y + (8 + 7 * thread if thread >= 0 else box.height - 6)


def _straight(box: Box, to: Box) -> str:
    return f"M{box.x + box.width},{_middle(box)} H{to.x}"


def _to_unit(box: Box, to: Box) -> str:
    """Return the way from a gate to a unit."""
    thread = int(box.id[-1])
    x1, x2, y1, y2 = box.x + box.width, to.x, _middle(box), _entry(to, thread)
    middle = x1 + 12
    return f"M{x1},{y1} C{middle},{y1} {x1},{y2} {middle + 6},{y2} H{x2}"


def _height(end: str, unit: str) -> int:
    """Return the y of a map's end of a way."""
    return {
        L1: plan.L1_Y - 3,
        DST: plan.DST_Y + 40 + (20 if unit == "unit-packer" else 0),
        LREGS: plan.LREG_Y + 28,
        SRC_A: PLAN["bank-0"].y - 14,
        SRC_B: PLAN["bank-0"].y - 9,
        SRC: PLAN["bank-0"].y - 4,
    }[end]


def _lane(start: str, end: str) -> str:
    """Return the way between a unit and a map, with round corners, in the direction of the data."""
    unit = PLAN[start if start in PLAN else end]
    other = end if start in PLAN else start
    x, y1, y2 = LANES[start, end], _entry(unit, -1), _height(other, unit.id)
    after = x > unit.x
    edge = unit.x + unit.width if after else unit.x
    turn = -ROUND if after else ROUND  # from the lane towards the unit
    ends = {L1: x, DST: plan.DST_X + 16 * (plan.DST_WIDTH + 1),
            LREGS: plan.LREG_X + 32 * plan.LREG_WIDTH, SRC_A: PLAN["bank-0"].x + 60,
            SRC_B: PLAN["bank-2"].x + 60, SRC: PLAN["bank-0"].x + 90}[other]  # fmt: skip
    last = -ROUND if ends < x else 0
    into = f" V{PLAN['bank-0'].y}" if other in (SRC_A, SRC_B) else ""
    if start in PLAN:
        path = f"M{edge},{y1} H{x + turn} Q{x},{y1} {x},{y1 + ROUND} V{y2 - ROUND * bool(last)}"
        return path + (f" Q{x},{y2} {x + last},{y2} H{ends}{into}" if last else "")
    path = f"M{ends},{y2} H{x + last} Q{x},{y2} {x},{y2 - ROUND}" if last else f"M{x},{y2}"
    return path + f" V{y1 + ROUND} Q{x},{y1} {x + turn},{y1} H{edge}"
