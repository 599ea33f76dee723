# SPDX-License-Identifier: Apache-2.0
"""The datums that a PACR reads: rows of Dst by address counters (InputAddressGenerator.md,
PACR.md).

source_of   Dst, L1, or nothing
datums      the first row, its read interfaces, columns by X; or bytes of L1
edges       the columns of each row that edge masking leaves (EdgeMasking.md)
"""

from tensix_gdb.core.arch.blackhole import L1_BYTES, THREADS, SoftReset
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.packer import config as C
from tensix_gdb.core.tensix.packer.formats import BF16_TO_FP32, BYTES_IN, E5, READ_32B
from tensix_gdb.core.tensix.packer.state import (
    FROM_DST16,
    FROM_DST32,
    FROM_L1,
    FROM_NOWHERE,
    INTERFACES,
)
from tensix_gdb.core.tensix.regfiles.adc import PACKERS, W, X, Y, Z
from tensix_gdb.core.tensix.regfiles.dst import REMAP_ADDRS, SWIZZLE_32B

ALL = 0xF  # interfaces
DST_ROWS = 0x3FF
COLUMNS = 16
STRIDE = 16  # rows between interfaces in strided mode
MINUS_INFINITY = (0xFF800000, 0xFFFF, 0, 0, 0)  # by kind


def datums(S: View, bank: int, context: int, counters: int, select: int, strided: int) -> int:
    """InputAddressGenerator.md, and the read interfaces of PACR.md; 0, or a fault."""
    first = S.adc.value[counters, PACKERS, 0, X]
    last = S.adc.value[counters, PACKERS, 1, X]
    if S.pack.source == FROM_NOWHERE and select == 0:
        # ReadIntfSel 0 is a mode of its own here (assembly.yaml): X alone says how many.
        if first or (last + 1) % COLUMNS:
            return Fault.PACR_ROWS
        S.pack.column = 0
        S.pack.columns = COLUMNS
        S.pack.interfaces = 0
        S.pack.left = last + 1
        return 0
    interfaces = interfaces_of(S, bank, context, select)
    if last >= COLUMNS or first > last:
        return Fault.PACR_ROWS
    S.pack.interfaces = interfaces
    S.pack.column = first
    S.pack.columns = last - first + 1
    S.pack.left = (last - first + 1) * ones(interfaces)
    if S.pack.source == FROM_NOWHERE:
        return 0
    if S.pack.source == FROM_L1:
        return bytes_of_l1(S, bank, context, counters)
    if S.pack.early == BF16_TO_FP32:
        return Fault.PACR_FORMATS  # Wormhole's alone (packer/formats.py)
    if S.tile_control.soft_reset & SoftReset.DST:
        return Fault.PACR_IN_RESET
    at = first_datum(S, bank, context, counters)
    S.pack.first = at // COLUMNS & DST_ROWS
    if at % COLUMNS:
        return Fault.PACR_ROWS
    if strided:
        both = REMAP_ADDRS | SWIZZLE_32B
        S.pack.apart = STRIDE
        return 0 if S.config.word[bank, C.DEST_ACCESS] & both == both else Fault.PACR_STRIDED
    S.pack.apart = 1
    return Fault.PACR_ROWS if interfaces << (at // COLUMNS & 3) > ALL else 0


def first_datum(S: View, bank: int, context: int, counters: int) -> int:
    """StartRow of PACR.md, as the number of its first datum. X selects columns, not rows."""
    size = datum_size(S, bank, context)
    x = S.adc.value[counters, PACKERS, 0, X] * (S.config.word[bank, C.XY[0]] & 0xF)
    at = (address(S, bank, counters, 0) - x) // size
    return at + (S.config.word[bank, C.DEST[context]] & 0xFFF) * COLUMNS


def datum_size(S: View, bank: int, context: int) -> int:
    """Return bytes, by In_data_format."""
    return BYTES_IN[(S.config.word[bank, C.CONTROL[context]] >> C.IN_FORMAT) & 3]


def bytes_of_l1(S: View, bank: int, context: int, counters: int) -> int:
    """Return the datums of L1. One packer of Wormhole reads as many as X says; so does one
    interface."""
    size = datum_size(S, bank, context)
    at = address(S, bank, counters, 0) & 0x3FFF0
    at += size * (S.pack.column & (16 // size - 1))
    high = S.config.word[bank, C.CONTROL[context]] >> C.L1_SOURCE
    S.pack.first = ((high << 18) + at) & 0x1FFFFF
    if ones(S.pack.interfaces) != 1 or S.pack.first + size * S.pack.columns > L1_BYTES:
        return Fault.PACR_ROWS
    return 0


def counters_of(thread: int, override: int, counters: int) -> int:
    """Return the thread of the address counters that are used; there is no fourth
    (InputAddressGenerator.md)."""
    if override == 0:
        return thread
    return counters if counters < THREADS else 0


def address(S: View, bank: int, counters: int, channel: int) -> int:
    """Base and Y, Z, W with their strides, in bytes."""
    xy = S.config.word[bank, C.XY[channel]]
    zw = S.config.word[bank, C.ZW[channel]]
    total = S.config.word[bank, C.BASE[channel]] & 0x3FFFF
    total += S.adc.value[counters, PACKERS, channel, Y] * (xy >> 16)
    total += S.adc.value[counters, PACKERS, channel, Z] * (zw & 0xFFFF)
    total += S.adc.value[counters, PACKERS, channel, W] * (zw >> 16)
    if channel == 0:
        total += S.adc.value[counters, PACKERS, 0, X] * (xy & 0xF)
    return total & MASK32


def ones(mask: int) -> int:
    """Return how many interfaces a mask has."""
    return (mask & 1) + ((mask >> 1) & 1) + ((mask >> 2) & 1) + ((mask >> 3) & 1)


def interfaces_of(S: View, bank: int, context: int, select: int) -> int:
    """ReadIntfSel; 0 means all, and the last PACR of a plane may take what is left of it."""
    if S.config.word[bank, C.CONTROL[context]] & C.AUTO_INTERFACES:
        left = ((S.config.word[bank, C.COUNTERS[context]] >> 8) & 0xFF) - S.pack.tile_y
        if 0 < left <= INTERFACES:
            return (1 << left) - 1
    return select if select else ALL


def edges(S: View, bank: int, context: int) -> int:
    """Edge masks of the rows of this instruction; 0, or a fault."""
    mode = S.config.word[bank, C.EDGE[0]] & C.EDGE_MODE
    S.pack.masked = MINUS_INFINITY[S.pack.kind] if mode else 0
    row = 0
    masked = 0
    for i in range(INTERFACES):
        S.pack.edge[i] = 0xFFFF
        if (S.pack.interfaces >> i) & 1:
            S.pack.edge[i] = edge(S, bank, context, row)
            masked |= 0xFFFF - S.pack.edge[i]
            row += 1
    # No page says what minus infinity is of an integer.
    return Fault.PACR_EDGE if masked and mode and S.pack.kind > E5 else 0


def edge(S: View, bank: int, context: int, row: int) -> int:
    """EdgeMask of the row with that number among those of the instruction."""
    y = S.pack.tile_y
    z = S.pack.tile_z
    if S.config.word[bank, C.COUNTERS[context]] & C.TRANSPOSED:
        z += row
    else:
        y += row
    faces = S.config.word[bank, C.FACES]
    if faces & C.FACE_ENABLE:
        z += S.config.word[bank, C.DEST[context]] >> 12
        mapping = S.config.word[bank, C.FACE_SETS[(faces >> (2 * context)) & 3]]
        rows = (mapping >> (2 * (z & 0xF))) & 3
    else:
        rows = (S.config.word[bank, C.EDGE[0]] >> (C.ROW_SET_SELECT + 2 * context)) & 3
    which = (S.config.word[bank, C.ROW_SETS[rows]] >> (2 * (y & 0xF))) & 3
    return S.config.word[bank, C.EDGE[which]] & 0xFFFF


def source_of(S: View, bank: int, context: int, nothing: int) -> int:
    """Return where the datums come from."""
    if nothing:
        return FROM_NOWHERE
    # InputAddressGenerator.md: packer 0 alone, so the first context alone.
    if context == 0 and S.config.word[bank, C.CONTROL[0]] & C.FROM_L1_BIT:
        return FROM_L1
    return FROM_DST32 if S.config.word[bank, C.READ] & READ_32B else FROM_DST16
