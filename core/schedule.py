# SPDX-License-Identifier: Apache-2.0
"""The delays of requests: the schedules, as rows and the functions that draw delays.

sc        every request is processed when it is made; sequentially consistent (core/clock/sc.py)
latency   the documented minimum latencies
random    each request is under way for longer by a bounded random number of cycles, so that legal
          orders that are rare otherwise happen; the seed names the execution
exhaustive
          every delay is a choice in every cycle; the explorer that runs the machine answers them,
          cycle by cycle, and so reaches every order that is allowed

`latency`, `random` and `exhaustive` run the pipelines of core/clock/timed.py.

`random` draws a number for each delay and each choice, or follows a plan, in which some happen and
all others are as in `latency`. So what a seed does can be taken away piece by piece
(core/decisions.py). Each function below is told what asks: an agent of core/decisions.py.

A choice is answered from `tape`: the answers, in the order in which a cycle asks; from the end of
the tape on, 0. What was asked is left in `asked` and `limit`, so that the explorer knows what else
it could have said.
"""

from __future__ import annotations

import enum

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.decisions import PLANNED, PORT, QUEUE, noted, planned
from tensix_gdb.core.record.layout import Chapter, Part, Role, Tag, View, row

LONGEST_DELAY = 64  # cycles that `random` may add to a request


class Schedule(enum.IntEnum):
    """The choice of executions."""

    SC = 0
    LATENCY = 1
    RANDOM = 2
    EXHAUSTIVE = 3


CHOICES = 32  # in one cycle

SCHEDULE = Part(
    "schedule",
    (
        row("kind", "u32", (), Tag.TIMING, "Schedule"),
        row("strict", "u8", (), Tag.TIMING, "promises are not kept (core/execution.py)"),
        row("pauses", "u8", (), Tag.TIMING, "random: harts and threads pause now and then"),
        row("random", "u32", (), Tag.TIMING, "state of the random numbers, never 0"),
        row("cycle_phase", "u8", (), Tag.TIMING, "how far the cycle is (clock/timed.py)"),
        row("first_hart", "u32", (), Tag.TIMING, "the hart with the first requests in this cycle"),
        row("refusing", "i64", HARTS, Tag.TIMING, "cycle from which its next store is taken, or 0"),
        row("asked", "u32", (), Tag.MONOTONE, "exhaustive: choices made in this cycle"),
        row("tape", "u8", CHOICES, Tag.MONOTONE, "exhaustive: what to answer"),
        row("limit", "u8", CHOICES, Tag.MONOTONE, "exhaustive: how many answers each choice had"),
    ),
    role=Role.PROGRESS,
    chapter=Chapter.HARTS,
)

DEFAULT_SEED = 0x2545F491


def seed_state(seed: int) -> int:
    """Return the first state of `random` for a seed: never 0, and not alike for small seeds."""
    return (seed * 0x9E3779B1 & MASK32) or DEFAULT_SEED


def next_random(S: View) -> int:
    """Return the machine's own random numbers, over a state that is never 0."""
    value = xorshift(S.schedule.random)
    S.schedule.random = value
    return value


def xorshift(value: int) -> int:
    """Return the number after `value`, which is not 0: xorshift32."""
    value = value ^ ((value << 13) & MASK32)
    value = value ^ (value >> 17)
    return value ^ ((value << 5) & MASK32)


def extra_delay(S: View, agent: int) -> int:
    """Return cycles that a request is under way for longer than documented.

    Short delays are as likely as all long ones together: an order is decided by a few cycles more
    often than by many.
    """
    if S.schedule.kind != Schedule.RANDOM:
        return 0
    if S.decision.delays == PLANNED:
        return planned(S, agent)
    late = drawn_delay(S)
    return noted(S, agent, late) if S.decision.delays else late


def drawn_delay(S: View) -> int:
    """Draw one."""
    number = next_random(S)
    if number & 1:
        return (number >> 1) & 7
    return (number >> 1) % (LONGEST_DELAY + 1)


def due_after(S: View, cycles: int, agent: int) -> int:
    """Return the cycle in which what takes at least `cycles` is done. See `is_delayed`."""
    if S.schedule.kind == Schedule.LATENCY:
        return S.tile.cycle + cycles
    if S.schedule.kind == Schedule.EXHAUSTIVE or S.schedule.kind == Schedule.SC:
        return 0
    return S.tile.cycle + cycles + extra_delay(S, agent)


def due_exactly(S: View, cycles: int) -> int:
    """Return it for what takes `cycles`, no more, as its page has it: `random` adds nothing."""
    if S.schedule.kind == Schedule.EXHAUSTIVE or S.schedule.kind == Schedule.SC:
        return 0
    return S.tile.cycle + cycles


def wait_until(S: View, cycles: int) -> int:
    """Return the cycle up to which something waits. In `exhaustive` other choices make it wait."""
    if S.schedule.kind == Schedule.EXHAUSTIVE:
        return 0
    return S.tile.cycle + cycles


def choose(S: View, answers: int, agent: int) -> int:
    """Return one of 0..answers-1, where 0 is what happens as a rule."""
    if S.schedule.kind == Schedule.RANDOM:
        if S.decision.delays == PLANNED:
            return planned(S, agent) % answers
        answer = next_random(S) % answers
        return noted(S, agent, answer) if S.decision.delays else answer
    if S.schedule.kind != Schedule.EXHAUSTIVE:
        return 0
    return explored(S, answers)


def explored(S: View, answers: int) -> int:
    """Return the explorer's answer."""
    at = S.schedule.asked
    S.schedule.asked = at + 1
    S.schedule.limit[at] = answers
    return S.schedule.tape[at]


def is_delayed(S: View, due: int) -> int:
    """True if what is due in cycle `due` may not happen yet. In `exhaustive` that is a choice."""
    if S.schedule.kind == Schedule.EXHAUSTIVE:
        return explored(S, 2)
    return 1 if due > S.tile.cycle else 0


def one_in(S: View, times: int, agent: int) -> int:
    """True if what happens once in so many times happens now."""
    if S.schedule.kind == Schedule.EXHAUSTIVE:
        return explored(S, 2)
    if S.decision.delays == PLANNED:
        return 1 if planned(S, agent) else 0
    happens = 1 if next_random(S) % times == 0 else 0
    return noted(S, agent, happens) if S.decision.delays else happens


def store_wins_port(S: View, hart: int) -> int:
    """True if a store goes before a load that wants the port in the same cycle; loads usually
    win."""
    if S.schedule.kind < Schedule.RANDOM:
        return 0
    return one_in(S, 8, PORT + hart)


def store_refused(S: View, hart: int) -> int:
    """True if memory does not take the store at the head of the hart's store queue in this cycle.

    Stores are emitted "whenever possible" (MemoryOrdering.md). What else can make it impossible
    than a load that has the port, no page says; that it happens is seen from its examples, where a
    load goes past a store that had been queued before it came. In `random`, one store in eight
    has to wait, for as long as other things are late.
    """
    return may_refuse(S, hart) if S.schedule.kind >= Schedule.RANDOM else 0


def may_refuse(S: View, hart: int) -> int:
    """`store_refused` of the schedules in which it may be."""
    if S.schedule.kind == Schedule.EXHAUSTIVE:
        return explored(S, 2)
    if S.schedule.refusing[hart] == 0:
        S.schedule.refusing[hart] = S.tile.cycle + refused_for(S, QUEUE + hart)
    if S.schedule.refusing[hart] > S.tile.cycle:
        return 1
    S.schedule.refusing[hart] = 0
    return 0


def refused_for(S: View, agent: int) -> int:
    """Return for how many cycles memory does not take a store."""
    if S.decision.delays == PLANNED:
        return planned(S, agent)
    late = drawn_delay(S) if next_random(S) % 8 == 0 else 0
    return noted(S, agent, late) if S.decision.delays else late


INLINED = (due_after, extra_delay, store_refused, store_wins_port)
