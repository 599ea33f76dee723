# SPDX-License-Identifier: Apache-2.0
"""The verdicts on race reports in LLK's tests: `python -m scripts.llktests.judged.races FILE.json
... [--arch wormhole]`.

The files are those of `scripts/llk [--arch wormhole] --races --json FILE`, and with --witnesses
those of `scripts/llk witness DIR --json FILE`. Prints every report that has no row in
race_verdicts.py, for Wormhole race_verdicts_wormhole.py, exit status 1 if there is one; with
--write the table goes into the manual, with the counts of these files.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from scripts.llktests.judged.race_verdicts import Row, row_of
from scripts.llktests.judged.race_verdicts_wormhole import ROWS_OF
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tensix_gdb.core.ordering.promises import PROMISES
from tensix_gdb.core.race.state.table import BY_NAME as OF_STATE
from tensix_gdb.gdbstub.llk.tree import file_of

_PROMISES = {promise.name: promise for promise in PROMISES}
_PAGE = MANUAL / "llk-races.md"
BLOCK = Generated("judged", "python -m scripts.llktests.judged.races FILE.json", _PAGE)
BLOCKS = {
    "blackhole": BLOCK,
    "wormhole": Generated("judged on Wormhole", f"{BLOCK.maker} --arch wormhole", _PAGE),
}


def outcomes(paths: Iterable[Path]) -> Iterator[dict[str, Any]]:
    """The tests in the files."""
    for path in paths:
        yield from json.loads(path.read_text(encoding="utf-8"))


def reports(test: dict[str, Any]) -> list[dict[str, Any]]:
    """Those of a test that are of races and of checks of synchronisation. A file of a run with
    `--check`, too, has findings of state: these are judged by judged/checks.py."""
    return [race for race in test["races"] if race["check"] not in OF_STATE]


def by_word(found: Iterable[dict[str, Any]]) -> str:
    """`3 K1, 2 RACE`: how many kinds there are of each word that a report begins with."""
    words = {one["identity"]: one["check"] or one["verdict"].upper() for one in found}
    return ", ".join(f"{count} {word}" for word, count in Counter(words.values()).most_common())


# Why a report has no witness (gdbstub/order/report/witness.py), as short as a cell.
NO_WITNESS = (
    ("can be held: it has begun", "the model samples at the gate, where it has begun"),
    ("has not come until", "the other side needs what its thread does later"),
    ("ends with a fault", "the observed run ends there"),
    ("the run ends first", "the run ends first"),
    ("more is held than", "nothing moves, but more is held than this"),
    ("the L0 data cache answers", "nothing moves, but a line of the L0 data cache may be older"),
)


def counted(tests: Sequence[dict[str, Any]]) -> str:
    """Return a sentence on what the counts are of."""
    ran = [test for test in tests if test["result"] != "skipped"]
    files = {file_of(test["test"]) for test in ran}
    found = [race for test in ran for race in reports(test)]
    kinds = {race["identity"] for race in found}
    reporting = {file_of(test["test"]) for test in ran if reports(test)}
    failed = sum(test["result"] != "passed" for test in ran)
    return (
        f"Counted in {len(ran)} tests of {len(files)} files, {failed} of which failed: "
        f"{len(found)} reports of {len(kinds)} kinds, in {len(reporting)} files. "
        f"Kinds by word: {by_word(found) or 'none'}.\n"
    )


def table(
    tests: Sequence[dict[str, Any]],
    tries: Sequence[dict[str, Any]] = (),
    arch: str = "blackhole",
) -> str:
    """A row for each verdict of a chip, then the promises by name. Wormhole's has those of
    Blackhole that it has reports of, too."""
    rows = ROWS_OF[arch]
    files: dict[Row, set[str]] = defaultdict(set)
    kinds: dict[Row, set[str]] = defaultdict(set)
    relied: Counter[tuple[str, str]] = Counter()
    times: Counter[tuple[str, str]] = Counter()
    for test in tests:
        for race in reports(test):
            row = row_of(race, rows)
            if row is not None:
                files[row].add(file_of(test["test"]))
                kinds[row].add(race["identity"])
        for promise in {(one["name"], one["source"]) for one in test.get("promises", ())}:
            relied[promise] += 1
        for one in test.get("promises", ()):
            times[one["name"], one["source"]] += one["count"]
    shown = _witnesses(tries)
    lines = ["| what | kinds | files | verdict | why | witness | page |"]
    lines += ["|---|--:|--:|---|---|---|---|"]
    lines += [
        f"| {row.what} | {len(kinds[row])} | {len(files[row])} | {row.verdict} | {row.why} "
        f"| {_cell(row, kinds[row], shown, rows)} | {row.page} |"
        for row in rows
        if arch == "blackhole" or kinds[row]
    ]
    relying = sum(bool(test.get("promises")) for test in tests)
    if relying:
        lines += ["", *_of_promises(relied, times, relying)]
    return "\n".join(lines) + "\n"


def _of_promises(
    relied: Counter[tuple[str, str]], times: Counter[tuple[str, str]], relying: int
) -> Iterator[str]:
    """Yield how many promises there are by page, then a row for each."""
    pages = Counter(_PROMISES[name].page for name, _ in relied)
    yield (
        f"LLK relies on {len(relied)} promises that no page makes: "
        + ", ".join(
            f"{count} that {page} would have to make" for page, count in pages.most_common()
        )
        + "."
    )
    yield ""
    yield f"| page | promise | order | where it comes from | of {relying} tests | times |"
    yield "|---|---|---|---|--:|--:|"
    for (name, source), count in sorted(relied.items(), key=lambda item: _by_page(item[0][0])):
        promise = _PROMISES[name]
        cells = (promise.page, name, str(promise), source, str(count), f"{times[name, source]:,}")
        yield f"| {' | '.join(cells)} |"


def _by_page(name: str) -> tuple[str, int]:
    return _PROMISES[name].page, int(name[1:])


def _witnesses(tries: Sequence[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The try that says most about each kind of report."""
    best = ("possible", "seen", "impossible", "unknown")
    found: dict[str, dict[str, Any]] = {}
    for one in sorted(
        tries, key=lambda one: (best.index(one["outcome"]), one["result"] != "other")
    ):
        found.setdefault(one["report"]["identity"], one)
    return found


def _cell(row: Row, kinds: set[str], shown: dict[str, dict[str, Any]], rows: Sequence[Row]) -> str:
    """Return how many kinds of a row have a witness, and why the others have none."""
    if row.check:
        return "no order of two accesses"
    tries = [shown[kind] for kind in kinds if kind in shown]
    # The address of a place in L1 is another one in another run.
    strays = [
        one
        for kind, one in shown.items()
        if kind not in kinds and row is row_of(one["report"], rows)
    ]
    tries += strays[: len(kinds) - len(tries)]
    outcomes = Counter(one["outcome"] for one in tries)
    said = []
    if count := outcomes["possible"] + outcomes["seen"]:
        others = sum(one["result"] == "other" for one in tries)
        said.append(f"{count}" + (f", {others} with another result" if others else ""))
    if count := outcomes["impossible"]:
        said.append(f"{count} withdrawn: the other order is impossible")
    reasons = Counter(_why_none(one) for one in tries if one["outcome"] == "unknown")
    said += [f"{count} without: {reason}" for reason, count in reasons.most_common()]
    if missing := len(kinds) - len(tries):
        said.append(f"{missing} not tried")
    return "; ".join(said) or "none"


def _why_none(one: dict[str, Any]) -> str:
    sides, reason = (one["report"]["earlier"], one["report"]["later"]), str(one["reason"])
    if sides[0]["thread"] == sides[1]["thread"] is not None and "has not come until" in reason:
        return "both pass one gate, and nothing holds the stages after it alone"
    if sides[0]["thread"] is None and "can be held" in reason:
        return "the L0 data cache answers the load, and nothing holds that"
    return next((short for words, short in NO_WITNESS if words in reason), reason)


def main(argv: Sequence[str] | None = None) -> int:
    """Judge what the files have."""
    parser = argparse.ArgumentParser(prog="judged", description=__doc__.split("\n\n")[0])
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.json")
    parser.add_argument("--witnesses", action="append", default=[], type=Path, metavar="FILE.json")
    parser.add_argument("--arch", choices=tuple(ROWS_OF), default="blackhole", help="the chip")
    parser.add_argument("--write", action="store_true", help="put the table into the manual")
    arguments = parser.parse_args(argv)
    tests = list(outcomes(arguments.files))
    races = [race for test in tests for race in reports(test)]
    rows = ROWS_OF[arguments.arch]
    unknown = {race["identity"]: race["text"] for race in races if row_of(race, rows) is None}
    print("\n\n".join(unknown.values()) or "every report has a verdict")
    said, tries = counted(tests), list(outcomes(arguments.witnesses))
    print(said, end="")
    if arguments.write:
        block = BLOCKS[arguments.arch]
        block.write(f"{said}\n{table(tests, tries, arguments.arch)}")
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
