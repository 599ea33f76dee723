# SPDX-License-Identifier: Apache-2.0
"""The way of a packet from link to link (WormholeB0 NoC/RoutingPaths.md)."""

from tensix_gdb.core.links.state import KINDS, OUT, TO_COLUMN, TO_ROW
from tensix_gdb.core.noc.coordinates import COLUMNS_OF, ROWS
from tensix_gdb.core.noc.state import PLACES
from tensix_gdb.core.record.layout import View

COLD = True  # little time of LLVM for it (core/engine/README.md)


def link(S: View, niu: int, place: int, kind: int) -> int:
    """Return the number of a link of the router at `place`, x and y of six bits each."""
    at = (place & 63) + COLUMNS_OF[S.net.chip] * (place >> 6 & 63)
    return (niu * PLACES + at) * KINDS + kind


def beyond(S: View, at: int) -> int:
    """Return the place of the router that a link leads to."""
    kind = at % KINDS
    place = at // KINDS % PLACES
    columns = COLUMNS_OF[S.net.chip]
    x = place % columns
    y = place // columns
    if kind == TO_COLUMN:
        x = (x + 1) % columns
    elif kind == TO_ROW:
        y = (y + 1) % ROWS
    return x | y << 6


def onward(niu: int, place: int, to: int) -> int:
    """Return the kind of the link that leads on: columns first on NoC 0, rows first on NoC 1."""
    columns = 1 if (place ^ to) & 63 else 0
    rows = 1 if (place ^ to) >> 6 & 63 else 0
    if niu == 0:
        return TO_COLUMN if columns else TO_ROW if rows else OUT
    return TO_ROW if rows else TO_COLUMN if columns else OUT
