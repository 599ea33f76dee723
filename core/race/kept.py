# SPDX-License-Identifier: Apache-2.0
"""The findings of all checks: a table for each family, in which a finding is kept once and counted.

A finding is told from others by its check, the instruction, another one or 0, and 16 bits that the
check chooses. What else is kept of it is that of the first one. Checks of synchronisation, of state
and memory, and of stages have a table each, because they are cleared at other times.
"""

import enum

from tensix_gdb.core.race.fields import SITES
from tensix_gdb.core.record.layout import Part, Tag, View, row
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.record.record import clear as clear_row

PLACES = 512  # kinds of findings of a family
NO_PLACE = -1
KNOWN = 1 << 62  # keeps a key from being 0


class Family(enum.IntEnum):
    """The families of checks, by table."""

    SYNC = 0  # core/race/checks
    STATE = 1  # core/race/state
    STAGES = 2  # core/race/stages


_D = Tag.DERIVED
_ALL = PLACES * len(Family)

# fmt: off
FOUND = Part("found", (
    row("key",   "i64", _ALL,         _D, "findings: check, two sites, detail; 0: free"),
    row("cell",  "u32", _ALL,         _D, "of the first one: cell, address, row of Dst, bank"),
    row("mask",  "u32", _ALL,         _D, "what of it, or how it was written"),
    row("more",  "u32", _ALL,         _D, "how it was read; of M11 what L1 had"),
    row("times", "u32", _ALL,         _D, "how often"),
    row("when",  "i64", (_ALL, 3),    _D, "cycles: first, last; of a write before, -1: unknown"),
    row("lost",  "u32", len(Family),  _D, "what there was no room for"),
))
# fmt: on
assert SITES <= 1 << 14, "a finding has 14 bits for an instruction"


def keep(S: View, family: int, check: int, site: int, other: int, detail: int) -> int:
    """Count a finding, and return its place, where `times` is 1 if it is a new one; NO_PLACE if
    there is no room."""
    key = KNOWN | check << 44 | (detail & 0xFFFF) << 28 | other << 14 | site
    i = (((key ^ key >> 21) & 0x3FFFFFFF) * 0x1E3779B1 >> 13) & (PLACES - 1)
    at = family * PLACES
    for _ in range(PLACES):
        if S.found.key[at + i] == key or S.found.key[at + i] == 0:
            break
        i = (i + 1) & (PLACES - 1)
    place = at + i
    if S.found.key[place] != key:
        if S.found.key[place]:
            S.found.lost[family] += 1
            return NO_PLACE
        S.found.key[place] = key
        S.found.when[place, 0] = S.tile.cycle
    S.found.times[place] += 1
    S.found.when[place, 1] = S.tile.cycle
    return place


def places_of(S: View, family: Family) -> list[int]:
    """Return where the findings of a family are."""
    at = family * PLACES
    return [i for i in range(at, at + PLACES) if S.found.key[i]]


def clear(record: Record, family: Family) -> None:
    """Forget the findings of a family."""
    for field in FOUND.fields:
        whole = record.row(record.layout.slot(FOUND.name, field.name))
        size = len(whole) // len(Family)
        part = whole[family * size : (family + 1) * size]
        clear_row(part)
