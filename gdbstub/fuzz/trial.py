# SPDX-License-Identifier: Apache-2.0
"""Sequences, run by LLK's fuser on an emulated tile, and how each ended."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import field
from enum import Enum
from pathlib import Path
from typing import Any, Protocol

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.fuzz.draw import Definition
from tensix_gdb.gdbstub.llk.failing import TIMED_OUT
from tensix_gdb.gdbstub.llk.running import Choice, Outcome, run
from tensix_gdb.gdbstub.llk.suite import CannotPrepare, Suite

TESTS = "test_fused.py"
TEST_SECONDS = 300  # a machine with other work is slow, and "does not end" is a verdict here
NAME = re.compile(r"test_fuser\[(.*)\]$")
COMPILER = re.compile(r"\berror: |Build failed")


class End(Enum):
    """The end of a sequence."""

    RIGHT = "right"
    WRONG = "wrong"
    NEAR = "within tolerances, and refused by the golden's correlation"
    FAULT = "fault"
    HANGS = "does not end"
    COMPILER = "not compiled"
    REFUSED = "no sequence of the fuser"
    BROKEN = "not run"

    @property
    def fails(self) -> bool:
        """True if it is to be cut down."""
        return self in (End.WRONG, End.FAULT, End.HANGS)


@dataclass(frozen=True)
class Trial:
    """A sequence that was run. `outputs` are as its golden found them: name, good, and of a wrong
    one the index of the first datum that differs, with both values; `why` is one line."""

    definition: Definition
    end: End
    why: str = ""
    outputs: list[dict[str, Any]] = field(default_factory=list)
    seconds: float = 0.0


class KnownTrials(Protocol):
    """Trials that were run before."""

    def read(self, definitions: Mapping[str, Definition]) -> dict[str, Trial]:
        """Return those of these sequences that are known."""

    def write(self, trials: Iterable[Trial]) -> None:
        """Keep these."""


@dataclass(frozen=True)
class Runner:
    """Runs sequences on one suite."""

    suite: Suite
    choice: Choice
    known: KnownTrials | None = None

    def run(self, definitions: Mapping[str, Definition]) -> dict[str, Trial]:
        """Run these sequences, each by its name; not those of which the end is known.
        CannotPrepare if the suite has no fuser."""
        known = self.known
        found = {} if known is None else known.read(definitions)
        new = {name: one for name, one in definitions.items() if name not in found}
        if new:
            ran = self._run(new)
            found |= ran
            if known is not None:
                known.write(ran.values())
        return {name: found[name] for name in definitions}

    def _run(self, definitions: Mapping[str, Definition]) -> dict[str, Trial]:
        if not (self.suite.tests / "fuser").is_dir() or not (self.suite.tests / TESTS).is_file():
            raise CannotPrepare(f"this LLK has no fuser ({TESTS}): its tests cannot be drawn")
        with tempfile.TemporaryDirectory(prefix="llk-drawn-") as name:
            folder = Path(name)
            for case, definition in definitions.items():
                # What is JSON is YAML, too.
                (folder / f"{case}.yaml").write_text(json.dumps(definition), encoding="utf-8")
            limit = f"--timeout={TEST_SECONDS}"
            outcomes = run(self.suite, [TESTS, limit], self.choice, drawn=folder)
        found = {match[1]: one for one in outcomes if (match := NAME.search(one.test))}
        said = next((one.why() for one in outcomes if not NAME.search(one.test)), "it did not run")
        return {
            case: _trial(definition, found[case])
            if case in found
            else Trial(definition, End.BROKEN, said)
            for case, definition in definitions.items()
        }


def _trial(definition: Definition, one: Outcome) -> Trial:
    end = _end(one)
    why = "" if end is End.RIGHT else one.why()
    return Trial(definition, end, why, one.outputs, one.seconds)


def _end(one: Outcome) -> End:
    if one.faults:
        return End.FAULT
    if one.outcome == "passed":
        return End.RIGHT
    if TIMED_OUT.search(one.reason):
        return End.HANGS
    wrong = [each for each in one.outputs if not each["good"]]
    if wrong:
        return End.WRONG if any(each.get("far", 1) for each in wrong) else End.NEAR
    if COMPILER.search(one.reason):
        return End.COMPILER
    return End.REFUSED if "ValueError" in one.reason or "skipped" in one.outcome else End.BROKEN
