# SPDX-License-Identifier: Apache-2.0
"""The push windows: stores that hand Tensix instructions to the coprocessor.

BabyRISCV/PushTensixInstruction.md. B reaches all three threads, each through its own 64 KiB
window; T0..T2 reach their own thread through the first window. `.ttinsn` is exactly a store to the
first window. T cores push into the FIFO before the MOP expander, B into the one after it; a push
that its FIFO cannot take waits. Every push is counted and kept with its origin.

In the cycle in which B pushes, nothing may come from the MOP expander of the thread: on hardware
that instruction is lost (README.md of TensixCoprocessor). Here B is stopped.

INSTRN_BUF_CTRL0 lets the debug bus push in their place: while its bit for a thread is set, what
harts push to the thread is discarded, and bits 4 to 6 going from 0 to 1 push INSTRN_BUF_CTRL1.
"""

from tensix_gdb.core.arch.blackhole import PUSH_BASE, PUSH_STRIDE, T0, THREADS, TTINSN_LIMIT, B
from tensix_gdb.core.devices.registers import Access, Bits, Register
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import Chapter, Part, Tag, View, row
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stall import WaitsFor, wait
from tensix_gdb.core.stop import fault
from tensix_gdb.core.tensix.auto_ttsync import tracker
from tensix_gdb.core.tensix.frontend import fifo

PUSH_RECORDS = 64

_A, _M = Tag.ARCHITECTURAL, Tag.MONOTONE

# fmt: off
PUSH = Part("push", (
    row("count", "i64", THREADS,                 _M, "instructions pushed to each thread"),
    row("word",  "u32", (THREADS, PUSH_RECORDS), _A, "the last ones, at count % PUSH_RECORDS"),
    row("hart",  "u8",  (THREADS, PUSH_RECORDS), _A, "origin: the hart that pushed"),
    row("pc",    "u32", (THREADS, PUSH_RECORDS), _A, "origin: its pc"),
    row("cycle", "i64", (THREADS, PUSH_RECORDS), _M, "origin: the cycle of the push"),
), chapter=Chapter.DEVICES)
PARTS = (PUSH,)
# fmt: on

CTRL0_BITS = 0x77
ALL_EMPTY = 0x77  # INSTRN_BUF_STATUS: no FIFO full, all empty


def read(S: View, hart: int, addr: int, size: int) -> int:
    """Loads from the windows: no document describes them."""
    return fault(S, hart, Fault.LOAD_WRITE_ONLY, addr, size)


def write(S: View, hart: int, addr: int, size: int, value: int) -> int:
    """Push `value` to the thread that `addr` means to `hart`."""
    if size != 4:
        return fault(S, hart, Fault.STORE_WIDTH, addr, size)
    window = (addr - PUSH_BASE) // PUSH_STRIDE
    if hart != B and window != 0:
        return fault(S, hart, Fault.PUSH_OTHER_THREAD, addr, size)
    if value >= TTINSN_LIMIT:
        return fault(S, hart, Fault.PUSH_INVALID, value, window)
    if hart == B:
        return push_behind(S, hart, window, value, 0)
    return push_before(S, hart, value)


def debug_bus_controls(S: View, thread: int) -> int:
    """True if what harts push to the thread is discarded."""
    return (S.tile_control.push_ctrl0 >> thread) & 1


def push_before(S: View, hart: int, word: int) -> int:
    """A T core pushes: into the FIFO before the MOP expander. 0, or WAIT."""
    thread = hart - T0
    if S.schedule.kind == Schedule.SC or S.tracker.entering[thread] == 0:
        # With time, the tracker has seen the push leave the store queue (pipeline/stores.py),
        # unless it is a debugger's.
        if not tracker.accepts(S, thread):
            return wait(S, hart, WaitsFor.TENSIX_FIFO, hart)
        tracker.note_push(S, thread, word)
        tracker.note_bundle_end(S, thread, word)
    slot = tracker.enter(S, thread)
    if debug_bus_controls(S, thread):
        return tracker.leave(S, thread, slot)
    fifo.put(S, thread, fifo.A, word, hart, S.request.pc, S.tile.cycle, 0, slot)
    return record(S, hart, thread, word)


def push_behind(S: View, hart: int, thread: int, word: int, via: int) -> int:
    """Push for B or the debug bus, into the FIFO after the MOP expander. 0, WAIT or STOPPED."""
    if not via and debug_bus_controls(S, thread):
        return 0
    if fifo.room(S, thread, fifo.B) == 0:
        return wait(S, hart, WaitsFor.TENSIX_FIFO, T0 + thread)
    if S.mop.emitted[thread] and S.schedule.kind != Schedule.SC:
        return fault(S, hart, Fault.PUSH_COLLISION, word, thread)
    pc = S.request.pc
    fifo.put(S, thread, fifo.B, word, hart, pc, S.tile.cycle, via, fifo.NO_SLOT)
    return record(S, hart, thread, word)


def record(S: View, hart: int, thread: int, word: int) -> int:
    """Keep where the instruction came from, and wake the coprocessor."""
    S.tensix.active = 1
    at = S.push.count[thread] % PUSH_RECORDS
    S.push.word[thread, at] = word
    S.push.hart[thread, at] = hart
    S.push.pc[thread, at] = S.request.pc
    S.push.cycle[thread, at] = S.tile.cycle
    S.push.count[thread] += 1
    return 0


def set_ctrl0(S: View, hart: int, addr: int, value: int) -> int:
    """Bits 0 to 2 give control to the debug bus, bits 4 to 6 push when they go from 0 to 1."""
    rising = value & ~S.tile_control.push_ctrl0
    for thread in range(THREADS):
        if (rising >> (4 + thread)) & 1 and (value >> thread) & 1:
            if fifo.room(S, thread, fifo.B) == 0:
                return fault(S, hart, Fault.PUSH_DEBUG_FULL, S.tile_control.push_ctrl1, thread)
            status = push_behind(S, hart, thread, S.tile_control.push_ctrl1, fifo.VIA_DEBUG_BUS)
            if status < 0:
                return status
    S.tile_control.push_ctrl0 = value & CTRL0_BITS
    return 0


def buffer_status(S: View, hart: int, addr: int) -> int:
    """INSTRN_BUF_STATUS."""
    status = 0
    for thread in range(THREADS):
        if fifo.room(S, thread, fifo.B):
            status |= 1 << thread
        if S.fifo.count[thread, fifo.B] == 0:
            status |= 0x10 << thread
    return status


_PAGE = "BabyRISCV/PushTensixInstruction.md"

# fmt: off
REGISTERS = (
    Register(0x0A0, "INSTRN_BUF_CTRL0", Access.READ_WRITE, "pushing by the debug bus",
             write=set_ctrl0, row="push_ctrl0", kept_bits=CTRL0_BITS, page=_PAGE, fields=(
                 Bits(0, 3, "control", "of thread i, given to the debug bus"),
                 Bits(4, 3, "push", "to thread i when it goes from 0 to 1"))),
    Register(0x0A4, "INSTRN_BUF_CTRL1", Access.READ_WRITE, "the instruction to push",
             row="push_ctrl1", page=_PAGE),
    Register(0x0A8, "INSTRN_BUF_STATUS", Access.READ_ONLY, "FIFOs before the Replay expanders",
             ALL_EMPTY, peek=buffer_status, page=_PAGE, fields=(
                 Bits(0, 3, "not full"), Bits(4, 3, "empty"))),
)
# fmt: on


INLINED = (push_before, write)
