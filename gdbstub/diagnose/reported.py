# SPDX-License-Identifier: Apache-2.0
"""Reports of races and checks as causes: which kind each is, and what is shown of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from tensix_gdb.core.race.findings import Report, State, Verdict
from tensix_gdb.core.race.state.table import BY_NAME
from tensix_gdb.gdbstub.diagnose.evidence import Evidence
from tensix_gdb.gdbstub.diagnose.found import Found
from tensix_gdb.gdbstub.order.report.located import Located
from tensix_gdb.gdbstub.order.report.of_llk import known_in_llk
from tensix_gdb.gdbstub.order.report.text import report_lines, title

# What holds data; the rest are settings, counters and single bits that choose or steer.
DATA = frozenset(
    {State.L1, State.LOCAL, State.DRAM, State.DST, State.SRC_BANK, State.LREG, State.GPR}
)
STALE = "M11"
# The library's contract. C9 to C11 are about what cards do, and make nothing wait here.
CONTRACT = frozenset(f"C{number}" for number in range(1, 9))
# LEAKS and INIT say what a kernel does to the next one, and what it takes from the one before: they
# explain no failure of a run by itself.
LEAKS, INIT, MEMORY = "LEAKS", "INIT", "MEMORY"
UNBROKEN = 1 << 16  # columns: the page breaks lines
_TEMPLATE = re.compile(r"(?<=\w)<[^<>]*>")
# By verdict (the manual's chapter llk-races), of reports of LLK as it is shipped.
OF_LLK = {
    "real": "LLK has this race as it is shipped, so it need not be the cause.",
    "promise": "LLK relies on this order as it is shipped, so it need not be the cause.",
    "gap": "This is reported of LLK as it is shipped, too, and is in order.",
}
LATE = "run --races --check all --late %d"


def group_of(report: Report) -> str:
    """Return the group of a check of state; "" for a race and a check of synchronisation."""
    check = BY_NAME.get(report.check)
    return check.group.name if check is not None else ""


def is_race(report: Report, verdict: Verdict = Verdict.RACE) -> bool:
    """True if nothing orders two accesses, with this verdict."""
    return not report.check and report.verdict is verdict


def is_of_data(report: Report) -> bool:
    """True if the place holds data, and is no setting."""
    return report.place.state in DATA


def is_stale(report: Report) -> bool:
    """True if a hart has read an old copy."""
    return report.check == STALE


def is_sync(report: Report) -> bool:
    """True for a check of synchronisation."""
    return bool(report.check) and not group_of(report)


def is_of_stages(report: Report) -> bool:
    """True for a check of what stages or the library have agreed on: any group that is silent in a
    right kernel, and is not one of memory."""
    return group_of(report) not in ("", LEAKS, INIT, MEMORY)


def is_of_agreement(report: Report) -> bool:
    """True for a check of stages, or of what a program and its library have agreed on: in a hang,
    counts of pages, arguments and semaphores that do not agree are the cause of the wait."""
    return is_of_stages(report) or report.check in CONTRACT


def is_of_memory(report: Report) -> bool:
    """True for a check of buffers, stacks and transfers."""
    return group_of(report) == MEMORY


def is_unwritten_data(report: Report) -> bool:
    """True for a read of data that nothing has written."""
    return group_of(report) == INIT and is_of_data(report)


def that(is_meant: Callable[[Report], bool]) -> Callable[[Evidence], Iterator[Found]]:
    """Return the function that finds the reports that are meant."""

    def find(evidence: Evidence) -> Iterator[Found]:
        meant = [one for one in evidence.reports if is_meant(one.report)]
        for one in sorted(meant, key=_rank):
            yield found_of(one)

    return find


def in_chain(is_meant: Callable[[Report], bool]) -> Callable[[Evidence], Iterator[Found]]:
    """Return the function that finds those that have a part in the first wrong datum."""

    def find(evidence: Evidence) -> Iterator[Found]:
        meant = [one for one in evidence.reports if is_meant(one.report)]
        if not meant:
            return  # the chain takes a second run
        for one in sorted(meant, key=_rank):
            if evidence.is_in_datum(one):
                yield found_of(one, "It has a part in the first wrong datum.")

    return find


def is_unwritten(report: Report) -> bool:
    """True for a read of what nothing has written."""
    return group_of(report) == INIT


def is_left(report: Report) -> bool:
    """True for what a kernel leaves changed for the next one."""
    return group_of(report) == LEAKS


def stale_and_polled(evidence: Evidence) -> Iterator[Found]:
    """Yield reads of an old copy by a hart that polls where the run has stopped."""
    polls = [one.poll for one in evidence.polled if one.poll is not None]
    polled = {(poll.hart, read.pc) for poll in polls for read in poll.polled}
    for one in evidence.reports:
        later = one.report.later
        if is_stale(one.report) and (later.hart, later.pc) in polled:
            yield found_of(one, "The hart polls this word, and so never sees the new value.")


def found_of(one: Located, more: str = "") -> Found:
    """Return a report as a cause."""
    _, *lines = report_lines(one, UNBROKEN)
    lines = [line.removeprefix("    ") for line in lines]
    known = known_in_llk(one)
    if known is not None:
        lines.append(f"{OF_LLK[known.verdict]} {known.why}")
    can_be_late = not one.report.check and one.report.verdict is Verdict.RACE
    return Found(
        title(one),
        (*lines, *([more] if more else [])),
        next=LATE % one.report.number if can_be_late else "gdb --races",
        report=one.report.number,
    )


def without_templates(line: str) -> str:
    """Return a line without the arguments of templates, which LLK's functions have many of."""
    while (shorter := _TEMPLATE.sub("", line)) != line:
        line = shorter
    return re.sub(r"(?<=\S)  +", "  ", line) if "<" not in line else line


def _rank(one: Located) -> tuple[bool, bool, int]:
    """A report that LLK has as it is shipped comes after news, and a race that has never changed a
    value after those that have."""
    return known_in_llk(one) is not None, one.report.same_value, one.report.number
