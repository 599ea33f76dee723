# SPDX-License-Identifier: Apache-2.0
"""Runs a litmus test in every schedule and compares what was seen with its rows.

sc, latency   one run each
random        one run for each seed from 1 on
exhaustive    all executions; exactly the allowed outcomes, no more and no fewer

Promises (core/ordering/promises.py) are kept, so outcomes of `allowed strict` rows are not seen.
`exhaustive` is run once more without them, and has to give those as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import field

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.litmus.explore import Exploration, explore
from tensix_gdb.core.litmus.text import HANGS, Litmus, Outcome
from tensix_gdb.core.litmus.tile import Tile
from tensix_gdb.core.schedule import Schedule

ALL = tuple(Schedule)


@dataclass(slots=True)
class Verdict:
    """The result of a test: how often each outcome was seen, and what is wrong with that."""

    test: Litmus
    seen: dict[Schedule, Counter[Outcome]] = field(default_factory=dict)
    exploration: Exploration | None = None
    strict: Exploration | None = None  # the same as `exploration` where no promise has a part
    problems: list[str] = field(default_factory=list)

    def outcomes(self) -> list[Outcome]:
        """Return all outcomes that have a row or were seen: first those of the rows."""
        test = self.test
        listed = [*test.allowed, *test.forbidden, *test.given.values()]
        seen = {outcome for counts in self.seen.values() for outcome in counts}
        seen.update(self.strict.outcomes if self.strict else ())
        return [*dict.fromkeys(listed), *sorted(seen - set(listed))]


def judge(
    tile: Tile,
    test: Litmus,
    schedules: Collection[Schedule] = ALL,
    seeds: Sequence[int] | None = None,
) -> Verdict:
    """Run a test; with `seeds` in place of as many as it asks for."""
    verdict = Verdict(test)
    for schedule in schedules:
        prepared = tile.prepare(test, schedule)
        if schedule is Schedule.EXHAUSTIVE:
            tile.S.promised.met = 0
            verdict.exploration = verdict.strict = explore(prepared)
            verdict.seen[schedule] = Counter(verdict.exploration.outcomes.keys())
            if tile.S.promised.met or test.strict:
                verdict.strict = explore(tile.prepare(test, schedule, strict=True))
        elif schedule is Schedule.RANDOM:
            chosen = range(1, test.seeds + 1) if seeds is None else seeds
            verdict.seen[schedule] = Counter(prepared.run(seed) for seed in chosen)
        else:
            verdict.seen[schedule] = Counter([prepared.run()])
    _compare(verdict)
    return verdict


def _compare(verdict: Verdict) -> None:
    test = verdict.test
    for schedule, counts in verdict.seen.items():
        name = schedule.name.lower()
        allowed = [test.given[name]] if name in test.given else test.kept
        for outcome in counts:
            if outcome not in allowed:
                verdict.problems.append(f"{name}: {_not_allowed(test, outcome)}")
        if schedule is Schedule.EXHAUSTIVE:
            verdict.problems += _missing(name, test, allowed, counts)
    if verdict.strict is not None:
        verdict.problems += [
            f"strict: {_not_allowed(test, outcome)}"
            for outcome in verdict.strict.outcomes
            if outcome not in test.allowed
        ]
        verdict.problems += _missing("strict", test, test.allowed, verdict.strict.outcomes)


def _missing(
    name: str, test: Litmus, allowed: Sequence[Outcome], seen: Collection[Outcome]
) -> list[str]:
    return [
        f"{name}: {describe(test, outcome)} is allowed, but no execution leads to it"
        for outcome in allowed
        if outcome not in seen
    ]


def _not_allowed(test: Litmus, outcome: Outcome) -> str:
    only = " while promises are kept" if outcome in test.strict else ""
    return f"{describe(test, outcome)} is not allowed{only}"


def describe(test: Litmus, outcome: Outcome) -> str:
    """`T0:a0=1 T1:a0=0`, as `--outcome` takes it."""
    values = [f"{place}={_number(v)}" for place, v in zip(test.final, outcome.values, strict=False)]
    return " ".join(filter(None, (outcome.ending, *values)))


def _number(value: int) -> str:
    return str(value) if value < 4096 else hex(value)


def find(test: Litmus, text: str) -> Outcome:
    """Return the outcome that `describe` writes as `text`; values that are left out stand as
    listed."""
    ending, wanted = "", {}
    words = text.split()
    if words and words[0] == "fault":
        ending = " ".join(words[:2])
        words = words[2:]
    elif words[:1] == [HANGS] or (words and "=" not in text):
        ending = words.pop(0)
    so_far: list[str] = []
    for word in words:
        so_far.append(word)  # a place may be several: `sem 3.max=2`
        if "=" not in word:
            continue
        place, _, value = " ".join(so_far).partition("=")
        so_far.clear()
        try:
            wanted[place] = int(value, 0) & 0xFFFFFFFF
        except ValueError:
            raise test.error(test.line, f"--outcome: {word!r} is not PLACE=NUMBER") from None
    if so_far:
        raise test.error(test.line, f"--outcome: {' '.join(so_far)!r} is not PLACE=NUMBER")
    names = [str(place) for place in test.final]
    if wanted and sorted(wanted) != sorted(names):
        raise test.error(test.line, f"--outcome names the places of `final`: {' '.join(names)}")
    return test.known(Outcome(ending, tuple(wanted[name] for name in names if wanted)))
