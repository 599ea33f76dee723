# SPDX-License-Identifier: Apache-2.0
"""Races in words: what a person reads in a terminal, in GDB, and in a test that failed."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from tensix_gdb.core.explain.stop import Places
from tensix_gdb.core.ordering.promises import Promise, Trust
from tensix_gdb.core.race.findings import Findings, Setting, Verdict
from tensix_gdb.gdbstub.order.report.known import UNKNOWN, Judged, Judgement
from tensix_gdb.gdbstub.order.report.located import Located, Side, chain_at, innermost

WIDTH = 100
MARGIN = "    "
SHOWN_SITES = 3
WOULD = ("Would mend it", "Would order them")  # a line of a report that has a remedy begins so
LATER = re.compile(r"\bthe later (access|instruction)\b")  # in what a fix says of its place
NOUNS = {
    Verdict.RACE: ("race", "races"),
    Verdict.SAMPLING: ("sampling", "samplings"),
    Verdict.PROMISED: ("order by a promise alone", "orders by a promise alone"),
    Verdict.SYNC: ("finding of a check", "findings of checks"),
}


def width_in(terminal: int | None) -> int:
    """Return the width of reports in a terminal of this width, or elsewhere."""
    return min(WIDTH, terminal or WIDTH)


def plural(count: int, one: str, more: str = "") -> str:
    """`1 race`, `2 races`."""
    return f"{count:,} {one if count == 1 else more or one + 's'}"


def title(one: Located) -> str:
    """Return the first line of a report."""
    report = one.report
    times = "once" if report.count == 1 else f"{report.count:,} times"
    same = ", always the same value" if report.same_value else ""
    name = f"{report.check or report.verdict.name} {report.number}"
    if report.check:
        return f"{name}  {report.words}: {times}  {report.place.name}"
    return f"{name}  {report.words}: {times}{same}  {report.place.name}"


def report_lines(one: Located, width: int = WIDTH) -> Iterator[str]:
    """Yield a report, with both sides, why nothing orders them, and what would; sentences in lines
    of at most `width` characters."""
    report = one.report
    yield title(one)
    rows = [
        (side.access.agent, side.what, side.place, f"{side.access.pc:#010x}") for side in one.sides
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for side, row in zip(one.sides, rows, strict=True):
        cells = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield f"{MARGIN}{cells}  {_cycles(side.access.first, side.access.last)}"
        if side.callers:
            yield from _called(side, widths[0], width)
        if made := innermost(side.configured):
            calls = side.configured[side.configured.index(made) :]
            said = f"configured by {', '.join(step.text for step in calls)}"
            yield from _wrapped(said, width, f"{MARGIN}{'':{widths[0]}}  ")
    for setting, writer in zip(report.settings, one.settings, strict=True):
        yield from _wrapped(set_to(setting, writer), width, MARGIN, MARGIN * 2)
    yield from _wrapped(report.reason, width)
    if one.failed_at:
        yield from _wrapped(failed(one), width)
    if report.fix is not None:
        later = one.later.place.partition(" ")[0]
        where = LATER.sub(later, report.fix.where)
        before = WOULD[0] if report.check else WOULD[1]
        yield from _wrapped(f"{before}: {report.fix.text} {where}".rstrip(), width)
        if report.fix.would_not:
            yield from _wrapped(f"Would not: {'; '.join(report.fix.would_not)}", width)
    if report.page:
        yield from _wrapped(f"Page: {report.page}", width)


def set_to(setting: Setting, writer: Side | None) -> str:
    """Return what a field was, and the line that has written it."""
    said = f"{setting.name} is {setting.value}"
    if writer is None:
        return f"{said}, which nothing has written since the kernel began"
    return f"{said}: {writer.access.agent}  {writer.what}  {_named(writer)}"


def _named(side: Side) -> str:
    """Return the innermost line, and the kernel's own if that is another."""
    own = side.callers[-1].text if side.callers else ""
    return f"{side.place}, for {own}" if own else side.place


def _called(side: Side, margin: int, width: int) -> Iterator[str]:
    """Yield the calls that lead to an access, as far as they are inlined."""
    calls = ", ".join(step.text for step in side.callers)
    yield from _wrapped(f"for {calls}", width, f"{MARGIN}{'':{margin}}  ")


def failed(one: Located) -> str:
    """Return the nearest wait, where it is, and why it orders nothing; nothing if there is none."""
    wait = one.report.failed
    return f"The {wait.text} at {one.failed_at} {wait.why}." if wait else ""


def _cycles(first: int, last: int) -> str:
    return f"in cycle {last}" if first == last else f"in cycles {first} to {last}"


def _wrapped(text: str, width: int, first: str = MARGIN, others: str = "") -> Iterator[str]:
    yield from textwrap.wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=others or first,
        break_long_words=False,
        break_on_hyphens=False,
    )


def summary(judgement: Judgement) -> str:
    """`2 races, 1 sampling; 1 suppressed; relies on 2 promises that no page makes`."""
    findings, new = judgement.findings, judgement.new
    counts = [
        plural(count, *NOUNS[verdict])
        for verdict in Verdict
        if (count := sum(one.located.report.verdict is verdict for one in new))
    ]
    nothing = "no races" if findings.finds_races else "nothing found"
    parts = [", ".join(counts) or nothing]
    unknown = sum(one.suppression is UNKNOWN for one in judgement.reports)
    firmware = sum(
        one.suppression is not None and one.suppression.is_shipped for one in judgement.reports
    )
    suppressed = sum(one.suppression is not None for one in judgement.reports)
    suppressed -= unknown + firmware
    known = sum(one.suppression is None and one.is_known for one in judgement.reports)
    if firmware:
        parts.append(f"{firmware} of tt-metal's firmware")
    if suppressed:
        parts.append(f"{suppressed} suppressed")
    if unknown:
        parts.append(f"{unknown} of programs that are not known, and not judged: --elf names one")
    if known:
        parts.append(f"{known} in the baseline")
    if findings.lost:
        parts.append(f"no room for {findings.lost} more")
    if findings.relied:
        promises = plural(len(findings.relied), "promise")
        parts.append(f"relies on {promises} that no page makes")
    return "; ".join(parts)


def promise_lines(findings: Findings, places: Places, width: int = WIDTH) -> Iterator[str]:
    """Yield the promises that the run relies on, with the first pairs of lines."""
    for reliance in findings.relied:
        promise = reliance.promise
        times = "once" if reliance.count == 1 else f"{reliance.count:,} times"
        text = f"{promise.name}  {promise} ({times}; {_granted(promise)})"
        yield from _wrapped(text, width, "", MARGIN)
        for pair in reliance.sites[:SHOWN_SITES]:
            yield f"{MARGIN}{', then '.join(_at(places, site.hart, site.pc) for site in pair)}"


def _granted(promise: Promise) -> str:
    """Return which page would have to say it, and where kernels rely on it."""
    page = promise.page.rpartition("/")[2]
    known = "says" if promise.trust is Trust.DOCUMENTED else "does not say"
    if page in promise.source:
        return promise.source
    return f"{page} {known} it; {promise.source}"


def _at(places: Places, hart: int, pc: int) -> str:
    chain = chain_at(places, hart, pc)
    return chain[0].text if chain else f"{pc:#010x}"


def listed(judged: Judged) -> str:
    """Return a report in a line of a list."""
    note = ""
    if judged.suppression is not None:
        note = f"  (suppressed: {judged.suppression.reason})"
    elif judged.is_known:
        note = "  (in the baseline)"
    places = ", then ".join(side.place for side in judged.located.sides)
    return f"{title(judged.located)}: {places}{note}"
