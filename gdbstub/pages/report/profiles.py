# SPDX-License-Identifier: Apache-2.0
"""Read the two forms of `run --profile` that hold all of it: tables of text, and speedscope's."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from tensix_gdb.gdbstub.pages.report.summary import Held, Pushed, Summary, pushed

OWN = "tensix-gdb"  # the part of speedscope's file that speedscope does not read
_CELLS = re.compile(r" {2,}")
_HELD = re.compile(r"(?P<thread>.+): \d+ instructions issued, something held in \d+ cycles")


def of_speedscope(file: dict[str, Any]) -> Summary:
    """Return the summary of a profile in JSON."""
    own = file[OWN]
    summary = Summary(own["cycles"], own["title"], units=own["units"])
    for hart, rows in own.get("polls", {}).items():  # files of before have none
        summary.polls[hart] = Counter({Pushed(name, at): cycles for name, at, cycles, _ in rows})
    frames = [frame["name"] for frame in file["shared"]["frames"]]
    for profile in file["profiles"]:
        name = profile["name"].removesuffix(" (cycles)")
        for stack, weight in zip(profile["samples"], profile["weights"], strict=True):
            names = [frames[number] for number in stack]
            if name not in own["threads"]:
                summary.functions.setdefault(name, Counter())[names[-1]] += weight
            elif names[0] == "held":
                summary.held[Held(name, pushed(names[2]), Pushed(names[1]))] += weight
            else:
                summary.issued[name, pushed(names[1])] += weight
    return summary


def of_tables(text: str) -> Summary:
    """Return the summary of a profile in text; what its tables leave out is missing."""
    head, *tables = text.split("\n\n")
    title = head.strip()
    summary = Summary(int(title.partition(" ")[0]), title)
    for part in tables:
        first, *rows = part.splitlines()
        cells = [_CELLS.split(row.strip()) for row in rows[1:] if not row.startswith("  and ")]
        if held := _HELD.fullmatch(first):
            for by, cycles, what in cells:
                summary.held[Held(held["thread"], pushed(what), Pushed(by))] += int(cycles)
        elif first.endswith(", issued"):
            for name, times, place in cells:
                summary.issued[first.removesuffix(", issued"), Pushed(name, place)] += int(times)
        elif first == "Units":
            summary.units = {name: int(cycles) for name, cycles, _ in cells}
        elif first.endswith(", functions"):
            counts = {row[0]: int(row[1]) for row in cells}
            summary.functions[first.removesuffix(", functions")] = Counter(counts)
        elif first.endswith(", polls"):
            of_hart = {Pushed(row[0], row[4]): int(row[1]) for row in cells}
            summary.polls[first.removesuffix(", polls")] = Counter(of_hart)
    return summary
