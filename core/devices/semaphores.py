# SPDX-License-Identifier: Apache-2.0
"""The eight Tensix semaphores, and the window through which T cores see them (SyncUnit.md).

A load gives the value. A store subtracts 1 if bit 0 of what is stored is set (not below 0), and
adds 1 otherwise (not above 15); the other bits do not matter. Max is not reachable from here.

UNSPECIFIED(SyncUnit.md): what follows the eight semaphores in the 64 KiB window; an access
stops the hart.
"""

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.devices.registers import Access, Elsewhere, Register
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import Chapter, Part, Tag, View, row
from tensix_gdb.core.stop import fault

SEMAPHORE_BASE = 0xFFE80020
SEMAPHORES = 8
LARGEST = 15

SEMAPHORE = Part(
    "semaphore",
    (
        row("value", "u8", SEMAPHORES, Tag.ARCHITECTURAL, "0 to 15"),
        row("max", "u8", SEMAPHORES, Tag.ARCHITECTURAL, "what SEMWAIT compares with, 0 to 15"),
    ),
    chapter=Chapter.DEVICES,
)

REGISTERS = (
    Register(
        0x20,
        "SemaphoreAccess[{i}]",
        Access.READ_WRITE,
        "load: the value; store: -1 if bit 0 is set, +1 otherwise, within 0 to 15",
        count=SEMAPHORES,
        # B has windows of PCBufs at these addresses.
        elsewhere=Elsewhere("semaphore.value", lambda hart, copy, i: None if hart == B else (i,)),
    ),
)


def peek(S: View, addr: int) -> int:
    """Return the value of the semaphore at `addr`, -1 when there is none."""
    index = (addr - SEMAPHORE_BASE) >> 2
    return S.semaphore.value[index] if index < SEMAPHORES else -1


def read(S: View, hart: int, addr: int) -> int:
    """Loads have no side effect."""
    value = peek(S, addr)
    return value if value >= 0 else fault(S, hart, Fault.UNKNOWN_REGISTER, addr, 4)


def write(S: View, hart: int, addr: int, value: int) -> int:
    """Like SEMGET with bit 0 set, like SEMPOST without."""
    index = (addr - SEMAPHORE_BASE) >> 2
    if index >= SEMAPHORES:
        return fault(S, hart, Fault.UNKNOWN_REGISTER, addr, 4)
    if value & 1:
        S.semaphore.value[index] = max(S.semaphore.value[index] - 1, 0)
    else:
        S.semaphore.value[index] = min(S.semaphore.value[index] + 1, LARGEST)
    return 0
