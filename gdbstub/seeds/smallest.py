# SPDX-License-Identifier: Apache-2.0
"""The smallest wrong order: take what a seed does away, piece by piece, while the run stays wrong.

A seed makes some hundred or thousand decisions: a request is this late, a pause comes there. Nearly
all of them have nothing to do with what goes wrong. Those of a run have numbers, and an execution
can be told which to keep (`random:7,delays=41,pauses=none`). So halves of them are left out, then
smaller parts, as delta debugging has it (Zeller, Hildebrandt 2002), until each that is left is
needed: without it alone the run is as wanted, or wrong in another way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tensix_gdb.core.execution import MOST_PAUSES, Execution, Ranges
from tensix_gdb.core.schedule import RANGES, Schedule
from tensix_gdb.gdbstub.seeds.bench import Bench
from tensix_gdb.gdbstub.seeds.case import Case, Outcome, Setting

ALL: Ranges = ((0, (1 << 31)),)
MOST_RUNS = 2000  # of one reduction
MOST_CYCLES = 100_000_000  # of all its runs
ALONE = 4  # times as many runs for decisions alone
Part = tuple[int, int]  # from the first number to the one after the last


@dataclass(frozen=True, slots=True)
class Smallest:
    """What is left: the case, what came of it, how much there was, and whether each is needed."""

    case: Case
    outcome: Outcome
    delays: int  # decisions of the whole run
    pauses: int  # pauses that it drew
    runs: int
    is_minimal: bool  # False if there was no time for all
    cycles: int = 0

    @property
    def execution(self) -> Execution:
        """Its execution."""
        return Execution.parse(self.case.execution)


class NotWrong(Exception):
    """The run is not wrong, so there is nothing to reduce."""


def smallest(bench: Bench, case: Case, most_runs: int = MOST_RUNS) -> Smallest:
    """Reduce a wrong run. NotWrong if it is none."""
    found = bench.run(case)
    if not found.wrong:
        raise NotWrong
    execution = Execution.parse(case.execution)
    if execution.schedule is not Schedule.RANDOM:
        return _settings(bench, Smallest(case, found, 0, 0, 1, True), most_runs)
    whole = replace(execution, delays=execution.delays or ALL)
    whole = replace(whole, kept_pauses=execution.kept_pauses or (ALL if execution.pauses else ()))
    case = replace(case, execution=str(whole))
    again = bench.run(case)
    assert again.end == found.end, "the same decisions have given another run"
    S = bench.machine.S
    delays, pauses = int(S.schedule.drawn), int(S.pause.drawn)
    whole_run = reduced = Smallest(case, again, delays, pauses, 2, True)
    reduced = _settings(bench, reduced, most_runs)
    reduced = _decisions(bench, reduced, most_runs, of_pauses=True)
    reduced = _decisions(bench, reduced, most_runs, of_pauses=False)
    # Fewer delays may make a pause superfluous that was needed before.
    reduced = _decisions(bench, reduced, most_runs, of_pauses=True)
    reduced = _settings(bench, reduced, most_runs)
    if reduced.is_minimal:
        return reduced
    return _one_alone(bench, whole_run, reduced, most_runs) or reduced


class _Tries:
    """Runs of variants of a case: which are wrong in the same way."""

    def __init__(self, bench: Bench, start: Smallest, most: int) -> None:
        self._bench, self.best, self._most = bench, start, most
        self._known: dict[Case, bool] = {}

    @property
    def is_over(self) -> bool:
        """True if there were enough runs."""
        return self.best.runs >= self._most or self.best.cycles > MOST_CYCLES

    def still_wrong(self, case: Case) -> bool:
        """Try it; True if it is wrong in the same way, and then it is the best one."""
        if case not in self._known:
            if self.is_over:
                self.best = replace(self.best, is_minimal=False)
                return False
            outcome = self._bench.run(case)
            wrong = outcome.end == self.best.outcome.end
            self._known[case] = wrong
            cycles = self.best.cycles + outcome.cycles
            self.best = replace(self.best, runs=self.best.runs + 1, cycles=cycles)
            if wrong:
                self.best = replace(self.best, case=case, outcome=outcome)
        return self._known[case]


def _settings(bench: Bench, start: Smallest, most: int) -> Smallest:
    """Take named pauses away, one by one; and TT-NOP's detour if the run is wrong without it."""
    tries = _Tries(bench, start, most)
    case = start.case
    if case.setting.pokes:
        plain = replace(case, setting=Setting("", case.setting.pauses))
        case = plain if tries.still_wrong(plain) else case
    for pause in case.setting.pauses:
        rest = tuple(each for each in case.setting.pauses if each is not pause)
        name = " ".join(map(str, rest)) if not case.setting.pokes else case.setting.name
        fewer = replace(case, setting=Setting(name, rest, case.setting.pokes))
        if tries.still_wrong(fewer):
            case = fewer
    return replace(tries.best, case=case)


def _decisions(bench: Bench, start: Smallest, most: int, *, of_pauses: bool) -> Smallest:
    """Take decisions away."""
    count = start.pauses if of_pauses else start.delays
    kept = start.execution.kept_pauses if of_pauses else start.execution.delays
    parts = [(low, min(high, count)) for low, high in kept or () if low < count]
    tries = _Tries(bench, start, most)
    limit = MOST_PAUSES if of_pauses else RANGES

    def wrong(chosen: Sequence[Part]) -> bool:
        ranges = joined(chosen)
        if len(ranges) > limit:
            return False
        execution = Execution.parse(start.case.execution)
        changed = (
            replace(execution, kept_pauses=ranges)
            if of_pauses
            else replace(execution, delays=ranges)
        )
        return tries.still_wrong(replace(start.case, execution=str(changed)))

    reduce_parts(parts, wrong)
    return tries.best


def _one_alone(bench: Bench, whole: Smallest, reduced: Smallest, most: int) -> Smallest | None:
    """One decision of the seed that is enough alone, if there is one near the last that is needed.
    In a run without the others an event has another number, but not one far away."""
    last = max((high for _, high in reduced.execution.delays or ()), default=whole.delays) - 1
    near = sorted(range(whole.delays), key=lambda number: abs(number - last))
    start = replace(whole, runs=0, cycles=0, case=replace(whole.case, setting=reduced.case.setting))
    tries = _Tries(bench, start, ALONE * most)
    for number in near:
        if tries.is_over:
            return None
        kept = replace(start.execution, delays=((number, number + 1),), kept_pauses=())
        if tries.still_wrong(replace(start.case, execution=str(kept))):
            best, runs = tries.best, reduced.runs + tries.best.runs
            return replace(best, runs=runs, is_minimal=True)
    return None


def reduce_parts(parts: Sequence[Part], wrong: Callable[[Sequence[Part]], bool]) -> list[Part]:
    """The parts that are needed, each of one decision: `wrong` says if a choice of parts is enough.
    Whole parts are left out first; what has to stay is halved."""
    if wrong(()):
        return []
    kept = _trimmed(list(parts), wrong)
    while True:
        kept = _without(kept, wrong)
        halved = [half for part in kept for half in _halves(part)]
        if len(halved) == len(kept):
            return kept
        kept = halved


def _trimmed(parts: list[Part], wrong: Callable[[Sequence[Part]], bool]) -> list[Part]:
    """Of one part, what comes before the first that is needed and after the last: decisions that
    are left out there move no others about."""
    if len(parts) != 1:
        return parts
    low, high = parts[0]
    least, enough = low, high
    while enough - least > 1:
        middle = (least + enough) // 2
        if wrong([(low, middle)]):
            enough = middle
        else:
            least = middle
    first, last = low, enough
    while last - first > 1:
        middle = (first + last) // 2
        if wrong([(middle, enough)]):
            first = middle
        else:
            last = middle
    return [(first, enough)]


def _without(parts: list[Part], wrong: Callable[[Sequence[Part]], bool]) -> list[Part]:
    """Leave out as many of these as possible, lots at a time first; each that is left is needed."""
    size = max(1, len(parts) // 2)
    kept = parts
    while kept:
        changed = False
        at = 0
        while at < len(kept):
            fewer = kept[:at] + kept[at + size :]
            if len(fewer) < len(kept) and wrong(fewer):
                kept, changed = fewer, True
            else:
                at += size
        if size == 1 and not changed:
            return kept
        size = max(1, size // 2) if not changed or size > 1 else 1
        size = min(size, max(1, len(kept)))
    return kept


def _halves(part: Part) -> tuple[Part, ...]:
    low, high = part
    if high - low <= 1:
        return (part,)
    middle = (low + high) // 2
    return (low, middle), (middle, high)


def joined(parts: Sequence[Part]) -> Ranges:
    """The same decisions in as few ranges as possible."""
    found: list[Part] = []
    for low, high in sorted(parts):
        if found and found[-1][1] == low:
            found[-1] = found[-1][0], high
        elif high > low:
            found.append((low, high))
    return tuple(found)
