# SPDX-License-Identifier: Apache-2.0
"""Multicast: requests to a rectangle of tiles (NoC/MemoryMap.md, NOC_TARG_ADDR, NOC_RET_ADDR).

    bits  0:11   x and y of the end of the rectangle
    bits 12:23   x and y of its start

A span goes from its start in the direction of the NoC, around the edge if its end is before its
start. What is no Tensix tile has opted out, and so has a tile that its own ROUTER_CFG_1 or _3
names. A place without a tile is as if its tile were fused off: it receives and acknowledges
nothing.
"""

from tensix_gdb.core.noc.coordinates import COLUMNS_OF, OURSELVES, ROWS, TENSIX, at
from tensix_gdb.core.record.layout import View

COLD = True  # little time of LLVM for it (core/engine/README.md)

EXCLUDE = 11  # NOC_BRCST_EXCLUDE among the registers of an initiator


def in_span(value: int, start: int, end: int) -> int:
    """True if it is in the span of a rectangle on one axis."""
    if start <= end:
        return 1 if start <= value <= end else 0
    return 1 if value <= end or value >= start else 0


def covers(rectangle: int, x: int, y: int) -> int:
    """True if the rectangle has that place."""
    if not in_span(x, rectangle >> 12 & 63, rectangle & 63):
        return 0
    return in_span(y, rectangle >> 18 & 63, rectangle >> 6 & 63)


def has_tile(S: View, niu: int, rectangle: int) -> int:
    """True if there is a Tensix tile in the rectangle."""
    for x in range(COLUMNS_OF[S.tile.chip]):
        for y in range(ROWS):
            if covers(rectangle, x, y):
                place = at(S, niu, x, y)
                if place == TENSIX or place == OURSELVES:
                    return 1
    return 0
