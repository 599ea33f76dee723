# SPDX-License-Identifier: Apache-2.0
"""The results of tests by the selectors that name them, as a table of files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

NOT_THERE = "not there"
# The worst that came of a selector's tests is the selector's.
COLUMNS = ("passed", "failed", "stopped", "skipped", NOT_THERE)
WORST_FIRST = ("stopped", "failed", "passed", "skipped")
PLACES = ("tests/ttnn/unit_tests/", "operations/")


def selectors_of(path: Path) -> list[str]:
    """Return the selectors of a file."""
    lines = (line.strip() for line in path.read_text("utf-8").splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def came_of(selector: str, results: Mapping[str, str]) -> str:
    """Return what came of the tests that a selector is the beginning of: if some were skipped and
    others passed, they passed."""
    came = {result for name, result in results.items() if name.startswith(selector)}
    return next((outcome for outcome in WORST_FIRST if outcome in came), NOT_THERE)


def of_selectors(selectors: Iterable[str], results: Mapping[str, str]) -> Counter[str]:
    """Return how many selectors passed whole, failed or stopped somewhere, or selected nothing
    that ran. `results` has what came of each test."""
    return Counter(came_of(selector, results) for selector in selectors)


def table(selectors: Sequence[str], results: Mapping[str, str]) -> str:
    """Return a row for each file that a selector names, and one for all."""
    files: dict[str, list[str]] = {}
    for selector in selectors:
        files.setdefault(selector.partition("::")[0], []).append(selector)
    rows = [f"| file | selectors | {' | '.join(COLUMNS)} |", "|---|" + "--:|" * (len(COLUMNS) + 1)]
    for name, own in [*files.items(), ("all", selectors)]:
        counts = of_selectors(own, results)
        for place in PLACES:
            name = name.removeprefix(place)
        rows.append(
            f"| {name} | {len(own)} | {' | '.join(str(counts[each]) for each in COLUMNS)} |"
        )
    return "\n".join(rows)
