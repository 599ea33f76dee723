# SPDX-License-Identifier: Apache-2.0
"""Read the two forms of `run --trace`: events of Chrome, and lines of text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

from tensix_gdb.core.arch.blackhole import HART_NAMES, THREAD_NAMES
from tensix_gdb.gdbstub.pages.report.summary import Held, Pushed, Span, Summary, pushed

LINE = re.compile(r" *(?P<cycle>\d+)  (?P<track>\S.*?)  +(?P<what>.*)")
HARTS, GATES, UNITS = "RISC-V harts", "Tensix threads at their wait gates", "units"
NOTHING = Pushed("")
NOT_RUNNING = ("in reset", "paused", "empty", "idle")


def of_chrome(events: Iterable[dict[str, Any]]) -> Summary:
    """Return the summary of a file for Perfetto."""
    names: dict[tuple[int, int], str] = {}
    groups: dict[int, str] = {}
    summary, busy = Summary(), _Busy()
    for event in events:
        kind, process, row = event["ph"], event["pid"], event["tid"]
        if kind == "M" and event["name"] == "process_name":
            groups[process] = event["args"]["name"]
        elif kind == "M" and event["name"] == "thread_name":
            names[process, row] = event["args"]["name"]
        elif kind == "X":
            start, end = event["ts"], event["ts"] + event["dur"]
            summary.cycles = max(summary.cycles, end)
            name, what = names[process, row], event.get("args", {}).get("what", "")
            if groups[process] == HARTS:
                _hart(summary, name, event["name"], what, start, end)
            elif groups[process] == GATES:
                _gate(summary, name, event["cat"], what, start, end)
            elif groups[process] == UNITS:
                busy.add(name.rpartition(", ")[0] or name, start, end)
                _unit(summary, name.rpartition(", ")[0] or name, event["name"], start, end)
    units = {names[key].rpartition(", ")[0] or names[key] for key in names if key[0] in groups
             and groups[key[0]] == UNITS}  # fmt: skip
    summary.units = {unit: busy.cycles(unit) for unit in sorted(units)}
    return summary


def of_lines(lines: Iterable[str]) -> Summary:
    """Return the summary of a file of text: each line is the state of a track from its cycle on."""
    summary, busy = Summary(), _Busy()
    state: dict[str, tuple[int, str]] = {}
    for line in lines:
        match = LINE.fullmatch(line.rstrip("\n"))
        if match is None:
            raise ValueError(line.strip())
        cycle, track = int(match["cycle"]), match["track"]
        summary.cycles = max(summary.cycles, cycle + 1)
        if track in state:
            _ended(summary, busy, track, *state[track], cycle)
        state[track] = cycle, match["what"]
    for track, (start, what) in state.items():
        _ended(summary, busy, track, start, what, summary.cycles)
    summary.units = {unit: busy.cycles(unit) for unit in sorted(busy.known)}
    return summary


def _ended(summary: Summary, busy: _Busy, track: str, start: int, what: str, end: int) -> None:
    """Note that a state has lasted from `start` to `end`."""
    kind, colon, rest = what.partition(": ")
    if colon and kind in ("held", "passes", "comes"):
        _gate(summary, track, kind, rest, start, end)
    elif track in HART_NAMES:
        waits = what.startswith("waits ")
        _hart(summary, track, "waits" if waits else what, what if waits else "", start, end)
    elif track not in THREAD_NAMES and not what.isdecimal():
        busy.known.add(track)
        if what != "idle":
            busy.add(track, start, end)
            _unit(summary, track, what, start, end)


def _hart(summary: Summary, name: str, state: str, why: str, start: int, end: int) -> None:
    if state in NOT_RUNNING:
        return
    summary.spans.append(Span(name, start, end, state, Pushed(why), NOTHING))
    if state == "waits":
        summary.waits.setdefault(name, Counter())[why] += end - start
    else:
        summary.functions.setdefault(name, Counter())[state] += end - start


def _gate(summary: Summary, thread: str, kind: str, what: str, start: int, end: int) -> None:
    text, _, by = what.partition("; by ")
    span = Span(thread, start, end, kind, pushed(text), pushed(by))
    summary.spans.append(span)
    if kind == "held":
        summary.held[Held(thread, span.what, span.by)] += end - start
    elif kind == "passes":
        summary.issued[thread, span.what] += 1


def _unit(summary: Summary, unit: str, what: str, start: int, end: int) -> None:
    summary.spans.append(Span(unit, start, end, "busy", pushed(what), NOTHING))


class _Busy:
    """Cycles in which a unit has had instructions of any thread: what overlaps counts once."""

    def __init__(self) -> None:
        self.known: set[str] = set()
        self._spans: dict[str, list[tuple[int, int]]] = {}

    def add(self, unit: str, start: int, end: int) -> None:
        self._spans.setdefault(unit, []).append((start, end))

    def cycles(self, unit: str) -> int:
        total, last = 0, 0
        for start, end in sorted(self._spans.get(unit, ())):
            total += max(0, end - max(start, last))
            last = max(last, end)
        return total
