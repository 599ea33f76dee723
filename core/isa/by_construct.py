# SPDX-License-Identifier: Apache-2.0
"""Words as construct itself reads and writes them by the schemas (schema.py).

At 11 microseconds a word it is for tests and cross-checks of what the schemas were made into.
"""

from __future__ import annotations

from collections.abc import Mapping

from construct import Validator

from tensix_gdb.core.isa.schema import Encoding, Part, Word, split_label


def parse(encoding: Encoding, word: Word) -> dict[str, int]:
    """Return the fields of `word` as construct itself reads them."""
    fields = encoding.schema.parse(word.to_bytes(4, "big"))
    return _joined(encoding, {k: v for k, v in fields.items() if not k.startswith("_")})


def build(encoding: Encoding, values: Mapping[str, int]) -> Word:
    """Return the word as construct itself writes it."""
    labels: dict[str, int] = {}
    for part in encoding.schema.subcon.subcons:
        if part.name is None:
            continue
        width = _width(part.subcon)
        name, chunks = split_label(part.name, width)
        piece = 0
        for shift, chunk in chunks:
            piece = piece << chunk | values[name] >> shift & (1 << chunk) - 1
        if getattr(part.subcon, "signed", False) and piece >> width - 1:
            piece -= 1 << width
        labels[part.name] = piece
    return int.from_bytes(encoding.schema.build(labels), "big")


def _width(part: Part) -> int:
    inner = part.subcon if isinstance(part, Validator) else part
    return int(inner.length)


def _joined(encoding: Encoding, labels: Mapping[str, int]) -> dict[str, int]:
    values: dict[str, int] = dict.fromkeys(encoding.fields, 0)
    for part in encoding.schema.subcon.subcons:
        if part.name is None:
            continue
        width = _width(part.subcon)
        name, chunks = split_label(part.name, width)
        below = width
        for shift, chunk in chunks:
            below -= chunk
            values[name] |= (labels[part.name] >> below & (1 << chunk) - 1) << shift
    for name, field in encoding.fields.items():
        if field.signed and values[name] >> field.width - 1:
            values[name] -= 1 << field.width
    return values
