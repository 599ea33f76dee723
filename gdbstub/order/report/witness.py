# SPDX-License-Identifier: Apache-2.0
"""The witness of a report: the same run with the earlier access held until the later one is over.

The tile goes to the cycle of the earlier access, holds it there (core/ordering/holds.py), and goes
on. Three things may happen:

    the later one comes      the other order is possible: here is the execution
    nothing can move         proved (core/machine/deadlock.py): something that the observer does not
                             know orders the two. The report is withdrawn, and a gap of the model;
                             not if the L0 data cache answers the later one: its line may be older
    neither                  the end of the program or a limit comes first: nothing is known
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.history.checkpoints import capture, restore
from tensix_gdb.core.history.machine import ReplayableMachine
from tensix_gdb.core.history.replay import ARMED_BY_CLIENTS, run_to_cycle, step_over
from tensix_gdb.core.history.replayable import Replayable
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.ordering import holds
from tensix_gdb.core.race.findings import Kind
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import NOTHING_MOVES, StopKind
from tensix_gdb.gdbstub.order.report.differences import cached_value, value_of
from tensix_gdb.gdbstub.order.report.holding import Hold, ToCycle, await_later, ways_to_hold
from tensix_gdb.gdbstub.order.report.located import Located

SLICE = 1 << 12
NEVER = (1 << 32) - 1
_OF_LINE = "nothing moves then, but the L0 data cache answers the later one: its line may be older"
PIPELINE = 16  # cycles: longer than any instruction is in a pipeline of fixed length
SETTLED = 256  # cycles after which what was under way has come to its end
AT_LEAST, TIMES = 100_000, 50  # cycles that the later access may take to come


class Outcome(enum.Enum):
    """The result of a try to let the earlier access be late."""

    POSSIBLE = "possible"
    IMPOSSIBLE = "impossible"
    SEEN = "seen"  # the observed run has gone that way
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Witness:
    """The try to let the earlier access be late, and its result."""

    located: Located
    outcome: Outcome
    reason: str = ""  # a sentence, unless it is possible
    held: str = ""  # "the sw is"
    first: int = 0  # held from this cycle
    last: int = 0  # the later access is over in this one
    before: int | None = None  # what the later access, if it reads, else the earlier one has found
    now: int | None = None  # and what it finds in this execution
    is_further: bool = False  # not possible, but the tile ran on


def from_the_start(machine: Machine) -> ToCycle:
    """Go there from a reset: programs and files of the command line are loaded again."""

    def to_cycle(cycle: int) -> bool:
        machine.reset()
        run_to_cycle(machine, cycle)
        return bool(machine.S.tile.cycle == cycle)

    return to_cycle


def from_here(machine: Machine) -> ToCycle:
    """Go there from the state as it is now, which is kept."""
    here = capture(machine)

    def to_cycle(cycle: int) -> bool:
        if cycle < here.at.cycle:
            return False
        restore(machine, here)
        run_to_cycle(machine, cycle)
        return bool(machine.S.tile.cycle == cycle)

    return to_cycle


class NotAgain(Exception):
    """The run cannot be made again; the message says why."""


def witness(
    machine: Machine,
    located: Located,
    to_cycle: ToCycle,
    on_fork: Callable[[], None] = lambda: None,
    whole: Replayable[Any, Any] | None = None,
) -> Witness:
    """Try to let the earlier access of a report be late. If that is possible the tile is where the
    later one is over and the earlier one is not; otherwise anywhere. `on_fork` is called where the
    execution becomes another one for good. `whole` is the chip that the tile is part of, if it is.
    NotAgain if the report is not about two accesses."""
    if located.report.check:
        raise NotAgain(
            f"report {located.report.number} is of check {located.report.check}, and not "
            "about the order of two accesses: there is no other order to show"
        )
    if any(
        each.outside or each.is_request for each in (located.report.earlier, located.report.later)
    ):
        raise NotAgain(
            f"report {located.report.number} is about the network, and a request of an NIU or of "
            "the host cannot be held; run with --schedule random:SEED"
        )
    whole, observer = whole or ReplayableMachine(machine), machine.runner.races
    with _not_observed(whole.machines):
        found = _tried(whole, machine, located, to_cycle, on_fork)
    if observer is not None and found.outcome is Outcome.IMPOSSIBLE:
        observer.withdraw(located.report.number)
    return found


@contextmanager
def _not_observed(machines: Sequence[Machine]) -> Iterator[None]:
    """Keep what was found; the execution is another one from here on."""
    observers = [machine.runner.races for machine in machines]
    for machine, observer in zip(machines, observers, strict=True):
        if observer is not None:
            observer.stop()
        machine.runner.races = None
    try:
        yield
    finally:
        for machine, observer in zip(machines, observers, strict=True):
            machine.runner.races = observer


def _tried(
    whole: Replayable[Any, Any],
    machine: Machine,
    located: Located,
    to_cycle: ToCycle,
    on_fork: Callable[[], None],
) -> Witness:
    S, report = machine.S, located.report
    if S.schedule.kind == Schedule.SC:
        return Witness(located, Outcome.UNKNOWN, "nothing takes time in the schedule sc")
    first, last = report.earlier.first, report.later.first
    if not to_cycle(first):
        raise NotAgain(
            f"the run cannot be made again from before cycle {first}, when the earlier access came"
        )
    seen = _as_it_was(whole, machine.S, located)
    if seen.ends:
        reason = f"the run ends with a fault when the {report.later.instruction} begins"
        return Witness(located, Outcome.UNKNOWN, reason)
    if seen.why:
        reason = f"the observed run has it already: {report.later.instruction} {seen.why}"
        return Witness(located, Outcome.SEEN, reason, before=seen.value, now=seen.stale)
    result = None
    for way in ways_to_hold(S, report.earlier, report.place, to_cycle):
        if not to_cycle(way.cycle):
            break
        times = seen.times if way.cycle == first else _as_it_was(whole, machine.S, located).times
        to_cycle(way.cycle)
        most = way.cycle + max(AT_LEAST, TIMES * (last - way.cycle))
        tried = _hold(whole, machine, located, way, times, most)
        if tried.outcome is Outcome.POSSIBLE:
            came = int(S.hold.came)
            to_cycle(way.cycle)
            _arm(whole, machine.S, located, way, times)
            on_fork()
            whole.run_to(came)
            now = value_of(S, report.place)
            return Witness(located, tried.outcome, "", way.text, way.cycle, came, seen.value, now)
        if tried.outcome is Outcome.IMPOSSIBLE and seen.is_hit:
            # It needs what is held, but the load that has filled its line may come before that.
            tried = _not_known(located, way, _OF_LINE, is_further=False)
        if result is None or tried.is_further:
            result = tried
    if result is not None:
        return result
    what = report.earlier.instruction
    reason = f"in cycle {first} nothing of the {what} can be held: it has begun before"
    return Witness(located, Outcome.UNKNOWN, reason)


@dataclass(frozen=True, slots=True)
class _Seen:
    """The later access in the observed run."""

    times: int  # how often its instruction came since the present cycle
    value: int | None  # what the place had, or gets from the earlier access
    stale: int | None = None  # what it has read instead, if it has
    why: str = ""
    is_hit: bool = False  # answered by the L0 data cache, with what is in the place, too
    ends: bool = False  # the run has ended with it, by a fault


def _as_it_was(whole: Replayable[Any, Any], S: View, located: Located) -> _Seen:
    """Look at the observed run once more, from where the tile is to the later access."""
    report = located.report
    last, place, hart = report.later.first, report.place, report.later.hart
    begun = value_of(S, place)
    S.hold.at = holds.NOWHERE
    await_later(S, report.later)
    holds.begin_hold(S, 1)
    whole.run_to(last)
    value, hits = value_of(S, place), int(S.hold.hits)
    cached = cached_value(S, hart, place)
    whole.run_to(last + 1)
    times = int(S.hold.seen)
    is_hit = S.hold.hits > hits
    holds.end(S)
    if not times and S.tile.cycle <= last:
        return _Seen(0, value, ends=True)
    if is_hit and cached is not None and cached != value:
        return _Seen(times, value, cached, "was answered by the L0 data cache")
    if report.later.kind is not Kind.READ:
        return _Seen(times, begun)
    if report.earlier.thread is None or value != begun:
        return _Seen(times, value, is_hit=is_hit)
    # An instruction that has begun may take effect some cycles later.
    for _ in range(PIPELINE):
        if value_of(S, place) != begun:
            return _Seen(times, value_of(S, place), value, "came before that had an effect")
        whole.run_to(int(S.tile.cycle) + 1)
    return _Seen(times, value, is_hit=is_hit)


def _hold(
    whole: Replayable[Any, Any],
    machine: Machine,
    located: Located,
    way: Hold,
    times: int,
    most: int,
) -> Witness:
    """Hold the earlier access, and run until the later one is over."""
    S = machine.S
    _arm(whole, machine.S, located, way, times)
    while S.hold.on and S.tile.cycle < most:
        stopped = whole.run_on(min(SLICE, most - int(S.tile.cycle)))
        if not S.hold.on:
            break
        tile, stop = (0, None) if stopped is None else whole.stop_of(stopped)
        if stop is None or stop.kind in (StopKind.EBREAK, StopKind.ECALL):
            if not machine.idle():
                continue
            stop = None
        if stop is None or stop.kind in (StopKind.ALL_PAUSED, StopKind.STANDSTILL):
            if whole.is_still():
                if any(S.hart.in_reset[hart] for hart in _harts(located)):
                    return _not_known(located, way, "a hart is put into reset before it does so")
                return _nothing_moves(located, way)
            if stop is None:
                continue
        if stop.kind in (*ARMED_BY_CLIENTS, StopKind.GATE):
            step_over(whole.machines[tile], stop)
            continue
        return _not_known(located, way, f"the run ends first: {stop.text}")
    if S.hold.on:
        return _not_known(located, way, f"the later access has not come until cycle {most}")
    return Witness(located, Outcome.POSSIBLE, "")


def _harts(located: Located) -> tuple[int, int]:
    return located.report.earlier.hart, located.report.later.hart


def _arm(whole: Replayable[Any, Any], S: View, located: Located, way: Hold, times: int) -> None:
    """Begin to hold, from where the way begins; `times` is how often the later one is to come."""
    await_later(S, located.report.later)
    way.arm(S)
    holds.begin_hold(S, times)
    if not way.settles:
        return
    # First its hart emits nothing for a while, and then the request is held at its region.
    S.hold.nth = NEVER
    whole.run_to(way.cycle + SETTLED)
    way.let_out(S)
    for _ in range(SETTLED):
        if way.is_there(S):
            way.arm_there(S)
            S.hold.nth = max(times, int(S.hold.seen))
            return
        whole.run_to(int(S.tile.cycle) + 1)


def _nothing_moves(located: Located, way: Hold) -> Witness:
    report = located.report
    if not way.is_exact:
        return _not_known(
            located,
            way,
            "nothing moves then, but more is held than this access",
            is_further=False,
        )
    reason = (
        f"while {way.text} held {NOTHING_MOVES}, so {report.later.instruction} never "
        "comes first: something orders the two that the observer does not know"
    )
    return Witness(located, Outcome.IMPOSSIBLE, reason)


def _not_known(located: Located, way: Hold, why: str, *, is_further: bool = True) -> Witness:
    reason = f"{way.text} held, and {why}"
    return Witness(located, Outcome.UNKNOWN, reason, is_further=is_further)
