# SPDX-License-Identifier: Apache-2.0
"""The first half of an UNPACR's beginning: what it reads, and where (UNPACR_Regular.md).

On Blackhole an input row (UnpackRowWidth, commit 545c98a) has 32 datums, or 16 when they have at
most 8 bits. Tileize_mode puts RowStride between rows, and addresses wrap from one row to the next.
UNSPECIFIED(UNPACR_Regular.md): rows of BFP2 and BFP4 on Blackhole, "not yet characterized"; 16, as
its formula has it.

Tile descriptors have more bits per dimension in LLK's structs; the page's count.
"""

from tensix_gdb.core.arch.chips import L1_END
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.regfiles.adc import INPUT_ZW, W, X, Y, Z
from tensix_gdb.core.tensix.unpacker import config as config
from tensix_gdb.core.tensix.unpacker import queue as queue
from tensix_gdb.core.tensix.unpacker.config import value
from tensix_gdb.core.tensix.unpacker.formats import BITS, IS_8_BIT_BFP

# UnpackRowWidth of datums of more than 8 bits, by chip.
ROW_WIDTH = (2 * queue.RUN, queue.RUN)


def source(
    S: View,
    thread: int,
    unpacker: int,
    j: int,
    context: int,
    multi_context: int,
    adc: int,
    row_search: int,
) -> int:
    """Set where the datums, their exponents and numbers of zeros are, and how many there are."""
    bank = S.unpack.bank[j]
    in_format = S.unpack.in_format[j]
    bits = BITS[in_format]
    compressed = S.unpack.flags[j] & queue.COMPRESSED
    if multi_context and unpacker == 0:
        x_dim = value(S, bank, config.X_DIM_CNTX[context & 3])
    else:
        x_dim = value(S, bank, config.X_DIM[unpacker])
    y_dim = value(S, bank, config.Y_DIM[unpacker])
    z_dim = max(value(S, bank, config.Z_DIM[unpacker]), 1)
    w_dim = max(value(S, bank, config.W_DIM[unpacker]), 1)
    blobs = value(S, bank, config.BLOBS_PER_XY_PLANE[unpacker])
    addr = base_address(S, bank, unpacker, context)
    starts = addr
    if compressed:
        rows = (blobs if blobs else y_dim) * z_dim * w_dim
        addr += up_to_16((rows + 1) * 2)
    exponents = addr
    no_section = 0 if IS_8_BIT_BFP[in_format] else config.NO_EXPONENT_SECTION[unpacker]
    if queue.has_own_exponents(S, j) and not (no_section and value(S, bank, no_section)):
        addr += up_to_16((x_dim * y_dim * z_dim * w_dim + 15) // 16)
    # X and Y are those of the thread that the instruction names, Z and W the issuing thread's.
    z = S.adc.value[thread, unpacker, 0, Z] & INPUT_ZW
    w = S.adc.value[thread, unpacker, 0, W] & INPUT_ZW
    x = S.adc.value[adc, unpacker, 0, X]
    x_end = S.adc.value[adc, unpacker, 1, X]
    y = S.adc.value[adc, unpacker, 0, Y]
    S.unpack.drop[j] = 0
    S.unpack.left[j] = queue.UNLIMITED
    if compressed:
        rows_in_plane = blobs if row_search and blobs else y_dim
        starts += 2 * ((w * z_dim + z) * rows_in_plane)
        first = row_start(S, starts, y & 0xFF)
        if row_search:
            total = row_start(S, starts, (x & 0xFF) + 1) - first
        elif x == 0 and x_end == x_dim - 1:
            total = row_start(S, starts, (y & 0xFF) + 1) - first
        else:
            total = queue.UNLIMITED
            S.unpack.drop[j] = x
            if x_end + 1 < x:
                return Fault.UNPACK_RANGE
            S.unpack.left[j] = x_end + 1 - x
        if first < 0 or total < 0:
            return Fault.UNPACK_ADDRESS
    else:
        if row_search and blobs:
            y_starts = config.blobs_y_start(S, bank, unpacker, context, multi_context)
            after = (x & 7) + 1
            if after == 8 and blobs != 8:
                return Fault.UNPACK_RANGE
            x = ((y_starts >> (4 * (y & 7))) & 15) << 4
            y = 0
            x_end = x_dim & 0x1F0 if after == blobs else ((y_starts >> (4 * after)) & 15) << 4
        elif row_search:
            x = 0
        else:
            x_end += 1
        first = (((w * z_dim + z) * y_dim + y) * x_dim + x) & MASK32
        total = x_end - x
        if total < 0:
            return Fault.UNPACK_RANGE
    S.unpack.total[j] = total
    set_limits(S, bank, unpacker, j, context)
    S.unpack.exponents[j] = wrapped_bits(S, j, exponents * 16 + first, 4)
    data = addr * 8 + first * bits
    S.unpack.deltas[j] = 0
    if compressed:
        group = addr * 8 + (first // 32) * (32 * bits + 128)
        deltas = group // 4 + 8 * bits + first % 32
        S.unpack.deltas[j] = wrapped_bits(S, j, deltas, 1)
        data = group + (first % 32) * bits
    S.unpack.data[j] = wrapped_bits(S, j, data, 3)
    set_rows(S, bank, unpacker, j)
    return 0 if compressed else check_addresses(S, j, bits)


def up_to_16(size: int) -> int:
    """Return bytes, as whole pieces of 16."""
    return (size + 15) & ~15


def base_address(S: View, bank: int, unpacker: int, context: int) -> int:
    """Return the first byte after the tile's header."""
    base = value(S, bank, config.BASES[unpacker * config.CONTEXTS + context])
    offset = value(S, bank, config.OFFSETS[unpacker * config.DESTINATIONS + (context & 3)])
    digest = value(S, bank, config.DIGEST_SIZE[unpacker])
    return (base + offset + 1 + digest) * 16 & MASK32


def row_start(S: View, starts: int, row: int) -> int:
    """RSI[row]: where a row of compressed data starts, in datums; -1 if that is not in L1."""
    addr = starts + 2 * row
    return S.l1.half[addr >> 1] if addr < L1_END[S.tile.chip] else -1


def set_limits(S: View, bank: int, unpacker: int, j: int, context: int) -> int:
    """Set where addresses wrap.

    UNSPECIFIED(UNPACR_Regular.md): the limits of REG10, which Tenstorrent's header says are used by
    context 1 when their enable bit is set; here instead of those of REG2.
    """
    extra = value(S, bank, config.EXTRA_LIMIT_EN[unpacker]) if context == 1 else 0
    limit = config.EXTRA_LIMIT[unpacker] if extra else config.LIMIT[unpacker]
    fifo_size = config.EXTRA_FIFO_SIZE[unpacker] if extra else config.FIFO_SIZE[unpacker]
    S.unpack.limit[j] = value(S, bank, limit) * 16
    S.unpack.fifo_size[j] = value(S, bank, fifo_size) * 16
    return 0


def wrapped_bits(S: View, j: int, at: int, shift: int) -> int:
    """WrapAddr of an address that counts pieces of a byte, 1 << `shift` of them."""
    if at > S.unpack.limit[j] << shift:
        return at - (S.unpack.fifo_size[j] << shift)
    return at


def set_rows(S: View, bank: int, unpacker: int, j: int) -> int:
    """Set the width of a contiguous piece and the distance to the next."""
    bits = BITS[S.unpack.in_format[j]]
    width = ROW_WIDTH[S.tile.chip] if bits > 8 else queue.RUN
    S.unpack.width[j] = width
    S.unpack.stride[j] = width * bits // 8
    if value(S, bank, config.TILEIZE[unpacker]):
        at = unpacker * config.DESTINATIONS
        S.unpack.flags[j] |= queue.TILEIZE
        S.unpack.stride[j] = (
            value(S, bank, config.SHIFT_CNTX[at]) << 4
            | value(S, bank, config.SHIFT_CNTX[at + 1]) << 8
            | value(S, bank, config.SHIFT_CNTX[at + 2]) << 12
        )
    return 0


def check_addresses(S: View, j: int, bits: int) -> int:
    """True if every datum, with its exponent, is in L1."""
    total = S.unpack.total[j]
    if total == 0:
        return 0
    at = S.unpack.data[j]
    width = S.unpack.width[j]
    rows = (total - 1) // width
    last = at + rows * S.unpack.stride[j] * 8 + (total - rows * width) * bits
    if last > S.unpack.limit[j] << 3:
        # It may wrap on its way: piece by piece.
        done = 0
        while done < total:
            piece = min(width, total - done)
            if at < 0 or at + piece * bits > L1_END[S.tile.chip] * 8:
                return Fault.UNPACK_ADDRESS
            done += piece
            at = wrapped_bits(S, j, at + S.unpack.stride[j] * 8, 3)
    elif at < 0 or last > L1_END[S.tile.chip] * 8:
        return Fault.UNPACK_ADDRESS
    if queue.has_own_exponents(S, j):
        # The section is contiguous and wraps at a multiple of 16 bytes, if at all.
        highest = S.unpack.exponents[j] + total - 1
        if S.unpack.fifo_size[j] and S.unpack.exponents[j] <= S.unpack.limit[j] << 4:
            highest = min(highest, S.unpack.limit[j] << 4 | 0xFF)
        if S.unpack.exponents[j] < 0 or highest >= L1_END[S.tile.chip] * 16:
            return Fault.UNPACK_ADDRESS
    return 0
