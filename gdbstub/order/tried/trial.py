# SPDX-License-Identifier: Apache-2.0
"""Try the remedies of a report: each in a run of its own, until one ends the report.

A run with a remedy is judged by four questions: is the report gone, is the end as it was or better,
are there reports that were not there before, and how many cycles more does it take. A jump to the
cave and back is no part of a remedy, so there is a run that has the jumps alone, too. What they
take and what the remedy takes may pass at the same time, so the one is not subtracted from the
other: the sum is the most that the remedy takes.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.race.findings import Access, Findings, Report, State
from tensix_gdb.core.race.remedies.remedy import Remedy, RemedyKind
from tensix_gdb.core.race.state.leaks import Kept
from tensix_gdb.gdbstub.order.seeds.case import RIGHT
from tensix_gdb.gdbstub.order.tried.candidates import MOST, candidates
from tensix_gdb.gdbstub.order.tried.code_before import hears, is_read_back, unused_loads
from tensix_gdb.gdbstub.order.tried.detour import Detours, detours, outside_a_record
from tensix_gdb.gdbstub.order.tried.left import CHECKS, put_backs
from tensix_gdb.gdbstub.order.tried.mutex import mutexes
from tensix_gdb.gdbstub.order.tried.put_in import insertions_of
from tensix_gdb.gdbstub.order.tried.registers import Code
from tensix_gdb.gdbstub.order.tried.whole_word import InPlace, in_places
from tensix_gdb.gdbstub.order.tried.words import CannotTry, Insertion

Key = tuple[object, ...]
NONE = Detours((), {}, frozenset())


@dataclass(frozen=True, slots=True)
class Run:
    """An observed run: how it ended, what it has shown, how long it took."""

    end: str  # RIGHT, or in a word what is wrong with it
    text: str  # a sentence
    findings: Findings
    cycles: int


class Runs(Protocol):
    """Runs of one program, from its beginning, observed."""

    arch: Arch
    base: Run  # without a remedy
    size: int  # bytes of L1
    kept: tuple[Kept, Kept] | None  # state before and after the run without a remedy

    def code_at(self, hart: int, pc: int, tile: str = "") -> Code | None: ...

    def program(self, hart: int) -> Code | None: ...

    def is_unused(self, addr: int, tile: str = "") -> bool: ...

    def free_semaphore(self) -> int | None: ...

    def run(
        self, pokes: Sequence[tuple[int, bytes]], semaphore: int | None, tile: str = ""
    ) -> Run: ...


class Result(enum.Enum):
    """The result of a try."""

    ENDS = "ends"
    STAYS = "stays"  # the report is there as before
    WORSE = "worse"  # it is gone, and the run ends otherwise
    WRONG = "wrong"  # it is gone, and the run is as wrong as before
    OTHERS = "others"  # it is gone, and there are other reports
    CANNOT = "cannot"


@dataclass(frozen=True, slots=True)
class Try:
    """One remedy, tried."""

    remedy: Remedy
    result: Result
    text: str  # of CANNOT, why; of WORSE, how the run has ended
    run: Run | None = None
    gone: tuple[int, ...] = ()  # numbers of other reports that are gone, too
    others: tuple[Report, ...] = ()  # reports that the run without the remedy has not
    more: int = 0  # cycles
    jumps: int = 0  # cycles more of a run that has the jumps alone
    put: tuple[Insertion, ...] = ()  # what was put in, and where


@dataclass(frozen=True, slots=True)
class Tried:
    """All tries for a report. A run that was wrong may have another mistake: then what ends the
    report is taken if nothing makes the run right."""

    report: Report
    base: Run
    tries: tuple[Try, ...]

    @property
    def ended(self) -> Try | None:
        """The try that has ended the report."""
        ends = [one for one in self.tries if one.result is Result.ENDS]
        wrong = [one for one in self.tries if one.result is Result.WRONG]
        return next(iter([*ends, *wrong]), None)


MOST_REPORTS = 8
LEAKS = ("K1", *CHECKS)


def try_all(runs: Runs, reports: Sequence[Report]) -> list[Tried]:
    """Try the remedies of several reports, those of checks first: a check knows what is wrong, and
    two accesses without an order may be what comes of it. A report that a remedy of another one
    has ended is not tried, and what is over MOST_REPORTS is not. In a loop a pair may be seen both
    ways: then first where a core comes later, because no wait of a thread is about that. What is
    left for the next kernel comes last: it has changed nothing in this run."""
    found: list[Tried] = []
    ended: set[int] = set()
    for report in sorted(reports, key=lambda one: _rank(one, reports)):
        if report.number in ended or len(found) == MOST_REPORTS:
            continue
        tried = try_remedies(runs, report)
        found.append(tried)
        if tried.ended is not None:
            ended.update(tried.ended.gone)
    found = [one for one in found if one.tries or one.report.number not in ended]
    return sorted(found, key=lambda tried: tried.report.number)


def _rank(report: Report, reports: Sequence[Report]) -> tuple[bool, bool, bool]:
    fix = report.fix
    is_left = report.check in CHECKS or (fix is not None and fix.kind is RemedyKind.RESTORE)
    return is_left, not report.check, _waits_there(report, reports)


def _waits_there(report: Report, reports: Sequence[Report]) -> bool:
    """True of a pair that is reported the other way round, too, if the later side here is one of a
    thread."""
    key = key_of(report)
    pairs = [one for one in reports if key_of(one) == key and one.earlier.pc != report.earlier.pc]
    return bool(pairs) and report.later.thread is not None


def try_remedies(runs: Runs, report: Report) -> Tried:
    """Try the remedies of a report until one ends it."""
    tries: list[Try] = []
    reports = runs.base.findings.reports
    found: list[Remedy] = [*put_backs(report, runs, runs.arch)]
    found += in_places(report, runs.arch)
    found += mutexes(report, reports, runs.code_at, runs.arch)
    found += candidates(
        report,
        runs.arch,
        runs.free_semaphore(),
        reversed_order=is_reversed(runs, report),
        unused=[one for one in (report.later, report.earlier) if has_unused_load(runs, one)],
        is_deaf=is_deaf(runs, report),
        is_done=_is_done(runs, report),
    )
    found += mutexes(report, reports, runs.code_at, runs.arch, whole=True)
    for remedy in found[:MOST]:
        tries.append(try_one(runs, report, remedy))
        if tries[-1].result is Result.ENDS:
            break
    return Tried(report, runs.base, tuple(tries))


def is_reversed(runs: Runs, report: Report) -> bool:
    """True if the program of the hart that executes or pushes both sides has the later one first,
    and no loop around both."""
    one, other = report.earlier, report.later
    if one.hart != other.hart or one.outside or other.outside or one.pc <= other.pc:
        return False
    code = runs.code_at(one.hart, one.pc)
    return code is not None and not code.has_loop(other.pc, one.pc)


def is_deaf(runs: Runs, report: Report) -> bool:
    """True if the later side is of another core than the earlier one, and its program has neither
    loaded a message or a semaphore before, nor polled anything; or if both change one word."""
    one, other = report.earlier, report.later
    if one.thread is not None or other.thread is not None or one.hart == other.hart:
        return False
    if one.outside or other.outside or one.is_request or other.is_request:
        return False
    if any(_is_change(each, report) for each in runs.base.findings.reports):
        return True
    code = runs.code_at(other.hart, other.pc)
    return code is not None and not hears(code, other.pc)


def _is_done(runs: Runs, report: Report) -> bool:
    """True if the earlier side is a store of a core that reads the word back at once."""
    one = report.earlier
    if one.thread is not None or one.outside or one.is_request or report.check:
        return False
    code = runs.code_at(one.hart, one.pc)
    return code is not None and is_read_back(code, one.pc)


def _is_change(check: Report, report: Report) -> bool:
    """True if a check says that the two cores load, change and store the word: then a load that is
    used keeps the other one's store no more away."""
    place, own = check.place, report.place
    at = (place.state, place.unit, place.index) == (own.state, own.unit, own.index)
    return check.check == "S8" and at


def has_unused_load(runs: Runs, access: Access) -> bool:
    """True if the hart of an access has loaded something just before, and not used it."""
    if access.thread is not None or access.outside or access.is_request:
        return False
    code = runs.code_at(access.hart, access.pc)
    return code is not None and bool(unused_loads(code, access.pc))


def try_one(runs: Runs, report: Report, remedy: Remedy) -> Try:
    """Run with one remedy of a report."""
    try:
        insertions = [_placed(runs, one) for one in insertions_of(remedy, report, runs)]
        made = detours(runs.code_at, insertions, runs.is_unused, runs.size)
        jumps = detours(runs.code_at, _empty(insertions), runs.is_unused, runs.size)
    except CannotTry as problem:
        return Try(remedy, Result.CANNOT, str(problem))
    semaphore = remedy.semaphore if len(remedy.spots) == 2 else None
    run = runs.run(made.pokes, semaphore, made.tile)
    return replace(judged(runs, report, remedy, run, made, jumps), put=tuple(insertions))


def _placed(runs: Runs, one: Insertion) -> Insertion:
    code = runs.code_at(one.hart, one.pc, one.tile)
    return one if code is None else outside_a_record(code, one)


def judged(
    runs: Runs, report: Report, remedy: Remedy, run: Run, made: Detours, jumps: Detours
) -> Try:
    """Return what a run with a remedy has shown."""
    before = [(key_of(one), one.number) for one in runs.base.findings.reports]
    known = {key for key, _ in before}
    after = {key_of(one, made): one for one in run.findings.reports}
    wanted = key_of(report)
    others = tuple(one for key, one in after.items() if key not in known)
    gone = tuple(number for key, number in before if key not in after and number != report.number)
    found = Try(remedy, Result.ENDS, run.text, run, gone, others)
    if wanted in after:
        return replace(found, result=Result.STAYS)
    if run.end != RIGHT and run.end != runs.base.end:
        return replace(found, result=Result.WORSE)
    if any(not was_hidden(remedy, report, one) for one in others):
        return replace(found, result=Result.OTHERS)
    if run.end != RIGHT:
        found = replace(found, result=Result.WRONG)
    base = runs.base.cycles
    return replace(
        found, more=run.cycles - base, jumps=runs.run(jumps.pokes, None, made.tile).cycles - base
    )


def was_hidden(remedy: Remedy, report: Report, other: Report) -> bool:
    """True if another report is that of a field which the other thread leaves changed: the write of
    the whole word has put it back, and hidden that."""
    place, own = other.place, report.place
    is_of_word = (place.state, place.unit, place.index) == (own.state, own.unit, own.index)
    return isinstance(remedy, InPlace) and other.check in LEAKS and is_of_word


def _empty(insertions: Sequence[Insertion]) -> list[Insertion]:
    return [replace(one, words=()) for one in insertions]


def key_of(report: Report, made: Detours = NONE) -> Key:
    """Return what tells a report from others, whatever was put into the code: the check, or that
    it is about two accesses, and both instructions. A pair that is seen the other way round is the
    same one: it was made late, and is in no order."""
    if report.check in LEAKS:  # what is left, whatever the last one was that has changed it
        place = report.place
        is_one_word = place.state in (State.CONFIG, State.THREAD_CONFIG)
        return (report.check, place.unit, place.index, "" if is_one_word else place.words)
    sides = _side(report.earlier, made), _side(report.later, made)
    return (report.check, frozenset(sides))


def _side(access: Access, made: Detours) -> Key:
    pc = access.pc
    if access.outside == made.tile:
        pc = made.moved.get(pc, pc)
    return (access.agent, access.instruction, access.via, access.hart, pc)
