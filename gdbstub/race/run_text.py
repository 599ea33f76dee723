# SPDX-License-Identifier: Apache-2.0
"""What a run says of its races, as a whole.

A kernel without firmware leaves most of the configuration at what reset has made of it, and an
unpacker samples dozens of fields. A report of each would hide what else is wrong, so the fields
that one instruction reads unwritten are one report in words. So are the words of configuration that
one function has written last and left changed: an init without its uninit. Files for tools have all
of them.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from tensix_gdb.core.explain.stop import Places
from tensix_gdb.core.race.findings import UNOBSERVED, State
from tensix_gdb.core.race.state.table import BY_NAME
from tensix_gdb.gdbstub.race.known import Judgement
from tensix_gdb.gdbstub.race.located import Located
from tensix_gdb.gdbstub.race.text import MARGIN, WIDTH, promise_lines, report_lines, summary

LEAST = 3  # fewer are shown one by one
UNWRITTEN, LEFT = ("U1", "U2"), "K1"


def all_lines(judgement: Judgement, places: Places) -> Iterator[str]:
    """Every new report, the promises, unused suppressions, what was not observed, and the sum."""
    yield from grouped_lines(one.located for one in judgement.new)
    yield from promise_lines(judgement.findings, places)
    for each in judgement.unused:
        yield f"suppresses nothing: {each}"
    yield from judgement.findings.notes
    yield f"not observed: {UNOBSERVED}"
    yield summary(judgement)


def grouped_lines(reports: Iterable[Located]) -> Iterator[str]:
    """Every report, each followed by an empty line; what belongs together stands at its first."""
    groups: dict[object, list[Located]] = {}
    for one in reports:
        groups.setdefault(_key(one), []).append(one)
    for group in groups.values():
        if len(group) < LEAST:
            for one in group:
                yield from report_lines(one)
                yield ""
        else:
            yield from _together(group)
            yield ""


def _key(one: Located) -> object:
    """The same for reports of one instruction, or of one function, about configuration; else its
    own."""
    report, access = one.report, one.report.later
    if report.place.state is State.CONFIG:
        if report.check in UNWRITTEN:
            return report.check, access.agent, access.pc, access.instruction
        if report.check == LEFT and one.later.step is not None:
            return report.check, access.agent, one.later.step.function
    return report.number


def _together(group: Sequence[Located]) -> Iterator[str]:
    first = group[0].report
    numbers = _numbers([one.report.number for one in group])
    if first.check == LEFT:
        yield from _left(group, f"{first.check} {numbers}  {first.words}")
        return
    _, where, *rest = report_lines(group[0])
    yield f"{first.check} {numbers}  {first.words}: {len(group)} fields of configuration"
    yield where
    names = ", ".join(one.report.place.name for one in group)
    yield from textwrap.wrap(
        names, WIDTH, initial_indent=MARGIN, subsequent_indent=MARGIN, break_long_words=False
    )
    yield from rest


def _left(group: Sequence[Located], title: str) -> Iterator[str]:
    """What a function has left changed: a line for each word, then what they have in common."""
    first = group[0]
    step = first.later.step
    assert step is not None
    yield f"{title}: {len(group)} words that {step.function} has written"
    common = BY_NAME[LEFT].reason
    for one in group:
        place = one.later.place.partition(" ")[0]
        said = one.report.reason.removeprefix(common).strip() or one.report.place.name
        yield from textwrap.wrap(
            f"{place}  {one.later.what}  {said}",
            WIDTH,
            initial_indent=MARGIN,
            subsequent_indent=MARGIN + MARGIN,
            break_long_words=False,
            break_on_hyphens=False,
        )
    _, *lines = report_lines(replace(first, report=replace(first.report, reason=common)))
    yield from lines[lines.index(f"{MARGIN}{common}") :]


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
