# SPDX-License-Identifier: Apache-2.0
"""A table of operations (`ttnn --operations`) in sentences: the time of each, and its roofline."""

from __future__ import annotations

import csv
import textwrap
from collections.abc import Iterator, Sequence

# Columns that are ours; the others are tt-metal's profiler's.
CYCLES, CALLED, ROOFLINE = "DEVICE KERNEL [cycles]", "CALLED AS", "ROOFLINE [cycles]"
CODE, NS, CORES = "OP CODE", "DEVICE KERNEL DURATION [ns]", "CORE COUNT"
WIDTH = 100
MOST = 5  # things of a roofline that are named
LEAST = 0.01  # of the time


def is_table(text: str) -> bool:
    """True if a file is such a table."""
    first = text.partition("\n")[0]
    return first.startswith(CODE) and ROOFLINE in first


def of_table(text: str) -> str:
    """Return what there is to say of it."""
    rows = list(csv.DictReader(text.splitlines()))
    total = sum(int(row[NS]) for row in rows)
    head = (
        f"{len(rows)} operations, {total / 1000:.2f} us from the first to the last kernel of each."
    )
    return "\n".join([head, "", *(_wrapped(line) for line in _lines(rows, total))]) + "\n"


def _lines(rows: Sequence[dict[str, str]], total: int) -> Iterator[str]:
    for number, row in enumerate(rows, 1):
        cycles, ns = int(row[CYCLES]), int(row[NS])
        name = row[CODE] if row[CALLED] in ("", row[CODE]) else f"{row[CALLED]} ({row[CODE]})"
        tiles = f"{row[CORES]} tile{'s' * (row[CORES] != '1')}"
        share = f"{100 * ns / max(total, 1):.0f} %"
        yield (
            f"{number} {name}: {ns / 1000:.2f} us, {cycles} cycles on {tiles}, {share} of all. "
            + (_roofline(row[ROOFLINE], cycles))
        )


def _roofline(text: str, cycles: int) -> str:
    """Say for how much of the time each thing was needed; units and ports are of the tile that
    needs them most."""
    needs = [
        (name, int(n)) for name, _, n in (one.rpartition(": ") for one in text.split("; ") if one)
    ]
    shown = [
        f"{name} {n} ({100 * n / cycles:.0f} %)" for name, n in needs[:MOST] if n >= LEAST * cycles
    ]
    if not shown:
        return "Nothing was busy for a hundredth of it."
    most, n = needs[0]
    return (
        f"Roofline: {', '.join(shown)}. Bound by {most} it would take {100 * n / cycles:.0f} % of "
        "that."
    )


def _wrapped(line: str) -> str:
    return textwrap.fill(line, WIDTH, subsequent_indent="  ", break_on_hyphens=False)
