# SPDX-License-Identifier: Apache-2.0
"""Vector instructions as text: every row and every kind of load and store, against objdump."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tensix_gdb.core.assembly.rv32 import Style, show
from tensix_gdb.core.assembly.rv32_read import parse
from tensix_gdb.core.assembly.tensix_read import TextError
from tensix_gdb.core.riscv.rvv.rows import ROWS, UNARY, VF, VI, VV, VX, Kind
from tests.core.isa.oracles import assemble, objdump

FUNCT3 = {("I", VV): 0, ("F", VV): 1, ("M", VV): 2, ("I", VI): 3, ("I", VX): 4, ("F", VF): 5,
          ("M", VX): 6}  # fmt: skip
ALWAYS_UNMASKED = (
    Kind.MASK, Kind.COMPRESS, Kind.SCALAR_IN, Kind.MOVE_GROUP, Kind.FIRST_ELEMENT,
)  # fmt: skip


def arithmetic() -> list[int]:
    """Words of each row, with each second operand."""
    dice, found = random.Random(3), []
    for row in ROWS:
        for operand in (VV, VX, VI, VF):
            if not row.operands & operand:
                continue
            for _ in range(6):
                vs1, vs2, vm = dice.randrange(32), dice.randrange(32), dice.getrandbits(1)
                family, funct6 = "IMF"[row.number >> 6] if row.number < 192 else "", row.number & 63
                for (group, six), first in UNARY.items():
                    if first <= row.number < first + 32:
                        family, funct6, vs1 = group, six, row.number - first
                if row.kind is Kind.MOVE_GROUP:
                    vs1 = dice.choice((0, 1, 3, 7))
                if row.kind in ALWAYS_UNMASKED:
                    vm = 1
                if row.kind is Kind.CARRY:
                    vm = 0
                if row.kind in (Kind.SCALAR_IN, Kind.INDEX) or (row.kind is Kind.MERGE and vm):
                    vs2 = 0
                found.append(
                    funct6 << 26 | vm << 25 | vs2 << 20 | vs1 << 15
                    | FUNCT3[family, operand] << 12 | dice.randrange(32) << 7 | 0x57
                )  # fmt: skip
    return found


def memory() -> list[int]:
    """Loads and stores of every kind."""
    dice, found = random.Random(4), []
    for opcode in (0x07, 0x27):
        for width in (0, 5, 6):
            for mop, lumop in ((0, 0), (0, 8), (0, 11), (0, 16), (1, 7), (2, 9), (3, 31)):
                for nf in (0, 1, 3, 7):
                    vm = 1 if lumop in (8, 11) and mop == 0 else dice.getrandbits(1)
                    found.append(
                        nf << 29 | mop << 26 | vm << 25 | lumop << 20 | dice.randrange(32) << 15
                        | width << 12 | dice.randrange(32) << 7 | opcode
                    )  # fmt: skip
    return found


def settings() -> list[int]:
    """vset in its three forms."""
    found = [
        0x57 | 7 << 12 | t << 20 | 5 << 15 | 10 << 7 for t in (0, 0x10, 0x51, 0xD3, 0xC7, 0x86)
    ]
    found += [0xC0000057 | 7 << 12 | t << 20 | 9 << 15 for t in (0, 0x48, 0xD7)]
    return [*found, 0x80C5F557]


def test_as_objdump(tmp_path: Path) -> None:
    words = [*arithmetic(), *memory(), *settings()]
    source = ".option arch, +v\n" + "\n".join(f".insn {word:#010x}" for word in words)
    seen = 0
    for pc, word, theirs in objdump(assemble(source, tmp_path), "no-aliases"):
        assert show(word, pc, style=Style(aliases=False)) == theirs, f"{word:#010x}"
        seen += not theirs.startswith(".4byte")
    assert seen > 1000


def test_word_to_text_to_word() -> None:
    for word in (*arithmetic(), *memory(), *settings()):
        text = show(word, style=Style(aliases=False))
        if not text.startswith(".4byte") and (word >> 20 & 0x7FF) not in (0x86, 0xC7):
            assert f"{parse(text):#010x}" == f"{word:#010x}", text


def test_what_is_wrong_is_said() -> None:
    wrong = ["vadd.vv v1,v2", "vadd.vv v1,v2,a0", "vmv.v.x v1,a0,v0.t", "vle32.v v1,a0"]
    wrong += ["vsetvli t0,a0,e7,m1,ta,ma", "vadd.vi v1,v2,40", "vmerge.vvm v1,v2,v3,v1"]
    for text in wrong:
        with pytest.raises(TextError):
            parse(text)
