# SPDX-License-Identifier: Apache-2.0
"""Instructions of V as text, as GNU binutils writes them.

Names of arithmetic come from the rows of `core.riscv.rvv.rows`; what follows the name says where
operands come from (vv, vx, vi, wv, mm, vs, ...).
"""

from __future__ import annotations

from collections.abc import Sequence

from tensix_gdb.core.riscv.rvv import arithmetic
from tensix_gdb.core.riscv.rvv.encodings import Mop
from tensix_gdb.core.riscv.rvv.rows import BY_NUMBER, SECONDS, Kind, Row, Second

LMULS = ("m1", "m2", "m4", "m8", "", "mf8", "mf4", "mf2")
# Those with the second operand first in the text.
_MULTIPLY_ADD = ("macc", "madd", "msub", "msac", "nmsac", "nmacc")
_WIDTHS = {0: 8, 5: 16, 6: 32}


def show(word: int, packed: int, names: Sequence[str]) -> str:
    """Return the text of a word of V that is not vset; `names` are those of x and then f
    registers."""
    if word & 0x7F == 0x57:
        return _arithmetic(word, packed, names)
    return _memory(word, names)


def vtype_text(vtype: int) -> str:
    """`e32,m1,ta,ma`; a number where there is no such setting."""
    sew, lmul = vtype >> 3 & 7, LMULS[vtype & 7]
    if sew > 3 or not lmul or vtype >> 8:
        return f"{vtype}"
    tail, mask = "ta" if vtype & 64 else "tu", "ma" if vtype & 128 else "mu"
    return f"e{8 << sew},{lmul},{tail},{mask}"


def _arithmetic(word: int, packed: int, names: Sequence[str]) -> str:
    imm = arithmetic.whole(packed)
    number = arithmetic.row_of(imm)
    row = BY_NUMBER.get((number >> 2, SECONDS[number & 3]))
    if row is None:
        return f".4byte\t{word:#x}"
    return text_of(row, number & 3, imm, names)


def _second(row: Row, operand: int, imm: int, names: Sequence[str]) -> str:
    vs1 = imm >> 17 & 31
    match operand:
        case Second.VV:
            return f"v{vs1}"
        case Second.VX:
            return names[vs1]
        case Second.VF:
            return names[32 + vs1]
    return str(vs1 if row.operands & 16 or vs1 < 16 else vs1 - 32)


def text_of(row: Row, operand: int, imm: int, names: Sequence[str]) -> str:
    vd, vs2, unmasked = f"v{imm & 31}", f"v{imm >> 5 & 31}", imm >> 10 & 1
    second = _second(row, operand, imm, names)
    letter = "vxif"[operand]
    mask = "" if unmasked else ",v0.t"
    kind, name = row.kind, row.name
    if row.number >= 192:
        return _unary(row, imm, names)
    match kind:
        case Kind.MERGE if unmasked:
            return f"{'vfmv' if name == 'vfmerge' else 'vmv'}.v.{letter}\t{vd},{second}"
        case Kind.CARRY | Kind.MERGE:
            return f"{name}.v{letter}m\t{vd},{vs2},{second},v0"
        case Kind.CARRY_OUT if not unmasked:
            return f"{name}.v{letter}m\t{vd},{vs2},{second},v0"
        case Kind.WIDE_W | Kind.NARROW:
            return f"{name}.w{letter}\t{vd},{vs2},{second}{mask}"
        case Kind.REDUCE | Kind.REDUCE_WIDE:
            return f"{name}.vs\t{vd},{vs2},{second}{mask}"
        case Kind.MASK:
            return f"{name}.mm\t{vd},{vs2},{second}"
        case Kind.COMPRESS:
            return f"{name}.vm\t{vd},{vs2},{second}"
        case Kind.SCALAR_IN:
            return f"{name}.{letter}\t{vd},{second}"
        case Kind.MOVE_GROUP:
            return f"vmv{(imm >> 17 & 31) + 1}r.v\t{vd},{vs2}"
    plain = name.removeprefix("vf").removeprefix("vw").removeprefix("vn").removeprefix("v")
    if plain in _MULTIPLY_ADD or (
        name.startswith(("vwmacc", "vfnm", "vfm", "vnms"))
        and (any(name.endswith(end) for end in ("acc", "add", "sub", "sac")) or "macc" in name)
    ):
        return f"{name}.v{letter}\t{vd},{second},{vs2}{mask}"
    return f"{name}.v{letter}\t{vd},{vs2},{second}{mask}"


def _unary(row: Row, imm: int, names: Sequence[str]) -> str:
    vd, vs2 = f"v{imm & 31}", f"v{imm >> 5 & 31}"
    mask = "" if imm >> 10 & 1 else ",v0.t"
    match row.kind:
        case Kind.FIRST_ELEMENT:
            first = names[32 + (imm & 31)] if row.name == "vfmv.f.s" else names[imm & 31]
            return f"{row.name}\t{first},{vs2}"
        case Kind.COUNT | Kind.FIND_FIRST:
            return f"{row.name}\t{names[imm & 31]},{vs2}{mask}"
        case Kind.INDEX:
            return f"{row.name}\t{vd}{mask}"
    return f"{row.name}\t{vd},{vs2}{mask}"


def _memory(word: int, names: Sequence[str]) -> str:
    width, store = _WIDTHS[word >> 12 & 7], word & 0x7F == 0x27
    fields, mop, lumop = (word >> 29) + 1, word >> 26 & 3, word >> 20 & 31
    base, vd = f"({names[word >> 15 & 31]})", f"v{word >> 7 & 31}"
    mask = "" if word >> 25 & 1 else ",v0.t"
    letter = "s" if store else "l"
    segment = f"seg{fields}" if fields > 1 else ""
    unknown = f".4byte\t{word:#x}"
    if word >> 28 & 1:
        return unknown
    match mop:
        case Mop.UNIT_STRIDE if lumop == 8:
            if fields not in (1, 2, 4, 8) or mask or (store and width != 8):
                return unknown
            return f"v{letter}{fields}r{'' if store else f'e{width}'}.v\t{vd},{base}"
        case Mop.UNIT_STRIDE if lumop == 11 and width == 8 and fields == 1 and not mask:
            return f"v{letter}m.v\t{vd},{base}"
        case Mop.UNIT_STRIDE if lumop == 16 and not store:
            return f"vl{segment}e{width}ff.v\t{vd},{base}{mask}"
        case Mop.UNIT_STRIDE:
            return f"v{letter}{segment}e{width}.v\t{vd},{base}{mask}" if lumop == 0 else unknown
        case Mop.STRIDED:
            return f"v{letter}s{segment}e{width}.v\t{vd},{base},{names[lumop]}{mask}"
    order = "u" if mop == Mop.INDEXED_UNORDERED else "o"
    return f"v{letter}{order}x{segment}ei{width}.v\t{vd},{base},v{lumop}{mask}"
