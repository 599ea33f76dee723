# SPDX-License-Identifier: Apache-2.0
"""Wormhole's packers take turns in the front stage: each has up to 16 datums of a cycle.

The stage is one for both chips (packer/pipeline.py) and calls these, by chip: `first` and
`next_one` say of which packer the rows are, `take_datums` which datums it has, `advance` where the
next ones are, and `over` whether the instruction is at its end.

UNSPECIFIED(Packers/README.md): how many datums a packer reads in a cycle. 16, a row of Dst: four of
them take as long for a tile as Blackhole's one, which reads four rows.
"""

from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.packer import config as C
from tensix_gdb.core.tensix.packer.addresses import COLUMNS, DST_ROWS, datum_size, edge
from tensix_gdb.core.tensix.packer.formats import KIND
from tensix_gdb.core.tensix.packer.four.images import PACKERS, choose
from tensix_gdb.core.tensix.packer.start import L1_KIND
from tensix_gdb.core.tensix.packer.state import FROM_L1, FROM_NOWHERE, INTERFACES

ALL_COLUMNS = 0xFFFF


def first(S: View) -> int:
    """Return the first packer at work."""
    return work_of(S, 0)


def next_one(S: View) -> int:
    """Return the packer after this one; 1 if there is one, or 0, and packer 0 again."""
    return work_of(S, S.pack.context + 1)


def work_of(S: View, lowest: int) -> int:
    """Choose the next packer at work from `lowest` on; 0 if there is none."""
    for packer in range(lowest, PACKERS):
        if (S.pack.planes >> packer) & 1:
            choose(S, packer)
            return 1
    choose(S, 0)
    return 0


def take_datums(S: View) -> int:
    """The datums of one row of Dst, or as many that are from L1 or nowhere; how many.

    Their kind is that of the early conversion again: the late one of the row before may have left
    what it has made of it.
    """
    if S.pack.source < FROM_L1:
        S.pack.kind = KIND[S.pack.early]
    elif S.pack.source == FROM_L1:
        S.pack.kind = L1_KIND[S.pack.early]
    n = min(S.pack.left, COLUMNS - S.pack.column, COLUMNS - S.pack.apart)
    S.pack.columns = n
    S.pack.interfaces = 1
    for i in range(INTERFACES):
        S.pack.edge[i] = ALL_COLUMNS
    if S.pack.source < FROM_L1:
        S.pack.edge[0] = edge(S, S.pack.bank, S.pack.section, 0)
    return n


def advance(S: View) -> int:
    """Advance to where the next datums are read, and where they are in the tile
    (EdgeMasking.md)."""
    n = S.pack.columns
    if S.pack.source == FROM_NOWHERE:
        return 0
    if S.pack.source == FROM_L1:
        S.pack.first += n * datum_size(S, S.pack.bank, S.pack.section)
        return 0
    S.pack.column += n
    if S.pack.column == COLUMNS:
        S.pack.column = 0
        S.pack.first = (S.pack.first + 1) & DST_ROWS
    S.pack.apart += n
    if S.pack.apart < COLUMNS:
        return 0
    S.pack.apart = 0
    counters = S.config.word[S.pack.bank, C.COUNTERS[S.pack.section]]
    limit = (counters >> 8) & 0xFF
    if counters & C.TRANSPOSED:
        S.pack.tile_z = (S.pack.tile_z + 1) & 0xFF
        if S.pack.tile_z == limit:
            S.pack.tile_z = 0
            S.pack.tile_y = (S.pack.tile_y + 1) & 0xFF
    else:
        S.pack.tile_y = (S.pack.tile_y + 1) & 0xFF
        if S.pack.tile_y == limit:
            S.pack.tile_y = 0
            S.pack.tile_z = (S.pack.tile_z + 1) & 0xFF
    return 0


def who(S: View) -> int:
    """Return the packer of which the rows are, for the end of its instruction (at_work.py)."""
    return S.pack.context


def over(S: View) -> int:
    """The packer has read all its datums; the thread, and 1 more, while another one has not.

    UNSPECIFIED(EdgeMasking.md): when the tile position generator begins anew; with every tile, as
    in Tenstorrent's simulator.
    """
    if S.pack.end_of_tile:
        S.pack.apart = 0
        S.pack.tile_y = 0
        S.pack.tile_z = 0
    S.pack.planes &= ~(1 << S.pack.context)
    return S.pack.running if S.pack.planes else 0
