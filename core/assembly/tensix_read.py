# SPDX-License-Identifier: Apache-2.0
"""Read the text of one Tensix instruction, in any of the spellings that tensix_text names.

    parse, parse_forms          the instruction and its form
    _parse_macro, _argument     values in the order of LLK's macro
    _parse_fields, _assemble    NAME=VALUE

Where the form is not said, each form that takes these fields is tried.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from tensix_gdb.core.assembly.tensix_names import (
    FAMILIES,
    SHORT,
    mnemonics_called,
    near_names,
    nearby,
    operands_of,
    spellings,
    values_of,
)
from tensix_gdb.core.assembly.tensix_text import undefined
from tensix_gdb.core.isa.architecture import BLACKHOLE, Arch, Dialect
from tensix_gdb.core.isa.config_words import config_fields
from tensix_gdb.core.isa.expression import ExpressionError, UnknownName, evaluate
from tensix_gdb.core.isa.llk_constants import llk_constants
from tensix_gdb.core.isa.operand import Lookup
from tensix_gdb.core.isa.schema import EncodingError, Word
from tensix_gdb.core.tensix.instruction import Instruction
from tensix_gdb.core.tensix.table import by_mnemonic

_MACRO = re.compile(r"^(?:ckernel::)?(?:TTI_|TT_OP_|TT_)?(\w+)\s*\((.*)\)\s*;?$", re.S)


class TextError(ValueError):
    """The text is no instruction; one sentence that says what is wrong and what is known."""


def parse(text: str, dialect: Dialect = BLACKHOLE, names: Mapping[str, int] | None = None) -> Word:
    """Return the word that `text` stands for; TextError with one sentence when it stands for
    none."""
    words = parse_forms(text, dialect, names)
    if len(words) > 1:
        raise TextError(f"say which is meant: {' or '.join(words)}")
    return next(iter(words.values()))


def parse_forms(
    text: str, dialect: Dialect = BLACKHOLE, names: Mapping[str, int] | None = None
) -> dict[str, Word]:
    """Return the words that `text` may stand for by name: several where it does not say the
    form."""
    arch = dialect.arch
    text = text.strip().rstrip(";").strip()
    constants = llk_constants(arch)
    own = names or {}

    def lookup(name: str) -> int | None:
        return own[name] if name in own else constants.get(name)

    try:
        head, rest = _head(text)
        if head == ".word":
            return {head: _word(rest, lookup)}
        macro = _MACRO.match(text)
        if macro and "=" not in head:
            mnemonic = _mnemonic(macro[1], arch)
            return {mnemonic: _parse_macro(mnemonic, _split(macro[2]), lookup, arch)}
        head = re.sub(r"^(TTI_|TT_OP_|TT_)", "", head)
        mnemonic, _, form = head.partition(".")
        if mnemonic.upper() in FAMILIES and not form:
            members = mnemonics_called(mnemonic, arch)
            return {
                name: word
                for member in members
                for name, word in parse_forms(f"{member} {rest}", dialect, names).items()
            }
        mnemonic = _mnemonic(mnemonic, arch)
        rows = by_mnemonic(arch)[mnemonic]
        if form:
            rows = tuple(row for row in rows if row.form.lower() == form.lower())
            if not rows:
                known = ", ".join(row.name for row in by_mnemonic(arch)[mnemonic])
                raise TextError(f"{mnemonic} has no form {form!r}; there is {known}")
        operands = _split(rest)
        if len(operands) == len(rows[0].llk) and not any("=" in operand for operand in operands):
            word = _parse_macro(mnemonic, operands, lookup, arch)
            if not any(row.encoding.matches(word) for row in rows):
                raise TextError(f"{mnemonic} with these operands is not of the form {form!r}")
            return {mnemonic: word}
        return _parse_fields(rows, operands, lookup, arch)
    except UnknownName as error:
        hint = nearby(error.name, (*own, *constants, *config_fields(arch)))
        raise TextError(f"{text!r}: {error}{hint}") from None
    except (ExpressionError, EncodingError) as error:
        raise TextError(f"{text!r}: {error}") from None


def _head(text: str) -> tuple[str, str]:
    """Return the first word and what follows it."""
    head, *rest = text.split(None, 1) or [""]
    return head, rest[0] if rest else ""


def _word(text: str, lookup: Lookup) -> Word:
    value = evaluate(text, lookup)
    if not 0 <= value < 1 << 32:
        raise TextError(f".word {text.strip()} does not fit 32 bits; 0xffffffff is the largest")
    return value


def _mnemonic(name: str, arch: Arch) -> str:
    members = mnemonics_called(name, arch)
    if len(members) == 1:
        return members[0]
    if members:
        raise TextError(f"say which is meant: {' or '.join(members)}")
    name = name.upper()
    raise TextError(f"{name!r} is no {arch.title} instruction{nearby(name, spellings(arch))}")


def _split(text: str) -> list[str]:
    """Operands at the commas outside parentheses."""
    parts, depth, current = [], 0, ""
    for char in text:
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += char
    if current.strip() or parts:
        parts.append(current.strip())
    return parts


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def field_called(row: Instruction, name: str) -> str | None:
    """Return the field that `name` means, by any of its names."""
    for field in row.encoding.fields:
        if _plain(name) in (_plain(field), SHORT.get(field, "")):
            return field
    return None


def _parameter(row: Instruction, name: str) -> int | None:
    for index, (parameter, _) in enumerate(row.llk):
        if _plain(name) == _plain(parameter):
            return index
    return None


def _parse_macro(mnemonic: str, arguments: list[str], lookup: Lookup, arch: Arch) -> Word:
    rows = by_mnemonic(arch)[mnemonic]
    parameters = rows[0].llk
    if len(arguments) != len(parameters):
        wanted = ", ".join(name for name, _ in parameters)
        raise TextError(
            f"{mnemonic} takes {len(parameters)} arguments ({wanted}), not {len(arguments)}"
        )
    word = rows[0].opcode << 24
    for index, text in enumerate(arguments):
        word |= _argument(rows, index, text, lookup, arch)
    return _checked(word, arch)


def _argument(
    rows: tuple[Instruction, ...], index: int, text: str, lookup: Lookup, arch: Arch
) -> Word:
    """Return the bits of one macro argument, in which the names of the field that begins there
    count."""
    name, shift = rows[0].llk[index]
    width = rows[0].llk_width(index)

    fields = [
        (row, field_name)
        for row in rows
        for field_name, field in row.encoding.fields.items()
        if field.pieces[-1].word_shift == shift
    ]

    def find_name(word: str) -> int | None:
        for row, field_name in fields:
            known = row.operands[field_name].kind.name(word, arch)
            if known is not None:
                return known
        return lookup(word)

    try:
        value = evaluate(text, find_name)
    except UnknownName as error:
        raise (_not_taken(*fields[0], error, arch) if fields else error) from None
    if not 0 <= value < 1 << width:
        raise TextError(f"{rows[0].mnemonic}: {name}={value} is outside 0..{(1 << width) - 1}")
    return value << shift


def _checked(word: Word, arch: Arch) -> Word:
    why = undefined(word, arch)
    if why:
        raise TextError(f"{why} ({word:#010x})")
    return word


def _parse_fields(
    rows: tuple[Instruction, ...], operands: list[str], lookup: Lookup, arch: Arch
) -> dict[str, Word]:
    given: list[tuple[str, str]] = []
    for operand in operands:
        name, equals, text = operand.partition("=")
        if not equals:
            row = rows[0]
            raise TextError(
                f"{row.mnemonic}: {operand!r} is not NAME=VALUE with one of the names "
                f"{operands_of(row)}, and LLK's macro takes {len(row.llk)} values "
                f"({', '.join(parameter for parameter, _ in row.llk)})"
            )
        given.append((name.strip(), text))
    words: dict[str, Word] = {}
    refused = ""
    for row in rows:
        try:
            word = _assemble(row, given, rows, lookup, arch)
        except TextError as error:
            refused = refused or str(error)
            continue
        if row.encoding.matches(word):
            words[row.name] = word
    if not words:
        raise TextError(refused or f"{rows[0].mnemonic} has no form with these operands")
    return {name: _checked(word, arch) for name, word in words.items()}


def _assemble(
    row: Instruction,
    given: list[tuple[str, str]],
    rows: tuple[Instruction, ...],
    lookup: Lookup,
    arch: Arch,
) -> Word:
    word, taken = row.encoding.match, 0
    for name, text in given:
        field_name = field_called(row, name)
        if field_name is not None:
            field = row.encoding.fields[field_name]
            bits = field.put(_value(row, field_name, text, lookup, arch))
            reach = field.word_mask
        else:
            index = _parameter(row, name)
            if index is None:
                known = operands_of(row)
                raise TextError(f"{row.name} has no operand {name!r}; it has {known}")
            bits = _argument(rows, index, text, lookup, arch)
            reach = ((1 << row.llk_width(index)) - 1) << row.llk[index][1]
            if (bits ^ row.encoding.match) & reach & row.encoding.mask:
                raise TextError(f"{row.name} has other bits in {name}")
        if taken & reach:
            raise TextError(f"{row.name}: {name} is given twice")
        taken |= reach
        word |= bits
    return word


def _value(row: Instruction, name: str, text: str, lookup: Lookup, arch: Arch) -> int:
    """Return the value of an operand; a name that is unknown and like no other has the known ones
    told."""
    try:
        return row.operands[name].kind.read(text, lookup, arch)
    except UnknownName as error:
        raise _not_taken(row, name, error, arch) from None


def _not_taken(row: Instruction, name: str, error: UnknownName, arch: Arch) -> ValueError:
    """Return the error for an unknown name: with names that are near, or else with all known
    ones."""
    if near_names(error.name, (*llk_constants(arch), *config_fields(arch))):
        return error  # the hint is the caller's, which knows labels too
    taken = values_of(row, name, row.encoding.fields[name])
    return TextError(f"{row.name}: {error}; {SHORT.get(name, name)} takes {taken}")
