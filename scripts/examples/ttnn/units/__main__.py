# SPDX-License-Identifier: Apache-2.0
"""Unit tests of ttnn, as they are, on the emulated chip: what passes, fails, is skipped or stops.

python -m scripts.examples.ttnn.units --python PYTHON --tests DIR [--tiles WxH] [--most N]
    [--seed N] [--small] [--seconds N] [--selectors FILE] [--lines FILE] [--log FILE] [--summary]
    TEST.py ...

PYTHON has ttnn, torch and pytest, and DIR is a folder as tt-metal's, with its tests and their
helpers, which is not in this repository. TEST.py is a path in DIR. At most N variants of each
function run, chosen by the seed, or with --small the smallest by the numbers in their names. FILE
of selectors has one a line, the beginning of a test's identifier, as pytest's --deselect has it;
lines that begin with `#` are none; a second table has what came of them, by file. A fault ends its
program; the next program has the rest. With --summary nothing runs, and the tables are those of
--lines. Exit status 1 if a test has failed or stopped.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.examples.ttnn.units.selected import selectors_of, table

HERE = Path(__file__).resolve().parent
FAULT = "tensix-gdb: "
OUTCOMES = ("passed", "failed", "skipped", "stopped")
SECONDS = 600  # what a test may take
ALL = 1_000_000


@dataclass(frozen=True)
class Result:
    """A test, what came out, and why if it has not passed."""

    name: str
    came: str
    why: str
    seconds: float


@dataclass(frozen=True)
class Ran:
    """A file: the tests that it has, and the results of those that ran; or why it has none."""

    file: str
    collected: int
    results: tuple[Result, ...]
    refused: str = ""

    def row(self) -> str:
        """Return the row of the table."""
        counts = Counter(result.came for result in self.results)
        cells = [str(counts[outcome]) for outcome in OUTCOMES]
        name = self.file.removeprefix("tests/ttnn/unit_tests/").removeprefix("operations/")
        return f"| `{name}` | {self.collected} | {len(self.results)} | {' | '.join(cells)} |"


HEAD = (
    "| file | variants | run | passed | failed | skipped | stopped |\n|---|--:|--:|--:|--:|--:|--:|"
)


class Runner:
    """Runs the tests of files in as few programs as their faults allow."""

    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self.options, self.request = options, folder / "request"
        self.lines = folder / "lines" if options.lines is None else options.lines.resolve()
        self.log = folder / "log" if options.log is None else options.log
        self.selectors = selectors_of(options.selectors) if options.selectors else []
        self.lines.touch()

    def run(self) -> list[Ran]:
        """Return what came of each file."""
        while True:
            before = results_of(self._said())
            sentence = self._program([result.name for result in before])
            found = self._said()
            results = results_of(found, sentence)
            if ended := [result for result in results if result.came == "stopped"]:
                self._keep(ended)
            chosen = next((line["chosen"] for line in reversed(found) if "chosen" in line), [])
            if len(results) == len(before) or not set(chosen) - {each.name for each in results}:
                return ran_of(self.options.files, found, results, sentence)

    def kept(self) -> list[Ran]:
        """Return what came of each file until now."""
        found = self._said()
        return ran_of(self.options.files, found, results_of(found), "")

    def _said(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.lines.read_text("utf-8").splitlines()]

    def _keep(self, ended: list[Result]) -> None:
        """Write what the plugin could not: at which test the program has ended."""
        with self.lines.open("a", encoding="utf-8") as out:
            for each in ended:
                line = {"test": each.name, "came": each.came, "why": each.why, "seconds": 0}
                out.write(json.dumps(line) + "\n")

    def _program(self, done: Sequence[str]) -> str:
        """Run one program, and return the last sentence of the simulator."""
        options = self.options
        request = {"lines": str(self.lines), "done": done, "most": options.most}
        request |= {"seed": options.seed, "selectors": self.selectors}
        request["small"] = options.small
        self.request.write_text(json.dumps(request), "utf-8")
        command = [sys.executable, "-m", "tensix_gdb.gdbstub", "ttnn", "--ci", "--port", "0"]
        command += ["--python", options.python, "--tiles", options.tiles, "--", "-m", "pytest"]
        # pytest-timeout, where it is installed, has limits for a card.
        command += ["-p", "inside", "-p", "no:timeout", "--continue-on-collection-errors"]
        variables = os.environ | {
            "UNITS": str(self.request),
            "PYTHONPATH": os.pathsep.join((str(HERE), str(options.tests))),
            "ARCH_NAME": "blackhole",
        }
        late = ""
        with self.log.open("w+", encoding="utf-8", errors="replace") as out:
            with subprocess.Popen(
                [*command, *options.files],
                env=variables,
                cwd=options.tests,
                stdout=out,
                stderr=subprocess.STDOUT,
            ) as program:
                seen = -1
                while program.poll() is None:
                    try:
                        program.wait(options.seconds)
                    except subprocess.TimeoutExpired:
                        if seen == (seen := self.lines.stat().st_size):
                            program.terminate()
                            late = f"takes more than {options.seconds} s"
            out.seek(0)
            return late or fault_of(out)


def fault_of(lines: Iterable[str]) -> str:
    """Return the last sentence of the simulator, if it has one besides where to attach."""
    said = [line.partition(FAULT)[2].strip() for line in lines if FAULT in line]
    return next((line for line in reversed(said) if " at port " not in line), "")


def results_of(lines: Iterable[dict[str, Any]], ended: str | None = None) -> list[Result]:
    """Return a result for each test. With why the program has ended, the last one that has begun
    and has no result stopped it; without, the run was cut off there, and that test is to run."""
    results: dict[str, Result] = {}
    begun = ""
    for line in lines:
        if begins := line.get("begins"):
            begun = begins
        elif name := line.get("test"):
            # What clears up after a test may fail after the test has passed.
            results[name] = Result(name, line["came"], line["why"], line["seconds"])
    if ended is not None and begun and begun not in results:
        results[begun] = Result(begun, "stopped", ended or "the program ended, or hung", 0)
    return list(results.values())


def ran_of(
    files: Iterable[str], lines: Iterable[dict[str, Any]], results: Iterable[Result], said: str
) -> list[Ran]:
    """Return the results by file."""
    collected: dict[str, int] = {}
    refused: dict[str, str] = {}
    for line in lines:
        collected |= line.get("collected", {})
        refused |= line.get("refused", {})
    of_file: dict[str, list[Result]] = {}
    for result in results:
        of_file.setdefault(result.name.partition("::")[0], []).append(result)
    ran = []
    for file in files:
        why = refused.get(file, "" if file in collected else said or "it has no tests")
        ran.append(Ran(file, collected.get(file, 0), tuple(of_file.get(file, ())), why))
    return ran


def main(words: list[str]) -> int:
    """Run the files; 0 if nothing has failed or stopped."""
    parser = argparse.ArgumentParser(prog="scripts.examples.ttnn.units", description=__doc__)
    parser.add_argument("--python", required=True, help="a Python with ttnn, torch and pytest")
    parser.add_argument("--tests", required=True, type=Path, help="a folder as tt-metal's")
    parser.add_argument("--tiles", default="8x8", metavar="WxH", help="the grid (default: 8x8)")
    parser.add_argument("--most", type=int, default=ALL, metavar="N", help="variants of a function")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the choice (1)")
    parser.add_argument("--small", action="store_true", help="choose the smallest variants")
    parser.add_argument("--seconds", type=int, default=SECONDS, help="what a test may take (600)")
    parser.add_argument("--selectors", type=Path, metavar="FILE", help="run only these")
    parser.add_argument("--lines", type=Path, help="keep results here, and continue after them")
    parser.add_argument("--log", type=Path, help="what the last program printed")
    parser.add_argument("--summary", action="store_true", help="run nothing: say what --lines has")
    parser.add_argument("files", nargs="+", help="test files in --tests")
    options = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as name:
        runner = Runner(options, Path(name))
        ran = runner.kept() if options.summary else runner.run()
    print(HEAD)
    for found in ran:
        print(found.row() if not found.refused else f"{found.file}: {found.refused}")
    for result in (result for found in ran for result in found.results):
        if result.came != "passed":
            print(f"{result.came} {result.name}: {result.why}")
    results = [result for each in ran for result in each.results]
    counts = Counter(result.came for result in results)
    print(f"{len(results)} tests:", ", ".join(f"{counts[name]} {name}" for name in OUTCOMES))
    if runner.selectors:
        print(table(runner.selectors, {result.name: result.came for result in results}))
    return 1 if counts["failed"] or counts["stopped"] or any(each.refused for each in ran) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
