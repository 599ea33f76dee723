# SPDX-License-Identifier: Apache-2.0
"""The vector registers of T2. There is one hart that has them."""

from tensix_gdb.core.record.layout import Chapter, Part, Tag, View, alias, row

COLD = True  # little time of LLVM for it (core/engine/README.md)

VLEN_BYTES = 16
REGISTERS = 32

_WORD = row("word", "u32", REGISTERS * 4, Tag.ARCHITECTURAL, "v0 to v31, four words each")
_RESULT = row("bits", "u8", VLEN_BYTES, Tag.DERIVED, "a mask while it is made")
_COPY = row("copy", "u32", REGISTERS, Tag.DERIVED, "a group of eight before it is overwritten")
RVV = Part(
    "rvv",
    (
        _WORD,
        alias("half", "u16", _WORD),
        alias("byte", "u8", _WORD),
        _RESULT,
        _COPY,
        alias("copy_half", "u16", _COPY),
        alias("copy_byte", "u8", _COPY),
    ),
    chapter=Chapter.HARTS,
)

# Columns of hart.vector_csr.
VXSAT, VXRM, VL, VTYPE, VLENB = 0, 1, 2, 3, 4


def element(S: View, register: int, i: int, sew: int) -> int:
    """Element `i` of `sew` bits of the group that begins at `register`."""
    if sew == 8:
        return S.rvv.byte[register * 16 + i]
    if sew == 16:
        return S.rvv.half[register * 8 + i]
    return S.rvv.word[register * 4 + i]


def put_element(S: View, register: int, i: int, sew: int, value: int) -> int:
    """Write the low `sew` bits of a value into an element."""
    if sew == 8:
        S.rvv.byte[register * 16 + i] = value & 0xFF
    elif sew == 16:
        S.rvv.half[register * 8 + i] = value & 0xFFFF
    else:
        S.rvv.word[register * 4 + i] = value & 0xFFFFFFFF
    return 0


def mask_bit(S: View, register: int, i: int) -> int:
    """Bit `i` of a register that is used as a mask."""
    return (S.rvv.byte[register * 16 + (i >> 3)] >> (i & 7)) & 1


def put_mask_bit(S: View, register: int, i: int, bit: int) -> int:
    """Write bit `i` of a mask."""
    at = register * 16 + (i >> 3)
    S.rvv.byte[at] = (S.rvv.byte[at] & ~(1 << (i & 7)) & 0xFF) | (bit << (i & 7))
    return 0


def takes_part(S: View, unmasked: int, i: int) -> int:
    """True if element `i` is active under v0, or if there is no mask."""
    return 1 if unmasked or mask_bit(S, 0, i) else 0


def start_copy(S: View, register: int, count: int) -> int:
    """Keep `count` registers as they are, for one that might read what it has written."""
    for i in range(count * 4):
        S.rvv.copy[i] = S.rvv.word[register * 4 + i]
    return 0


def copied(S: View, i: int, sew: int) -> int:
    """Element `i` of what start_copy kept."""
    if sew == 8:
        return S.rvv.copy_byte[i]
    if sew == 16:
        return S.rvv.copy_half[i]
    return S.rvv.copy[i]
