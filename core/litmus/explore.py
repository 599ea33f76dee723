# SPDX-License-Identifier: Apache-2.0
"""All executions of a litmus test: every choice of every cycle, states merged.

In the schedule `exhaustive` each delay is a choice inside a cycle (core/schedule.py). A state and
the answers to its choices, a *tape*, give the next state; all tapes of a state are tried like the
numbers of an odometer. States are visited breadth first, each once, so the way to an outcome that
is kept is a shortest one.

A state from which no end can be reached, whatever is chosen, hangs: waiting alone does not, because
nothing may be late forever.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import field
from hashlib import blake2b

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.engine import EngineDefect
from tensix_gdb.core.litmus import cycles
from tensix_gdb.core.litmus.state_codec import Compact
from tensix_gdb.core.litmus.text import HANGS, Outcome
from tensix_gdb.core.litmus.tile import Prepared
from tensix_gdb.core.schedule import CHOICES, Schedule

Tape = tuple[int, ...]
CHAIN = 64  # cycles without a choice that are walked before a state is kept


@dataclass(slots=True)
class Path:
    """The way to a state: from which one, with which tape, and how many cycles later."""

    parent: int
    tape: Tape
    cycles: int


@dataclass(slots=True)
class Exploration:
    """The outcomes of all executions of a test; `outcomes` has the number of a state for each."""

    outcomes: dict[Outcome, int] = field(default_factory=dict)
    ways: list[Path] = field(default_factory=list)
    transitions: int = 0

    @property
    def states(self) -> int:
        return len(self.ways)

    def tapes(self, outcome: Outcome) -> list[Tape]:
        """Return the answers, cycle by cycle, of a shortest execution with this outcome."""
        tapes: list[Tape] = []
        at = self.outcomes[outcome]
        while self.ways[at].parent >= 0:
            way = self.ways[at]
            tapes += [()] * (way.cycles - 1) + [way.tape]
            at = way.parent
        return tapes[::-1]


class Interrupted(Exception):
    """The search was given up."""


class _Search:
    """One search: breadth first to its end, or depth first until `enough` outcomes are known."""

    def __init__(self, prepared: Prepared, compact: Compact, enough: int) -> None:
        self.prepared, self.compact, self.enough = prepared, compact, enough
        self.engine = prepared.machine.engine
        record = prepared.record
        self.tape = record.row(record.layout.slot("schedule", "tape"))
        self.limit = record.row(record.layout.slot("schedule", "limit"))
        self.schedule = record.S.schedule
        self.result = Exploration()
        self.seen: dict[bytes, int] = {}
        self.frontier: deque[tuple[int, bytes]] = deque()
        self.steps: list[tuple[int, int]] = []
        self.sources: list[list[int]] = []
        self.ends: list[int] = []
        self.stuck: dict[int, Outcome] = {}

    def run(self, should_stop: Callable[[], bool]) -> Exploration:
        start = b""
        digest = blake2b(start, digest_size=16).digest()
        self.frontier.append((self._number_state(digest, Path(-1, (), 0)), start))
        while self.frontier:
            if should_stop():
                raise Interrupted
            # Ends come soonest from the state that was found last; shortest ways from the first.
            number, kept = self.frontier.pop() if self.enough else self.frontier.popleft()
            self._follow_all(number, kept)
            if self.enough and len(self.result.outcomes) >= self.enough:
                return self.result
        self._find_hanging()
        return self.result

    def _cycle(self, kept: bytes, tape: list[int]) -> int:
        """Run a cycle from a state; how many choices it had."""
        self.compact.load(kept)
        self.tape[: len(tape)] = bytes(tape)
        try:
            self.code = self.engine.call("one_cycle")
        except EngineDefect as defect:
            test = self.prepared.test
            raise test.error(
                test.line, f"a cycle with more than {CHOICES} choices: {defect}"
            ) from None
        self.result.transitions += 1
        return int(self.schedule.asked)

    def _follow_all(self, number: int, kept: bytes) -> None:
        """Every next state: the tapes one after the other, like the numbers of an odometer."""
        first = len(self.steps)
        tape: list[int] = []
        while True:
            asked = self._cycle(kept, tape)
            limits = bytes(self.limit[:asked])
            tape += [0] * (asked - len(tape))
            self._follow(number, tuple(tape))
            while tape and tape[-1] + 1 == limits[len(tape) - 1]:
                tape.pop()
            if not tape:
                break
            tape[-1] += 1
        if all(reached == number for _, reached in self.steps[first:]):
            self.compact.load(kept)
            self.stuck[number] = self.prepared.outcome(cycles.UNFINISHED)
            self.compact.take_state()

    def _follow(self, number: int, tape: Tape) -> None:
        """Reach where a cycle has led to; the next state with a choice, if that is near."""
        count = 0
        while True:
            count += 1
            outcome = None
            if self.code != cycles.UNFINISHED:
                outcome = self.prepared.outcome(self.code)
            kept = self.compact.take_state()
            digest = blake2b(kept, digest_size=16).digest()
            if outcome is not None or count == CHAIN or digest in self.seen:
                break
            if self._cycle(kept, []):
                self.compact.take_state()
                break
        reached = self.seen.get(digest, -1)
        if reached < 0:
            reached = self._number_state(digest, Path(number, tape, count))
            if outcome is None:
                self.frontier.append((reached, kept))
        self.steps.append((number, reached))
        if outcome is not None:
            self.ends.append(reached)
            self.result.outcomes.setdefault(outcome, reached)

    def _number_state(self, digest: bytes, way: Path) -> int:
        """Number a new state."""
        test, number = self.prepared.test, len(self.result.ways)
        if number == test.states:
            raise test.error(
                test.line,
                f"more than {test.states} states; a shorter program, or a larger `states`?",
            )
        self.seen[digest] = number
        self.result.ways.append(way)
        return number

    def _find_hanging(self) -> None:
        """Add the outcomes of states from which no end can be reached.

        In most of them nothing at all can change any more. A hart that polls in vain changes all
        the time; then there is no telling what the values are.
        """
        ending = self._leading_to(self.ends)
        stuck = [number for number in self.stuck if number not in ending]
        for number in stuck:
            self.result.outcomes.setdefault(self.stuck[number], number)
        left = self._leading_to([*ending, *stuck])
        for number in range(self.result.states):
            if number not in left:
                self.result.outcomes.setdefault(Outcome(HANGS, ()), number)
                return

    def _leading_to(self, ends: Iterable[int]) -> set[int]:
        """Return the states from which one of `ends` can be reached."""
        if not self.sources:
            self.sources = [[] for _ in self.result.ways]
            for source, target in self.steps:
                self.sources[target].append(source)
        states = set(ends)
        left = list(states)
        while left:
            fresh = [source for source in self.sources[left.pop()] if source not in states]
            states.update(fresh)
            left += fresh
        return states


def explore(
    prepared: Prepared, should_stop: Callable[[], bool] = lambda: False, *, enough: int = 0
) -> Exploration:
    """Return all outcomes of a test that was prepared for EXHAUSTIVE. Raises `Interrupted` when
    `should_stop`, asked for each state, is true.

    With `enough` it ends as soon as so many outcomes are known, and goes into the depth to find
    them soon; if there are fewer, it has all of them.
    """
    assert prepared.schedule is Schedule.EXHAUSTIVE
    prepared.record.restore(prepared.start)
    compact = Compact(prepared.record, prepared.machine.engine)
    return _Search(prepared, compact, enough).run(should_stop)
