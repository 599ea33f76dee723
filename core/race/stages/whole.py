# SPDX-License-Identifier: Apache-2.0
"""F4, F9: a tile in Dst as the packer finds it: rows that it masks, and rows that are cleared.

Of a reduction some rows and columns do not matter, and the packer masks them on purpose. So a tile
is asked about only if all that it has is what element-wise instructions, moves or an unpacker have
made of datums that an unpacker has brought, or what the Vector Unit has made of such rows in place.
"""

from tensix_gdb.core.race.fields import SITES
from tensix_gdb.core.race.stages.fields import By, Layout, add
from tensix_gdb.core.race.stages.table import Number
from tensix_gdb.core.race.state.fields import is_kernel
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.matrix import dst_undo
from tensix_gdb.core.tensix.regfiles.dst import (
    ACCESS_WORD,
    ALL_COLUMNS,
    DST16B_IN_DST32B,
    REMAP_ADDRS,
)
from tensix_gdb.core.tensix.regfiles.src import SRC_A, SRC_B

TILE = 64  # rows
FACE = 16


def is_plain(by: int) -> int:
    """True of a writer of which all rows matter."""
    return 1 if by == By.MATH or by == By.MOVE or by == By.UNPACKER or by == By.VECTOR else 0


def from_dst(S: View, kind: int) -> int:
    """True if an instruction takes datums that no unpacker has brought: rows of Dst, of which not
    all may matter."""
    unknown = 0
    if kind != dst_undo.FROM_B and S.stages.source[SRC_A, S.race.bank_before[SRC_A]] == 0:
        unknown = 1
    if kind != dst_undo.FROM_A and S.stages.source[SRC_B, S.race.bank_before[SRC_B]] == 0:
        unknown = 1
    return unknown


def row_of(S: View, at: int, wide: int, i: int) -> int:
    """Return row `i` of the tile with a row of DstBits."""
    if wide or S.tile_control.feature_disable & DST16B_IN_DST32B:
        return (at & ~(2 * TILE - 1)) + ((i & ~7) << 1 | i & 7)
    return (at & ~(TILE - 1)) + i


def written(S: View, at: int, wide: int) -> int:
    """Return how many rows of a tile have datums, if all of these matter and are of the width
    that is read; otherwise 0."""
    if S.config.word[0, ACCESS_WORD] & REMAP_ADDRS:
        return 0
    layout = Layout.HIGH if wide else Layout.NARROW
    count = 0
    halves = 0
    for i in range(TILE):
        row = row_of(S, at, wide, i)
        if S.dst.undefined[row] == ALL_COLUMNS:
            continue
        if is_plain(S.stages.by[row, 0]) == 0 or is_plain(S.stages.by[row, 1]) == 0:
            return 0
        if S.stages.layout[row, 0] != layout:
            return 0
        count += 1
        for odd in range(2):
            if S.stages.by[row, odd] == By.VECTOR:
                halves += 1
    # A function of the Vector Unit that reduces a tile leaves some rows as they were.
    return count if halves == 0 or halves == 2 * count else 0


def edge(S: View, at: int, masked: int, mask: int, wide: int, site: int) -> int:
    """F4: an edge mask leaves out columns of a row."""
    by = S.stages.by[at, 0]
    if is_plain(by) == 0 or (by == By.VECTOR and S.stages.reduces == 0):
        return 0
    for column in range(16):
        if (masked >> column) & 1 and S.dst.bits[at, column] and is_kernel(S, site):
            if S.stages.reduces and written(S, at, wide) < TILE:
                return 0
            other = S.stages.site[at, 0] & (SITES - 1)
            return add(S, Number.F4, site, other, by << 4 | By.PACKER, at, mask, column,
                       S.stages.at[at, 0])  # fmt: skip
    return 0


def cleared(S: View, at: int, wide: int, site: int) -> int:
    """F9: the packer reads a row that is cleared, of a tile of which whole faces have datums."""
    if is_kernel(S, site) == 0:
        return 0
    count = written(S, at, wide)
    if count == 0 or count >= TILE or count % FACE:
        return 0
    row = row_of(S, at, wide, 0)
    for i in range(TILE - 1, -1, -1):
        if S.dst.undefined[row_of(S, at, wide, i)] != ALL_COLUMNS:
            row = row_of(S, at, wide, i)
    by = S.stages.by[row, 0]
    other = S.stages.site[row, 0] & (SITES - 1)
    when = S.stages.at[row, 0]
    return add(S, Number.F9, site, other, by << 4 | By.PACKER, at, count, TILE, when)
