# SPDX-License-Identifier: Apache-2.0
"""An opcode of Tensix is a number in one place: a row, core/isa/opcodes.py, or Sfp."""

from __future__ import annotations

import re
from pathlib import Path

from tensix_gdb.core.isa import opcodes
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.tensix.table import ROWS, rows_of
from tensix_gdb.core.tensix.vector.macro import HAS_VB, HAS_VC
from tensix_gdb.core.tensix.vector.opcodes import FIRST_OPCODE, OPCODES, Sfp

ROOT = Path(__file__).parents[3]
MNEMONICS = {row.mnemonic: row.opcode for row in ROWS}
HOME = ("core/isa/opcodes.py", "core/tensix/vector/opcodes.py")
_ASSIGNED = re.compile(r"^ *([A-Z_][A-Z0-9_]*(?:, [A-Z_][A-Z0-9_]*)*) = (.*)$", re.MULTILINE)


def numbers_of(text: str) -> list[str]:
    """The mnemonics that a file gives the number of their opcode."""
    found = []
    for names, values in _ASSIGNED.findall(text):
        each = [re.match(r"\s*(0x[0-9A-Fa-f]+|\d+)\b", value) for value in values.split(",")]
        for name, value in zip(names.split(", "), each, strict=False):
            is_opcode = value and int(value[1], 0) == MNEMONICS.get(name.strip("_"))
            found += [name] if is_opcode else []
    return found


def test_no_file_gives_a_mnemonic_its_number() -> None:
    found = {
        str(path.relative_to(ROOT)): numbers
        for folder in ("core", "gdbstub")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if (numbers := numbers_of(path.read_text("utf-8")))
        if str(path.relative_to(ROOT)) not in HOME
    }
    assert found == {}


def test_one_that_does_is_found() -> None:
    assert numbers_of("PACR, UNPACR = 0x41, 0x42  # opcodes\n    _SEMPOST = 0xA4") == [
        *("PACR", "UNPACR", "_SEMPOST")
    ]
    assert numbers_of("PACR = 65") == ["PACR"]
    assert numbers_of("PACR = 3\nSEMPOST = opcodes.SEMPOST") == []


def test_the_names_beside_the_rows_are_those_of_the_rows() -> None:
    named = {name: value for name, value in vars(opcodes).items() if name.isupper()}
    assert {name: MNEMONICS[name] for name in named} == named
    vector = {row.opcode for row in ROWS if row.mnemonic.startswith("SFP")}
    assert {int(opcode) for opcode in Sfp} == vector


def test_sfploadmacro_knows_which_templates_have_vb_and_vc() -> None:
    """Loads are no templates, and a store has VD in place of VC."""
    others = ("SFPLOAD", "SFPLOADI", "SFPLOADMACRO", "SFPSTORE", "SFPSHFT2")
    for row in rows_of(Arch.BLACKHOLE):
        at, fields = row.opcode - FIRST_OPCODE, row.encoding.fields
        if at in range(OPCODES) and row.mnemonic not in others:
            assert (HAS_VB[at], HAS_VC[at]) == ("vb" in fields, "vc" in fields), row.name
