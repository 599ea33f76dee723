# SPDX-License-Identifier: Apache-2.0
"""The report of a run on its races as a whole.

A kernel without firmware leaves most of the configuration at what reset has made of it, and an
unpacker samples dozens of fields. A report of each would hide what else is wrong, so the fields
that are read unwritten are one report in words, with a line for each place that reads some. So are
the words of configuration that a kernel leaves changed, and the address counters. Files for tools
have all of them.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from tensix_gdb.core.explain.stop import Places
from tensix_gdb.core.race.findings import UNOBSERVED, State, Verdict
from tensix_gdb.core.race.remedies.remedy import RemedyKind
from tensix_gdb.core.race.state.table import BY_NAME
from tensix_gdb.gdbstub.order.report.known import Judged, Judgement
from tensix_gdb.gdbstub.order.report.located import Located
from tensix_gdb.gdbstub.order.report.text import (
    MARGIN,
    WIDTH,
    listed,
    plural,
    promise_lines,
    report_lines,
    summary,
)

LEAST = 3  # fewer are shown one by one
MOST_PLACES, MOST_NAMES, MOST_WORDS = 6, 3, 8
UNWRITTEN, LEFT, COUNTERS, CHANGED = ("U1", "U2"), "K1", "K2", "S8"
CONFIGURATION = (State.CONFIG, State.THREAD_CONFIG)
AT_ONE_PLACE = (RemedyKind.STALLWAIT, RemedyKind.SYNC, RemedyKind.BARRIER, RemedyKind.SEMWAIT)
ORDER = (Verdict.RACE, Verdict.SYNC, Verdict.SAMPLING, Verdict.PROMISED)
# Data first: what is wrong there is wrong in a result. The rest comes last.
RANKS = (
    (State.L1, State.DRAM),
    (State.DST, State.SRC_BANK, State.LREG, State.LOCAL),
    (State.GPR, State.MOP_CONFIG, State.TDMA, State.ADC, State.FIFO, State.SEMAPHORE),
    CONFIGURATION,
)
ALL_IN_A_FILE = "--races-to FILE has all of them"


def all_lines(judgement: Judgement, places: Places, width: int = WIDTH) -> Iterator[str]:
    """Yield every new report, the promises, unused suppressions, what was not observed, and the
    sum."""
    yield from grouped_lines((one.located for one in judgement.new), width)
    yield from promise_lines(judgement.findings, places, width)
    for each in judgement.unused:
        yield f"suppresses nothing: {each}"
    yield from judgement.findings.notes
    yield f"not observed: {UNOBSERVED}"
    yield summary(judgement)


def rank(one: Located) -> tuple[int, int, int, int]:
    """Return the order of reports: races first, and memory before bits of configuration."""
    report = one.report
    state = next((i for i, states in enumerate(RANKS) if report.place.state in states), len(RANKS))
    return (
        ORDER.index(report.verdict),
        int(report.same_value),
        0 if report.check else state,
        report.number,
    )


def _also(group: Sequence[Located], width: int) -> Iterator[str]:
    """Say of the others of one cause what differs: the agents, the lines, or the place."""
    for one in group[1 : 1 + MOST_WORDS]:
        places = [side.place for side in one.sides]
        sides = [f"{side.access.agent} {side.what}" for side in one.sides]
        if places != [side.place for side in group[0].sides]:
            sides = [f"{side} {place}" for side, place in zip(sides, places, strict=True)]
        times = plural(one.report.count, "time")
        name = f"{one.report.verdict.name} {one.report.number}"
        said = f"also {name}: {', then '.join(sides)}, {times}, {one.report.place.name}"
        yield from _wrapped(said, MARGIN + MARGIN, width)
    if len(group) > 1 + MOST_WORDS:
        numbers = _numbers(sorted(one.report.number for one in group[1 + MOST_WORDS :]))
        yield from _wrapped(f"and {numbers}: {ALL_IN_A_FILE}", MARGIN + MARGIN, width)


def grouped_lines(reports: Iterable[Located], width: int = WIDTH) -> Iterator[str]:
    """Yield every report and an empty line after it; a group is at the place of its first."""
    for group in _groups(reports):
        if not group[-1].report.check:
            yield from report_lines(group[0], width)
            yield from _also(group, width)
            yield ""
        elif len(group) < LEAST:
            for one in group:
                yield from report_lines(one, width)
                yield ""
        else:
            yield from _together(group, width)
            yield ""


def short_lines(reports: Sequence[Judged]) -> Iterator[str]:
    """Yield a line for each report, or for those that belong together."""
    by_number = {one.located.report.number: one for one in reports}
    for group in _groups(one.located for one in reports):
        if len(group) < LEAST or not group[-1].report.check:
            yield from (listed(by_number[one.report.number]) for one in group)
        else:
            yield f"{_title(group)}: first at {group[0].later.place}"


def _groups(reports: Iterable[Located]) -> Iterable[list[Located]]:
    groups: dict[object, list[Located]] = {}
    ranked = sorted(reports, key=rank)
    changed = {_word(one): one for one in ranked if one.report.check == CHANGED}
    for one in ranked:
        cause = changed.get(_word(one))
        if cause is None or one.report.check:
            group = groups.setdefault(_key(one), [])
            if one not in group:
                group.append(one)
            continue
        # The check says what these have in common, and what mends all of them: it is the first.
        groups.setdefault(_key(cause), [cause]).append(one)
    return groups.values()


def _word(one: Located) -> object:
    """Return the same for a finding that two cores change a word, and for races of these in it."""
    report = one.report
    sides = report.earlier, report.later
    if report.place.state not in CONFIGURATION or any(side.thread is not None for side in sides):
        return report.number
    return (
        report.place.state,
        report.place.unit,
        report.place.index,
        frozenset(side.hart for side in sides),
    )


def _key(one: Located) -> object:
    """Return the same for reports of a check about configuration or counters, and for races of one
    cause: what one remedy at one place mends, or else one pair of lines; else its own."""
    report = one.report
    if not report.check:
        fix, chains = report.fix, [(side.what, *side.lines()) for side in one.sides]
        if fix is not None and fix.spots and fix.kind in AT_ONE_PLACE:
            return report.verdict, report.same_value, fix.kind, fix.text, fix.spots
        if all(side.chain for side in one.sides):
            return report.verdict, report.same_value, *chains
    if report.check == COUNTERS:
        return report.check
    if report.place.state in CONFIGURATION and report.check in (*UNWRITTEN, LEFT):
        return report.check
    return report.number


def _title(group: Sequence[Located]) -> str:
    first = group[0].report
    title = f"{first.check} {_numbers([one.report.number for one in group])}  {first.words}"
    if first.check == COUNTERS:
        return f"{title}: {len(group)} times"
    if first.check == LEFT:
        functions = {one.later.step.function: None for one in group if one.later.step is not None}
        return f"{title}: {len(group)} words{_written_by(list(functions))}"
    places = len({_place(one) for one in group})
    if places == 1:
        return f"{title}: {len(group)} fields of configuration"
    return f"{title}: {len(group)} words of configuration, at {places} places"


def _together(group: Sequence[Located], width: int) -> Iterator[str]:
    first = group[0].report
    yield _title(group)
    if first.check in (LEFT, COUNTERS):
        yield from _left(group, first.check, width)
        return
    places = {_place(one): None for one in group}
    if len(places) == 1:
        yield next(iter(_after_title(group[0], width)))
        names = ", ".join(one.report.place.name for one in group)
        yield from _wrapped(names, MARGIN, width)
    else:
        yield from _by_place(group, list(places), width)
    yield from _from_reason(group[0], width)


def _written_by(functions: Sequence[str]) -> str:
    if not functions:
        return ""
    return (
        f" that {functions[0]} has written"
        if len(functions) == 1
        else f", in {len(functions)} functions"
    )


def _place(one: Located) -> tuple[str, str, str]:
    """Return the core, the instruction, and the function with its file."""
    step, access = one.later.step, one.report.later
    where = f"{step.place.rpartition(':')[0]} {step.function}" if step is not None else ""
    return access.agent, one.later.what, where or f"{access.pc:#010x}"


def _by_place(
    group: Sequence[Located], places: Sequence[tuple[str, str, str]], width: int
) -> Iterator[str]:
    """Yield a line for each place that reads some: the first line of code, and names."""
    for place in places[:MOST_PLACES]:
        those = [one for one in group if _place(one) == place]
        agent, what, _ = place
        names = [one.report.place.name for one in those[:MOST_NAMES]]
        more = f" and {len(those) - MOST_NAMES} more" if len(those) > MOST_NAMES else ""
        named = f"{agent}  {what}  {those[0].later.place}  {', '.join(names)}{more}"
        yield from _wrapped(named, MARGIN + MARGIN, width)
    if len(places) > MOST_PLACES:
        yield f"{MARGIN}and {len(places) - MOST_PLACES} more places: {ALL_IN_A_FILE}"


def _left(group: Sequence[Located], check: str, width: int) -> Iterator[str]:
    """Say what is left changed: a line for each, then what they have in common."""
    first = group[0]
    common = BY_NAME[check].reason
    for one in group[:MOST_WORDS]:
        place = one.later.place.partition(" ")[0]
        said = one.report.reason.removeprefix(common).strip() or one.report.place.name
        yield from _wrapped(f"{place}  {one.later.what}  {said}", MARGIN + MARGIN, width)
    if len(group) > MOST_WORDS:
        yield f"{MARGIN}and {len(group) - MOST_WORDS} more: {ALL_IN_A_FILE}"
    yield from _from_reason(replace(first, report=replace(first.report, reason=common)), width)


def _wrapped(text: str, others: str, width: int) -> Iterator[str]:
    yield from textwrap.wrap(
        text,
        width,
        initial_indent=MARGIN,
        subsequent_indent=others,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _after_title(one: Located, width: int) -> Iterator[str]:
    _, *lines = report_lines(one, width)
    return iter(lines)


def _from_reason(one: Located, width: int) -> Iterator[str]:
    """Say why it is reported, and what follows that."""
    lines = list(_after_title(one, width))
    return iter(lines[lines.index(next(_wrapped(one.report.reason, MARGIN, width))) :])


def _numbers(numbers: Sequence[int]) -> str:
    """`1 to 3, 7`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(
        f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs
    )
