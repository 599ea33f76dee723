# SPDX-License-Identifier: Apache-2.0
"""Seeds of what is suspicious: kernels with new reports, and of tests that fail, in other orders.

The simulator has kept what each kernel began with; `tensix-gdb seeds --kept` runs it again.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tensix_gdb.gdbstub.llk.job.findings import NEW, findings_of
from tensix_gdb.gdbstub.llk.job.known import Known
from tensix_gdb.gdbstub.llk.job.store import Result
from tensix_gdb.gdbstub.llk.running import NOT_FOR_US, Outcome

MOST = 4  # tests of a file: one of each new report, and failures
SECONDS = 600  # of one kernel, all seeds


def suspicious(chip: str, results: Mapping[str, Result], known: Known) -> list[str]:
    """Return the tests to run in other orders, the first that has each new report, and some that
    fail; those that did not compile have nothing to run."""
    found = dict.fromkeys(_reported(chip, results, known))
    for name, result in results.items():
        has_run = result.outcome == "failed" and not NOT_FOR_US.search(result.reason)
        if has_run and known.of_test(chip, name)[0] == NEW:
            found[name] = None
    return list(found)[:MOST]


def _reported(chip: str, results: Mapping[str, Result], known: Known) -> Iterator[str]:
    for finding in findings_of(chip, results.values()):
        known.judge(finding)
        if finding.state == NEW and finding.is_of_order:
            yield finding.tests[0]


def run_seeds(outcome: Outcome, folder: Path, seeds: int) -> dict[str, Any]:
    """Run the last kernel of a test in so many seeds; return how many end otherwise."""
    core = folder / f"run-{outcome.numbers[-1]}.core" if outcome.numbers else None
    if core is None or not core.is_file():
        return {"problem": "its kernel was not kept"}
    with tempfile.TemporaryDirectory(prefix="llk-seeds-") as name:
        rows = Path(name) / "runs.jsonl"
        command = [sys.executable, "-m", "tensix_gdb.gdbstub", "seeds", "--kept", str(core)]
        command += ["--seeds", str(seeds), "--no-smallest", "--to", str(rows)]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            return {"problem": f"not done after {SECONDS} s"}
        if not rows.is_file() or done.returncode not in (0, 1):
            said = done.stderr.strip().splitlines() or ["it has ended without a word"]
            text = re.sub(r"^tensix-gdb: |^\S+/run-\d+: |--kept \S+: ", "", said[-1])
            return {"problem": text}
        return counted(rows.read_text(encoding="utf-8").splitlines())


def counted(lines: Sequence[str]) -> dict[str, Any]:
    """Count the rows of a search's file."""
    runs = [row for line in lines if "execution" in (row := json.loads(line))]
    wrong = [row for row in runs if row["end"]]
    ends = Counter(row["end"] for row in wrong)
    return {
        "runs": len(runs),
        "wrong": len(wrong),
        "first": wrong[0]["execution"] if wrong else "",
        "how": ", ".join(f"{end} ({times})" for end, times in ends.most_common()),
    }
