# SPDX-License-Identifier: Apache-2.0
"""RV32 text against objdump: every row, with and without aliases, and real firmware."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from tensix_gdb.core.assembly.rv32 import Style, show
from tests.core.isa.oracles import NAMED_ROWS, assemble, objdump

# What binutils 2.40 does not have: `grevi` with other controls. Fences with fields it does not know
# it prints as data.
UNKNOWN_TO_OBJDUMP = {"grevi", "fence", "fence.i"}


CSRS = (1, 2, 3, 0x300, 0xB00, 0xC00, 0xC80, 0xC82, 0x7C0, 0xBC0, 0xF14)
# binutils 2.40 prints `add a0,a1,4` for addi, and so on; newer and LLVM say addi.
SHORT = re.compile(
    r"^(add|and|or|xor|sll|srl|sra|slt|sltu|ror|csrr?[wsc])(\t.*,)(-?\d+|0x[0-9a-f]+)$"
)


def spelled_out(text: str) -> str:
    """objdump's text with the immediate instruction's own name."""
    found = SHORT.match(re.sub(r" <\S+>$", "", text))
    if not found:
        return re.sub(r" <\S+>$", "", text)
    name = {"sltu": "sltiu"}.get(found[1], found[1] + "i")
    return name + found[2] + found[3]


def words() -> list[int]:
    """Each row with random operands, and with those that aliases look for."""
    dice = random.Random(5)
    found = []
    for row in NAMED_ROWS:
        for turn in range(120):
            values = {}
            for name, field in row.encoding.fields.items():
                bits = dice.getrandbits(field.width) & field.coverage
                if name == "imm" and row.form.name.startswith("CSR"):
                    bits = dice.choice(CSRS)
                elif turn % 2:
                    bits = (
                        dice.choice((0, 1, 1, 255, (1 << field.width) - 1, bits)) & field.coverage
                    )
                signed = field.signed and bits >> field.width - 1
                values[name] = bits - (1 << field.width) if signed else bits
            found.append(row.encoding.encode(**values))
    return [*found, 0x0FF0000F, 0x0330000F, 0x8330000F, 0x0000100F, 0x00008067, 0xC0001073]


@pytest.mark.parametrize("aliases", [False, True])
@pytest.mark.parametrize("numeric", [False, True])
def test_every_row_as_objdump(aliases: bool, numeric: bool, tmp_path: Path) -> None:
    source = "\n".join(f".insn {word:#010x}" for word in words())
    options = [*([] if aliases else ["no-aliases"]), *(["numeric"] if numeric else [])]
    style = Style(aliases=aliases, numeric=numeric)
    seen = set()
    for pc, word, theirs in objdump(assemble(source, tmp_path), *options):
        if theirs.startswith(".4byte"):
            continue
        ours = show(word, pc, style=style)
        assert ours == spelled_out(theirs), f"{word:#010x}"
        seen.add(ours.partition("\t")[0])
    assert {row.name for row in NAMED_ROWS} - UNKNOWN_TO_OBJDUMP - {"pack", "grevi"} <= seen | {
        *("addi", "jalr"),  # with aliases there may be none left
    }


def test_ttinsn_and_what_is_no_instruction() -> None:
    rotated = (0xA2040400 << 2 | 0xA2040400 >> 30) & 0xFFFFFFFF
    assert show(rotated) == ".ttinsn\tSTALLWAIT block=B3, wait=C10"
    assert show(0xFFFFFFFF) == ".4byte\t0xffffffff"
    assert show(0x6855D513) == "grevi\ta0,a1,0x5"
    assert show(0x0EB5252F) == "amoswap.w.aqrl\ta0,a1,(a0)"
