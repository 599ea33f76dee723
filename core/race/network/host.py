# SPDX-License-Identifier: Apache-2.0
"""The host that drives a tile: its reads and writes of L1, between two cycles of the tile.

The host does one after the other. A hart that polls a word comes after the host's write to it; the
host, when it reads a word, comes after the last store to the word: that is how it waits for a
kernel. What it reads at greater length is data.

A hart that is held in reset comes after all that the host does until then.
"""

from tensix_gdb.core.arch.blackhole import HARTS, L1_BYTES
from tensix_gdb.core.race import shadow, sync
from tensix_gdb.core.race.clocks import join, reach
from tensix_gdb.core.race.fields import HOST_PAST, PAST
from tensix_gdb.core.race.lines import HOST
from tensix_gdb.core.race.network.requests import writes
from tensix_gdb.core.race.shadow import site_of
from tensix_gdb.core.race.state import changed
from tensix_gdb.core.race.units import span
from tensix_gdb.core.record.layout import View

COLD = True  # little time of LLVM for it (core/engine/README.md)

THE_HOST = 7  # in place of a hart, in a site
LONGEST_WAIT = 8  # bytes that the host reads to wait for them


def accessed(S: View, addr: int, length: int, stores: int) -> int:
    """The host writes, or reads, `length` bytes."""
    if S.race.on == 0:
        return 0
    number = S.race.host_made + 1
    S.race.host_made = number
    where = site_of(S, THE_HOST, 0, 0, 0, 0)
    if stores:
        writes(S, addr, length, HOST_PAST, HOST, number, where)
    elif length > LONGEST_WAIT:
        S.race.promises = 0
        S.race.promise_row = 0
        span(S, addr, length, shadow.READ, HOST_PAST, HOST, number, where)
    else:
        at = addr & ~3
        while at < addr + length and at < L1_BYTES:
            sync.after_signal(S, at, HOST_PAST)
            at += 4
    reach(S, HOST_PAST, HOST, number)
    for hart in range(HARTS):
        if S.hart.in_reset[hart]:
            join(S, PAST + hart, HOST_PAST)
            changed.forget(S, hart)
    return 0
