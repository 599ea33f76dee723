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

from tensix_gdb.core.perf.counters import fields_of
from tensix_gdb.core.perf.fields import BANKS, L1, NAMES
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
    for name, kind, selects in fields_of(bank):
        yield name, len(selects), _counts(bank, kind, selects)


def _counts(bank: int, kind: int, selects: tuple[int, ...]) -> Read:
    return lambda S, thread, i: int(S.perf.count[bank, kind, selects[i]])
