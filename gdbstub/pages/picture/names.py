# SPDX-License-Identifier: Apache-2.0
"""The names of L1, for the lines below its map: buffers with their pages, inputs, programs,
stacks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.gdbstub.pages.picture import plan
from tensix_gdb.gdbstub.pages.picture.colours import memory_class
from tensix_gdb.gdbstub.tensix.glance.memory_map import BUFFER, INPUT, STACK, Region

CHARACTER = 6.65  # width in pixels of a character of 11 pixels height
SAMPLE = 14  # pixels of a coloured square with its gap
GAP = 14
LINES = 2
ORDER = (BUFFER, INPUT)  # these first: they are what a kernel works on


class Name(NamedTuple):
    """A name with the class of its colour, and where it is on the plan."""

    kind: str
    text: str
    x: int
    y: int


def names(regions: Sequence[Region]) -> list[Name]:
    """Return the names that fit, and how many more there are."""
    found: list[Name] = []
    x, y = plan.HART_X, plan.NAMES_Y
    wanted = _texts(regions)
    for number, (kind, text) in enumerate(wanted):
        width = SAMPLE + GAP + int(len(text) * CHARACTER)
        if x + width > plan.WIDTH:
            if y == plan.NAMES_Y + (LINES - 1) * plan.LINE:
                more = len(wanted) - number + 1
                return [*found[:-1], found[-1]._replace(kind="", text=f"and {more} more")]
            x, y = plan.HART_X, y + plan.LINE
        found.append(Name(kind, text, x, y))
        x += width
    return found


def _texts(regions: Sequence[Region]) -> list[tuple[str, str]]:
    """Return classes and texts. A program with several segments is named once."""
    first: dict[tuple[str, str], int] = {}
    for region in regions:
        if region.start < L1_BYTES:
            key = region.kind, region.name
            first[key] = min(first.get(key, L1_BYTES), region.start)
    rows = sorted(first.items(), key=lambda row: (_rank(row[0][0]), row[1]))
    return [(memory_class(kind), f"{name} {start:#x}") for (kind, name), start in rows]


def _rank(kind: str) -> int:
    return ORDER.index(kind) if kind in ORDER else len(ORDER) + (kind == STACK)
