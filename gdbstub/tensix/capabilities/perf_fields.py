# SPDX-License-Identifier: Apache-2.0
"""Banks of performance counters as fields of registers: `$perf_fpu` and so on, by the hardware's
names.

    cycles     what OUT_L has
    a counter  what OUT_H has at its select; one of each thread or unpacker is a vector

What the counters of L1 are called depends on the mux: its register has the mux, and the requests
and grants of the eight ports that it shows, in the order of their selects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tensix_gdb.core.perf.counters import COUNTERS, SLOTS, Counter
from tensix_gdb.core.perf.fields import BANKS, GRANT, L1, NAMES, REQUEST
from tensix_gdb.core.perf.reading import mux_of
from tensix_gdb.core.record.layout import View

Read = Callable[[View, int, int], int]
PerfField = tuple[str, int, Read]  # name, words, and how word `i` is read; all threads share them


def banks() -> Iterator[tuple[str, str, tuple[PerfField, ...]]]:
    """Name of the register, what it is, and its fields."""
    for bank in range(BANKS):
        name = NAMES[bank]
        yield f"perf_{name.lower()}", f"performance counters: bank {name}", tuple(_fields(bank))


def _fields(bank: int) -> Iterator[PerfField]:
    yield "cycles", 1, lambda S, thread, i: int(S.perf.reference[bank])
    if bank == L1:
        yield "mux", 1, lambda S, thread, i: mux_of(S)
        yield "request", SLOTS, _ports(REQUEST)
        yield "grant", SLOTS, _ports(GRANT)
    for counter in COUNTERS:
        if counter.bank == bank:
            yield _one_name(counter), counter.count, _counts(counter)


def _one_name(counter: Counter) -> str:
    """Return one name for all of its `count`: THREAD_STALLS, UNPACK_BUSY_THREAD0."""
    return counter.name.replace("_{i}", "").replace("{i}", "")


def _counts(counter: Counter) -> Read:
    def read(S: View, thread: int, i: int) -> int:
        select = counter.select + i * counter.step
        return int(S.perf.count[counter.bank, counter.kind, select])

    return read


def _ports(kind: int) -> Read:
    return lambda S, thread, i: int(S.perf.count[L1, kind, i])
