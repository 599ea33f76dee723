# SPDX-License-Identifier: Apache-2.0
"""The results of long runs of the suite, as the manual's table: `python -m
scripts.llktests.whole.page FILE ...`, with a FILE of `scripts/llk whole` for each chip.

A run that is not complete has a row for each file, too: how many tests the suite has of it, or with
`--kernels` how many kernels, how many of these have ended, and how. What was reported of kernels is
counted after the table. Exit status 0 if nothing is wrong.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from scripts.llktests.whole.ledger import FileOfSuite, read
from scripts.llktests.whole.reported import reports_of
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tensix_gdb.gdbstub.llk.running import Outcome
from tensix_gdb.gdbstub.llk.suite import CannotPrepare

BLOCK = Generated(
    "long runs", "python -m scripts.llktests.whole.page FILE ...", MANUAL / "llk-whole.md"
)
COLUMNS = ("passed", "skipped", "wrong")
NUMBERS = len(COLUMNS) + 1
FAULT = "fault"
OF_PYTEST = re.compile(r"\] (.+?)(?:;| \+ where|$)")  # what follows a test and its parameters
FAULT_NAME = re.compile(r"^.*?: ([A-Z]\w+: )")
NONE_OF_IT = (" |" * NUMBERS).removeprefix(" ")
Files = Mapping[str, FileOfSuite]


def numbers(files: Sequence[FileOfSuite]) -> tuple[int, int, int, int]:
    """Return how many tests these have, and how many have passed, were skipped, are wrong."""
    return (
        sum(file.collected or 0 for file in files),
        sum(file.passed for file in files),
        sum(file.skipped for file in files),
        sum(len(file.wrong) for file in files),
    )


def table(runs: Mapping[str, Files], of_kernels: Collection[str] = ()) -> str:
    """Return a row for each file, with its numbers on each chip; the sums; and what is wrong. The
    numbers are of tests, and of these chips of kernels."""
    words = {chip: "kernels" if chip in of_kernels else "tests" for chip in runs}
    titles = " | ".join(f"{chip}: {of} | {' | '.join(COLUMNS)}" for chip, of in words.items())
    rows = [f"| file | {titles} |", "|---|" + "--:|" * (NUMBERS * len(runs))]
    rows.append("| all | " + " ".join(_cells(list(files.values())) for files in runs.values()))
    for name in sorted({name for files in runs.values() for name in files}):
        cells = (_cells([files[name]]) if name in files else NONE_OF_IT for files in runs.values())
        rows.append(f"| `{name}` | {' '.join(cells)}")
    rows += [line for chip, files in runs.items() for line in wrong_tests(chip, files)]
    return "\n".join(rows) + "\n"


def wrong_tests(chip: str, files: Files) -> list[str]:
    """Return a paragraph for each test function of a chip with wrong tests of one reason."""
    alike: dict[tuple[str, str, str], list[str]] = {}
    for one in (one for file in files.values() for one in file.wrong):
        function, bracket, parameters = one.test.partition("[")
        key = function, str(one.result), reason_of(one)
        alike.setdefault(key, []).append(f"`{bracket}{parameters}`")
    return [
        line
        for (function, result, why), tests in alike.items()
        for line in ("", f"{chip}, `{function}`, {result} ({', '.join(tests)}): {why}")
    ]


def reason_of(one: Outcome) -> str:
    """Return why a test is wrong, without its own name and values, and a fault without the place
    that a report names before it."""
    if one.result == FAULT:
        return FAULT_NAME.sub(r"\1", " ".join(one.why().split()), count=1)
    said = OF_PYTEST.search(" ".join(one.reason.split()))
    return said[1] if said else one.why()


def _cells(files: Sequence[FileOfSuite]) -> str:
    return " ".join(f"{number:,} |" for number in numbers(files))


def main(argv: Sequence[str] | None = None) -> int:
    """Write the table into the manual; 0 if nothing is wrong."""
    parser = argparse.ArgumentParser(prog="llk whole page", description=__doc__.split("\n\n")[0])
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    runs: dict[str, Files] = {}
    said: dict[str, list[str]] = {}
    try:
        for path in parser.parse_args(argv).files:
            header, files = read(path)
            chip = header.get("chip", path.stem).capitalize()
            runs[chip] = files
            if "kernels" in header:
                said[chip] = ["", f"{chip}:", "", "```", *reports_of(header, files)[0], "```"]
    except CannotPrepare as problem:
        print(f"llk whole page: {problem}", file=sys.stderr)
        return 2
    lines = [line for each in said.values() for line in each]
    BLOCK.write(table(runs, said) + "".join(f"{line}\n" for line in lines))
    return int(any(file.wrong for files in runs.values() for file in files.values()))


if __name__ == "__main__":
    sys.exit(main())
