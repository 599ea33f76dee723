# SPDX-License-Identifier: Apache-2.0
"""F3, F7, F8: tiles in L1 as the packer has written them, and as an unpacker reads them; strides.

A line of L1 has the format of the PACR that has written it last, until something else writes
there. Of block float, lines with exponents and with datums count alike. A request of an NIU the
data have one format takes it along (carried.py).
"""

from tensix_gdb.core.race.fields import LINE_BYTES, SITES
from tensix_gdb.core.race.stages.dst import KINDS
from tensix_gdb.core.race.stages.fields import L1_LINES, By, add, now
from tensix_gdb.core.race.stages.table import Number
from tensix_gdb.core.race.state.fields import is_kernel
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.decode import field
from tensix_gdb.core.tensix.packer import config as packer
from tensix_gdb.core.tensix.packer.addresses import counters_of, datum_size
from tensix_gdb.core.tensix.packer.state import FROM_DST16, FROM_DST32
from tensix_gdb.core.tensix.regfiles.adc import PACKERS, Y
from tensix_gdb.core.tensix.regfiles.dst import COLUMNS
from tensix_gdb.core.tensix.unpacker import config as unpack
from tensix_gdb.core.tensix.unpacker import queue
from tensix_gdb.core.tensix.unpacker.config import value
from tensix_gdb.core.tensix.unpacker.formats import BITS, IS_BFP, OUT_SHIFT

FACE = 256  # datums


def packs(S: View, thread: int, number: int, word: int, site: int) -> int:
    """PACR has passed its gate: the blocks of its thread are of its format from now on."""
    S.stages.packs[thread] = 1 + S.pack.format
    if S.tile.chip or (S.pack.source != FROM_DST16 and S.pack.source != FROM_DST32):
        return 0
    counters = counters_of(thread, field(word, number, 7), field(word, number, 4))
    context = S.pack.section & 3
    stride = S.config.word[S.pack.bank, packer.XY[0]] >> 16
    row = COLUMNS * datum_size(S, S.pack.bank, context)
    # Rows of another size of datum; LLK's fast tilize steps over many rows on purpose.
    if (
        stride == row
        or stride not in (16, 32, 64)
        or S.adc.value[counters, PACKERS, 0, Y] == 0
        or is_kernel(S, site) == 0
    ):
        return 0
    given = (S.config.word[S.pack.bank, packer.CONTROL[context]] >> packer.IN_FORMAT) & 0xF
    return add(S, Number.F7, site, 0, By.PACKER, context, stride, given, now(S))


def packed(S: View, cell: int, thread: int, site: int) -> int:
    """A block of the packer is on its way to a line of L1."""
    S.stages.tile[cell] = S.stages.packs[thread]
    S.stages.tile_site[cell] = site
    S.stages.tile_at[cell] = now(S)
    S.stages.tile_from[cell] = 0
    return 0


def unpacked(S: View, j: int, unpacker: int, multi: int, site: int) -> int:
    """UNPACR has passed its gate, with datums of L1; it is at `j` of the queue, and `multi` says
    whether it has a context."""
    if S.unpack.flags[j] & (queue.ALL_ZERO | queue.COMPRESSED) or is_kernel(S, site) == 0:
        return 0
    steps(S, j, unpacker, multi, site)
    fmt = S.unpack.in_format[j]
    cell = (S.unpack.data[j] >> 3) // LINE_BYTES
    if not 0 <= cell < L1_LINES or S.stages.tile[cell] == 0:
        return 0
    was = S.stages.tile[cell] - 1
    if agree(was, fmt):
        return 0
    other = S.stages.tile_site[cell] & (SITES - 1)
    detail = was << 4 | fmt
    read = fmt | unpacker << 8
    wrote = was | S.stages.tile_from[cell] << 8
    return add(S, Number.F3, site, other, detail, cell * LINE_BYTES, wrote, read,
               S.stages.tile_at[cell])  # fmt: skip


def steps(S: View, j: int, unpacker: int, multi: int, site: int) -> int:
    """F8: an unpacker has stepped by Zstride to where its datums go. On its way to SrcA it may go
    to an address of its context instead (ADD_DEST_ADDR_CNTR says so), to Dst on from that."""
    to_dst = 1 if S.unpack.target[j] >= queue.DST_16 else 0
    to_a = 1 if unpacker == 0 and to_dst == 0 else 0
    # Toward SrcA LLK's fast tilize puts rows of several tiles side by side, less than a face.
    if S.unpack.flags[j] & queue.TILEIZE or (to_a and S.unpack.total[j] != FACE):
        return 0
    bank = S.unpack.bank[j]
    shift = OUT_SHIFT[S.unpack.format[j]]
    stride = value(S, bank, unpack.OUT_Z_STRIDE[unpacker])
    face = FACE << shift
    if stride == face or stride == S.unpack.total[j] << shift:
        return 0
    if stride not in (FACE, FACE << 1, FACE << 2):
        return 0
    first = (value(S, bank, unpack.OUT_BASE[unpacker]) + stride) >> shift
    meets = 1 if S.unpack.out[j] == first and not (to_a and multi) else 0
    if to_dst or (to_a and multi and value(S, bank, unpack.ADD_DEST_ADDRESS[0])):
        for context in range(unpack.DESTINATIONS):
            if S.unpack.out[j] == first + value(S, bank, unpack.DEST_CNTX[context]):
                meets = 1
    if meets == 0:
        return 0
    return add(S, Number.F8, site, 0, unpacker, unpacker, stride, S.unpack.format[j], now(S))


def agree(one: int, other: int) -> int:
    """True if datums of both formats have one size, and exponents of one size."""
    if one == other:
        return 1
    if BITS[one] != BITS[other] or IS_BFP[one] != IS_BFP[other]:
        return 0
    return 1 if KINDS[one] == KINDS[other] else 0


INLINED = (packed,)
