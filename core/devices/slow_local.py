# SPDX-License-Identifier: Apache-2.0
"""The local RAMs of all harts by their slow path (BabyRISCV/README.md, memory map).

A debugger reads them as the memory that they are (debug/memory.py), so there is no `peek`.
"""

from tensix_gdb.core.memory.map import slow_local_offset
from tensix_gdb.core.memory.ram import local_load, local_store
from tensix_gdb.core.record.layout import View


def read(S: View, hart: int, addr: int, size: int) -> int:
    """Load from the local RAM that the window shows."""
    return local_load(S, slow_local_offset(addr), size)


def write(S: View, hart: int, addr: int, size: int, value: int) -> int:
    """Store to the local RAM that the window shows."""
    return local_store(S, slow_local_offset(addr), size, value)
