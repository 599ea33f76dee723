# SPDX-License-Identifier: Apache-2.0
"""Lines from what is held to what would release it, each with its reason.

    Held("gate-2", "semaphore-1", "semaphore 1 is 0 until it is posted", "M544,426 C...")

A thread at its wait gate leads to the semaphore, the mutex or the units that it waits for, a hart
to the Tensix thread or hart. Where the reason names none of them there is no line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tensix_gdb.core.arch.blackhole import HART_NAMES, THREAD_NAMES
from tensix_gdb.gdbstub.pages.picture.plan import Box, boxes, unit_id
from tensix_gdb.gdbstub.pages.picture.state import Picture
from tensix_gdb.gdbstub.tensix.glance.units import NAMES as UNITS

UNPACKERS = {"SrcA": "unpacker 0", "SrcB": "unpacker 1"}  # by the register file that each fills
LANE = 3  # pixels between ways beside each other
INSET = 12  # pixels from a corner to the end of a line
BOXES = {
    **{name: f"hart-{number}" for number, name in enumerate(HART_NAMES)},
    **{name: f"gate-{number}" for number, name in enumerate(THREAD_NAMES)},
}


PLAN = {box.id: box for box in boxes()}


class Held(NamedTuple):
    """A box that is held, the one that would release it, why, and the line as an SVG path."""

    box: str
    by: str
    why: str
    path: str


def held(picture: Picture) -> list[Held]:
    """Return a row for each line."""
    return [
        Held(box, by, why, path_to(PLAN[box], PLAN[by]))
        for box, by, why in (*_threads(picture), *_harts(picture))
    ]


def _threads(picture: Picture) -> Iterator[tuple[str, str, str]]:
    for number, thread in enumerate(picture.threads):
        if not thread.does or thread.moves:
            continue
        box, reason = f"gate-{number}", thread.does.partition(": ")[2] or thread.does
        targets = [
            f"semaphore-{one.number}" for one in picture.semaphores if thread.name in one.waiting
        ]
        if any(thread.name in mutex.waiting for mutex in picture.mutexes):
            targets.append("mutexes")
        targets = targets or [unit_id(name) for name in units_in(reason)]
        targets = targets or [BOXES[name] for name in thread.waits_for if name in BOXES]
        yield from ((box, target, reason) for target in targets if target != box)


def units_in(reason: str) -> list[str]:
    """Return the units that a reason names; a bank that is the unpackers' is one unpacker's."""
    found = [name for name in UNITS if re.search(rf"\b{name}\b", reason)]
    for file, name in UNPACKERS.items():
        if re.search(rf"\b{file} is the unpackers'", reason):
            found.append(name)
    return found


def _harts(picture: Picture) -> Iterator[tuple[str, str, str]]:
    for number, hart in enumerate(picture.harts):
        if hart.moves or hart.state == "in reset":
            continue
        reason = hart.does.rpartition(", at ")[0] or hart.does
        for name in hart.waits_for:
            if name in BOXES and BOXES[name] != f"hart-{number}":
                yield f"hart-{number}", BOXES[name], reason


def _between(box: Box, by: Box) -> str:
    """Return the way from a gate to a box below the harts, through the room between boxes."""
    front, b, nc = PLAN[box.id.replace("gate", "front")], PLAN["hart-0"], PLAN["hart-4"]
    number = int(box.id[-1])
    apart = LANE * (number - 1)  # ways of several gates are beside each other
    x1, x2 = (front.x + front.width + box.x) // 2 + apart, (b.x + b.width + nc.x) // 2 + apart
    last = PLAN["gate-2"]
    y1, y2 = (last.y + last.height + b.y) // 2 + apart, (b.y + b.height + by.y) // 2 + apart
    start, end = box.y + box.height - INSET, by.x + by.width // 2
    points = [(box.x, start), (x1, start), (x1, y1), (x2, y1), (x2, y2), (end, y2), (end, by.y)]
    return "M" + " L".join(f"{x},{y}" for x, y in points)


def _is_hart(box: Box) -> bool:
    return box.id.startswith("hart-")


def _beside_harts(box: Box, by: Box) -> str:
    """Return the way between two harts, in the room between T cores and their FIFOs."""
    t0 = PLAN["hart-1"]
    right = t0.x + t0.width
    lane = right + 4 + LANE * int(box.id[-1])

    def end(one: Box, down: int) -> list[tuple[int, int]]:
        """The points from a box to the lane; below the T cores from its upper edge."""
        if one.y > PLAN["hart-3"].y:
            x = min(max(lane, one.x + INSET), one.x + one.width)
            return [(x, one.y), (x, one.y - gap // 2), (lane, one.y - gap // 2)]
        y = one.y + one.height - down
        return [(right, y), (lane, y)]

    gap = PLAN["hart-0"].y - PLAN["hart-3"].y - PLAN["hart-3"].height
    points = [*end(box, 2 * INSET), *reversed(end(by, INSET))]
    return "M" + " L".join(f"{x},{y}" for x, y in points)


def path_to(box: Box, by: Box) -> str:
    """Return the way between the nearest edges: above each other, or beside. Those to semaphores
    and mutexes go between the boxes, so that they cross no text."""
    if box.id.startswith("gate-") and by.y > PLAN["hart-0"].y:
        return _between(box, by)
    if _is_hart(box) and _is_hart(by) and not {box.id, by.id} <= {"hart-0", "hart-4"}:
        return _beside_harts(box, by)
    if by.id.startswith("unit-"):  # in the room before the units
        x1, x2, y1, y2 = box.x + box.width, by.x, box.y + 3 * box.height // 4, by.y + by.height // 2
        return f"M{x1},{y1} C{x1 + 30},{y1} {x2 - 30},{y2} {x2},{y2}"
    if by.y >= box.y + box.height or box.y >= by.y + by.height:
        y1, y2 = (
            (box.y + box.height, by.y) if by.y >= box.y + box.height else (box.y, by.y + by.height)
        )
        x2 = by.x + by.width // 2
        x1 = min(max(x2, box.x + INSET), box.x + box.width - INSET)
        middle = (y1 + y2) // 2
        return f"M{x1},{y1} C{x1},{middle} {x2},{middle} {x2},{y2}"
    x1, x2 = (box.x + box.width, by.x) if by.x > box.x else (box.x, by.x + by.width)
    y1, y2 = box.y + 3 * box.height // 4, by.y + min(3 * by.height // 4, by.height - 8)
    middle = (x1 + x2) // 2
    return f"M{x1},{y1} C{middle},{y1} {middle},{y2} {x2},{y2}"
