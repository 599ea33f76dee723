# SPDX-License-Identifier: Apache-2.0
"""Encodings as construct schemas, and the masks and shifts derived from them.

An encoding is one `BitStruct` for a 32-bit word, written from bit 31 down to bit 0 with `Bits`,
`Signed`, `Fixed`, `Unused` and `NotValue`. A field in several places is written as in the RISC-V
manual: its name carries the bits that stand there, from left to right.

    branch = word32("imm[12|10:5]" / Signed(7), "rs2" / Bits(5), "rs1" / Bits(5),
                    Fixed(0, 3), "imm[4:1|11]" / Bits(5), Fixed(0x63, 7))

construct describes; at 11 µs a word it is too slow to execute. `Encoding` therefore walks the
schema once and keeps what it found: `mask` and `match` of the fixed bits, `unused` bits that must
be 0, and of each field its pieces (word shift, width, value shift). `encode` and `decode` work on
these; tests hold them against construct's own build and parse.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from functools import reduce
from itertools import combinations
from operator import and_
from typing import Any, Protocol

from construct import BitsInteger, BitStruct, Const, Padded, Padding, Renamed, Validator

from tensix_gdb.core.dataclass import dataclass

Word = int
Part = Any  # a construct; construct has no types of its own
WORD_BITS = 32
MASK32 = 0xFFFFFFFF
_BIT_RANGE_NAME = re.compile(r"(?P<name>[A-Za-z_][A-Za-z_0-9]*)(\[(?P<bits>[0-9:|]+)\])?$")


class EncodingError(ValueError):
    """A schema, a row or a value that the schema refuses; one sentence that names it."""


class NotValue(Validator):  # type: ignore[misc]
    """A field of `width` bits that must not hold `value`: there another instruction begins."""

    def __init__(self, value: int, width: int) -> None:
        super().__init__(BitsInteger(width))
        self.refused = value

    def _validate(self, obj: int, context: object, path: str) -> bool:
        return obj != self.refused


def Bits(width: int) -> Part:
    """Return a field, or a piece of one, of `width` bits."""
    return BitsInteger(width)


def Signed(width: int) -> Part:
    """Return the leftmost piece of a field that is sign-extended."""
    return BitsInteger(width, signed=True)


def Fixed(value: int, width: int) -> Part:
    """Bits that have to be `value` for the word to be this instruction."""
    return Const(value, BitsInteger(width))


def Unused(width: int) -> Part:
    """Bits without a meaning: setting one is undefined."""
    return Padding(width)


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of a field: `width` bits at `word_shift` of the word, at `value_shift` of the value."""

    word_shift: int
    width: int
    value_shift: int

    @property
    def word_mask(self) -> int:
        return ((1 << self.width) - 1) << self.word_shift


@dataclass(frozen=True, slots=True)
class Field:
    """A named operand and where it stands in the word."""

    name: str
    pieces: tuple[Piece, ...]
    signed: bool

    @property
    def width(self) -> int:
        """Bits of the value, low bits that are always 0 included."""
        return max(piece.value_shift + piece.width for piece in self.pieces)

    @property
    def limits(self) -> tuple[int, int]:
        """The least and the largest value."""
        low = -(1 << self.width - 1) if self.signed else 0
        return low, low + (1 << self.width) - 1

    @property
    def coverage(self) -> int:
        """Bits of the value that the word holds."""
        bits = 0
        for piece in self.pieces:
            bits |= ((1 << piece.width) - 1) << piece.value_shift
        return bits

    @property
    def word_mask(self) -> int:
        return sum(piece.word_mask for piece in self.pieces)

    def get(self, word: Word) -> int:
        """Return the value of this field in `word`."""
        value = 0
        for p in self.pieces:
            value |= (word >> p.word_shift & (1 << p.width) - 1) << p.value_shift
        return value - (1 << self.width) if self.signed and value >> self.width - 1 else value

    def put(self, value: int) -> Word:
        """Return the bits of the word that hold `value`; EncodingError when they cannot."""
        low, high = self.limits
        if not low <= value <= high:
            raise EncodingError(f"{self.name}={value} is outside {low}..{high}")
        if value & (1 << self.width) - 1 & ~self.coverage:
            missing = ~self.coverage & self.coverage - 1
            raise EncodingError(f"{self.name}={value} is not a multiple of {missing + 1}")
        word = 0
        for p in self.pieces:
            word |= (value >> p.value_shift & (1 << p.width) - 1) << p.word_shift
        return word


@dataclass(frozen=True, slots=True)
class Encoding:
    """The encoding that `word32` derived from a schema (see the module's docstring)."""

    schema: Part = field(repr=False, compare=False)
    mask: int
    match: int
    unused: int
    fields: Mapping[str, Field]
    # The value that one field must not hold, as mask and match within the word; mask 0: none.
    refused_mask: int
    refused_match: int

    def matches(self, word: Word) -> bool:
        """True if `word` is this instruction; unused bits do not matter here."""
        return word & self.mask == self.match and not (
            self.refused_mask and word & self.refused_mask == self.refused_match
        )

    def encode(self, **values: int) -> Word:
        """Return the word with these fields; all of them have to be given, no others may be."""
        if values.keys() != self.fields.keys():
            wanted, given = ", ".join(self.fields), ", ".join(values)
            raise EncodingError(f"the fields are ({wanted}), not ({given})")
        word = self.match
        for name, value in values.items():
            word |= self.fields[name].put(value)
        if not self.matches(word):
            raise EncodingError(f"{word:#010x} belongs to another instruction")
        return word

    def decode(self, word: Word) -> dict[str, int]:
        """Return the fields of `word`, which must match."""
        return {name: f.get(word) for name, f in self.fields.items()}

    def overlaps(self, other: Encoding) -> bool:
        """True if there is a word that matches both."""
        if (self.match ^ other.match) & self.mask & other.mask:
            return False
        for left, right in ((self, other), (other, self)):
            if left.refused_mask and right.mask & left.refused_mask == left.refused_mask:
                return right.match & left.refused_mask != left.refused_match
        return True


def split_label(label: str, width: int) -> tuple[str, list[tuple[int, int]]]:
    """`imm[12|10:5]` -> the name and its (value shift, width) chunks from left to right."""
    match = _BIT_RANGE_NAME.match(label)
    if not match:
        raise EncodingError(f"{label!r} is no field name")
    if not match["bits"]:
        return match["name"], [(0, width)]
    chunks = []
    for chunk in match["bits"].split("|"):
        high, _, low = chunk.partition(":")
        low = low or high
        if not high or int(high) < int(low):
            raise EncodingError(f"{label!r}: {chunk!r} is no range of bits")
        chunks.append((int(low), int(high) - int(low) + 1))
    if sum(w for _, w in chunks) != width:
        raise EncodingError(f"{label!r} names another number of bits than its width of {width}")
    return match["name"], chunks


def word32(*parts: Part) -> Encoding:
    """Declare the encoding of a 32-bit word, from bit 31 down to bit 0."""
    schema = BitStruct(*parts)
    mask = match = unused = refused_mask = refused_match = 0
    pieces: dict[str, list[Piece]] = {}
    signed: dict[str, bool] = {}
    at = WORD_BITS
    for part in schema.subcon.subcons:
        label = part.name
        inner = part.subcon if isinstance(part, Renamed) else part
        kind = inner.subcon if isinstance(inner, Const | NotValue) else inner
        width = kind.length
        at -= width
        if at < 0:
            break
        here = (1 << width) - 1 << at
        if isinstance(inner, Const):
            if inner.value >> width:
                raise EncodingError(f"the constant {inner.value:#x} does not fit {width} bits")
            mask |= here
            match |= inner.value << at
        elif isinstance(inner, Padded):
            unused |= here
        else:
            if isinstance(inner, NotValue):
                refused_mask, refused_match = here, inner.refused << at
            name, chunks = split_label(label or "", width)
            signed[name] = signed.get(name, False) or kind.signed
            below = width
            for value_shift, chunk in chunks:
                below -= chunk
                pieces.setdefault(name, []).append(Piece(at + below, chunk, value_shift))
    if at != 0:
        total = WORD_BITS - at
        raise EncodingError(f"the schema has {total if at > 0 else 'more than 32'} bits, not 32")
    fields = {
        name: Field(name, tuple(field_pieces), signed[name])
        for name, field_pieces in pieces.items()
    }
    for coded in fields.values():
        if coded.coverage.bit_count() != sum([p.width for p in coded.pieces]):
            raise EncodingError(f"{coded.name}: two pieces hold the same bit of the value")
    return Encoding(schema, mask, match, unused, fields, refused_mask, refused_match)


class Row(Protocol):
    """The part of a row of any instruction set that the checker needs."""

    @property
    def name(self) -> str: ...
    @property
    def encoding(self) -> Encoding: ...
    @property
    def page(self) -> str: ...


def check_rows(rows: Sequence[Row]) -> None:
    """Refuse rows that share a word or a name, or that no page documents."""
    names: set[str] = set()
    for row in rows:
        if row.name in names:
            raise EncodingError(f"{row.name} is declared twice")
        names.add(row.name)
        if not row.page:
            raise EncodingError(f"{row.name} names no page")
    # Rows that differ in a bit that all of them fix share no word: the others are few.
    fixed = reduce(and_, (row.encoding.mask for row in rows), -1)
    alike: dict[int, list[Row]] = {}
    for row in rows:
        alike.setdefault(row.encoding.match & fixed, []).append(row)
    for group in alike.values():
        for left, right in combinations(group, 2):
            if left.encoding.overlaps(right.encoding):
                raise EncodingError(f"{left.name} and {right.name} match the same word")


def check_parameters(
    name: str, encoding: Encoding, function: Callable[..., Any], skip: int
) -> None:
    """Refuse a function if its parameters after the first `skip` are not the fields, in order.

    Parameters in capitals are constants of the engine and not operands.
    """
    code = function.__code__
    given = [p for p in code.co_varnames[skip : code.co_argcount] if not p.isupper()]
    if given != list(encoding.fields):
        raise EncodingError(
            f"{name}: the function takes ({', '.join(given)}), "
            f"the word holds ({', '.join(encoding.fields)})"
        )


def flatten(rows: Iterable[Row], name: str) -> tuple[tuple[Piece, ...], ...]:
    """Return for each row the pieces of the field `name`; () where it has no such field."""
    return tuple(
        row.encoding.fields[name].pieces if name in row.encoding.fields else () for row in rows
    )
