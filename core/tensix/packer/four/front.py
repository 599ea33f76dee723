# SPDX-License-Identifier: Apache-2.0
"""A cycle of Wormhole's packers: each takes up to 16 datums through the stages of one.

UNSPECIFIED(Packers/README.md): how many datums a packer reads in a cycle. 16, a row of Dst: four of
them take as long for a tile as Blackhole's one, which reads four rows.
"""

from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.packer import config as C
from tensix_gdb.core.tensix.packer import passes
from tensix_gdb.core.tensix.packer.addresses import COLUMNS, DST_ROWS, datum_size, edge
from tensix_gdb.core.tensix.packer.compress import end as end_compression
from tensix_gdb.core.tensix.packer.compress import end_row
from tensix_gdb.core.tensix.packer.four.images import PACKERS, choose
from tensix_gdb.core.tensix.packer.output import flush, put
from tensix_gdb.core.tensix.packer.stages import converted, deliver, end_tile
from tensix_gdb.core.tensix.packer.state import END, FROM_L1, FROM_NOWHERE, INTERFACES

COLD = True  # little time of LLVM for it (core/engine/README.md)

ALL_COLUMNS = 0xFFFF


def front(S: View) -> int:
    """What the packers of the instruction do in this cycle; it is over when all of them are."""
    for packer in range(PACKERS):
        if (S.pack.planes >> packer) & 1:
            choose(S, packer)
            if S.pack.left:
                row(S, packer)
            if S.pack.left == 0:
                finish(S, packer)
                S.pack.planes &= ~(1 << packer)
    choose(S, 0)
    if S.pack.planes == 0:
        S.pack.running = 0
    return 0


def row(S: View, packer: int) -> int:
    """The datums of one row of Dst, or as many that are from L1 or nowhere."""
    x = S.pack.apart
    n = min(S.pack.left, COLUMNS - S.pack.column, COLUMNS - x)
    S.pack.left -= n
    S.pack.columns = n
    if S.pack.source == FROM_NOWHERE:
        for i in range(n):
            S.pack.datum[i] = 0
    else:
        S.pack.interfaces = 1
        for i in range(INTERFACES):
            S.pack.edge[i] = ALL_COLUMNS
        if S.pack.source != FROM_L1:
            S.pack.edge[0] = edge(S, S.pack.bank, packer, 0)
        n = converted(S)
        go_on(S, packer, n)
    n = passes.select(S, n)
    passes.late(S, n)
    return deliver(S, n)


def go_on(S: View, packer: int, n: int) -> int:
    """Where the next datums are read, and where they are in the tile (EdgeMasking.md)."""
    if S.pack.source == FROM_L1:
        S.pack.first += n * datum_size(S, S.pack.bank, packer)
        return 0
    S.pack.column += n
    if S.pack.column == COLUMNS:
        S.pack.column = 0
        S.pack.first = (S.pack.first + 1) & DST_ROWS
    S.pack.apart += n
    if S.pack.apart < COLUMNS:
        return 0
    S.pack.apart = 0
    counters = S.config.word[S.pack.bank, C.COUNTERS[packer]]
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


def finish(S: View, packer: int) -> int:
    """The packer has read all its datums.

    UNSPECIFIED(EdgeMasking.md): when the tile position generator begins anew; with every tile, as
    in Tenstorrent's simulator.
    UNSPECIFIED(TDMA-RISC.md): of which packer the size of the last tile is; packer 0's.
    """
    if S.pack.compress and S.pack.concat == 0:
        end_row(S)
    if S.pack.end_of_tile:
        if S.pack.compress and S.pack.started:
            end_compression(S)
        else:
            flush(S)
        if packer == 0:
            end_tile(S)
        S.pack.blocks = 0
        S.pack.total = 0
        S.pack.started = 0
        S.pack.apart = 0
        S.pack.tile_y = 0
        S.pack.tile_z = 0
    put(S, END, 0)
    return 0
