# SPDX-License-Identifier: Apache-2.0
"""The page of the catalogue: what is right with its times, and why the rest is not."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from scripts.examples.ttnn.catalogue.rows import VERDICTS, Row
from tensix_gdb.core.explain.instruction.block import ROOT, Generated

CLOCK = re.compile(r"^\[\d+\] ")  # that ttsim puts before what it says
BLOCK = Generated(
    "operations of ttnn",
    "python -m scripts.examples.ttnn.catalogue",
    ROOT / "gdbstub" / "manual" / "ttnn-operations.md",
)
ACROSS = 3  # operations in a line of the page


def write_page(path: Path, text: str, of: Generated = BLOCK) -> None:
    """Write to a page, between its marks if it has them."""
    block = replace(of, page=path)
    if path.exists() and block.begin in path.read_text("utf-8"):
        block.write(text)
    else:
        path.write_text(text, encoding="utf-8")


def page(rows: list[Row], equal: dict[str, str], others: Sequence[Row] = ()) -> str:
    """Return what is right with its time, here and on ttsim, and a table of the rest."""
    text = ""
    if right := [row for row in rows if row.verdict == "right"]:
        there = {row.name: figure(row) for row in others}
        text += "Right, with the milliseconds of a call" + (
            ", and those of ttsim where it runs:\n\n" if others else ":\n\n"
        )
        text += columns(right, there) + "\n"
    if left := [row for row in rows if row.verdict != "right"]:
        text += "| operation | verdict | correlation | why |\n|---|---|---|---|\n"
        for row in left:
            why = brief(row.stopped or row.said.get("why", "")).replace("|", "\\|")
            text += (
                f"| `{row.name}` | {row.verdict} | {row.said.get('correlation', '')} | {why} |\n"
            )
        text += "\n"
    if differs := [name for name, verdict in equal.items() if verdict == "differs"]:
        text += f"Not bit for bit as ttsim: {', '.join(differs)}.\n\n"
    text += "".join(
        f"Not on ttsim, {why}: {', '.join(names)}.\n\n"
        for why, names in reasons(others, equal).items()
    )
    return text + summary(rows, equal)


def brief(text: str) -> str:
    """Leave out the functions through which a place was reached, and the host's backtrace."""
    while (begins := text.find(" (through ")) >= 0:
        ends, depth = begins + 1, 0
        while ends < len(text) and (depth := depth + {"(": 1, ")": -1}.get(text[ends], 0)):
            ends += 1
        text = text[:begins] + text[ends + 1 :]
    return text.partition(" backtrace: ")[0]


def reasons(others: Sequence[Row], equal: dict[str, str]) -> dict[str, list[str]]:
    """Return why operations do not run on ttsim, and which ones, the most frequent reason first."""
    found: dict[str, list[str]] = {}
    for row in others:
        if equal.get(row.name) == "does not run":
            why = CLOCK.sub("", row.stopped or "refused").removeprefix("ERROR: ")
            found.setdefault(f"`{why}`", []).append(row.name)
    return dict(sorted(found.items(), key=lambda each: -len(each[1])))


def columns(rows: list[Row], there: dict[str, str]) -> str:
    """Return a table of names and times, several of them in a line, read from left to right; those
    of ttsim besides if there are any."""
    heads = " operation | ms | ttsim |" if there else " operation | ms |"
    rules = "---|--:|--:|" if there else "---|--:|"
    text = "|" + heads * ACROSS + "\n|" + rules * ACROSS + "\n"
    for start in range(0, len(rows), ACROSS):
        cells = []
        for row in rows[start : start + ACROSS]:
            cells.append(f" `{row.name}` | {figure(row)} |")
            if there:
                cells.append(f" {there.get(row.name, '')} |")
        spare = ACROSS - len(rows[start : start + ACROSS])
        text += "|" + "".join(cells) + heads.count("|") * spare * " |" + "\n"
    return text


def figure(row: Row) -> str:
    """Return the milliseconds of a row with two figures; a run on other cores has others."""
    seconds = row.said.get("seconds")
    if row.verdict != "right" or seconds is None:
        return ""
    return f"{float(f'{1000 * seconds:.2g}'):g}"


def summary(rows: list[Row], equal: dict[str, str]) -> str:
    """Return a line that counts the verdicts."""
    counts = Counter(row.verdict for row in rows)
    line = ", ".join(f"{counts[name]} {name}" for name in VERDICTS)
    if equal:
        found = Counter(equal.values())
        line += "; ttsim: " + ", ".join(f"{found[name]} {name}" for name in sorted(found))
    return f"{len(rows)} operations: {line}\n"
