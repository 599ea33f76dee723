# SPDX-License-Identifier: Apache-2.0
"""A load or store of a hart, done at once, wherever its address leads: L1, local RAM or a region.

The pipeline's processing of requests, vectors and the debug interface come here. Scalar loads and
stores of the schedule `sc` (riscv/lsu.py) do the same with the size as a constant, because their
speed is that of the tile; tests/core/memory/test_access.py ties the two.
"""

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.core.memory import regions
from tensix_gdb.core.memory.map import local_offset
from tensix_gdb.core.memory.ram import l1_load, l1_store, local_load, local_store
from tensix_gdb.core.record.layout import View


def load(S: View, hart: int, addr: int, size: int, origin: int) -> int:
    """Return the 1, 2 or 4 bytes, zero-extended, or WAIT or STOPPED."""
    if addr < L1_BYTES:
        return l1_load(S, addr, size)
    offset = local_offset(hart, addr)
    if offset < 0:
        return regions.read(S, hart, addr, size, origin)
    return local_load(S, offset, size)


def store(S: View, hart: int, addr: int, size: int, value: int, origin: int) -> int:
    """Store the low 1, 2 or 4 bytes of `value`; 0, or WAIT or STOPPED."""
    if addr < L1_BYTES:
        return l1_store(S, addr, size, value)
    offset = local_offset(hart, addr)
    if offset < 0:
        return regions.write(S, hart, addr, size, value, origin)
    return local_store(S, offset, size, value)
