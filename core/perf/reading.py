# SPDX-License-Identifier: Apache-2.0
"""The counts of a tile by name, for people: what software would read, select by select."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tensix_gdb.core.perf.counters import COUNTERS, L1_COUNTERS, MUXES, Counter
from tensix_gdb.core.perf.fields import BANKS, NAMES
from tensix_gdb.core.record.layout import View


class Reading(NamedTuple):
    """One counter and its count; `select` as software writes it, shifted by 8."""

    counter: Counter
    name: str
    event: str
    select: int
    value: int


def mux_of(S: View) -> int:
    """Return which ports of L1 are counted."""
    position = int(S.tile_control.perf_mux) >> 4 & 7
    return position if position < MUXES else 0


def readings(S: View) -> Iterator[Reading]:
    """Yield every counter of the five banks, and of L1 those that the mux shows."""
    mux = mux_of(S)
    for counter in (*COUNTERS, *(row for row in L1_COUNTERS if row.mux == mux)):
        for i in range(counter.count):
            select = counter.select + i * counter.step
            value = int(S.perf.count[counter.bank, counter.kind, select])
            event = counter.event.format(i=i)
            yield Reading(counter, counter.title(i), event, 256 * counter.kind + select, value)


def by_name(S: View) -> dict[str, int]:
    """Counts by name, and the cycles of each bank as `INSTRN_THREAD cycles`."""
    found = {f"{NAMES[bank]} cycles": int(S.perf.reference[bank]) for bank in range(BANKS)}
    return found | {reading.name: reading.value for reading in readings(S)}


def has_counted(S: View) -> bool:
    """True if a bank runs, or has run."""
    return any(S.perf.running[bank] or S.perf.reference[bank] for bank in range(BANKS))
