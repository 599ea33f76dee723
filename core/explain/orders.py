# SPDX-License-Identifier: Apache-2.0
"""The promises that a run has relied on, and which were broken (core/ordering/promises.py)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tensix_gdb.core.arch.blackhole import HART_NAMES
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.explain.stop import Places
from tensix_gdb.core.ordering.promises import (
    BROKEN,
    EARLIER,
    LATER,
    PROMISES,
    RELIED,
    Promise,
)
from tensix_gdb.core.record.layout import View


class Event(NamedTuple):
    """The place and time that one of two events came from."""

    hart: int
    pc: int
    cycle: int


@dataclass(frozen=True, slots=True)
class Order:
    """A promise that had a part in the run: how often, and the first pair of events."""

    promise: Promise
    times: int
    earlier: Event
    later: Event

    def text(self, places: Places) -> str:
        """Return one line."""
        times = "once, in" if self.times == 1 else f"{self.times} times, first in"
        first, second = (
            f"{HART_NAMES[each.hart]} at {places.at(each.hart, each.pc)}"
            for each in (self.earlier, self.later)
        )
        return (
            f"{self.promise.name}  {self.promise} ({times} cycle {self.later.cycle}: "
            f"{first}, then {second})"
        )


def relied_on(S: View) -> list[Order]:
    """Return the promises that alone have kept two events in order."""
    return list(_orders(S, RELIED))


def broken(S: View) -> list[Order]:
    """Return the promises that were broken."""
    return list(_orders(S, BROKEN))


def _orders(S: View, which: int) -> Iterator[Order]:
    for promise in PROMISES:
        times = int(S.promised.times[which, promise.number])
        if times:
            earlier, later = (
                Event(
                    int(S.promised.hart[which, promise.number, end]),
                    int(S.promised.pc[which, promise.number, end]),
                    int(S.promised.cycle[which, promise.number, end]),
                )
                for end in (EARLIER, LATER)
            )
            yield Order(promise, times, earlier, later)


def order_lines(S: View, places: Places) -> Iterator[str]:
    """Yield a sentence and a line for each promise, first of those relied on, then of those
    broken."""
    for verb, orders in (("relies on", relied_on(S)), ("has broken", broken(S))):
        if orders:
            count = "1 order" if len(orders) == 1 else f"{len(orders)} orders"
            yield f"{verb} {count} that no page grants:"
            yield from (f"  {order.text(places)}" for order in orders)


def broken_lines(S: View, places: Places) -> Iterator[str]:
    """Yield a line for each broken promise, which may be why a run went wrong."""
    yield from (f"Broken promise {order.text(places)}." for order in broken(S))
