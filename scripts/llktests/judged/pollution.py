# SPDX-License-Identifier: Apache-2.0
"""The verdicts on kernels of LLK that disturb each other: `python -m
scripts.llktests.judged.pollution FILE.json`.

FILE is what `scripts/llk pollution DIR --json FILE` has written. Prints every hit that changes a
result and has no row in pollution_verdicts.py, exit status 1 if there is one; with --write the
table goes into the manual.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scripts.llktests.judged.pollution_verdicts import ROWS, Row, row_of
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated

MAKER = "python -m scripts.llktests.judged.pollution FILE.json"
BLOCK = Generated("judged pollution", MAKER, MANUAL / "pollution.md")
RESULT = "result"


def said(found: dict[str, Any]) -> str:
    """Return a sentence on what the counts are of."""
    kernels = len(found["kernels"])
    functions = {name for one in found["kernels"] for name in one["operations"]}
    llk = sum(name.startswith("_llk_") for name in functions)
    parts = [
        f"{way}: another result in {count['result']:,} pairs, a read that matters in "
        f"{count['state']:,}, nothing in {count['nothing']:,}"
        for way, count in found["pairs"].items()
    ]
    return (
        f"{kernels} kernels with {llk} functions of LLK, {kernels**2:,} ordered pairs, "
        f"{found['runs']:,} runs. {'. '.join(map(_sentence, parts))}.\n"
    )


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


def table(found: dict[str, Any]) -> str:
    """A row for each of ROWS that is there."""
    pairs: dict[Row, set[tuple[str, str]]] = defaultdict(set)
    results: dict[Row, set[tuple[str, str]]] = defaultdict(set)
    for hit in found["hits"]:
        row = row_of(hit)
        if row is not None:
            pairs[row].add((hit["first"], hit["second"]))
            if hit["verdict"] == RESULT:
                results[row].add((hit["first"], hit["second"]))
    lines = ["| left changed | pairs | other results | verdict | why |", "|---|--:|--:|---|---|"]
    lines += [
        f"| {row.what} | {len(pairs[row]):,} | {len(results[row]):,} | {row.verdict} | {row.why} |"
        for row in ROWS
        if pairs[row]
    ]
    left = [hit for hit in found["hits"] if row_of(hit) is None]
    if left:
        count = len({(hit["first"], hit["second"]) for hit in left})
        lines.append(f"| the others | {count:,} | | not judged | |")
    return "\n".join(lines) + "\n"


def main(argv: Sequence[str] | None = None) -> int:
    """Judge what the file has."""
    parser = argparse.ArgumentParser(prog="judged_pollution", description=__doc__.split("\n\n")[0])
    parser.add_argument("file", type=Path, metavar="FILE.json")
    parser.add_argument("--write", action="store_true", help="put the table into the manual")
    arguments = parser.parse_args(argv)
    found = json.loads(arguments.file.read_text("utf-8"))
    unknown = [
        f"{hit['verdict']} {hit['way']}: {hit['first']} then {hit['second']}: {hit['element']} "
        f"{hit['kinds'] or ''} {(hit['left_by'] or {}).get('function')} "
        f"{(hit['read_by'] or {}).get('function')}"
        for hit in found["hits"]
        if row_of(hit) is None
    ]
    print("\n".join(unknown) or "every hit has a verdict")
    print(said(found), end="")
    if arguments.write:
        BLOCK.write(f"{said(found)}\n{table(found)}")
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
