# SPDX-License-Identifier: Apache-2.0
"""Words as construct reads and writes them: a `BitStruct` of each schema (schema.py).

At 11 microseconds a word it is for tests and cross-checks of what the schemas were made into.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from construct import BitsInteger, BitStruct, Const, Padding, Validator

from tensix_gdb.core.isa.schema import Encoding, Holds, Part, Word, split_label


class NotValue(Validator):  # type: ignore[misc]
    """A field of `width` bits that must not hold `value`."""

    def __init__(self, value: int, width: int) -> None:
        super().__init__(BitsInteger(width))
        self.refused = value

    def _validate(self, obj: int, context: object, path: str) -> bool:
        return obj != self.refused


def construct_of(encoding: Encoding) -> Any:
    """Make the construct of a schema."""
    return BitStruct(*map(_construct, encoding.schema))


def _construct(part: Part) -> Any:
    match part.holds:
        case Holds.FIXED:
            return Const(part.value, BitsInteger(part.width))
        case Holds.UNUSED:
            return Padding(part.width)
        case Holds.NOT_VALUE:
            return part.name / NotValue(part.value, part.width)
        case Holds.FIELD:
            return part.name / BitsInteger(part.width, signed=part.signed)


def parse(encoding: Encoding, word: Word) -> dict[str, int]:
    """Return the fields of `word` as construct reads them."""
    fields = construct_of(encoding).parse(word.to_bytes(4, "big"))
    return _joined(encoding, {k: v for k, v in fields.items() if not k.startswith("_")})


def build(encoding: Encoding, values: Mapping[str, int]) -> Word:
    """Return the word as construct writes it."""
    labels: dict[str, int] = {}
    for part in _named(encoding):
        name, chunks = split_label(part.name, part.width)
        piece = 0
        for shift, chunk in chunks:
            piece = piece << chunk | values[name] >> shift & (1 << chunk) - 1
        if part.signed and piece >> part.width - 1:
            piece -= 1 << part.width
        labels[part.name] = piece
    return int.from_bytes(construct_of(encoding).build(labels), "big")


def _named(encoding: Encoding) -> list[Part]:
    return [part for part in encoding.schema if part.name]


def _joined(encoding: Encoding, labels: Mapping[str, int]) -> dict[str, int]:
    values: dict[str, int] = dict.fromkeys(encoding.fields, 0)
    for part in _named(encoding):
        name, chunks = split_label(part.name, part.width)
        below = part.width
        for shift, chunk in chunks:
            below -= chunk
            values[name] |= (labels[part.name] >> below & (1 << chunk) - 1) << shift
    for name, field in encoding.fields.items():
        if field.signed and values[name] >> field.width - 1:
            values[name] -= 1 << field.width
    return values
