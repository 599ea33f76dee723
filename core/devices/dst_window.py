# SPDX-License-Identifier: Apache-2.0
"""Dst as T0, T1 and T2 see it in their address space (TensixCoprocessor/Dst.md).

The window has 32 KiB. RISC_DEST_ACCESS_CTRL_SEC[thread].fmt, in the bank that the thread's
CFG_STATE_ID selects, says what it holds:

    fmt  elements                   unless no_swizzle
    0    32 bits, float or uint32   between the bit layout of Dst and the usual one
    1    32 bits, int32             likewise; and two's complement <-> sign and magnitude
    2    16 bits, fp16              between the bit layout of Dst and the usual one
    3    16 bits, bf16              likewise
    4    16 bits, int16 or uint16   two's complement <-> sign and magnitude, unless unsigned_int
    5    8 bits, int8 or uint8      likewise

T0 and T1 access one element at a time, with a load or store of exactly its width; T2 may access
several. Elements are at Dst32b[i // 16][i % 16] or Dst16b[i // 16][i % 16].

Nothing orders an access against the Matrix Unit: what that has under way is not there yet
(matrix/dst_before.py), and comes over what is stored.

UNSPECIFIED(Dst.md): fmt 6 and 7, accesses of T0 and T1 with another width, of T2 narrower than an
element, and elements of 8 bits past row 1023 stop the hart.
"""

import enum

from tensix_gdb.core.arch.blackhole import T0, T2
from tensix_gdb.core.devices.registers import Access, Register
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.stop import fault
from tensix_gdb.core.tensix.matrix.dst_before import replay_writes, rewind_writes
from tensix_gdb.core.tensix.regfiles.dst import (
    COLUMNS,
    ROWS,
    adj32,
    read16,
    read32,
    row16,
    write16,
    write32,
)

COLD = True  # little time of LLVM for it (core/engine/README.md)

DST_BASE = 0xFFBD8000

REGISTERS = (
    Register(
        0x0,
        "Dst[{i}]",
        Access.READ_WRITE,
        "elements of 8, 16 or 32 bits as RISC_DEST_ACCESS_CTRL_SEC says",
        count=ROWS * COLUMNS // 2,
    ),
)


class Fmt(enum.IntEnum):
    """RISC_DEST_ACCESS_CTRL_SEC[thread].fmt; integers may be unsigned."""

    FP32 = 0
    INT32 = 1
    FP16 = 2
    BF16 = 3
    INT16 = 4
    INT8 = 5


SIZE = (4, 4, 2, 2, 2, 1)  # bytes of an element, by fmt

# Config word and bits (cfg_defines.h of Blackhole).
RISC_DEST_ACCESS_CTRL = 3
FIRST_BIT = (14, 19, 24)  # of the thread's five: no_swizzle, unsigned_int, fmt


def control(S: View, thread: int) -> int:
    """no_swizzle in bit 0, unsigned_int in bit 1, fmt above."""
    bank = S.config.thread[thread, 0] & 1
    return (S.config.word[bank, RISC_DEST_ACCESS_CTRL] >> FIRST_BIT[thread]) & 0x1F


def get32(S: View, index: int) -> int:
    """Element `index` of Dst32b."""
    return read32(S, adj32(S, index // COLUMNS), index % COLUMNS)


def put32(S: View, index: int, value: int) -> int:
    """Write element `index` of Dst32b."""
    return write32(S, adj32(S, index // COLUMNS), index % COLUMNS, value)


def get16(S: View, index: int) -> int:
    """Element `index` of Dst16b."""
    return read16(S, row16(S, 0, index // COLUMNS), index % COLUMNS)


def put16(S: View, index: int, value: int) -> int:
    """Write element `index` of Dst16b."""
    return write16(S, row16(S, 0, index // COLUMNS), index % COLUMNS, value)


def load_element(S: View, mode: int, index: int) -> int:
    """Element `index` as software sees it, for a `control` value with an fmt that exists."""
    no_swizzle = mode & 1
    unsigned = mode & 2
    match mode >> 2:
        case Fmt.FP32 | Fmt.INT32:
            value = get32(S, index)
            if not no_swizzle:
                value = (
                    (value & 0x8000FFFF) | ((value & 0x7F000000) >> 8) | ((value & 0x00FF0000) << 7)
                )
            if mode >> 2 == Fmt.INT32 and not no_swizzle and value & 0x80000000:
                value = -(value & 0x7FFFFFFF) & 0xFFFFFFFF
            return value
        case Fmt.FP16:
            value = get16(S, index)
            if not no_swizzle:
                value = (value & 0x8000) | ((value & 0x7FE0) >> 5) | ((value & 0x001F) << 10)
            return value
        case Fmt.BF16:
            value = get16(S, index)
            if not no_swizzle:
                value = (value & 0x8000) | ((value & 0x7F00) >> 8) | ((value & 0x00FF) << 7)
            return value
        case Fmt.INT16:
            value = get16(S, index)
            if not no_swizzle and not unsigned and value & 0x8000:
                value = -(value & 0x7FFF) & 0xFFFF
            return value
        case _:
            value = get16(S, index)
            if no_swizzle or unsigned:
                return (value >> 5) & 0xFF
            magnitude = (value >> 5) & 0x7F
            return -magnitude & 0xFF if value & 0x8000 else magnitude


def store_element(S: View, mode: int, index: int, value: int) -> int:
    """Write element `index`, for a `control` value with an fmt that exists."""
    no_swizzle = mode & 1
    unsigned = mode & 2
    match mode >> 2:
        case Fmt.FP32 | Fmt.INT32:
            if mode >> 2 == Fmt.INT32 and not no_swizzle and value & 0x80000000:
                # The most negative number becomes the one above it.
                value = 0x80000000 | min(-value & 0xFFFFFFFF, 0x7FFFFFFF)
            if not no_swizzle:
                value = (
                    (value & 0x8000FFFF) | ((value & 0x7F800000) >> 7) | ((value & 0x007F0000) << 8)
                )
            return put32(S, index, value)
        case Fmt.FP16:
            if not no_swizzle:
                value = (value & 0x8000) | ((value & 0x7C00) >> 10) | ((value & 0x03FF) << 5)
            return put16(S, index, value)
        case Fmt.BF16:
            if not no_swizzle:
                value = (value & 0x8000) | ((value & 0x7F80) >> 7) | ((value & 0x007F) << 8)
            return put16(S, index, value)
        case Fmt.INT16:
            if not no_swizzle and not unsigned and value & 0x8000:
                value = 0x8000 | min(-value & 0xFFFF, 0x7FFF)
            return put16(S, index, value)
        case _:
            if no_swizzle or unsigned or value < 0x80:
                return put16(S, index, (value << 5) | (16 if value else 0))
            # Dst.md: meant to be the conversion to sign and magnitude, but is not.
            magnitude = (0x180 - value - (1 if value == 0x80 else 0)) & 0xFF
            return put16(S, index, 0x8000 | (magnitude << 5) | 16)


def fits(S: View, hart: int, mode: int, addr: int, size: int) -> int:
    """True if `hart` may access `size` bytes at `addr` with this `control`."""
    fmt = mode >> 2
    if fmt > Fmt.INT8 or size < SIZE[fmt] or (hart != T2 and size != SIZE[fmt]):
        return 0
    return addr - DST_BASE + size <= ROWS * COLUMNS * min(SIZE[fmt], 2)


def gather(S: View, mode: int, addr: int, size: int) -> int:
    """Return the elements in `size` bytes at `addr`, the first in the lowest bits."""
    step = SIZE[mode >> 2]
    value = 0
    for i in range(size // step):
        value |= load_element(S, mode, (addr - DST_BASE) // step + i) << (8 * i * step)
    return value


def peek(S: View, hart: int, addr: int) -> int:
    """As T2 would see a whole word."""
    mode = control(S, hart - T0)
    return gather(S, mode, addr, 4) if fits(S, T2, mode, addr, 4) else -1


def read(S: View, hart: int, addr: int, size: int) -> int:
    """Load one element, or (T2) several."""
    mode = control(S, hart - T0)
    if not fits(S, hart, mode, addr, size):
        return fault(S, hart, Fault.DST_ACCESS, addr, size | (mode >> 2) << 8)
    if S.fpu_pipe.count == 0:
        return gather(S, mode, addr, size)
    rewind_writes(S)
    value = gather(S, mode, addr, size)
    replay_writes(S)
    return value


def write(S: View, hart: int, addr: int, size: int, value: int) -> int:
    """Store one element, or (T2) several."""
    mode = control(S, hart - T0)
    if not fits(S, hart, mode, addr, size):
        return fault(S, hart, Fault.DST_ACCESS, addr, size | (mode >> 2) << 8)
    if S.fpu_pipe.count:
        rewind_writes(S)
    step = SIZE[mode >> 2]
    for i in range(size // step):
        element = (value >> (8 * i * step)) & ((1 << (8 * step)) - 1)
        store_element(S, mode, (addr - DST_BASE) // step + i, element)
    if S.fpu_pipe.count:
        replay_writes(S)
    return 0
