# SPDX-License-Identifier: Apache-2.0
"""The chain of a wrong datum: the writes that it was made by, from the end of the run backwards.

    L1 0x41200:2 = 0x0000  PACR of T2 pack, add.cpp:84, in cycle 1120
    dst 0.0 = 0x0000       MOVA2D of T1 math, add.cpp:66, in cycle 1080
    src a 1 0.0 = 0x00800  UNPACR of T0 unpack, add.cpp:46, in cycle 1050

A report of a race or a check has a part in it if one of its lines, or its place, is in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tensix_gdb.core.origin.shown import Origin, Setting
from tensix_gdb.core.origin.words import in_cycles, listed
from tensix_gdb.gdbstub.order.report.located import Located

MOST_STEPS, MOST_SETTINGS = 8, 4
LONGEST = 80  # characters of a place with its values
# Instructions that move one element, and what they move it from.
MOVES = {
    "MOVA2D": "src a",
    "MOVB2D": "src b",
    "MOVD2A": "dst",
    "MOVD2B": "dst",
    "PACR": "dst",
    "SFPLOAD": "dst",
    "SFPSTORE": "lreg",
}
# In the names of settings that decide what a value becomes: zeros, widths, formats.
DECIDING = ("Zero_Flag", "Fp32", "INT8", "Read_32b", "Dstacc", "format", "mask")
NEVER = "nothing has written it"  # begins the note of an element without a write
_NUMBER = re.compile(r"0x([0-9a-f]+)")
_ADDRESS = re.compile(r", 0x[0-9a-f]{8}, ")


class Chain:
    """The writes of one datum, and what they were made of."""

    def __init__(self, trees: Sequence[Origin]) -> None:
        self.steps = list(_walk(trees))
        self._at = {(one.hart, one.pc) for one in self.steps if one.pc is not None}
        self._settings = {
            setting.what: setting
            for one in self.steps
            for setting in (*one.addressed, *one.settings)
        }

    def __bool__(self) -> bool:
        return bool(self.steps)

    def has(self, one: Located) -> bool:
        """True if a report is about the chain: an instruction or a setting of it."""
        if one.report.place.words in self._settings:
            return True
        return any((side.access.hart, side.access.pc) in self._at for side in one.sides)

    @property
    def unwritten(self) -> Origin | None:
        """The wrong datum itself, if nothing has written it."""
        first = self.steps[0] if self.steps else None
        return first if first is not None and first.note.startswith(NEVER) else None

    @property
    def lost(self) -> tuple[Origin, Origin] | None:
        """The first move that made zero of something else, and what that was; None if there is
        none. Of what computes, a zero says nothing."""
        for step in self.steps:
            name = step.by.partition(" ")[0]
            if name not in MOVES or not _is_zero(step):
                continue
            for part in step.made_of:
                if part.what.startswith(MOVES[name]) and not _is_zero(part):
                    return step, part
        return None

    def lane_lines(self) -> Iterator[str]:
        """Yield what has chosen the lanes in which elements were written."""
        for step in self.steps:
            for one in step.in_lanes[:1]:
                yield f"{named(step)}: where {one.why}"

    def lines(self) -> Iterator[str]:
        """Yield the chain without settings: a line for each write."""
        for step in self.steps[:MOST_STEPS]:
            yield f"{named(step)}: {said(step)}"
        if len(self.steps) > MOST_STEPS:
            yield f"and {len(self.steps) - MOST_STEPS} more"


def named(step: Origin) -> str:
    """Return the place and its values, of long ones the beginning."""
    return step.title if len(step.title) <= LONGEST else f"{step.title[:LONGEST]} ..."


def said(step: Origin) -> str:
    """Return what has written an element, in one line: the instruction, the line, the cycle."""
    if not step.by:
        return step.note.partition(", unless")[0] or "it is not known what has written it"
    by = _ADDRESS.sub(", ", step.by.partition(";")[0].partition(" (through")[0])
    return f"written by {by}, {in_cycles(step.cycles)}"


def setting_lines(settings: Sequence[Setting]) -> Iterator[str]:
    """Yield settings that had a part in a write, with what has written each."""
    written = sorted((one for one in settings if one.is_config), key=_is_common)
    for one in written[:MOST_SETTINGS]:
        by = f"written by {_ADDRESS.sub(', ', one.by)}" if one.by else "never written"
        cycle = f", in cycle {one.cycle}" if one.cycle is not None else ""
        yield f"{one.what} = {one.value:#x}, {by}{cycle}"
    if len(written) > MOST_SETTINGS:
        yield f"and {len(written) - MOST_SETTINGS} more settings"


def _is_common(setting: Setting) -> bool:
    """False for a setting that decides what becomes of a value."""
    return not any(word in setting.what for word in DECIDING)


def values_of(step: Origin) -> str:
    """Return the values of an element for a sentence."""
    return listed(step.values)


def _walk(trees: Sequence[Origin]) -> Iterator[Origin]:
    """Yield each write once, level by level: first what is nearest to the wrong datum."""
    seen: set[int] = set()
    level = list(trees)
    while level:
        new = [one for one in level if id(one) not in seen]
        seen.update(map(id, new))
        yield from new
        level = [part for one in new for part in one.made_of]


def _is_zero(step: Origin) -> bool:
    """True if every value of an element is zero, whichever its format."""
    numbers = [_NUMBER.match(value) for value in step.values]
    return bool(numbers) and all(one is not None and not int(one[1], 16) for one in numbers)
