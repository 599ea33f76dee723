# SPDX-License-Identifier: Apache-2.0
"""All reports in LLK's tests, by word and verdict: `python -m scripts.llktests.judged.counts
FILE.json ... [--write]`.

The files are those of `scripts/llk --variants 3 --races --check init,leaks,memory,stages --json
FILE`, which may be of parts of the suite. The verdicts are those of race_verdicts.py and of
check_verdicts.py; exit status 1 if a report has none.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scripts.llktests.judged import check_verdicts, race_verdicts
from scripts.llktests.judged.races import outcomes
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tensix_gdb.core.race.state.table import BY_NAME as OF_STATE
from tensix_gdb.gdbstub.llk.tree import file_of

BLOCK = Generated(
    "LLK counted", "python -m scripts.llktests.judged.counts FILE.json --write",
    MANUAL / "alarms.md",
)  # fmt: skip
NONE = "not judged"


def verdict(report: dict[str, Any]) -> str:
    """Return the verdict on a report, of a race or of a check."""
    if report["check"] in OF_STATE:
        finding = check_verdicts.row_of(report)
        return finding.verdict if finding else NONE
    race = race_verdicts.row_of(report)
    return race.verdict if race else NONE


def table(tests: Sequence[dict[str, Any]]) -> str:
    """A sentence, then a row for each word and verdict."""
    ran = [test for test in tests if test["result"] != "skipped"]
    wrong = sum(test["result"] != "passed" for test in ran)
    times: Counter[tuple[str, str]] = Counter()
    kinds: dict[tuple[str, str], set[str]] = defaultdict(set)
    files: dict[tuple[str, str], set[str]] = defaultdict(set)
    for test in ran:
        for one in test["races"]:
            key = one["check"] or one["verdict"].upper(), verdict(one)
            times[key] += 1
            kinds[key].add(one["identity"])
            files[key].add(file_of(test["test"]))
    run = {file_of(test["test"]) for test in ran}
    lines = [
        f"{len(ran)} tests of {len(run)} files, {wrong} of which failed: "
        f"{times.total()} reports of {len(set().union(*kinds.values()))} kinds.\n",
        "| word | verdict | reports | kinds | files |\n|---|---|--:|--:|--:|",
    ]
    lines += [
        f"| {word} | {said} | {times[word, said]} | {len(kinds[word, said])} "
        f"| {len(files[word, said])} |"
        for word, said in sorted(times)
    ]
    return "\n".join(lines) + "\n"


def main(argv: Sequence[str] | None = None) -> int:
    """Count what the files have."""
    parser = argparse.ArgumentParser(prog="counts", description=__doc__.split("\n\n")[0])
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.json")
    parser.add_argument("--write", action="store_true", help="put the table into the manual")
    arguments = parser.parse_args(argv)
    tests = list(outcomes(arguments.files))
    said = table(tests)
    print(said, end="")
    if arguments.write:
        BLOCK.write(said)
    return 1 if NONE in said else 0


if __name__ == "__main__":
    sys.exit(main())
