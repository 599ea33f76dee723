# SPDX-License-Identifier: Apache-2.0
"""The file of a search: each outcome as soon as it is known, so that nothing is lost.

    FILE.jsonl      a line of JSON says what was searched, then one for each run
    FILE.sqlite     tables `search` and `run`, for questions in SQL

`--resume` continues a file, `--compare` reads one.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Protocol, TextIO

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.order.seeds.case import Outcome
from tensix_gdb.gdbstub.usage import UsageError

SQLITE = (".sqlite", ".sqlite3", ".db")
LINES = (".jsonl", ".ndjson")
KIND = "tensix-gdb seeds"
FORMAT = 1
LONGEST_LINE = 1 << 24  # bytes
_TABLES = """
create table search (format integer, programs text, version text);
create table run (program integer, execution text, setting text, wrong integer, end text,
    text text, state text, broken text, cycles integer, seconds real, reports text, orders text,
    primary key (program, execution, setting));
"""


@dataclass(frozen=True, slots=True)
class Header:
    """The head of a file of results: the name and digest of each program."""

    programs: tuple[tuple[str, str], ...]
    version: str

    def row(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {"kind": KIND, "format": FORMAT, "programs": self.programs, "version": self.version}

    @classmethod
    def of_row(cls, row: Any) -> Header:
        """ValueError if the row is none."""
        if not isinstance(row, dict) or row.get("kind") != KIND or row.get("format") != FORMAT:
            raise ValueError
        programs = tuple((str(name), str(digest)) for name, digest in row["programs"])
        return cls(programs, str(row.get("version", "")))


class Store(Protocol):
    """A file that is written."""

    def add(self, outcomes: Sequence[Outcome]) -> None:
        """Write some more. OSError or sqlite3.Error if that is not possible."""

    def close(self) -> None: ...


class Nowhere:
    """No file is wanted."""

    def add(self, outcomes: Sequence[Outcome]) -> None:
        """Keep nothing."""

    def close(self) -> None:
        """Keep nothing."""


class _Lines:
    def __init__(self, file: TextIO) -> None:
        self._file = file

    def add(self, outcomes: Sequence[Outcome]) -> None:
        self._file.write("".join(f"{json.dumps(one.row())}\n" for one in outcomes))
        self._file.flush()

    def close(self) -> None:
        with suppress(OSError):  # what `add` has refused is tried again
            self._file.close()


class _Tables:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def add(self, outcomes: Sequence[Outcome]) -> None:
        with self._connection:
            self._connection.executemany(
                "insert or replace into run values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    (
                        *(*one.key, one.wrong, one.end, one.text, one.state),
                        *(json.dumps(one.broken), one.cycles, one.seconds),
                        *(json.dumps(one.reports), json.dumps(one.orders)),
                    )
                    for one in outcomes
                ),
            )

    def close(self) -> None:
        self._connection.close()


def open_store(path: str | None, header: Header, *, resume: bool) -> tuple[Store, list[Outcome]]:
    """Return the file of `--to`, and what it has already; UsageError with a sentence."""
    if path is None:
        if resume:
            raise UsageError("--resume continues a file: name it with --to")
        return Nowhere(), []
    file = Path(path)
    if file.suffix not in (*SQLITE, *LINES):
        raise UsageError(f"--to {path}: the name has to end in .jsonl or .sqlite")
    known: list[Outcome] = []
    if file.exists() and file.stat().st_size:
        if not resume:
            raise UsageError(
                f"--to {path}: is there already; add --resume to continue it, or name another"
            )
        old, known = read(path, "--to")
        if [digest for _, digest in old.programs] != [digest for _, digest in header.programs]:
            raise UsageError(
                f"--to {path}: is of another search: the programs, or what makes a run wrong, have "
                "changed since; name another file"
            )
    try:
        if file.suffix in SQLITE:
            return _Tables(_connected(file, header, is_new=not known)), known
        return _Lines(_open_file(file, header, is_new=not known)), known
    except (OSError, sqlite3.Error) as problem:
        raise UsageError(f"--to {path}: cannot be written: {problem}") from None


def _open_file(file: Path, header: Header, *, is_new: bool) -> TextIO:
    """Return the file, to add to. Its last line may have been cut off: that is taken away."""
    if is_new:
        file.write_text(f"{json.dumps(header.row())}\n", encoding="utf-8")
    else:
        with file.open("r+b") as lines:
            size = lines.seek(0, os.SEEK_END)
            lines.seek(max(0, size - LONGEST_LINE))
            tail = lines.read()
            lines.truncate(size - len(tail) + tail.rfind(b"\n") + 1)
    return file.open("a", encoding="utf-8")


def _connected(file: Path, header: Header, *, is_new: bool) -> sqlite3.Connection:
    connection = sqlite3.connect(file)
    if is_new and not connection.execute("select 1 from sqlite_master").fetchone():
        with connection:
            connection.executescript(_TABLES)
            connection.execute(
                "insert into search values (?, ?, ?)",
                (FORMAT, json.dumps(header.programs), header.version),
            )
    return connection


def read(path: str, option: str) -> tuple[Header, list[Outcome]]:
    """Read a file of results. UsageError if it is none, or cannot be read."""
    file = Path(path)
    try:
        if file.suffix in SQLITE:
            return _read_tables(file)
        return _read_lines(file, option)
    except OSError as problem:
        raise UsageError(f"{option} {path}: cannot be read: {problem.strerror}") from None
    except (ValueError, TypeError, KeyError, AttributeError, sqlite3.Error):
        raise UsageError(f"{option} {path}: is no file of `tensix-gdb seeds`") from None


def _read_lines(file: Path, option: str) -> tuple[Header, list[Outcome]]:
    first, *rest = file.read_text(encoding="utf-8").split("\n")
    header = Header.of_row(json.loads(first))
    # What follows the last end of line was being written when the search ended.
    found = []
    for number, line in enumerate(rest[:-1], 2):
        try:
            found += [Outcome.of_row(json.loads(line))] if line else []
        except (ValueError, TypeError, KeyError, AttributeError):
            raise UsageError(
                f"{option} {file}: line {number} is no run of `tensix-gdb seeds`: delete it, and "
                "`--resume` makes that run again"
            ) from None
    return header, found


def _read_tables(file: Path) -> tuple[Header, list[Outcome]]:
    if not file.exists():
        raise FileNotFoundError(2, "No such file or directory")
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        kind, programs, version = connection.execute("select * from search").fetchone()
        header = Header.of_row(
            {"kind": KIND, "format": kind, "programs": json.loads(programs), "version": version}
        )
        return header, list(_rows(connection))


def _rows(connection: sqlite3.Connection) -> Iterator[Outcome]:
    names = ("program", "execution", "setting", "end", "text", "state", "cycles", "seconds")
    for row in connection.execute(f"select {', '.join(names)}, broken, reports, orders from run"):
        *plain, broken, reports, orders = row
        given = dict(zip(names, plain, strict=True))
        lists = {"broken": broken, "reports": reports, "orders": orders}
        yield Outcome.of_row({**given, **{name: json.loads(each) for name, each in lists.items()}})


def compared(
    header: Header, now: Iterable[Outcome], old: Header, before: Iterable[Outcome]
) -> Iterator[str]:
    """Yield what differs from an earlier search, of the runs that both have. Programs are the same
    if they have the same name: they may have been built again."""
    names = {number: name for number, (name, _) in enumerate(header.programs)}
    old_names = {number: name for number, (name, _) in enumerate(old.programs)}
    earlier = {(old_names[one.program], *one.key[1:]): one for one in before}
    both = [
        (earlier[names[one.program], *one.key[1:]], one)
        for one in now
        if (names[one.program], *one.key[1:]) in earlier
    ]
    if not both:
        yield "compared: the two searches have no run in common"
        return
    worse = [one for was, one in both if one.wrong and not was.wrong]
    mended = [one for was, one in both if was.wrong and not one.wrong]
    other = [one for was, one in both if was.kind != one.kind and was.wrong == one.wrong]
    yield (
        f"compared: {len(both):,} runs are in both searches; {len(worse):,} are wrong now that "
        f"were not, {len(mended):,} are as wanted now that were not, {len(other):,} end otherwise"
    )
    for what, found in (("wrong now", worse), ("as wanted now", mended), ("otherwise", other)):
        if found:
            shown = ", ".join(map(str, found[:8]))
            yield f"    {what}: {shown}" + (f" and {len(found) - 8:,} more" * (len(found) > 8))
