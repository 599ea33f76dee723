# SPDX-License-Identifier: Apache-2.0
"""Stores of the coprocessor's units to the tile's devices, which have the addresses of B.

One place for all units: the switch over devices is large.
"""

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.memory import regions
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.stop import STOPPED, WAIT, StopKind


def store_to_device(S: View, addr: int, value: int) -> int:
    """Store a word: 0, WAIT, or STOPPED when the device refuses it; the caller names the unit."""
    status = regions.WRITE[regions.number_of(S, B, addr)](S, B, addr, 4, value)
    if status >= 0 or status == WAIT:
        return min(status, 0)
    # The device has said so of B, which has nothing to do with it.
    S.stop.kind = StopKind.NONE
    return STOPPED
