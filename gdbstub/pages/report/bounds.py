# SPDX-License-Identifier: Apache-2.0
"""The bound of a kernel: the critical path of a timeline, back from its end to its beginning.

    T2 held by SEMWAIT ◄── SEMPOST of T1 ◄── MVMULs ◄── held for a source bank ◄── unpacker 0

A step back from a cycle: a gate that was held leads to what has ended the hold (the unit that
became free, the thread that posted the semaphore), a unit leads to the thread that gave it the
instruction, a gate that was empty to the RISC-V core that had not pushed yet. Each cycle of the run
is in one step and so belongs to one kind of work and one line of source: what the path has of a
kind is the most that can be saved there, as long as nothing else becomes longer.
"""

from __future__ import annotations

import bisect
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import field

from tensix_gdb.core.arch.blackhole import HART_NAMES, THREAD_NAMES
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.pages.report.summary import Span, Summary

MATH, UNPACK, PACK = "math", "unpack", "pack"
SEMAPHORE, RISCV, L1, OTHER = "semaphore", "RISC-V", "L1", "other units"
KINDS = (MATH, UNPACK, PACK, SEMAPHORE, RISCV, L1, OTHER)
OF_UNITS = {
    "Matrix Unit": MATH, "Vector Unit": MATH, "unpacker 0": UNPACK, "unpacker 1": UNPACK,
    "packer": PACK,
}  # fmt: skip
# What ends a hold, by words of its reason (`WaitsFor` and `Held` in words).
_CONDITIONS = {
    "C0": "Scalar Unit", "C1": "unpacker 0", "C2": "unpacker 1", "C3": "packer",
    "C4": "Matrix Unit", "C9": "mover", "C11": "Vector Unit", "C12": "Configuration Unit",
}  # fmt: skip
_CONDITION = re.compile(r"\bC(\d+)\b")
_OF = re.compile(r"(?P<name>\S+)(?: of (?P<thread>T\d \w+))?")
_MEMORY = ("L1", "local RAM")
PIPELINED = ("Matrix Unit", "Vector Unit", "Configuration Unit")
MOST_WITHOUT_TIME = 8  # steps that take no time, after which the way back is lost


@dataclass
class Path:
    """Cycles of the critical path by kind, and by kind and place."""

    kinds: Counter[str] = field(default_factory=Counter)
    places: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, kind: str, where: str, cycles: int) -> None:
        if cycles > 0:
            self.kinds[kind] += cycles
            self.places[kind, where] += cycles


class _Tracks:
    """Spans by track, in order; found by cycle."""

    def __init__(self, spans: list[Span]) -> None:
        self._of: dict[str, list[Span]] = {}
        for span in sorted(spans, key=lambda one: (one.start, one.end)):
            self._of.setdefault(span.name, []).append(span)
        self._starts = {name: [one.start for one in own] for name, own in self._of.items()}

    def before(self, name: str, cycle: int) -> Iterator[Span]:
        """Spans of the track that begin before the cycle, the latest first."""
        own = self._of.get(name, [])
        for at in range(bisect.bisect_left(self._starts.get(name, []), cycle) - 1, -1, -1):
            yield own[at]

    def last(self, name: str, cycle: int, state: str = "") -> Span | None:
        """Return the latest of these, of a state."""
        for span in self.before(name, cycle):
            if not state or span.state == state:
                return span
        return None

    def overlapping(self, name: str, start: int, end: int) -> Iterator[Span]:
        """Spans that have cycles of [start, end), the latest first."""
        for span in self.before(name, end):
            if span.end <= start:
                return
            yield span


def critical_path(summary: Summary) -> Path:
    """Return the path of a timeline; empty for a profile, which has no spans."""
    tracks, path = _Tracks(summary.spans), Path()
    ends = [one for one in summary.spans if one.state in ("busy", "passes")]
    if not ends:
        return path
    last = max(ends, key=lambda one: (one.end, one.state == "busy"))
    name, cycle = last.name, last.end
    _run(tracks, path, _hart_at_the_end(summary), cycle, summary.cycles)
    without_time = 0
    while cycle > 0 and without_time < MOST_WITHOUT_TIME:
        before = cycle
        step = _from_gate if name in THREAD_NAMES else _from_unit
        name, cycle = step(tracks, path, name, cycle)
        without_time = 0 if cycle < before else without_time + 1
    path.add(OTHER, "an unknown place", cycle)
    return path


def _hart_at_the_end(summary: Summary) -> str:
    """Return the core that runs last."""
    harts = [one for one in summary.spans if one.name in HART_NAMES]
    return max(harts, key=lambda one: one.end).name if harts else HART_NAMES[0]


def _from_unit(tracks: _Tracks, path: Path, unit: str, cycle: int) -> tuple[str, int]:
    """Find, of a unit that has worked up to the cycle, since when, and by which instruction."""
    span = tracks.last(unit, cycle)
    kind = OF_UNITS.get(unit, OTHER)
    if span is None:
        return THREAD_NAMES[1], cycle
    match = _OF.match(span.what.text)
    mnemonic = match["name"].partition(".")[0] if match else ""
    threads = [match["thread"]] if match and match["thread"] else list(THREAD_NAMES)
    # A pipelined unit is busy with many instructions at once: only the last one is in the way.
    latest = cycle if unit in PIPELINED else span.start + 1
    passed = _latest(tracks, threads, latest, mnemonic)
    if not passed:
        path.add(kind, unit, cycle - span.start)
        return _thread_of(unit), span.start
    if unit in PIPELINED:
        where = f"{passed[0].what.place or unit} ({mnemonic})"
        path.add(kind, where, cycle - passed[0].start)
        return passed[0].name, passed[0].start
    path.add(kind, f"{passed[0].what.place or unit} ({mnemonic})", cycle - span.start)
    return passed[0].name, min(passed[0].start + 1, span.start)


def _latest(tracks: _Tracks, threads: list[str], cycle: int, mnemonic: str) -> list[Span]:
    """Return the latest pass of the mnemonic on any of the threads; none if there is none."""
    found = []
    for thread in threads:
        for one in tracks.before(thread, cycle):
            if one.state == "passes" and one.what.mnemonic == mnemonic:
                found.append(one)
                break
    return sorted(found, key=lambda one: -one.start)[:1]


def _thread_of(unit: str) -> str:
    """Return the thread that uses a unit as a rule."""
    kind = OF_UNITS.get(unit, OTHER)
    return THREAD_NAMES[{UNPACK: 0, PACK: 2}.get(kind, 1)]


def _from_gate(tracks: _Tracks, path: Path, thread: str, cycle: int) -> tuple[str, int]:
    """Step back to what the instruction waited for that passes the thread's gate at the cycle."""
    before = tracks.last(thread, cycle)
    if before is None:
        _run(tracks, path, thread.partition(" ")[0], 0, cycle)
        return thread, 0
    if before.state == "held" and before.end >= cycle - 1:
        return _from_hold(tracks, path, before, cycle)
    if before.state == "passes":
        path.add(_kind_of(thread), f"{before.what.place} ({before.what.mnemonic})", 1)
        hart = thread.partition(" ")[0]
        _run(tracks, path, hart, before.start + 1, cycle, before.what.place)
        return thread, before.start
    _run(tracks, path, thread.partition(" ")[0], before.start, cycle)
    return thread, before.start


def _kind_of(thread: str) -> str:
    return (UNPACK, MATH, PACK)[THREAD_NAMES.index(thread)]


def _from_hold(tracks: _Tracks, path: Path, held: Span, cycle: int) -> tuple[str, int]:
    """Step back to what ended a hold."""
    if held.by.mnemonic == "SEMWAIT":
        post = _post(tracks, held)
        if post is not None and held.start < post.start:
            path.add(SEMAPHORE, held.by.place or held.what.place, cycle - post.start)
            return post.name, post.start
        path.add(SEMAPHORE, held.by.place or held.what.place, cycle - held.start)
        return held.name, held.start
    unit = _unit_that_ended(tracks, held)
    if unit is not None:
        return unit, cycle
    where = f"{held.what.place} ({held.what.mnemonic}, held)"
    path.add(_kind_of(held.name), where, cycle - held.start)
    return held.name, held.start


def _post(tracks: _Tracks, held: Span) -> Span | None:
    """Return the SEMPOST or SEMGET of another thread after which a hold by SEMWAIT has ended."""
    found = []
    for thread in THREAD_NAMES:
        if thread == held.name:
            continue
        for one in tracks.before(thread, held.end + 1):
            if one.state == "passes" and one.what.mnemonic in ("SEMPOST", "SEMGET"):
                mine, its = held.by.semaphores, one.what.semaphores
                if not mine or not its or mine & its:
                    found.append(one)
                    break
    return max(found, key=lambda one: one.start, default=None)


def _unit_that_ended(tracks: _Tracks, held: Span) -> str | None:
    """Return the unit that was busy until the hold ended; None if none was."""
    names: list[str] = []
    text = held.by.text
    if held.by.mnemonic == "STALLWAIT":
        names = [_CONDITIONS[f"C{n}"] for n in _CONDITION.findall(text) if f"C{n}" in _CONDITIONS]
    elif "source bank" in text or "unpack" in text:
        names = ["unpacker 0", "unpacker 1"]
    else:
        names = [unit for unit in (*OF_UNITS, "Scalar Unit", "mover") if unit in text]
    best = None
    for name in names:
        span = tracks.last(name, held.end + 1)
        if span is None or not held.start < span.end <= held.end + 1:
            continue
        if best is None or span.end > best.end:
            best = span
    return best.name if best else None


def _run(tracks: _Tracks, path: Path, hart: str, start: int, end: int, after: str = "") -> None:
    """Say, where a RISC-V core had not pushed the next instruction yet, what it was at meanwhile,
    and after which line of Tensix instructions."""
    left = end - start
    for span in tracks.overlapping(hart, start, end):
        cycles = min(span.end, end) - max(span.start, start)
        is_memory = span.state == "waits" and any(name in span.what.text for name in _MEMORY)
        where = span.what.text if span.state == "waits" else span.state
        where += f" after {after}" if after else ""
        path.add(L1 if is_memory else RISCV, f"{hart} {where}", cycles)
        left -= cycles
    path.add(RISCV, hart, left)


def busiest(summary: Summary) -> tuple[str, float] | None:
    """Find, in a profile, which has no path, the unit that is busy most, and how much of the
    time."""
    used = {unit: cycles for unit, cycles in summary.units.items() if cycles}
    if not used or not summary.cycles:
        return None
    unit = max(used, key=lambda name: used[name])
    return unit, used[unit] / summary.cycles
