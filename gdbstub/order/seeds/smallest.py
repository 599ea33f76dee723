# SPDX-License-Identifier: Apache-2.0
"""The smallest wrong order: take what a seed does away, piece by piece, while the run stays wrong.

A seed makes some hundred or thousand decisions: a request is this late, a pause comes there. Nearly
all of them have nothing to do with what goes wrong. The run is made once more and they are noted,
each by the hart or unit that decides and its own count (core/decisions.py); as a plan they give the
same run. So halves of the plan are left out, then smaller parts, as delta debugging has it (Zeller,
Hildebrandt 2002), until each that is left is needed: without it alone the run is as wanted, or
wrong in another way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.execution import Decision, Decisions, Execution
from tensix_gdb.core.machine.executions import noted
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.order.seeds.bench import Bench
from tensix_gdb.gdbstub.order.seeds.case import Case, Outcome, Setting

MOST_RUNS = 2000  # of one reduction
MOST_CYCLES = 100_000_000  # of all its runs
ALONE = 4  # times as many runs for decisions alone
Part = tuple[int, int]  # of the plan, from the first to the one after the last


@dataclass(frozen=True, slots=True)
class Smallest:
    """The smallest case: what came of it, how much there was, and whether each is needed."""

    case: Case
    outcome: Outcome
    delays: int  # and choices, of the whole run
    pauses: int  # of the whole run
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
    found = bench.run(case, note=True)
    if not found.wrong:
        raise NotWrong
    execution = Execution.parse(case.execution)
    if execution.schedule is not Schedule.RANDOM:
        return _settings(bench, Smallest(case, found, 0, 0, 1, True), most_runs)
    seen = noted(bench.machine.S)
    if seen is None:
        return Smallest(case, found, int(bench.machine.S.decision.noted), 0, 1, False)
    delays = [*(execution.delays or ()), *(each for each in seen if not each.is_pause)]
    pauses = [*(execution.kept_pauses or ()), *(each for each in seen if each.is_pause)]
    case = replace(case, execution=str(_planned(execution, delays, pauses)))
    again = bench.run(case)
    assert again.end == found.end, "the same decisions have given another run"
    whole = reduced = Smallest(case, again, len(delays), len(pauses), 2, True)
    reduced = _settings(bench, reduced, most_runs)
    reduced, pauses = _decisions(bench, reduced, most_runs, pauses)
    reduced, delays = _decisions(bench, reduced, most_runs, delays)
    # Fewer delays may make a pause superfluous that was needed before.
    reduced, _ = _decisions(bench, reduced, most_runs, pauses)
    reduced = _settings(bench, reduced, most_runs)
    if reduced.is_minimal:
        return reduced
    return _one_alone(bench, whole, reduced, most_runs, seen) or reduced


def _planned(
    execution: Execution, delays: Sequence[Decision], pauses: Sequence[Decision]
) -> Execution:
    """With these alone."""
    return replace(execution, delays=_in_order(delays), kept_pauses=_in_order(pauses))


def _in_order(plan: Sequence[Decision]) -> Decisions:
    return tuple(sorted(plan))


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


def _decisions(
    bench: Bench, start: Smallest, most: int, plan: Sequence[Decision]
) -> tuple[Smallest, list[Decision]]:
    """Take decisions of a plan away, which is in the order of time: what is left of the run, and
    of the plan."""
    if not plan:
        return start, []
    tries = _Tries(bench, start, most)
    execution = start.execution
    of_pauses = plan[0].is_pause

    def chosen(parts: Sequence[Part]) -> list[Decision]:
        return [one for low, high in parts for one in plan[low:high]]

    def wrong(parts: Sequence[Part]) -> bool:
        left = _in_order(chosen(parts))
        changed = (
            replace(execution, kept_pauses=left) if of_pauses else replace(execution, delays=left)
        )
        return tries.still_wrong(replace(start.case, execution=str(changed)))

    left = chosen(reduce_parts([(0, len(plan))], wrong))
    return tries.best, left


def _one_alone(
    bench: Bench, whole: Smallest, reduced: Smallest, most: int, plan: Sequence[Decision]
) -> Smallest | None:
    """Return one decision of the seed that is enough alone, if there is one near the last that is
    needed."""
    kept = {*(reduced.execution.delays or ()), *(reduced.execution.kept_pauses or ())}
    last = max((at for at, one in enumerate(plan) if one in kept), default=len(plan))
    near = sorted(range(len(plan)), key=lambda at: abs(at - last))
    start = replace(whole, runs=0, cycles=0, case=replace(whole.case, setting=reduced.case.setting))
    tries = _Tries(bench, start, ALONE * most)
    for at in near:
        if tries.is_over:
            return None
        one = plan[at]
        delays, pauses = ((), (one,)) if one.is_pause else ((one,), ())
        alone = replace(start.case, execution=str(_planned(start.execution, delays, pauses)))
        if tries.still_wrong(alone):
            return replace(tries.best, runs=reduced.runs + tries.best.runs, is_minimal=True)
    return None


def reduce_parts(parts: Sequence[Part], wrong: Callable[[Sequence[Part]], bool]) -> list[Part]:
    """Return the parts that are needed, each of one decision: `wrong` says if a choice of parts is
    enough. Whole parts are left out first; what has to stay is halved."""
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
