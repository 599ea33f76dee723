# SPDX-License-Identifier: Apache-2.0
"""The addresses at which one of Wormhole's packers reads and writes (Input- and
OutputAddressGenerator.md).

A packer reads one range of Dst, of any length, where Blackhole's reads rows by read interface.

UNSPECIFIED(EdgeMasking.md): when edge masks are sampled; a row at a time, when it is read.
"""

from tensix_gdb.core.arch.blackhole import SoftReset
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.packer import config as C
from tensix_gdb.core.tensix.packer.addresses import (
    COLUMNS,
    DST_ROWS,
    MINUS_INFINITY,
    address,
    datum_size,
)
from tensix_gdb.core.tensix.packer.formats import BF16_TO_FP16, E5, FP32_TO_FP16
from tensix_gdb.core.tensix.packer.state import (
    DATUMS,
    EXPONENTS,
    FROM_L1,
    FROM_NOWHERE,
    ROW_STARTS,
)
from tensix_gdb.core.tensix.regfiles.adc import PACKERS as COUNTERS
from tensix_gdb.core.tensix.regfiles.adc import X

RELATIVE = 1 << 31  # of packer 0's L1_Dest_addr: those of the others are added to it


def datums(S: View, bank: int, packer: int, counters: int, select: int, strided: int) -> int:
    """InputAddressGenerator.md: the first datum, and how many; 0, or a fault.

    Two early conversions are Blackhole's alone (packer/formats.py).
    """
    if S.pack.source < FROM_L1 and (S.pack.early == FP32_TO_FP16 or S.pack.early == BF16_TO_FP16):
        return Fault.PACR_FORMATS
    first = S.adc.value[counters, COUNTERS, 0, X]
    last = S.adc.value[counters, COUNTERS, 1, X]
    if first > last:
        return Fault.PACR_ROWS
    S.pack.left = last - first + 1
    S.pack.column = 0
    if S.pack.source == FROM_NOWHERE:
        return 0
    size = datum_size(S, bank, packer)
    inside = first & (16 // size - 1)
    at = address(S, bank, counters, 0)
    if S.pack.source == FROM_L1:
        high = S.config.word[bank, C.CONTROL[packer]] >> C.L1_SOURCE
        S.pack.first = ((high << 18) + (at & 0x3FFF0) + size * inside) & 0x1FFFFF
        return 0
    if S.tile_control.soft_reset & SoftReset.DST:
        return Fault.PACR_IN_RESET
    at = ((at // size) & ~(16 // size - 1)) + inside
    at += (S.config.word[bank, C.DEST[packer]] & 0xFFF) * COLUMNS
    S.pack.first = at // COLUMNS & DST_ROWS
    S.pack.column = at % COLUMNS
    return 0


def masked(S: View, bank: int, packer: int) -> int:
    """Sample what masked datums become (EdgeMasking.md). Return 0, or a fault."""
    infinite = S.config.word[bank, C.EDGE[0]] & C.EDGE_MODE
    S.pack.masked = MINUS_INFINITY[S.pack.kind] if infinite else 0
    whole = 0xFFFF
    for i in range(4):
        whole &= S.config.word[bank, C.EDGE[i]]
    # No page says what minus infinity is of an integer.
    return Fault.PACR_EDGE if infinite and S.pack.kind > E5 and whole != 0xFFFF else 0


def outputs(S: View, bank: int, packer: int, counters: int) -> int:
    """Set where the streams begin, unless they continue (OutputAddressGenerator.md)."""
    if S.pack.open:
        return 0
    at = first_address(S, bank, packer)
    base = first_address(S, bank, 0)
    if packer and base & RELATIVE:
        at += base
    at += address(S, bank, counters, 1) & ~0xF
    if S.config.word[bank, C.CONTROL[packer]] & C.ADD_OFFSET:
        at += S.pack.offset
    at &= MASK32
    if at > (S.config.word[bank, C.LIMIT[packer]] & 0x1FFFF) * 2 + 1:
        at -= (S.config.word[bank, C.FIFO_SIZE[packer]] & 0x1FFFF) * 2
    sections = S.config.word[bank, C.SECTIONS[packer]]
    if S.pack.compress:
        S.pack.addr[ROW_STARTS] = (at & 0x1FFFF) << 4
        at += sections & 0xFFFF
    if S.pack.format & 2:
        S.pack.addr[EXPONENTS] = (at & 0x1FFFF) << 4
        at += sections >> 16
    S.pack.addr[DATUMS] = (at & 0x1FFFF) << 4
    return 0


def first_address(S: View, bank: int, packer: int) -> int:
    """L1_Dest_addr, after the tile's header if there is one, in units of 16 bytes."""
    header = 0 if S.config.word[bank, C.CONTROL[packer]] & C.NO_HEADER else 1
    return (S.config.word[bank, C.ADDRESS[packer]] + header) & MASK32
