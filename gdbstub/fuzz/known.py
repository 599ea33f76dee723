# SPDX-License-Identifier: Apache-2.0
"""Trials that were run before, kept in the user's cache: a command that was stopped while it was
cutting down begins where it was.

A trial follows from the sequence, the kept LLK, the compiler, the options and this program, so
those are its key. Of a tree of the user's own none is kept: it changes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.fuzz.draw import Definition
from tensix_gdb.gdbstub.fuzz.trial import End, Trial
from tensix_gdb.gdbstub.llk.job.keys import key_of, own_digest
from tensix_gdb.gdbstub.llk.running import Choice
from tensix_gdb.gdbstub.llk.suite import Suite, cache, compiler_name

# Of what may end otherwise the next time: a full machine, a test that was killed.
NOT_KEPT = (End.BROKEN, End.HANGS)
Row = dict[str, object]


@dataclass(frozen=True)
class Known:
    """The trials of one set of options, in a file of JSON lines."""

    path: Path

    @classmethod
    def of(cls, suite: Suite, choice: Choice, llk: str | None) -> Known | None:
        """Return those of a suite; None if it is a tree of the user's own."""
        if llk:
            return None
        of = (choice.arch, choice.schedule, choice.engine)
        kept = (suite.python.parent.parent.name, compiler_name(suite), own_digest())
        return cls(cache() / "fuzz" / f"{key_of(of, kept)[:24]}.jsonl")

    def read(self, definitions: Mapping[str, Definition]) -> dict[str, Trial]:
        """Return the trials of those sequences that are known."""
        known = dict(self._rows())
        return {
            name: _trial(definition, known[key])
            for name, definition in definitions.items()
            if (key := key_of(definition)) in known
        }

    def write(self, trials: Iterable[Trial]) -> None:
        """Keep these. Where the cache cannot be written nothing is kept."""
        lines = "".join(
            json.dumps([key_of(one.definition), _row(one)]) + "\n"
            for one in trials
            if one.end not in NOT_KEPT
        )
        with suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8") as file:
                file.write(lines)

    def _rows(self) -> Iterable[tuple[str, Row]]:
        """Yield what is kept: without a last line that was not written to its end."""
        with suppress(OSError, ValueError):
            text = self.path.read_text(encoding="utf-8")
            for line in text.splitlines(keepends=True):
                if line.endswith("\n"):
                    key, row = json.loads(line)
                    yield key, row


def _row(one: Trial) -> Row:
    return {"end": one.end.name, "why": one.why, "outputs": one.outputs, "seconds": one.seconds}


def _trial(definition: Definition, row: Mapping[str, object]) -> Trial:
    of = {**row, "end": End[str(row["end"])]}
    return Trial(definition, **of)  # type: ignore[arg-type]
