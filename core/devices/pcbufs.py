# SPDX-License-Identifier: Apache-2.0
"""PCBufs: FIFOs of 32-bit values from B to each of T0, T1, T2 (PCBufs.md).

    B    store to window i        push; waits while 16 values are held
    B    load from window i       0, once it is empty, Ti waits in a load from it, and Tensix
                                  thread i is idle
    Ti   load from PC_BUF_BASE    pop; waits while it is empty
    Ti   store to PC_BUF_BASE     discarded

The override bits of TRISC_PC_BUF_OVERRIDE cut both waits short. At PC_BUF_BASE the T cores
find manual TTSync and the semaphores, which are regions of their own; `read` and `write` hand those
accesses on.

UNSPECIFIED(PCBufs.md): loads and stores narrower than a word; they stop the hart.
"""

from tensix_gdb.core.arch.blackhole import T0, B
from tensix_gdb.core.devices import semaphores, ttsync
from tensix_gdb.core.devices.registers import Access, Bits, Register
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import Chapter, Part, Tag, View, row
from tensix_gdb.core.stall import WaitsFor, wait
from tensix_gdb.core.stop import fault
from tensix_gdb.core.tensix.in_flight import is_idle

PC_BUF_BASE = 0xFFE80000
PC_BUF_STRIDE = 0x10000  # between B's windows
PCBUFS = 3
CAPACITY = 16

PCBUF = Part(
    "pcbuf",
    (
        row("count", "u32", PCBUFS, Tag.ARCHITECTURAL, "values held"),
        row(
            "value",
            "u32",
            (PCBUFS, CAPACITY),
            Tag.ARCHITECTURAL,
            "the values, the oldest first; 0 after the last",
        ),
        row(
            "asked",
            "i64",
            PCBUFS,
            Tag.TIMING,
            "1 + the cycle in which a T core last found it empty",
        ),
    ),
    chapter=Chapter.DEVICES,
)
PARTS = (PCBUF, semaphores.SEMAPHORE)

WINDOW = (
    Register(
        0x0,
        "PC_BUF_BASE, PC1_BUF_BASE, PC2_BUF_BASE",
        Access.READ_WRITE,
        "B: push, and wait for the reader to have read everything; T cores: pop",
        count=PCBUFS,
        step=PC_BUF_STRIDE,
        may_wait=True,
    ),
    *ttsync.REGISTERS,
    *semaphores.REGISTERS,
)

# TRISC_PC_BUF_OVERRIDE, which is one of the tile control registers: ten bits per PCBuf.
OVERRIDE_EN = 1
OVERRIDE_BUSY = 2
OVERRIDE_FIELDS = tuple(
    field
    for i in range(PCBUFS)
    for field in (
        Bits(10 * i, 1, f"PCBuf[{i}].OverrideEn"),
        Bits(10 * i + 1, 1, f"PCBuf[{i}].OverrideBusy"),
        Bits(10 * i + 2, 8, f"PCBuf[{i}].OverrideValue"),
    )
)


def override(S: View, thread: int) -> int:
    """Return the ten override bits of PCBuf `thread`."""
    return (S.tile_control.pc_buf_override >> (10 * thread)) & 0x3FF


def read(S: View, hart: int, addr: int, size: int) -> int:
    """Loads by B from its three windows, and by T cores from the one they have."""
    if size != 4:
        return fault(S, hart, Fault.LOAD_WIDTH, addr, size)
    if hart == B:
        return read_by_b(S, (addr - PC_BUF_BASE) // PC_BUF_STRIDE)
    if addr == PC_BUF_BASE:
        return pop(S, hart - T0)
    if addr < semaphores.SEMAPHORE_BASE:
        return ttsync.read(S, hart, addr, override(S, hart - T0))
    return semaphores.read(S, hart, addr)


def write(S: View, hart: int, addr: int, size: int, value: int) -> int:
    """Stores by B to its three windows, and by T cores to the one they have."""
    if size != 4:
        return fault(S, hart, Fault.STORE_WIDTH, addr, size)
    if hart == B:
        return push(S, (addr - PC_BUF_BASE) // PC_BUF_STRIDE, value)
    if addr == PC_BUF_BASE:
        return 0
    if addr < semaphores.SEMAPHORE_BASE:
        return ttsync.write(S, hart, addr)
    return semaphores.write(S, hart, addr, value)


def peek(S: View, hart: int, addr: int) -> int:
    """Return the value that a load would get now; -1 where it would have to wait."""
    if hart == B:
        return 0 if reader_is_done(S, (addr - PC_BUF_BASE) // PC_BUF_STRIDE) else -1
    thread = hart - T0
    if addr == PC_BUF_BASE:
        if S.pcbuf.count[thread]:
            return S.pcbuf.value[thread, 0]
        return override(S, thread) >> 2 if override(S, thread) & OVERRIDE_EN else -1
    if addr < semaphores.SEMAPHORE_BASE:
        return -1  # the value is undefined
    return semaphores.peek(S, addr)


def push(S: View, thread: int, value: int) -> int:
    """B stores to window `thread`."""
    count = S.pcbuf.count[thread]
    if count == CAPACITY:
        return wait(S, B, WaitsFor.PCBUF_SPACE, T0 + thread)
    S.pcbuf.value[thread, count] = value
    S.pcbuf.count[thread] = count + 1
    return 0


def read_by_b(S: View, thread: int) -> int:
    """B loads from window `thread`."""
    if reader_is_done(S, thread):
        return 0
    return wait(S, B, WaitsFor.PCBUF_IDLE, T0 + thread)


def reader_is_done(S: View, thread: int) -> int:
    """True if B's load need not wait: the override says that, or the thread has nothing left to
    do."""
    forced = override(S, thread)
    if forced & OVERRIDE_EN and forced & OVERRIDE_BUSY:
        return 1
    if S.pcbuf.count[thread] or not reader_waits(S, thread):
        return 0
    return is_idle(S, thread)


def reader_waits(S: View, thread: int) -> int:
    """True if a load of Ti from PC_BUF_BASE waits; it asks again in every cycle."""
    asked = S.pcbuf.asked[thread]
    return 1 if asked > 0 and S.tile.cycle + 1 - asked <= 1 else 0


def pop(S: View, thread: int) -> int:
    """Ti loads from PC_BUF_BASE."""
    if S.pcbuf.count[thread] == 0:
        if override(S, thread) & OVERRIDE_EN:
            return override(S, thread) >> 2
        S.pcbuf.asked[thread] = S.tile.cycle + 1
        return wait(S, T0 + thread, WaitsFor.PCBUF_VALUE, B)
    value = S.pcbuf.value[thread, 0]
    for i in range(CAPACITY - 1):
        S.pcbuf.value[thread, i] = S.pcbuf.value[thread, i + 1]
    S.pcbuf.value[thread, CAPACITY - 1] = 0
    S.pcbuf.count[thread] -= 1
    return value


def empty(S: View, thread: int) -> int:
    """Discard what PCBuf `thread` holds: its reader leaves soft reset (SoftReset.md)."""
    S.pcbuf.count[thread] = 0
    S.pcbuf.asked[thread] = 0
    for i in range(CAPACITY):
        S.pcbuf.value[thread, i] = 0
    return 0
