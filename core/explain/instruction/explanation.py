# SPDX-License-Identifier: Apache-2.0
"""The facts about one instruction word, as data, as text and as JSON.

`show` prints it for a person: facts, fields, what is held and waited for, the same wait elsewhere,
warnings. Parts that are empty are left out. `as_json` has the same in the same order.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import asdict, field

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.waits.elsewhere import Elsewhere

WIDTH = 100
LEAST = 40  # of the last column
INDENT = "  "
MAX_WIDTH = 80  # of all columns but the last


@dataclass(frozen=True, slots=True)
class FieldText:
    """A field: its bits in the word, its value, and both in words."""

    name: str
    bits: str
    value: int
    text: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Line:
    """A name and a sentence about it."""

    name: str
    sentence: str


@dataclass
class Explanation:
    """One word of one machine. `facts` are names and sentences: unit, latency, page."""

    arch: str
    text: str
    word: int
    digits: int  # of the word in hexadecimal
    summary: str
    facts: list[Line] = field(default_factory=list)
    fields: list[FieldText] = field(default_factory=list)
    details: str = ""  # the title of `detail`
    detail: list[Line] = field(default_factory=list)
    holds: list[Line] = field(default_factory=list)
    lets_pass: list[Line] = field(default_factory=list)
    waits_while: list[Line] = field(default_factory=list)
    notes: list[Line] = field(default_factory=list)
    elsewhere: list[Elsewhere] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def hex(self) -> str:
        return f"{self.word:#0{self.digits + 2}x}"

    def as_json(self) -> dict[str, object]:
        """Everything, as json.dumps takes it."""
        return {
            "arch": self.arch,
            "text": self.text,
            "word": self.word,
            "hex": self.hex,
            "summary": self.summary,
            "facts": {line.name: line.sentence for line in self.facts},
            "fields": [asdict(part) for part in self.fields],
            "details": {"title": self.details, "lines": [asdict(part) for part in self.detail]},
            "holds": [asdict(part) for part in self.holds],
            "lets_pass": [asdict(part) for part in self.lets_pass],
            "waits_while": [asdict(part) for part in self.waits_while],
            "notes": [asdict(part) for part in self.notes],
            "elsewhere": [asdict(part) for part in self.elsewhere],
            "warnings": list(self.warnings),
        }

    def show(self, width: int = WIDTH) -> str:
        """Return the explanation as text of this width."""
        return "\n".join(line.rstrip() for line in self._lines(width)) + "\n"

    def _lines(self, width: int) -> Iterator[str]:
        yield self.text
        yield from _wrapped(INDENT, self.summary, width)
        yield ""
        yield from _columns([(line.name, line.sentence) for line in self.facts], width)
        yield from _part(
            "Fields", [(f.bits, f.name, f.text, f.meaning) for f in self.fields], width
        )
        yield from _part(self.details, _pairs(self.detail), width)
        yield from _part("Holds at the wait gate", _pairs(self.holds), width)
        yield from _part("Lets pass", _pairs(self.lets_pass), width)
        yield from _part("Waits while any of these is so", _pairs(self.waits_while), width)
        yield from _part("Good to know", _pairs(self.notes), width)
        yield from _part(
            "The same wait elsewhere", [_elsewhere(wait) for wait in self.elsewhere], width
        )
        for number, warning in enumerate(self.warnings):
            if number == 0:
                yield ""
            yield from _wrapped("Warning: ", warning, width)


def _pairs(lines: Sequence[Line]) -> list[tuple[str, ...]]:
    return [(line.name, line.sentence) for line in lines]


def _elsewhere(wait: Elsewhere) -> tuple[str, ...]:
    if not wait.text:
        return (wait.machine, f"nothing: {wait.remark}" if wait.remark else "nothing")
    # vISA has two bytes, the others have words with high bits that are not 0.
    word = "" if wait.word is None else f"  ({wait.word:#06x})"
    return (wait.machine, f"{wait.text}{word}{f'; {wait.remark}' if wait.remark else ''}")


def _part(title: str, rows: Sequence[tuple[str, ...]], width: int) -> Iterator[str]:
    if rows:
        yield ""
        yield title
        yield from _columns(rows, width)


def _columns(rows: Sequence[tuple[str, ...]], whole: int) -> Iterator[str]:
    """Rows with their columns aligned, the last one wrapped in its own column.

    A cell that is wider than `most` ends its line, and what follows it is put below.
    """
    count = max((len(row) for row in rows), default=0)
    most = MAX_WIDTH // max(count - 1, 1)
    widths = [
        max((len(row[i]) for row in rows if len(row[i]) <= most), default=0)
        for i in range(count - 1)
    ]
    for row in rows:
        left = INDENT
        for cell, width in zip(row[:-1], widths, strict=True):
            left += cell
            if len(cell) > width:
                yield left
                left = " " * (len(left) - len(cell) + width)
            else:
                left += " " * (width - len(cell))
            left += "  "
        yield from _wrapped(left, row[-1], whole)


def _wrapped(first: str, text: str, width: int) -> list[str]:
    """`text` after `first`, its further lines below the beginning of its first."""
    room = max(width - len(first), LEAST)
    lines = textwrap.wrap(text, room, break_long_words=False, break_on_hyphens=False) or [""]
    return [first + lines[0], *(" " * len(first) + line for line in lines[1:])]
