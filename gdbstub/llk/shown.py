# SPDX-License-Identifier: Apache-2.0
"""The outcomes of tests, as tables and lines for a terminal."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from tensix_gdb.gdbstub.llk.chips import COVERED, EXCLUDED
from tensix_gdb.gdbstub.llk.running import Outcome
from tensix_gdb.gdbstub.llk.tree import file_of

LAST = "kept: `tensix-gdb replay` opens the last run that has failed, also backwards"


def show_list(console: Console, arch: str) -> None:
    """Show which files are covered, and why others are not."""
    console.print(f"covered, {len(COVERED[arch])} files:")
    for name in COVERED[arch]:
        console.print(f"    {name}")
    console.print(f"excluded, {len(EXCLUDED[arch])} files:")
    for name, reason in EXCLUDED[arch].items():
        console.print(f"    {name}: {reason}", highlight=False)


def is_good(outcome: Outcome) -> bool:
    """True if a test has passed, or the suite skips it."""
    return outcome.passed or outcome.outcome == "skipped"


def show_outcomes(
    console: Console, outcomes: Sequence[Outcome], commands: Mapping[str, str], *, every: bool
) -> None:
    """Show a row for each file or test, and why tests have failed."""
    table = Table("test", "result")
    for title in ("cycles", "RISC-V", "Tensix", "ms of simulation", "s"):
        table.add_column(title, justify="right")
    for name, group in _groups(outcomes, every=every).items():
        runs = [one for one in group if one.cycles]
        mean = max(len(runs), 1)
        table.add_row(
            name,
            _result(group),
            *(
                f"{sum(getattr(one, what) for one in runs) // mean:,}"
                for what in ("cycles", "instructions", "tensix")
            ),
            f"{1000 * sum(one.simulated for one in runs) / mean:.1f}",
            f"{sum(one.seconds for one in group) / len(group):.1f}",
        )
    console.print(table)
    for one in outcomes:
        if not is_good(one):
            console.print(
                f"{one.result}: {one.test}\n    {one.why()}", highlight=False, markup=False
            )
            if one.test in commands:
                line = f"    why: `{commands[one.test]}`"
                console.print(line, highlight=False, markup=False, soft_wrap=True)
    if commands:
        console.print(LAST, highlight=False, markup=False, soft_wrap=True)
    passed = sum(one.passed for one in outcomes)
    skipped = sum(one.outcome == "skipped" for one in outcomes)
    console.print(f"{passed} passed, {skipped} skipped by the suite, of {len(outcomes)}")


def show_races(console: Console, outcomes: Sequence[Outcome]) -> bool:
    """Show each race once, with the tests in which it is. True if one of them counts."""
    tests: dict[str, list[str]] = {}
    races: dict[str, dict[str, Any]] = {}
    for outcome in outcomes:
        for race in outcome.races:
            if race["suppressed"] is None:
                races.setdefault(race["identity"], race)
                tests.setdefault(race["identity"], []).append(outcome.test)
    for identity, race in races.items():
        names = list(dict.fromkeys(tests[identity]))
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        text = f"\n{race['text']}\n    In {names[0]}{more}"
        console.print(text, highlight=False, markup=False, soft_wrap=True)
    console.print(f"{len(races)} kinds of reports of accesses that nothing orders")
    return bool(races)


def _groups(outcomes: Sequence[Outcome], *, every: bool) -> dict[str, list[Outcome]]:
    groups: dict[str, list[Outcome]] = {}
    for one in outcomes:
        groups.setdefault(one.test if every else file_of(one.test), []).append(one)
    return groups


def _result(group: Sequence[Outcome]) -> str:
    if len(group) == 1:
        return group[0].result
    skipped = sum(one.outcome == "skipped" for one in group)
    run = f"{sum(one.passed for one in group)} of {len(group) - skipped}"
    return f"{run}, {skipped} skipped" if skipped else run


def write_outcomes(path: Path, outcomes: Sequence[Outcome]) -> None:
    """Write all that is known of them as JSON."""
    rows = [{**vars(one), "result": one.result, "why": one.why()} for one in outcomes]
    path.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
