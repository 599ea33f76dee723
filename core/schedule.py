# SPDX-License-Identifier: Apache-2.0
"""Who is allowed to go late: the schedules, as rows and the functions that draw delays.

sc        every request is processed when it is made; sequentially consistent (core/clock.py)
latency   the documented minimum latencies
random    each request is under way for longer by a bounded random number of cycles, so that legal
          orders that are rare otherwise happen; the seed names the execution

`latency` and `random` run the pipelines of core/timed_clock.py.
"""

from __future__ import annotations

import enum

from core.arch.numbers import MASK32
from core.layout import Part, Tag, View, row

LONGEST_DELAY = 64  # cycles that `random` may add to a request


class Schedule(enum.IntEnum):
    """Which executions are looked at."""

    SC = 0
    LATENCY = 1
    RANDOM = 2


SCHEDULE = Part(
    "schedule",
    (
        row("kind", "u32", (), Tag.TIMING, "Schedule"),
        row("random", "u32", (), Tag.TIMING, "state of the random numbers, never 0"),
        row("begun", "u8", (), Tag.TIMING, "this cycle's requests and queues have moved already"),
        row("turn", "u32", (), Tag.TIMING, "the hart whose requests come first in this cycle"),
    ),
)

DEFAULT_SEED = 0x2545F491


def next_random(S: View) -> int:
    """The machine's own random numbers: xorshift32 over a state that is never 0."""
    value = S.schedule.random
    value = value ^ ((value << 13) & MASK32)
    value = value ^ (value >> 17)
    value = value ^ ((value << 5) & MASK32)
    S.schedule.random = value
    return value


def extra_delay(S: View) -> int:
    """Cycles that a request is under way for longer than documented.

    Short delays are as likely as all long ones together: an order is decided by a few cycles more
    often than by many.
    """
    if S.schedule.kind != Schedule.RANDOM:
        return 0
    number = next_random(S)
    if number & 1:
        return (number >> 1) & 7
    return (number >> 1) % (LONGEST_DELAY + 1)


def wins_port(S: View) -> int:
    """Does a store go before a load that wants the port in the same cycle? Loads usually win."""
    if S.schedule.kind != Schedule.RANDOM:
        return 0
    return 1 if next_random(S) % 8 == 0 else 0
