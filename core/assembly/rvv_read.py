# SPDX-License-Identifier: Apache-2.0
"""Instructions of V from text: what rvv.py prints, read backwards.

Each row is printed once with registers 1, 2 and 3; what comes out is the name, and where vd, vs2
and vs1 stand.
"""

from __future__ import annotations

import re

from tensix_gdb.core.assembly.rvv import LMULS, text_of
from tensix_gdb.core.assembly.tensix_read import TextError
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa.expression import number_of
from tensix_gdb.core.riscv.rvv.rows import FAMILIES, ROWS, SECONDS, UNARY, Kind

FUNCT3 = {"I": (0, 4, 3, 0), "M": (2, 6, 0, 0), "F": (1, 0, 0, 5)}
_NAMES = tuple(f"x{i}" for i in range(32)) + tuple(f"f{i}" for i in range(32))
_SETTING = re.compile(r"e(8|16|32|64),(m1|m2|m4|m8|mf2|mf4|mf8),(ta|tu),(ma|mu)$")
_WIDTHS = {"8": 0, "16": 5, "32": 6}
_WHOLE = re.compile(r"v(l|s)([1248])r(?:e(8|16|32))?\.v$")
_ACCESS = re.compile(r"v(l|s)(s|ux|ox)?(?:seg([2-8]))?(e|ei)(8|16|32)(ff)?\.v$")


@dataclass(frozen=True, slots=True)
class _Form:
    """The fixed bits of a name, and what its operands are: vd1 x1 v2 v3 x3 f3 3 v0 in order."""

    bits: int
    operands: tuple[str, ...]
    maskable: bool


def _forms() -> dict[str, _Form]:
    forms: dict[str, _Form] = {}
    for row in ROWS:
        for operand, second in enumerate(SECONDS):
            if not row.operands & second:
                continue
            family, funct6 = "", row.number & 63
            vs1s: tuple[int, ...] = (3,)
            if row.number < 192:
                family = FAMILIES[row.number >> 6]
            for (group, six), first in UNARY.items():
                if first <= row.number < first + 32:
                    family, funct6, vs1s = group, six, (row.number - first,)
            if row.kind is Kind.MOVE_GROUP:
                vs1s = (0, 1, 3, 7)
            for vs1 in vs1s:
                for unmasked in (1, 0):
                    funct3 = FUNCT3[family][operand]
                    imm = 1 | 2 << 5 | unmasked << 10 | funct6 << 11 | vs1 << 17 | funct3 << 22
                    name, _, body = text_of(row, operand, imm, _NAMES).partition("\t")
                    bits = funct6 << 26 | funct3 << 12 | 0x57
                    if row.number >= 192 or row.kind is Kind.MOVE_GROUP:
                        bits |= vs1 << 15
                    masked = body.endswith(",v0.t")
                    operands = tuple(body.removesuffix(",v0.t").split(","))
                    if masked and name in forms:
                        forms[name] = _Form(forms[name].bits, operands, maskable=True)
                    else:
                        always = 0 if operands[-1] == "v0" else unmasked << 25
                        forms.setdefault(name, _Form(bits | always, operands, maskable=False))
    return forms


FORMS = _forms()


def knows(name: str) -> bool:
    """True if it is the name of an instruction of V."""
    return (
        name in FORMS
        or name.startswith("vset")
        or bool(_WHOLE.match(name) or _ACCESS.match(name) or name in ("vlm.v", "vsm.v"))
    )


def parse(name: str, operands: list[str], x: dict[str, int], f: dict[str, int]) -> int:
    """Return the word; `x` and `f` have the numbers of scalar registers."""
    if name.startswith("vset"):
        return _vset(name, operands, x)
    mask = bool(operands) and operands[-1] == "v0.t"
    if mask:
        operands = operands[:-1]
    if name not in FORMS:
        return _memory(name, operands, x, 0 if mask else 1)
    form = FORMS[name]
    if len(operands) != len(form.operands):
        raise TextError(f"{name} takes {len(form.operands)} operands, not {len(operands)}")
    word = form.bits
    if mask:
        if not form.maskable:
            raise TextError(f"{name} cannot be masked")
        word &= ~(1 << 25)
    for role, text in zip(form.operands, operands, strict=True):
        if role == "v0":
            if text != "v0":
                raise TextError(f"{name}: {text} is not v0")
            continue
        shift = {"1": 7, "2": 20, "3": 15}[role[-1]]
        word |= _number(role, text, x, f) << shift
    return word


def _number(role: str, text: str, x: dict[str, int], f: dict[str, int]) -> int:
    if role == "3":
        value = number_of(text)
        if value is None:
            raise TextError(f"{text!r} is no number")
        if not -16 <= value < 32:
            raise TextError(
                f"{text} does not fit 5 bits: it is outside -16..15, or 0..31 of shifts"
            )
        return value & 31
    names = {"v": {f"v{i}": i for i in range(32)}, "x": x, "f": f}[role[0]]
    if text not in names:
        raise TextError(f"{text!r} is no register of this kind")
    return names[text]


def _vset(name: str, operands: list[str], x: dict[str, int]) -> int:
    if name == "vsetvl" and len(operands) == 3:
        rd, rs1, rs2 = (_number("x", text, x, {}) for text in operands)
        return 0x80007057 | rs2 << 20 | rs1 << 15 | rd << 7
    setting = _SETTING.match(",".join(operands[2:]).replace(" ", ""))
    if name not in ("vsetvli", "vsetivli") or not setting:
        raise TextError(f"{name} {','.join(operands)}: not as in vsetvli t0,a0,e32,m1,ta,ma")
    sew, lmul = int(setting[1]).bit_length() - 4, LMULS.index(setting[2])
    vtype = sew << 3 | lmul | (setting[3] == "ta") << 6 | (setting[4] == "ma") << 7
    rd = _number("x", operands[0], x, {})
    if name == "vsetivli":
        return 0xC0007057 | vtype << 20 | (int(operands[1], 0) & 31) << 15 | rd << 7
    return 0x7057 | vtype << 20 | _number("x", operands[1], x, {}) << 15 | rd << 7


def _memory(name: str, operands: list[str], x: dict[str, int], vm: int) -> int:
    if len(operands) < 2 or not re.fullmatch(r"\(\w+\)", operands[1]):
        raise TextError(f"{name} takes a vector register and (REGISTER)")
    word = _number("v", operands[0], x, {}) << 7 | _number("x", operands[1][1:-1], x, {}) << 15
    if name in ("vlm.v", "vsm.v"):
        return word | 1 << 25 | 0x0B << 20 | (0x07 if name == "vlm.v" else 0x27)
    whole = _WHOLE.match(name)
    if whole:
        word |= (int(whole[2]) - 1) << 29 | 1 << 25 | 8 << 20 | _WIDTHS[whole[3] or "8"] << 12
        return word | (0x07 if whole[1] == "l" else 0x27)
    access = _ACCESS.match(name)
    wanted = 3 if access and access[2] else 2
    if not access or len(operands) != wanted:
        raise TextError(f"{name} takes {wanted} operands, not {len(operands)}")
    mop = {None: 0, "ux": 1, "s": 2, "ox": 3}[access[2]]
    last = 0x10 if access[6] else 0
    if mop:
        last = _number("x" if mop == 2 else "v", operands[2], x, {})
    word |= (int(access[3] or 1) - 1) << 29 | mop << 26 | vm << 25 | last << 20
    return word | _WIDTHS[access[5]] << 12 | (0x07 if access[1] == "l" else 0x27)
