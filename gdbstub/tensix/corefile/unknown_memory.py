# SPDX-License-Identifier: Apache-2.0
"""The memory of a snapshot of a card that can be shown: what was read of it, and nothing else.

A debugger that reads an unknown byte gets an error with the reason, as for an address at which
nothing is, and never the zero that the record has there.
"""

from __future__ import annotations

from tensix_gdb.core.arch.blackhole import (
    HART_NAMES,
    HARTS,
    L1_BYTES,
    LOCAL_STRIDE,
    T0,
    T2,
    B,
)
from tensix_gdb.core.devices import niu
from tensix_gdb.core.devices.backend_config import CONFIG_BASE, WINDOW_WORDS
from tensix_gdb.core.devices.gprs import GPR_BASE
from tensix_gdb.core.devices.semaphores import SEMAPHORE_BASE, SEMAPHORES
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.memory.map import local_offset, slow_local_offset
from tensix_gdb.gdbstub.protocol.target import TargetError

T2_HALF = "words at 8 and 12 of each 16 bytes of T2's local RAM"
# Offsets in an NIU of the registers that keep what was stored in them, with their slots in the
# record, and of the counters.
NIU_STORAGE = niu.BLOCK.stored
NIU_COUNTERS = range(0x200, 0x200 + 4 * 62, 4)
OTHERS = "devices that are not named here"
GPR_BYTES = 256  # of a thread


def readable(machine: Machine, hart: int, addr: int, length: int) -> int:
    """Return how many bytes from `addr` on are known. TargetError if the first is not."""
    what, end = _what(machine, hart, addr)
    if what in machine.unknown:
        raise TargetError(f"{addr:#010x} is unknown: {what}, because {machine.unknown[what]}")
    return min(length, end - addr)


def _what(machine: Machine, hart: int, addr: int) -> tuple[str, int]:
    """Return what is at an address, as `unknown` names it, and where that ends."""
    if addr < L1_BYTES:
        return "L1", L1_BYTES
    for offset in (local_offset(hart, addr), slow_local_offset(addr)):
        if offset >= 0:
            owner = offset // LOCAL_STRIDE
            if owner == T2 and T2_HALF in machine.unknown:
                what = T2_HALF if offset % 16 >= 8 else "local RAM of T2"
                return what, addr + 8 - offset % 8
            return f"local RAM of {HART_NAMES[owner]}", addr + LOCAL_STRIDE - offset % LOCAL_STRIDE
    end = CONFIG_BASE + 4 * WINDOW_WORDS
    if CONFIG_BASE <= addr < end:
        return "configuration", end
    threads = 3 if hart == B else 1
    if GPR_BASE <= addr < GPR_BASE + GPR_BYTES * threads and hart < HARTS - 1:
        place = (addr - GPR_BASE) // GPR_BYTES
        thread = place if hart == B else hart - T0
        return f"GPRs of T{thread}", GPR_BASE + GPR_BYTES * (place + 1)
    end = SEMAPHORE_BASE + 4 * SEMAPHORES
    if SEMAPHORE_BASE <= addr < end and T0 <= hart < HARTS - 1:
        return "semaphores", end
    if niu.NIU_BASE <= addr < niu.NIU_BASE + niu.NIUS * niu.NIU_STRIDE:
        offset = addr % niu.NIU_STRIDE & ~3
        if offset in NIU_STORAGE or offset in NIU_COUNTERS:
            return "NIUs", addr + 4 - addr % 4
    return OTHERS, addr + 4
