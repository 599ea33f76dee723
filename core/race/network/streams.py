# SPDX-License-Identifier: Apache-2.0
"""Registers of the overlay's streams, which count tiles of circular buffers (core/devices/overlay).

A store to one carries what its hart, or the gate of its thread, had used. A load comes after all
stores so far to the register, as with a semaphore.
"""

from tensix_gdb.core.devices.overlay import OVERLAY_BASE, STREAM_STRIDE, STREAMS, as_here
from tensix_gdb.core.race.clocks import join, reach
from tensix_gdb.core.race.fields import STREAM
from tensix_gdb.core.record.layout import View

COLD = True  # little time of LLVM for it (core/engine/README.md)

REMOTE_DEST_BUF_START = 8  # tt-metal counts there what was received, in all others what was used


def row_of(addr: int) -> int:
    """Return the clock of a register; those of a stream share two."""
    index = (addr - OVERLAY_BASE) // STREAM_STRIDE
    group = 1 if (addr & (STREAM_STRIDE - 1)) >> 2 == REMOTE_DEST_BUF_START else 0
    return STREAM + 2 * index + group


def is_stream(addr: int) -> int:
    """True if a register of a stream is at the address."""
    return 1 if OVERLAY_BASE <= addr < OVERLAY_BASE + STREAMS * STREAM_STRIDE else 0


def stored(S: View, addr: int, clock: int) -> int:
    """A store to a register, after `clock`."""
    return join(S, row_of(addr), clock) if is_stream(addr) else 0


def written(S: View, addr: int, clock: int, line: int, number: int) -> int:
    """A request over the NoC, or a packet, has written a register: event `number` of `line`."""
    if S.tile.chip:
        addr = as_here(1, addr)
    row = row_of(addr)
    join(S, row, clock)
    return reach(S, row, line, number)


def loaded(S: View, addr: int, clock: int) -> int:
    """A load of a register has seen all stores to it."""
    return join(S, clock, row_of(addr)) if is_stream(addr) else 0
