# SPDX-License-Identifier: Apache-2.0
"""The verdicts on findings of `--check` in LLK's tests: `python -m scripts.llktests.judged.checks
FILE.json ... [--arch wormhole]`.

The files are those of `scripts/llk [--arch wormhole] --check all --json FILE`. Prints every finding
that has no row in check_verdicts.py, for Wormhole check_verdicts_wormhole.py, exit status 1 if
there is one; with --write the table goes into the manual.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scripts.llktests.judged.check_verdicts import Row, row_of
from scripts.llktests.judged.check_verdicts_wormhole import ROWS_OF
from scripts.llktests.judged.races import by_word, outcomes
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tensix_gdb.core.race.state.table import BY_NAME
from tensix_gdb.gdbstub.llk.tree import file_of

MAKER = "python -m scripts.llktests.judged.checks FILE.json"
_PAGE = MANUAL / "llk-checks.md"
BLOCKS = {
    "blackhole": Generated("judged checks", MAKER, _PAGE),
    "wormhole": Generated("judged checks on Wormhole", f"{MAKER} --arch wormhole", _PAGE),
}


def findings(test: dict[str, Any]) -> list[dict[str, Any]]:
    """Those of a test that are of these checks."""
    return [one for one in test["races"] if one["check"] in BY_NAME]


def counted(tests: Sequence[dict[str, Any]]) -> str:
    """Return a sentence on what the counts are of."""
    ran = [test for test in tests if test["result"] != "skipped"]
    files = {file_of(test["test"]) for test in ran}
    found = [one for test in ran for one in findings(test)]
    kinds = {one["identity"] for one in found}
    reporting = {file_of(test["test"]) for test in ran if findings(test)}
    failed = sum(test["result"] != "passed" for test in ran)
    return (
        f"Counted in {len(ran)} tests of {len(files)} files, {failed} of which failed: "
        f"{len(found)} findings of {len(kinds)} kinds, in {len(reporting)} files. "
        f"Kinds by word: {by_word(found) or 'none'}.\n"
    )


def table(tests: Sequence[dict[str, Any]], arch: str = "blackhole") -> str:
    """A row for each of a chip's rows that is there."""
    rows = ROWS_OF[arch]
    files: dict[Row, set[str]] = defaultdict(set)
    kinds: dict[Row, set[str]] = defaultdict(set)
    for test in tests:
        for one in findings(test):
            row = row_of(one, rows)
            if row is not None:
                files[row].add(file_of(test["test"]))
                kinds[row].add(one["identity"])
    lines = ["| check | what | kinds | files | verdict | why |", "|---|---|--:|--:|---|---|"]
    lines += [
        f"| {row.check.replace('[12]', '1')} | {row.what} "
        f"| {len(kinds[row])} | {len(files[row])} | {row.verdict} "
        f"| {row.why} |"
        for row in rows
        if kinds[row]
    ]
    left = {
        one["identity"]: file_of(test["test"])
        for test in tests
        for one in findings(test)
        if not row_of(one, rows)
    }
    if left:
        places = len(set(left.values()))
        lines.append(f"| | the others | {len(left)} | {places} | not judged | |")
    return "\n".join(lines) + "\n"


def main(argv: Sequence[str] | None = None) -> int:
    """Judge what the files have."""
    parser = argparse.ArgumentParser(prog="judged_checks", description=__doc__.split("\n\n")[0])
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.json")
    parser.add_argument("--arch", choices=tuple(ROWS_OF), default="blackhole", help="the chip")
    parser.add_argument("--write", action="store_true", help="put the table into the manual")
    arguments = parser.parse_args(argv)
    tests = list(outcomes(arguments.files))
    found, rows = [one for test in tests for one in findings(test)], ROWS_OF[arguments.arch]
    unknown = {one["identity"]: one["text"] for one in found if row_of(one, rows) is None}
    print("\n\n".join(unknown.values()) or "every finding has a verdict")
    said = counted(tests)
    print(said, end="")
    if arguments.write:
        BLOCKS[arguments.arch].write(f"{said}\n{table(tests, arguments.arch)}")
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
