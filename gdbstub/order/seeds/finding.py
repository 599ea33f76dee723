# SPDX-License-Identifier: Apache-2.0
"""The search itself: cases go to a crew in batches, outcomes come back and are kept.

The first runs are made here, which tells how long one takes; the rest goes to processes if that
would take more than a moment. A batch is as long as a worker needs for some tenths of a second, so
Ctrl-C waits for no longer than that, and loses nothing that was done.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import count, islice

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.order.seeds.bench import Interrupted
from tensix_gdb.gdbstub.order.seeds.case import Case, Outcome
from tensix_gdb.gdbstub.order.seeds.crew import Batch, Crew, Here, Processes
from tensix_gdb.gdbstub.order.seeds.program import Program

PROBED = 8  # runs that are made here first
SHORT = 3.0  # seconds that all of it may take in this process
BATCH = 0.4  # seconds of a batch
MOST, LEAST = 2000, 1  # cases of a batch
AHEAD = 3  # batches for each worker


@dataclass
class Plan:
    """The plan of a search for what comes back. `tell` is called with each lot."""

    programs: Sequence[Program]
    jobs: int = 0  # processes; 0: one for each processor
    on: str | None = None
    is_interrupted: Callable[[], bool] = lambda: False
    tell: Callable[[Sequence[Outcome]], None] = lambda outcomes: None
    stop_after: int = 0  # wrong runs; 0: none
    wrong: int = 0
    done: int = 0
    busy: float = 0.0  # seconds of all runs
    seconds: float = 0.0  # of the search
    crew: Crew | None = None


def jobs_of(jobs: int) -> int:
    """Return how many processes are wanted; for 0 one for each processor."""
    return jobs or len(os.sched_getaffinity(0))


def carried_out(plan: Plan, cases: Iterable[Case], total: int | None = None) -> None:
    """Run all cases, until the user or `stop_after` says that it is enough. `total` says how many
    there are, if that is known."""
    begun = time.monotonic()
    feed = iter(cases)
    try:
        if plan.on is None and _here(plan, feed, total):
            return
        with closing(_crew(plan)) as crew:
            plan.crew = crew
            _by_crew(plan, crew, feed)
    finally:
        plan.crew = None
        plan.seconds += time.monotonic() - begun


def _crew(plan: Plan) -> Crew:
    if plan.on is None:
        return Processes(plan.programs, jobs_of(plan.jobs))
    from tensix_gdb.gdbstub.order.seeds.cluster import Cluster

    return Cluster(plan.programs, plan.on, plan.jobs)


def _here(plan: Plan, feed: Iterator[Case], total: int | None) -> bool:
    """Run the first ones here, and all if that is short; True if nothing is left."""
    with closing(Here(plan.programs, plan.is_interrupted)) as here:
        numbers = count()
        while True:
            left = None if total is None else total - plan.done
            is_enough = plan.done >= PROBED and jobs_of(plan.jobs) > 1
            if is_enough and (left is None or left * _each(plan) > SHORT):
                return False
            some = list(islice(feed, 1))
            if not some or _ends(plan):
                return True
            here.submit(Batch(next(numbers), some[0].program, tuple(some)))
            try:
                for _, outcomes in here.done():
                    _note(plan, outcomes)
            except Interrupted:
                return True  # a run may be long: this one is not counted


def _each(plan: Plan) -> float:
    """Seconds of a run, as far as is known."""
    return max(plan.busy / plan.done, 1e-6) if plan.done else 0.01


def _by_crew(plan: Plan, crew: Crew, feed: Iterator[Case]) -> None:
    numbers = count()
    under_way = 0
    waiting: Case | None = None
    while True:
        while under_way < AHEAD * crew.size and not _ends(plan):
            size = max(LEAST, min(MOST, int(BATCH / _each(plan))))
            some = [] if waiting is None else [waiting]
            waiting = None
            for case in feed:
                if some and case.program != some[0].program:
                    waiting = case
                    break
                some.append(case)
                if len(some) >= size:
                    break
            if not some:
                break
            crew.submit(Batch(next(numbers), some[0].program, tuple(some)))
            under_way += 1
        if not under_way or _ends(plan):
            return
        for _, outcomes in crew.done():
            under_way -= 1
            _note(plan, outcomes)


def _note(plan: Plan, outcomes: Sequence[Outcome]) -> None:
    plan.done += len(outcomes)
    plan.busy += sum(one.seconds for one in outcomes)
    plan.wrong += sum(one.wrong for one in outcomes)
    plan.tell(outcomes)


def _ends(plan: Plan) -> bool:
    return plan.is_interrupted() or (plan.stop_after > 0 and plan.wrong >= plan.stop_after)
