# SPDX-License-Identifier: Apache-2.0
"""A summary in sentences, the longest waits first.

T2 pack waits 76 % of its time until semaphore 0 is posted, at math.c:21 by T1 math: PACR from
pack.c:30 is held (724 of 953 cycles).
unpacker 0 is idle 93 % of the time.
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterator

from tensix_gdb.core.isa.masks import CONDITIONS_BLACKHOLE
from tensix_gdb.gdbstub.pages.report.bounds import busiest, critical_path
from tensix_gdb.gdbstub.pages.report.summary import Pushed, Summary

WIDTH = 100
LEAST = 0.01  # what is shorter than this part of the run is left out
MOST_WAITS, MOST_PLACES, MOST_PARTS = 3, 3, 5
_CONDITIONS = re.compile(r"\bwait=([C\d|]+)")
_OF_HARTS = "no Tensix instruction of this run does that; a store of a hart may"


def report(summary: Summary) -> str:
    """Return the whole text."""
    lines = [*_polls(summary), *_bounds(summary), *_roofline(summary)]
    lines += [*_waits(summary), *_harts(summary), *_units(summary)]
    if not lines:
        lines = ["No thread waited, and no unit was busy, for as much as a hundredth of the time."]
    head = summary.title or f"{summary.cycles} cycles"
    return "\n".join([f"{head}.", "", *(_wrapped(line) for line in lines)]) + "\n"


def _wrapped(line: str) -> str:
    return textwrap.fill(line, WIDTH, subsequent_indent="  ", break_on_hyphens=False)


def _percent(cycles: int, summary: Summary) -> str:
    return f"{100 * cycles / max(summary.cycles, 1):.0f} %"


def _is_long(cycles: int, summary: Summary) -> bool:
    return cycles >= LEAST * summary.cycles


# Polls


def _polls(summary: Summary) -> Iterator[str]:
    """Yield of each hart that polls for how long and where, the longest first. No counter of the
    hardware sees that."""
    found = []
    for hart, loops in summary.polls.items():
        cycles = sum(loops.values())
        if _is_long(cycles, summary):
            where = ", ".join(
                f"in {loop.text} at {loop.place} ({n} cycles)"
                for loop, n in loops.most_common(MOST_PLACES)
                if _is_long(n, summary)
            )
            share = _percent(cycles, summary)
            found.append((cycles, f"{hart} polls for {share} of the time{_before(where)}."))
    yield from (text for _, text in sorted(found, key=lambda row: -row[0]))


def _before(where: str) -> str:
    return f": {where}" if where else ""


# Bounds


def _bounds(summary: Summary) -> Iterator[str]:
    """Yield the bound of the run, the longest parts of its critical path, and what they are
    worth."""
    path = critical_path(summary)
    total = sum(path.kinds.values())
    if not total:
        if busy := busiest(summary):
            yield (
                f"Bound by {busy[0]} at least for {busy[1]:.0%} of the time; a timeline "
                "(`run --trace`) has the critical path."
            )
        return
    shares = ", ".join(
        f"{kind} {cycles / total:.0%}"
        for kind, cycles in path.kinds.most_common()
        if cycles >= LEAST * total
    )
    yield f"Bound by {path.kinds.most_common(1)[0][0]}: of the critical path, {shares}."
    longest = [(key, cycles) for key, cycles in path.places.most_common(MOST_PARTS)]
    parts = ", ".join(
        f"{cycles} at {where} ({kind})"
        for (kind, where), cycles in longest
        if cycles >= LEAST * total
    )
    yield f"Its longest parts, in cycles of {total}: {parts}."
    kind, cycles = path.kinds.most_common(1)[0]
    if cycles < total:
        yield (
            f"Without any time of {kind} the run would take {total - cycles} cycles at least: "
            f"{total / (total - cycles):.1f} times as fast at most."
        )


def _roofline(summary: Summary) -> Iterator[str]:
    """Yield how many cycles each unit was busy, and each port of a NIU, the most first. An
    instruction counts from its beginning to its result, so a pipelined unit may need fewer."""
    used = sorted(((n, unit) for unit, n in summary.units.items() if n), reverse=True)
    if len(used) > 1:
        shown = ", ".join(f"{unit} {n} ({_percent(n, summary)})" for n, unit in used)
        yield f"Roofline, busy of {summary.cycles} cycles: {shown}."


# Wait gates


def _waits(summary: Summary) -> Iterator[str]:
    """Yield of each thread its longest waits, the longest of all first."""
    rows: list[tuple[int, str]] = []
    for thread in summary.threads():
        reasons: Counter[str] = Counter()
        held: dict[str, Counter[str]] = {}
        for one, cycles in summary.held.items():
            if one.thread == thread:
                reason = reason_of(one.by, summary)
                reasons[reason] += cycles
                what = f"{one.what.mnemonic} from {one.what.place or 'an unknown place'}"
                held.setdefault(reason, Counter())[what] += cycles
        for reason, cycles in reasons.most_common(MOST_WAITS):
            if _is_long(cycles, summary):
                rows.append((cycles, _wait(summary, thread, reason, cycles, held[reason])))
    yield from (text for _, text in sorted(rows, key=lambda row: -row[0]))


def _wait(summary: Summary, thread: str, reason: str, cycles: int, held: Counter[str]) -> str:
    most = ", ".join(what for what, _ in held.most_common(MOST_PLACES))
    share = _percent(cycles, summary)
    return (
        f"{thread} waits {share} of its time {reason}: held is {most} "
        f"({cycles} of {summary.cycles} cycles)."
    )


def reason_of(by: Pushed, summary: Summary) -> str:
    """`until semaphore 1 is posted, at math.c:21 by T1 math`; others as the gate has them."""
    match by.mnemonic:
        case "SEMWAIT" if by.semaphores:
            return _of_semaphores(by, summary)
        case "STALLWAIT" if found := _CONDITIONS.search(by.text):
            at = f" (STALLWAIT from {by.place})" if by.place else ""
            return f"while {_meaning(found[1])}{at}"
        case "STALLWAIT" | "SEMWAIT" | "STREAMWAIT":
            return f"for {by.text}" + (f" from {by.place}" if by.place else "")
    return f"because {by.text}" if " is " in by.text else f"for {by.text}"


def _meaning(names: str) -> str:
    meanings = {named.text: named.meaning for named in CONDITIONS_BLACKHOLE.names}
    return " or ".join(f"{meanings.get(name, 'it')} ({name})" for name in names.split("|"))


def _of_semaphores(by: Pushed, summary: Summary) -> str:
    full = "C1" in by.text and "C0" not in by.text
    verb, ender = ("taken", "SEMGET") if full else ("posted", "SEMPOST")
    numbers = sorted(by.semaphores)
    name = f"semaphore {numbers[0]}"
    if len(numbers) > 1:
        name = "semaphores " + " and ".join(map(str, numbers))
    places: Counter[str] = Counter()
    is_sure = True
    for number in numbers:
        for thread, what in summary.pushes_of(ender, number):
            place = f"{what.place or 'an unknown place'} by {thread}"
            places[place] += summary.issued[thread, what]
            is_sure = is_sure and bool(what.semaphores)
    shown = ", ".join(place for place, _ in places.most_common(MOST_PLACES))
    if not shown:
        return f"until {name} is {verb} ({_OF_HARTS})"
    return f"until {name} is {verb}, {'' if is_sure or len(places) == 1 else 'maybe '}at {shown}"


# Harts and units


def _harts(summary: Summary) -> Iterator[str]:
    for hart in sorted({*summary.functions, *summary.waits}):
        for why, cycles in summary.waits.get(hart, Counter()).most_common(MOST_WAITS):
            if _is_long(cycles, summary):
                yield f"{hart} {why} for {_percent(cycles, summary)} of the time."
        functions = summary.functions.get(hart, Counter())
        ran = sum(functions.values())
        most = [
            f"{name} {100 * cycles / ran:.0f} %"
            for name, cycles in functions.most_common(MOST_PLACES)
            if cycles >= LEAST * ran
        ]
        if most:
            yield f"{hart} runs {_percent(ran, summary)} of the time: {', '.join(most)} of that."


def _units(summary: Summary) -> Iterator[str]:
    used = {unit: cycles for unit, cycles in summary.units.items() if cycles}
    for unit, cycles in sorted(used.items(), key=lambda item: -item[1]):
        idle = _percent(summary.cycles - cycles, summary)
        if idle == "100 %":
            idle = "more than 99 %"
        yield f"{unit} is idle {idle} of the time."
    unused = [unit for unit in summary.units if not summary.units[unit]]
    if unused and used:
        yield f"Not used: {', '.join(unused)}."
