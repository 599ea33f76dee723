# SPDX-License-Identifier: Apache-2.0
"""Word to text to word, and text to word to text, for every row of both architectures.

hypothesis draws the dice; each example goes through all rows, so that none is left out.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensix_gdb.core.assembly.tensix_names import SHORT
from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.assembly.tensix_text import show
from tensix_gdb.core.isa.architecture import Arch, Dialect
from tensix_gdb.core.isa.operand import Bits
from tensix_gdb.core.tensix.instruction import Instruction
from tensix_gdb.core.tensix.table import rows_of
from tests.forms import rounds

DIALECTS = [Dialect(arch, llk) for arch in (Arch.BLACKHOLE, Arch.WORMHOLE) for llk in (False, True)]
ARCHES = [Arch.BLACKHOLE, Arch.WORMHOLE]
SEEDS = st.integers(0, 1 << 32)


def some_fields(row: Instruction, dice: random.Random) -> dict[str, int]:
    """Values for all fields: any, none, or all ones, such that the word is of this row."""
    while True:
        values = {}
        for name, field in row.encoding.fields.items():
            bits = dice.choice((dice.getrandbits(field.width), 0, (1 << field.width) - 1))
            bits &= field.coverage
            signed = field.signed and bits >> field.width - 1
            values[name] = bits - (1 << field.width) if signed else bits
        word = row.encoding.match | sum(row.encoding.fields[n].put(v) for n, v in values.items())
        if row.encoding.matches(word):
            return values


@pytest.mark.parametrize("dialect", DIALECTS, ids=str)
@given(seed=SEEDS)
@settings(max_examples=rounds(5, 25), deadline=None)
def test_word_to_text_to_word(dialect: Dialect, seed: int) -> None:
    dice = random.Random(seed)
    for row in rows_of(dialect.arch):
        word = row.encoding.encode(**some_fields(row, dice))
        text = show(word, dialect)
        assert parse(text, dialect) == word, text
        assert show(parse(text, dialect), dialect) == text


def a_name(name: str, dice: random.Random) -> str:
    """`condition_mask`, `wait`, `ConditionMask`, `CONDITION_MASK`."""
    camel = "".join(part.capitalize() for part in name.split("_"))
    return dice.choice((name, SHORT.get(name, name), camel, name.upper()))


def a_value(row: Instruction, name: str, value: int, arch: Arch, dice: random.Random) -> str:
    """A number in some notation, or a name of the pages or of LLK."""
    kind = row.operands[name].kind
    plain = Dialect(arch)
    ways = [
        str(value),
        f"({value})",
        kind.show(value, plain),
        kind.show(value, Dialect(arch, True)),
    ]
    if value >= 0:
        ways += [hex(value), f"{value:#b}", f"{value & 5} | {value & ~5}"]
    if isinstance(kind, Bits):
        parts = [part.text for part in kind.parts(value)]
        dice.shuffle(parts)
        ways.append(" | ".join(parts))
    return dice.choice(ways)


def some_text(row: Instruction, arch: Arch, dice: random.Random) -> tuple[str, dict[str, int]]:
    """A text that somebody could type for this row, and the fields that it means."""
    values = some_fields(row, dice)
    given = [name for name, value in values.items() if value or dice.getrandbits(1)]
    dice.shuffle(given)
    operands = [
        f"{a_name(name, dice)}{dice.choice((' = ', '='))}"
        f"{a_value(row, name, values[name], arch, dice)}"
        for name in given
    ]
    head = dice.choice((row.name, row.name.lower(), f"TTI_{row.name}", f"TT_OP_{row.name}"))
    return f" {head}  {dice.choice((', ', ',')).join(operands)}{dice.choice(('', ';'))} ", values


@pytest.mark.parametrize("arch", ARCHES)
@given(seed=SEEDS)
@settings(max_examples=rounds(5, 25), deadline=None)
def test_text_to_word_to_text(arch: Arch, seed: int) -> None:
    """The word of a text in any spelling has the fields meant and one canonical text."""
    dice, dialect = random.Random(seed), Dialect(arch)
    for row in rows_of(arch):
        text, values = some_text(row, arch, dice)
        word = parse(text, dialect)
        assert word == row.encoding.encode(**values), text
        canonical = show(word, dialect)
        assert parse(canonical, dialect) == word, text
        assert show(parse(canonical, dialect), dialect) == canonical
        # The canonical text has every field that is not 0, by name.
        shown = {part.partition("=")[0].strip() for part in canonical.partition(" ")[2].split(",")}
        assert {SHORT.get(name, name) for name, value in values.items() if value} <= shown


@pytest.mark.parametrize("arch", ARCHES)
@given(seed=SEEDS)
@settings(max_examples=rounds(5, 25), deadline=None)
def test_macros_to_word_to_macros(arch: Arch, seed: int) -> None:
    """LLK's macros with numbers, then with the names that are printed instead."""
    dice, llk = random.Random(seed), Dialect(arch, llk=True)
    for row in rows_of(arch):
        word = row.encoding.encode(**some_fields(row, dice))
        numbers = [
            str(word >> shift & (1 << row.llk_width(i)) - 1) for i, (_, shift) in enumerate(row.llk)
        ]
        text = f"TTI_{row.mnemonic}({', '.join(numbers)})" if numbers else row.mnemonic
        assert parse(text, llk) == word
        printed = show(word, llk)
        assert parse(printed, llk) == word
        assert show(parse(printed, llk), llk) == printed
