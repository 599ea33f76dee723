# SPDX-License-Identifier: Apache-2.0
"""Source lines below the sentences that name them, as compilers quote them.

    T2 pack: SETDMAREG held at the gate by SEMWAIT block=ALL sem=S1 wait=C0 since cycle 90: ...
        SEMWAIT pushed at 0x0000e064, pack at hang.c:26
       hang.c:26
       24 | static void pack(void)
       25 | {
       26 |     SEMWAIT_WHILE_0(S1);
          |     ^~~~~~~~~~~~~~~~~~~~
       27 |     SETDMAREG(0x5678, LO(4)); /* stands for the packing */

A sentence and the indented lines below it are one report. Its places are quoted at its end, each
once in all that is said. A place stays a name only, where its file is not there, where two files
have the name, or where the file has no such line. GDB loads this module too: it needs Python alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

BEFORE, AFTER = 2, 1  # lines around the one that is meant
MOST_OF_REPORT, MOST = 4, 12  # pieces that are quoted of one report, and in all
LEAST_WIDTH = 40
GUTTER = "   "
# Patterns are compiled when the first line is shown: most commands show none.
PLACE = r"(?<![\w/.+-])((?:[\w.+-]*/)*[\w.+-]+\.(?:c|cc|cpp|cxx|h|hh|hpp|inl|s|S)):(\d+)"
# Sentences that name no cause: a program's own end, what was excluded, what to type next.
INNOCENT = r"paused at |ruled out|no cause of this|next: |why: |kept: |also possible:|not observed"
COMMENT = r"\s*(//.*|/\*(?:(?!\*/).)*(\*/\s*)?)$"
Read = Callable[[str], "list[str] | None"]


class Role(Enum):
    """The part of what is shown that a line is."""

    SENTENCE = "sentence"
    HEAD = "head"  # the place of a piece
    SOURCE = "source"
    GUILTY = "guilty"  # the source line that is meant
    CARET = "caret"


class Shown(NamedTuple):
    """A line of output. That of a source has `edge` characters before its text."""

    text: str
    role: Role = Role.SENTENCE
    edge: int = 0


@dataclass(frozen=True, slots=True)
class _Piece:
    """Lines of a file; those of `guilty` are meant."""

    name: str
    text: list[str]
    guilty: tuple[int, ...]

    @property
    def lines(self) -> range:
        first, last = self.guilty[0] - BEFORE, self.guilty[-1] + AFTER
        return range(max(first, 1), min(last, len(self.text)) + 1)


def quoted(lines: Iterable[str], read: Read, width: int) -> Iterator[Shown]:
    """Yield the lines with the source below them. `read` gives the lines of a file by the name that
    sentences have for it, None if it is not there."""
    told: set[tuple[str, int]] = set()
    left = MOST
    for report in _reports(lines):
        yield from map(Shown, report)
        if re.search(INNOCENT, report[0]):
            continue
        for piece in list(_pieces(report, read, told))[: min(MOST_OF_REPORT, left)]:
            told |= {(piece.name, number) for number in piece.guilty}
            left -= 1
            yield from _shown(piece, max(width, LEAST_WIDTH))


def _reports(lines: Iterable[str]) -> Iterator[list[str]]:
    """Yield sentences, each with the indented lines that belong to it."""
    report: list[str] = []
    for line in (one for text in lines for one in text.split("\n")):
        if report and not line.startswith(" "):
            yield report
            report = []
        report.append(line)
    if report:
        yield report


def _pieces(report: list[str], read: Read, told: set[tuple[str, int]]) -> Iterator[_Piece]:
    """Yield the places of a report that were not quoted before; near ones of a file are one
    piece."""
    named = dict.fromkeys(
        (found[1], int(found[2])) for line in report for found in re.finditer(PLACE, line)
    )
    for name in dict.fromkeys(name for name, _ in named):
        text = read(name)
        if text is None:
            continue
        numbers = sorted(
            number
            for each, number in named
            if each == name and (name, number) not in told and 0 < number <= len(text)
        )
        near: list[int] = []
        for number in numbers:
            if near and number - near[-1] > BEFORE + AFTER:
                yield _Piece(name, text, tuple(near))
                near = []
            near.append(number)
        if near:
            yield _Piece(name, text, tuple(near))


def _shown(piece: _Piece, width: int) -> Iterator[Shown]:
    numbers = ", ".join(map(str, piece.guilty))
    yield Shown(f"{GUTTER}{piece.name}:{numbers}", Role.HEAD)
    digits = len(str(piece.lines[-1]))
    edge = len(GUTTER) + digits + len(" | ")
    for number in piece.lines:
        code = piece.text[number - 1].expandtabs(4).rstrip()
        is_guilty = number in piece.guilty
        role = Role.GUILTY if is_guilty else Role.SOURCE
        line = f"{GUTTER}{number:>{digits}} | {code}"
        yield Shown(_cropped(line, width), role, edge)
        if is_guilty and (mark := _underlined(code)):
            text = f"{GUTTER}{'':{digits}} | {mark}"
            yield Shown(text[:width], Role.CARET, edge)


def _underlined(code: str) -> str:
    """Return the mark below the statement of a line, without its comment."""
    statement = re.sub(COMMENT, "", code) or code
    indent = len(statement) - len(statement.lstrip())
    length = len(statement.strip())
    return " " * indent + "^" + "~" * (length - 1) if length else ""


def _cropped(line: str, width: int) -> str:
    return line if len(line) <= width else line[: width - 3] + "..."
