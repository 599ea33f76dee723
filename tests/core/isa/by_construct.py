# SPDX-License-Identifier: Apache-2.0
"""Words as construct itself reads and writes them by the schemas (core/isa/schema.py).

At 11 microseconds a word it is for cross-checks of what the schemas were made into.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from construct import BitsInteger, BitStruct, Const, Padding, Validator

from tensix_gdb.core.isa.schema import Encoding, Part, Word, split_label


class NotValue(Validator):  # type: ignore[misc]
    """A field of `width` bits that must not hold `value`."""

    def __init__(self, value: int, width: int) -> None:
        super().__init__(BitsInteger(width))
        self.refused = value

    def _validate(self, obj: int, context: object, path: str) -> bool:
        return obj != self.refused


@cache
def _struct(schema: tuple[Part, ...]) -> Any:
    return BitStruct(*map(_described, schema))


def _described(part: Part) -> Any:
    """A part in construct's words."""
    if part.value is not None:
        return Const(part.value, BitsInteger(part.width))
    if part.is_unused:
        return Padding(part.width)
    if part.refused is not None:
        return part.label / NotValue(part.refused, part.width)
    return part.label / BitsInteger(part.width, signed=part.signed)


def parse(encoding: Encoding, word: Word) -> dict[str, int]:
    """The fields of `word` as construct itself reads them."""
    fields = _struct(encoding.schema).parse(word.to_bytes(4, "big"))
    return _joined(encoding, {k: v for k, v in fields.items() if not k.startswith("_")})


def build(encoding: Encoding, values: Mapping[str, int]) -> Word:
    """The word as construct itself writes it."""
    labels: dict[str, int] = {}
    for part in encoding.schema:
        if not part.label:
            continue
        name, chunks = split_label(part.label, part.width)
        piece = 0
        for shift, chunk in chunks:
            piece = piece << chunk | values[name] >> shift & (1 << chunk) - 1
        if part.signed and piece >> part.width - 1:
            piece -= 1 << part.width
        labels[part.label] = piece
    return int.from_bytes(_struct(encoding.schema).build(labels), "big")


def _joined(encoding: Encoding, labels: Mapping[str, int]) -> dict[str, int]:
    values: dict[str, int] = dict.fromkeys(encoding.fields, 0)
    for part in encoding.schema:
        if not part.label:
            continue
        name, chunks = split_label(part.label, part.width)
        below = part.width
        for shift, chunk in chunks:
            below -= chunk
            values[name] |= (labels[part.label] >> below & (1 << chunk) - 1) << shift
    for name, field in encoding.fields.items():
        if field.signed and values[name] >> field.width - 1:
            values[name] -= 1 << field.width
    return values
