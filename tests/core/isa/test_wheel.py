# SPDX-License-Identifier: Apache-2.0
"""Every row, constant and configuration field against Tenstorrent's own headers."""

from __future__ import annotations

import random

import pytest

from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.assembly.tensix_text import show
from tensix_gdb.core.isa.architecture import Arch, Dialect
from tensix_gdb.core.isa.config_words import Space, config_fields
from tensix_gdb.core.isa.llk_constants import llk_constants
from tensix_gdb.core.tensix.instruction import Instruction
from tensix_gdb.core.tensix.table import by_mnemonic, rows_of
from tests.core.isa.wheel import assembler_table, config_defines, llk_structs, macros

ARCHES = (Arch.BLACKHOLE, Arch.WORMHOLE)
# LLK passes these on and uses them nowhere as operands of one instruction.
NOT_OPERANDS = {"p_exp"}


@pytest.mark.parametrize("arch", ARCHES)
def test_names_and_opcodes(arch: Arch) -> None:
    ours = {name: rows[0].opcode for name, rows in by_mnemonic(arch).items()}
    assert ours == {name: macro.opcode for name, macro in macros(arch).items()}
    assert ours == assembler_table(arch)


@pytest.mark.parametrize("arch", ARCHES)
def test_parameters_of_macros(arch: Arch) -> None:
    for row in rows_of(arch):
        assert [name for name, _ in row.llk] == macros(arch)[row.mnemonic].parameters, row.name


def some_word(row: Instruction, dice: random.Random) -> int:
    """A word of this row with random fields."""
    word = row.encoding.match
    for field in row.encoding.fields.values():
        word |= dice.getrandbits(32) & field.word_mask
    return word if row.encoding.matches(word) else row.encoding.match


@pytest.mark.parametrize("arch", ARCHES)
def test_encodings_as_the_macros_give(arch: Arch) -> None:
    """A word's bits as the macro's arguments give the word; so does the macro as text."""
    dice = random.Random(arch.value)
    for row in rows_of(arch):
        macro = macros(arch)[row.mnemonic]
        for _ in range(20):
            word = some_word(row, dice)
            arguments = [
                word >> shift & (1 << row.llk_width(index)) - 1
                for index, (_, shift) in enumerate(row.llk)
            ]
            assert macro(*arguments) == word, row.name
            text = f"TT_OP_{row.mnemonic}({', '.join(map(str, arguments))})"
            text = text if arguments else row.mnemonic
            assert parse(text, Dialect(arch)) == word, text
            # What we print for LLK is what LLK's own macro and constants make of it.
            printed = show(word, Dialect(arch, llk=True))
            assert parse(printed, Dialect(arch)) == word, printed


@pytest.mark.parametrize("arch", ARCHES)
def test_constants(arch: Arch) -> None:
    theirs = {
        name: value
        for name, value in llk_structs(arch).items()
        if name.partition(".")[0] not in NOT_OPERANDS
    }
    assert llk_constants(arch) == theirs


@pytest.mark.parametrize("arch", ARCHES)
def test_configuration_fields(arch: Arch) -> None:
    ours = {name: (f.word, f.low, f.mask) for name, f in config_fields(arch).items()}
    assert ours == config_defines(arch)


def test_spaces_of_configuration() -> None:
    fields = config_fields(Arch.BLACKHOLE)
    assert fields["CFG_STATE_ID_StateID"].space is Space.THREAD
    assert fields["ALU_ROUNDING_MODE_Fpu_srnd_en"].space is Space.STATE
    assert fields["PRNG_SEED_Seed_Val"].space is Space.GLOBAL
