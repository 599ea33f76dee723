# SPDX-License-Identifier: Apache-2.0
"""UNPACR of compressed data: every datum says how many zeros follow (Packers/Compression.md).

32 datums, then their 32 counters of four bits, then the next 32 datums. This is the loop of
UNPACR_Regular.md as it stands, one datum at a time; the unpacker is as slow.
"""

from tensix_gdb.core.arch.chips import L1_END
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.unpacker import queue as queue
from tensix_gdb.core.tensix.unpacker.datums import (
    NO_EXPONENT,
    OUTSIDE_L1,
    modes_of,
    next_exponent,
    place,
    read_bits,
)
from tensix_gdb.core.tensix.unpacker.formats import BITS, convert

GROUP = 32  # datums, and then their counters; these are 16 bytes


def ends(S: View, j: int) -> int:
    """True if the unpacker has all that it wants."""
    return 1 if S.unpack.done[j] >= S.unpack.total[j] or S.unpack.left[j] == 0 else 0


def move_compressed(S: View, unpacker: int, j: int) -> int:
    """Move a datum and the zeros after it; 0, or what is wrong."""
    bits = BITS[S.unpack.in_format[j]]
    data = S.unpack.data[j]
    deltas = S.unpack.deltas[j]
    end = L1_END[S.tile.chip]
    if data < 0 or data + bits > end * 8 or not 0 <= deltas < end * 2:
        return OUTSIDE_L1
    exponent = S.unpack.exponent[j]
    if queue.has_own_exponents(S, j):
        at = S.unpack.exponents[j]
        if not 0 <= at < end * 16:
            return OUTSIDE_L1
        exponent = S.l1.byte[at >> 4]
        S.unpack.exponents[j] = at + 1 if at & 15 < 15 else next_exponent(S, j, at)
    given = read_bits(S, data, bits)
    zeros = read_bits(S, deltas * 4, 4)
    modes = modes_of(S, unpacker, j)
    datum = convert(S.unpack.conversion[j], given, exponent, modes)
    if datum < 0:
        return NO_EXPONENT
    if S.unpack.flags[j] & queue.ALL_ZERO:
        datum = 0
        zeros = 0
    advance_compressed(S, j, data + bits, deltas + 1, bits)
    for i in range(zeros + 1):
        if S.unpack.drop[j]:
            S.unpack.drop[j] -= 1
            continue
        status = place(S, unpacker, j, 0 if i else datum)
        if status < 0:
            return status
        S.unpack.left[j] -= 1
        if S.unpack.left[j] == 0:
            break
    return 0


def advance_compressed(S: View, j: int, data: int, deltas: int, bits: int) -> int:
    """Addresses of the datum after this one."""
    done = S.unpack.done[j] + 1
    S.unpack.done[j] = done
    if done % S.unpack.width[j] == 0 and data > S.unpack.limit[j] << 3:
        data -= S.unpack.fifo_size[j] << 3
    if deltas % GROUP == 0:
        data += 128
        deltas += 8 * bits
        if deltas > S.unpack.limit[j] << 1:
            deltas -= S.unpack.fifo_size[j] << 1
    S.unpack.data[j] = data
    S.unpack.deltas[j] = deltas
    return 0
