# SPDX-License-Identifier: Apache-2.0
"""The file of a long run of the suite: a line of JSON for each test, as soon as it has ended.

The first line says what is run: another chip, compiler, LLK, seed or schedule is another run, and
is refused. A line with `collected` has how many tests the suite has of a file, one with `cost` what
a piece has taken. All others are outcomes; of a test that was run again the last one counts. A
report that an earlier line has is its identity alone. A run that is killed loses nothing but the
tests that had not ended: a line that was not written to its end is taken away.
"""

from __future__ import annotations

import fcntl
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from tensix_gdb.gdbstub.llk.running import Outcome
from tensix_gdb.gdbstub.llk.suite import CannotPrepare

SKIPPED = "skipped"
REASON = 2000  # characters of it that are kept


@dataclass
class FileOfSuite:
    """A file of the suite: how many tests the suite has of it, and those that have ended."""

    collected: int | None = None
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    cost: list[Mapping[str, float]] = field(default_factory=list)  # of each piece

    @property
    def passed(self) -> int:
        return sum(one.passed for one in self.outcomes.values())

    @property
    def skipped(self) -> int:
        return sum(one.outcome == SKIPPED for one in self.outcomes.values())

    @property
    def wrong(self) -> list[Outcome]:
        """Those that neither passed nor were skipped by the suite."""
        return [one for one in self.outcomes.values() if not is_good(one)]

    @property
    def run(self) -> int:
        """Return how many have run."""
        return len(self.outcomes) - self.skipped

    @property
    def kernels(self) -> int:
        """Return how many kernels they had: tests that differ in data alone share one."""
        return len({name for one in self.outcomes.values() for name in one.kernels})

    @property
    def left(self) -> int | None:
        """Return how many have not ended; None before the suite has said how many it has."""
        return None if self.collected is None else max(0, self.collected - len(self.outcomes))


def is_good(outcome: Outcome) -> bool:
    """True if it passed, or the suite skips it."""
    return outcome.passed or outcome.outcome == SKIPPED


class Ledger:
    """The file, open to be continued. One process at a time."""

    def __init__(self, path: Path, run: Mapping[str, str]) -> None:
        self.path = path
        try:
            self._file = _locked(path)
        except OSError as problem:
            raise CannotPrepare(f"{path} cannot be written: {problem.strerror}") from None
        self._said: set[str] = set()
        try:
            self.files = _read(path, run)
            self._said = {
                race["identity"]
                for file in self.files.values()
                for one in file.outcomes.values()
                for race in one.races
            }
        except CannotPrepare:
            self._file.close()
            raise
        if not path.stat().st_size:
            self._write({"run": dict(run)})

    def close(self) -> None:
        """Let another process have it."""
        self._file.close()

    def of(self, name: str) -> FileOfSuite:
        """Return one file."""
        return self.files.setdefault(name, FileOfSuite())

    def add(self, name: str, outcome: Outcome) -> None:
        """One more test has ended."""
        races = [
            {"identity": race["identity"]} if race["identity"] in self._said else race
            for race in outcome.races
        ]
        self._said |= {race["identity"] for race in races}
        self._write(
            {
                "file": name,
                **vars(outcome),
                "reason": "" if outcome.passed else outcome.reason[-REASON:],
                "deps": [],  # hundreds of names
                "races": races,
            }
        )
        self.of(name).outcomes[outcome.test] = outcome

    def collected(self, name: str, count: int) -> None:
        """Note how many tests the suite has of a file."""
        if self.of(name).collected != count:
            self._write({"file": name, "collected": count})
            self.of(name).collected = count

    def spent(self, name: str, cost: Mapping[str, float]) -> None:
        """Note what a piece has cost."""
        self._write({"file": name, "cost": dict(cost)})
        self.of(name).cost.append(cost)

    def forget(self, name: str) -> None:
        """Run what is wrong in a file again."""
        file = self.of(name)
        for one in file.wrong:
            del file.outcomes[one.test]

    def _write(self, line: Mapping[str, Any]) -> None:
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()


def read(path: Path) -> tuple[dict[str, str], dict[str, FileOfSuite]]:
    """Return what a file that may be in use is a run of, and its outcomes."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as problem:
        raise CannotPrepare(f"{path} cannot be read: {problem.strerror}") from None
    return _parsed(path, text)


def _locked(path: Path) -> TextIO:
    """Open it, alone, without a last line that was not written to its end."""
    file = path.open("a+", encoding="utf-8")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise CannotPrepare(f"{path} is being continued by another process") from None
    written = path.read_bytes()
    file.truncate(written.rfind(b"\n") + 1)
    return file


def _read(path: Path, run: Mapping[str, str]) -> dict[str, FileOfSuite]:
    before, files = _parsed(path, path.read_text(encoding="utf-8"))
    for key, value in run.items():
        if before and before.get(key) != value:
            raise CannotPrepare(f"{path} is of {key} {before.get(key)}, and this is {value}")
    return files


def _parsed(path: Path, text: str) -> tuple[dict[str, str], dict[str, FileOfSuite]]:
    files: dict[str, FileOfSuite] = {}
    run: dict[str, str] = {}
    races: dict[str, dict[str, Any]] = {}
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        if not line.endswith("\n"):
            break
        try:
            row = json.loads(line)
            if number == 1:
                run = dict(row["run"])
                continue
            file = files.setdefault(row.pop("file"), FileOfSuite())
            if "collected" in row:
                file.collected = int(row["collected"])
            elif "cost" in row:
                file.cost.append(row["cost"])
            else:
                one = Outcome(**row)
                for race in one.races:
                    races.setdefault(race["identity"], race)
                one.races = [races[race["identity"]] for race in one.races]
                file.outcomes[one.test] = one
        except (ValueError, KeyError, TypeError, AttributeError):
            raise CannotPrepare(f"{path}, line {number}: not of a long run of the suite") from None
    return run, files
