# SPDX-License-Identifier: Apache-2.0
"""Requests between tiles: what core/chip calls at both ends.

The tile that has started a request keeps it on the lines of its NIU, as for a request that stays
in the tile. At the other end it is an access of a line that stands for that NIU; its clock is made
by core/chip/races/tiles.py and is in the row ARRIVES.
"""

from tensix_gdb.core.noc.request import ATOMIC, BYTE_ENABLE, INLINE, KIND, READ
from tensix_gdb.core.race import shadow
from tensix_gdb.core.race.fields import ARRIVES
from tensix_gdb.core.race.network import requests
from tensix_gdb.core.race.stages import carried
from tensix_gdb.core.race.stages.fields import ARRIVES as REQUEST
from tensix_gdb.core.race.units import span
from tensix_gdb.core.record.layout import View

COLD = True  # little time of LLVM for it (core/engine/README.md)

SENDS, COMES_BACK = 0, 1
TILE_BITS = 14
TILES = (1 << TILE_BITS) - 1


def place_of(hart: int, tile: int, pc: int) -> int:
    """Return an instruction as `far` takes it; `tile` is 1 + the number of another one, or 0."""
    return hart | tile << 3 | (pc >> 2) << 3 + TILE_BITS


def near(S: View, niu: int, slot: int, what: int) -> int:
    """Return the end that has started the request: its source is read, or its answer is here."""
    if S.race.on == 0 or S.race.noc_end[niu, slot, 0] == 0:
        return 0
    if what == SENDS:
        return requests.sends(S, niu, slot)
    if S.noc.ctrl[niu, slot] & KIND == READ:
        return requests.landed(S, niu, slot)
    return requests.answers(S, niu, slot)


def far(
    S: View,
    ctrl: int,
    addr: int,
    length: int,
    mask: int,
    line: int,
    number: int,
    place: int,
) -> int:
    """Return the other end: a request of `length` bytes, or of these byte masks or operands.
    `place` is its instruction, of whichever tile (`place_of`)."""
    if S.race.on == 0:
        return 0
    tile = (place >> 3) & TILES
    where = shadow.site_of_tile(S, place & 7, tile, (place >> 3 + TILE_BITS) << 2)
    if ctrl & KIND == READ:
        S.race.promises = 0
        S.race.promise_row = 0
        carried.taken(S, REQUEST, addr, length)
        return span(S, addr, length, shadow.READ, ARRIVES, line, number, where)
    if ctrl & KIND == ATOMIC:
        return requests.operates(S, addr, length, ARRIVES, line, number, where)
    if ctrl & INLINE:
        return requests.writes(S, addr & ~3, 4, ARRIVES, line, number, where)
    if ctrl & BYTE_ENABLE:
        what = shadow.WRITE
        return requests.enabled(S, length, mask, addr, what, ARRIVES, line, number, where)
    requests.writes(S, addr, length, ARRIVES, line, number, where)
    return carried.brought(S, REQUEST, addr, length)
