# SPDX-License-Identifier: Apache-2.0
"""Litmus files: small programs on several harts, and every way in which they may end.

    litmus  store buffering
    page    BabyRISCV/MemoryOrdering.md
    about   Each store may wait in its store queue while the load after it goes past.

    init    X = 0, Y = 0, T1:a1 = 7

    T0          | T1
    sw 1, X     | sw 1, Y
    lw a0, Y    | lw a0, X

    final       T0:a0  T1:a0
    allowed     0      0
    allowed     0      1
    forbidden   1      1

`hangs` and `fault NAME` stand before the values, or alone. `allowed strict` begins a row that needs
a broken promise (core/ordering/promises.py). A row `sc` or `latency` says which
of the outcomes that schedule gives; for `sc` it may be one that no machine with queues has.

A file may hold several tests, each from its `litmus` line on. README.md says what the
words mean; programs are assembled in program.py, places named in symbols.py.
Whatever is wrong is one sentence with file and line.
"""

from __future__ import annotations

import re
from dataclasses import field
from pathlib import Path
from typing import NamedTuple

from tensix_gdb.core.arch.blackhole import HART_NAMES
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.litmus.data_path_setup import READY

HANGS = "hangs"
STRICT = "strict"
ARCHITECTURES = ("blackhole", "wormhole")
KEYWORDS = (
    *("litmus", "page", "about", "architecture", "ready", "init", "seeds", "states", "final"),
)
ROWS = ("allowed", "forbidden", "sc", "latency")
_PREFIX = re.compile(rf"^({'|'.join(HART_NAMES)})\s*:\s*(.+)$", re.S)
_COMMA = r",(?![^\[]*\])"  # not between brackets
_REPEAT = re.compile(r"^(.*\S)\s+\*\s+(\d+)$")
_LABEL = re.compile(r"^([A-Za-z_]\w*):\s*(.*)$")


class LitmusError(ValueError):
    """A test cannot be read or run; the message is one line, `file:line: sentence`."""


class Outcome(NamedTuple):
    """The end of a run: "" or HANGS or "fault NAME", and the values of `final` in their order.

    Without values it stands for the ending alone, whatever the values were.
    """

    ending: str
    values: tuple[int, ...]

    def __str__(self) -> str:
        return " ".join(filter(None, (self.ending, *map(str, self.values))))


class Location(NamedTuple):
    """A register, a CSR or a location as written, as `hart` means it; None if none is named."""

    hart: int | None
    text: str
    line: int

    def __str__(self) -> str:
        return self.text if self.hart is None else f"{HART_NAMES[self.hart]}:{self.text}"


class Statement(NamedTuple):
    """One instruction of a program, as written, with its labels."""

    text: str
    labels: tuple[str, ...]
    line: int


@dataclass(slots=True)
class Litmus:
    """One test."""

    file: str
    line: int
    name: str
    pages: list[str] = field(default_factory=list)
    about: list[str] = field(default_factory=list)
    architecture: str = ARCHITECTURES[0]
    init: list[tuple[Location, str]] = field(default_factory=list)
    programs: dict[int, list[Statement]] = field(default_factory=dict)
    final: list[Location] = field(default_factory=list)
    allowed: list[Outcome] = field(default_factory=list)
    strict: list[Outcome] = field(default_factory=list)  # those of `allowed` that break a promise
    forbidden: list[Outcome] = field(default_factory=list)
    given: dict[str, Outcome] = field(default_factory=dict)
    seeds: int = 200
    states: int = 400_000

    def error(self, line: int, sentence: str) -> LitmusError:
        return LitmusError(f"{self.file}:{line}: {sentence}")

    @property
    def kept(self) -> list[Outcome]:
        """The outcomes that are allowed while promises are kept."""
        return [outcome for outcome in self.allowed if outcome not in self.strict]

    def known(self, outcome: Outcome) -> Outcome:
        """`outcome` as the rows have it: without values where a row of this ending has none."""
        bare = Outcome(outcome.ending, ())
        listed = (*self.allowed, *self.forbidden, *self.given.values())
        return bare if bare in listed else outcome

    def where(self) -> str:
        return f"{self.file}:{self.line}"


def read(path: Path) -> list[Litmus]:
    """Return the tests of a file; LitmusError when there is none."""
    try:
        source = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else "it is no text"
        raise LitmusError(f"{path}: cannot be read: {reason}") from None
    return parse(source, str(path))


def parse(source: str, file: str = "<text>", *, needs_rows: bool = True) -> list[Litmus]:
    """Return the tests of a text. With `needs_rows` each has to say which outcomes it allows."""
    reader = _Reader(file, needs_rows)
    for number, raw in enumerate(source.splitlines(), 1):
        line = raw.split("#", 1)[0].strip()
        if line:
            reader.read_line(number, line)
    tests = reader.finish()
    if not tests:
        raise LitmusError(f"{file}: there is no test in it")
    return tests


class _Reader:
    """Takes lines in their order."""

    def __init__(self, file: str, needs_rows: bool) -> None:
        self.file, self.needs_rows = file, needs_rows
        self.tests: list[Litmus] = []
        self.harts: list[int] = []
        self.labels: list[tuple[str, ...]] = []

    def read_line(self, number: int, line: str) -> None:
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        if word == "litmus":
            self.finish()
            self.harts = []
            if not rest:
                raise LitmusError(f"{self.file}:{number}: litmus needs a name after it")
            self.tests.append(Litmus(self.file, number, rest))
            return
        if not self.tests:
            raise LitmusError(f"{self.file}:{number}: a test begins with a line `litmus NAME`")
        test = self.tests[-1]
        if word in ROWS:
            self._row(test, number, word, rest)
        elif word in KEYWORDS:
            self.harts = []
            self._keyword(test, number, word, rest)
        elif self._is_header(line):
            self._header(test, number, line)
        elif self.harts:
            self._statements(test, number, line)
        else:
            raise test.error(
                number,
                f"{word!r} is not known here; there is {' '.join((*KEYWORDS, *ROWS))}, or a line "
                f"of cores such as `T0 | T1` followed by their instructions",
            )

    @staticmethod
    def _is_header(line: str) -> bool:
        return all(cell.strip() in HART_NAMES for cell in line.split("|"))

    def _header(self, test: Litmus, number: int, line: str) -> None:
        self.harts = [HART_NAMES.index(cell.strip()) for cell in line.split("|")]
        self.labels = [()] * len(self.harts)
        for hart in self.harts:
            if hart in test.programs or self.harts.count(hart) > 1:
                raise test.error(number, f"{HART_NAMES[hart]} has a program already")
        for hart in self.harts:
            test.programs[hart] = []

    def _statements(self, test: Litmus, number: int, line: str) -> None:
        # A bar between columns stands alone; one inside a Tensix operand does not.
        cells = re.split(r"(?:^|\s)\|(?=\s|$)", line)
        if len(cells) > len(self.harts):
            raise test.error(
                number, f"{len(cells)} columns, but there are programs of {len(self.harts)} cores"
            )
        for column, cell in enumerate(cells):
            text = cell.strip()
            while label := _LABEL.match(text):
                self.labels[column] += (label[1],)
                text = label[2]
            repeated = _REPEAT.match(text)
            text, times = (repeated[1], int(repeated[2])) if repeated else (text, 1)
            for _ in range(times if text else 0):
                statement = Statement(text, self.labels[column], number)
                test.programs[self.harts[column]].append(statement)
                self.labels[column] = ()

    def _keyword(self, test: Litmus, number: int, word: str, rest: str) -> None:
        if not rest:
            raise test.error(number, f"{word} needs something after it")
        match word:
            case "page":
                test.pages += rest.split()
            case "about":
                test.about.append(rest)
            case "architecture":
                if rest not in ARCHITECTURES:
                    raise test.error(number, f"architecture is {' or '.join(ARCHITECTURES)}")
                test.architecture = rest
            case "ready":
                for name in (each.strip() for each in rest.split(",")):
                    if name not in READY:
                        raise test.error(number, f"{name} is none of: {', '.join(READY)}")
                    for row, amount in READY[name].items():
                        test.init.append((Location(None, row, number), str(amount)))
            case "init":
                # A Tensix instruction extends to the end of the line; commas between brackets
                # separate indexes.
                whole = re.match(r"[^=]+=\s*[A-Z]", rest)
                for setting in [rest] if whole else re.split(_COMMA, rest):
                    place, equals, value = setting.partition("=")
                    if not equals or not place.strip() or not value.strip():
                        raise test.error(number, f"{setting.strip()!r} is not PLACE = VALUE")
                    test.init.append((_place(place, number), value.strip()))
            case "final":
                # With commas, places of several words: `sem 3.max, T1:a0`.
                texts = re.split(_COMMA, rest) if re.search(_COMMA, rest) else rest.split()
                test.final += [_place(text, number) for text in texts if text.strip()]
            case _:
                if not rest.isdecimal() or int(rest) == 0:
                    raise test.error(number, f"{word} is a number above 0, not {rest!r}")
                if word == "seeds":
                    test.seeds = int(rest)
                else:
                    test.states = int(rest)

    def _row(self, test: Litmus, number: int, word: str, rest: str) -> None:
        cells = rest.split()
        strict = word == "allowed" and cells[:1] == [STRICT]
        cells = cells[1:] if strict else cells
        ending = ""
        if cells and cells[0] == HANGS:
            ending = cells.pop(0)
        elif cells and cells[0] == "fault":
            ending = " ".join(cells[:2])
            cells = cells[2:]
        if len(cells) != len(test.final) and not (ending and not cells):
            raise test.error(
                number,
                f"{len(cells)} values, but `final` names {len(test.final)} places",
            )
        try:
            outcome = Outcome(ending, tuple(int(cell, 0) & 0xFFFFFFFF for cell in cells))
        except ValueError:
            raise test.error(number, f"{rest!r} has a value that is no number") from None
        if word in ("sc", "latency"):
            test.given[word] = outcome
            return
        if outcome in test.allowed or outcome in test.forbidden:
            raise test.error(number, f"the outcome {outcome} has a row already")
        (test.allowed if word == "allowed" else test.forbidden).append(outcome)
        if strict:
            test.strict.append(outcome)

    def finish(self) -> list[Litmus]:
        """Return the tests so far; each has to be whole."""
        for test in self.tests[-1:]:
            if not test.programs:
                raise test.error(test.line, f"{test.name!r} has no program")
            if not self.needs_rows:
                continue
            if not test.allowed:
                raise test.error(test.line, f"{test.name!r} allows no outcome")
            if not test.kept:
                raise test.error(
                    test.line, f"{test.name!r} allows no outcome while promises are kept"
                )
            for hart, labels in zip(self.harts, self.labels, strict=False):
                if labels:
                    raise test.error(
                        test.line, f"{labels[0]} in {HART_NAMES[hart]} labels no instruction"
                    )
        return self.tests


def _place(text: str, line: int) -> Location:
    text = text.strip()
    if prefixed := _PREFIX.match(text):
        return Location(HART_NAMES.index(prefixed[1]), prefixed[2].strip(), line)
    return Location(None, text, line)
