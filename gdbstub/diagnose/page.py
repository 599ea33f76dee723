# SPDX-License-Identifier: Apache-2.0
"""The page of `tensix-gdb diagnose`: the ranked causes of one run in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.race.findings import Report
from tensix_gdb.gdbstub.cli.terminal.fitted import fitted
from tensix_gdb.gdbstub.diagnose.causes import CAUSES, Cause
from tensix_gdb.gdbstub.diagnose.evidence import Evidence, Symptom
from tensix_gdb.gdbstub.diagnose.found import Found
from tensix_gdb.gdbstub.diagnose.reported import INIT, LEAKS, group_of, without_templates
from tensix_gdb.gdbstub.order.report.text import WOULD, plural
from tensix_gdb.gdbstub.order.tried.text import verdict_of

WIDTH = 100
MOST_EVIDENCE, MOST_OTHERS = 24, 4
INDENT = "    "
NOTHING = "nothing found"


@dataclass(frozen=True, slots=True)
class Ranking:
    """The causes that were found, the most likely first, each with its row; and what was ruled
    out."""

    found: Sequence[tuple[Cause, Found]]
    ruled_out: Sequence[str]


def rank(evidence: Evidence, causes: Sequence[Cause] = CAUSES) -> Ranking:
    """Ask each row that explains the symptom, in their order. A report is a cause once."""
    found: list[tuple[Cause, Found]] = []
    ruled_out: dict[str, None] = {}
    numbers: set[int] = set()
    for cause in causes:
        if evidence.symptom not in cause.explains or (cause.alone and found):
            continue
        own = list(cause.find(evidence))
        if not own and cause.ruled_out and (evidence.is_observed or not cause.observed):
            ruled_out[cause.ruled_out] = None
        for one in own:
            if one.report is None or one.report not in numbers:
                found.append((cause, one))
            if one.report is not None:
                numbers.add(one.report)
    return Ranking(found, list(ruled_out))


def page_lines(
    evidence: Evidence,
    ranking: Ranking,
    command: Callable[[str], str],
    *,
    remedies: Mapping[int, Sequence[str]] | None = None,
    everything: bool = False,
) -> Iterator[str]:
    """Yield the page. `command` completes a command with the options of the programs;
    `remedies` has what was tried for a report, None if nothing was to be tried; `everything` shows
    the evidence of all causes."""
    yield f"the program {evidence.symptom.value}{evidence.unjudged}"
    for line in evidence.ending_lines:
        yield f"{INDENT}{line}"
    shown = ranking.found if everything else ranking.found[:1]
    for number, (cause, one) in enumerate(shown):
        yield f"{said_first(evidence, number)} ({cause.name}): {one.title}"
        tried = (remedies or {}).get(one.report or 0, ())
        details = shown_of(one, tried, everything=everything)
        yield from (f"{INDENT}{line}" for line in details)
    if not ranking.found:
        yield NOTHING
    if others := ranking.found[len(shown) :]:
        yield "also possible:"
        for cause, one in others[:MOST_OTHERS]:
            yield f"{INDENT}({cause.name}) {one.title}"
        if len(others) > MOST_OTHERS:
            yield f"{INDENT}and {len(others) - MOST_OTHERS} more: --all"
    if ranking.ruled_out:
        is_over = evidence.symptom in (Symptom.NONE, Symptom.WRONG_TILE, Symptom.HOST)
        yield "ruled out:" if is_over else "ruled out, up to there:"
        for line in ranking.ruled_out:
            yield f"{INDENT}{line}"
    rest = _unjudged(evidence, ranking)
    if rest:
        yield f"no cause of this: {_said_of(rest, is_tried=remedies is not None)}"
    for report in rest:
        lines = (remedies or {}).get(report.number, ())
        yield from (f"{INDENT}{verdict_of(report)}: {line}" for line in lines[:1])
        yield from (f"{INDENT}{line}" for line in lines[1:])
    following = next((one.next for _, one in ranking.found if one.next), "")
    if following:
        yield f"next: {command(following)}"


def wrapped(lines: Iterable[str], width: int | None) -> Iterator[str]:
    """Yield lines of at most the width of the terminal, or of a page."""
    for line in lines:
        yield from fitted(without_templates(line), width or WIDTH)


def said_first(evidence: Evidence, number: int) -> str:
    """Return how sure a cause is, by its rank from 0 on."""
    if number:
        return "also possible"
    return "found" if evidence.symptom is Symptom.NONE else "most likely"


def shown_of(one: Found, tried: Sequence[str], *, everything: bool = False) -> Iterator[str]:
    """Yield the evidence, and the remedy: with one that was tried not the one that was not."""
    lines = [line for line in one.evidence if not (tried and line.startswith(WOULD))]
    most = len(lines) if everything else MOST_EVIDENCE
    yield from lines[:most]
    if len(lines) > most:
        yield f"and {len(lines) - most} more lines: --all"
    yield from tried
    if one.remedy and not tried:
        yield f"Remedy: {one.remedy}"


def _unjudged(evidence: Evidence, ranking: Ranking) -> list[Report]:
    """Return the findings that are no cause: what a kernel leaves or has not initialised."""
    if evidence.symptom is Symptom.FAULT:
        return []  # what a run that was cut off has left says nothing
    numbers = {one.report for _, one in ranking.found}
    return [
        one.report
        for one in evidence.reports
        if one.report.number not in numbers and group_of(one.report) in (LEAKS, INIT)
    ]


def _said_of(rest: Sequence[Report], *, is_tried: bool) -> str:
    names = ", ".join(dict.fromkeys(one.check for one in rest))
    said = f"{plural(len(rest), 'finding')} about state ({names}): `run --check init,leaks`"
    unwritten = dict.fromkeys(one.check for one in rest if group_of(one) == INIT)
    if not is_tried or not unwritten:
        return said
    return (
        f"{said}; no remedy of {', '.join(unwritten)} is tried: it is a value that the kernel has "
        "to write first, which only its author knows"
    )
