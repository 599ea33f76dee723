# SPDX-License-Identifier: Apache-2.0
"""Some tests of a file of the suite, and their outcomes as they come.

`running.run` says what has come when pytest has ended. Here outcomes are told while it runs, so
that a long run which is killed has lost none. What a kernel has cost is known when the next one
begins: the last test that has run is told when another has, or when pytest has ended.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tensix_gdb.gdbstub.llk.running import (
    Choice,
    Outcome,
    elf_options,
    finished,
    joined,
    last_error,
    options_of,
    started,
)
from tensix_gdb.gdbstub.llk.suite import Suite

POLL = 1.0  # seconds
# A machine with other work gives a run with the lowest priority little, and a test is then slow.
TEST_SECONDS = 900
PIECE_SECONDS = 4 * 3600


@dataclass
class Piece:
    """The tests: at most `most` of those that are not `done`, or those of `only`. The suite's
    answer: how many it has in all, and why nothing has run; and what it has cost: seconds of
    the clock, of the processor, and bytes of what was built."""

    most: int
    done: frozenset[str]
    only: Sequence[str] | None = None
    collected: int | None = None
    problem: str = ""
    seconds: float = 0.0
    processor: float = 0.0
    built: int = 0


def outcomes_of(
    suite: Suite,
    build: Path | None,
    choice: Choice,
    name: str,
    piece: Piece,
    *,
    parts: Path | None = None,
) -> Iterator[Outcome]:
    """Run a piece of a file on a tile of its own; `build` has the kernels of pieces before, or
    `parts` the programs of their T cores."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="llk-piece-") as temporary:
        folder = Path(temporary)
        orders = folder / "orders.json"
        told_of = {"most": piece.most, "done": sorted(piece.done), "only": piece.only}
        orders.write_text(json.dumps(told_of))
        tests = [name, f"--timeout={TEST_SECONDS}"]
        options = options_of(choice)
        if choice.races:
            options += [*choice.races, "--races-to", str(folder / "races.json")]
            options += elf_options(build or folder)
        more = {} if parts is None else {"LLK_PARTS": str(parts)}
        process = started(
            suite, tests, folder, options, choice, orders=orders, build=build, more=more
        )
        told = set()
        try:
            for one in _told(process, folder, piece):
                told.add(one.test)
                yield one
        finally:
            if process.poll() is None:
                finished(process, 0)
        counted = folder / "orders.json.collected"
        if counted.exists():
            piece.collected = int(counted.read_text(encoding="ascii"))
        last = folder / "orders.json.begun"
        if last.exists() and (test := json.loads(last.read_text(encoding="utf-8"))) not in told:
            yield Outcome(test, "not ended", last_error(folder / "said"), 0.0)
        elif not told:
            piece.problem = last_error(folder / "said").strip().splitlines()[-1]
        elfs = folder.glob("tt-llk-build/**/*.elf")
        piece.built = sum(path.stat().st_size for path in elfs)
    piece.seconds = time.monotonic() - begun


def _told(process: subprocess.Popen[bytes], folder: Path, piece: Piece) -> Iterator[Outcome]:
    """Yield the outcomes, each once."""
    count = 0
    end = time.monotonic() + PIECE_SECONDS
    running = True
    while running:
        try:
            process.wait(POLL)
            running = False
        except subprocess.TimeoutExpired:
            running = time.monotonic() < end
            piece.processor = max(piece.processor, _processor(process.pid))
        found = joined(folder)
        known = len(found) if not running else _known(found)
        yield from found[count:known]
        count = max(count, known)


def _known(found: list[Outcome]) -> int:
    """Return of how many all is known: those before the last that has run."""
    ran = [place for place, one in enumerate(found) if one.outcome != "skipped"]
    return ran[-1] if ran else 0


def _processor(pid: int) -> float:
    """Return the seconds of the processor that a process and its children have taken, with those
    that have ended; 0 where the system does not say."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
        return sum(_of_process(each) for each in (pid, *children)) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError):
        return 0.0


def _of_process(pid: int | str) -> int:
    """Return the clock ticks of a process and of what it has waited for."""
    words = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    return sum(map(int, words[11:15]))
