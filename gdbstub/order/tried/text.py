# SPDX-License-Identifier: Apache-2.0
"""Remedies that were tried, in words: which one ends a report, and what else it changes."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from tensix_gdb.core.explain.stop import Places
from tensix_gdb.core.race.findings import Report
from tensix_gdb.gdbstub.order.report.located import chain_at, innermost
from tensix_gdb.gdbstub.order.report.text import MARGIN, WIDTH, plural
from tensix_gdb.gdbstub.order.seeds.case import RIGHT
from tensix_gdb.gdbstub.order.tried.trial import Result, Run, Tried, Try
from tensix_gdb.gdbstub.order.tried.words import Insertion

NAMED = 3  # reports that were not there before


def all_lines(found: Sequence[Tried], places: Places, width: int = WIDTH) -> Iterator[str]:
    """Yield what was tried for each report, and how many it has ended."""
    for one in found:
        yield from tried_lines(one, places, width)
        yield ""
    ended = [one for one in found if one.ended is not None]
    first = sum(len(one.tries) == 1 for one in ended)
    if found:
        said = f"{len(ended)} of {plural(len(found), 'report')} ended by a remedy"
        yield f"{said}, {first} of them by the first that was tried"


def tried_lines(tried: Tried, places: Places, width: int = WIDTH) -> Iterator[str]:
    """Yield what was tried for a report."""
    report = tried.report
    name = verdict_of(report)
    if not tried.tries:
        fix = report.fix.text if report.fix is not None else ""
        why = f"nothing can be put in at one place: {fix}" if fix else "no remedy is known"
        yield from _wrapped(f"{name}: not tried; {why}", "", width)
        return
    for one in tried.tries:
        yield from _wrapped(f"{name}, tried: {said(one, places)}", "", width)
        yield from _wrapped(result_text(one, tried.base), MARGIN, width)
    if tried.ended is None:
        yield f"{MARGIN}none of these ends it"


def verdict_of(report: Report) -> str:
    """`RACE 1`."""
    return f"{report.check or report.verdict.name} {report.number}"


def said(one: Try, places: Places) -> str:
    """`TTI_STALLWAIT(…) before kernel.c:41 main`."""
    where = ", ".join(dict.fromkeys(place_of(put, places) for put in one.put))
    return f"{one.remedy.text} {where}".rstrip()


def place_of(put: Insertion, places: Places) -> str:
    """`before kernel.c:41`."""
    step = innermost(tuple(chain_at(places, put.hart, put.pc)))
    return f"{put.beside.value} {step.place if step else f'{put.pc:#x}'}"


def result_text(one: Try, base: Run) -> str:
    """Return what a try has shown, in a sentence."""
    match one.result:
        case Result.CANNOT:
            return f"cannot be put in: {one.text}"
        case Result.STAYS:
            return "the report stays"
        case Result.WORSE:
            assert one.run is not None
            return f"the report is gone, but the run ends otherwise: {one.run.end} {one.text}"
    assert one.run is not None
    gone = f"the report is gone{_numbers(one.gone)}"
    if one.result is Result.OTHERS:
        return f"{gone}, but there {_others(one.others)}"
    others = (
        f"there {_others(one.others)}, which it has hidden" if one.others else "no other report"
    )
    return f"{gone}; {_end(one.run, base)}; {others}; {_cycles(one, base)}"


def _cycles(one: Try, base: Run) -> str:
    """Return what it costs. A hart may wait less afterwards, so a run may be shorter."""
    if one.more <= 0:
        return f"it takes none of the {base.cycles:,} cycles more"
    if one.more <= one.jumps:
        return f"no more cycles than the jumps that put it in take, {one.jumps} of {base.cycles:,}"
    jumps = f", {one.jumps} by the jumps that put it in" if one.jumps > 0 else ""
    return f"at most {plural(one.more, 'cycle')} more than {base.cycles:,}{jumps}"


def _numbers(numbers: Sequence[int]) -> str:
    return f", and so is {', '.join(map(str, numbers))}" if numbers else ""


def _others(others: Sequence[Report]) -> str:
    named = [
        f"{one.check or one.verdict.name} of {one.place.name} ({one.earlier.instruction}, then "
        f"{one.later.instruction})"
        for one in others[:NAMED]
    ]
    more = f" and {len(others) - NAMED} more" if len(others) > NAMED else ""
    verb = "is another one" if len(others) == 1 else f"are {len(others)} others"
    return f"{verb}: {', '.join(named)}{more}"


def _end(run: Run, base: Run) -> str:
    if run.end == RIGHT:
        return "the run ends as before" if base.end == RIGHT else "the run ends as wanted now"
    return f"the run is as wrong as before ({run.end}): that has another cause"


def _wrapped(text: str, first: str, width: int) -> Iterator[str]:
    yield from textwrap.wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=first + MARGIN,
        break_long_words=False,
        break_on_hyphens=False,
    )
