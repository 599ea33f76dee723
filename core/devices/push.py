# SPDX-License-Identifier: Apache-2.0
"""The push windows: stores that hand Tensix instructions to the coprocessor.

BabyRISCV/PushTensixInstruction.md. B reaches all three threads, each through its own 64 KiB
window; T0..T2 reach their own thread through the first window. `.ttinsn` is exactly a store to the
first window. The coprocessor behind the windows is not there yet: every push is counted and kept
with its origin, and takes effect nowhere.

INSTRN_BUF_CTRL0 lets the debug bus push in their place: while its bit for a thread is set, what
harts push to the thread is discarded, and bits 4 to 6 going from 0 to 1 push INSTRN_BUF_CTRL1. In
the schedule `sc` no FIFO ever holds anything, as INSTRN_BUF_STATUS says.
"""

from core.arch.blackhole import PUSH_BASE, PUSH_STRIDE, T0, THREADS, TTINSN_LIMIT, B
from core.devices.registers import Access, Bits, Register
from core.faults import Fault
from core.layout import Part, Tag, View, row
from core.stop import fault

PUSH_RECORDS = 64

_A, _M = Tag.ARCHITECTURAL, Tag.MONOTONE

# fmt: off
PUSH = Part("push", (
    row("count", "i64", THREADS,                 _M, "instructions pushed to each thread"),
    row("word",  "u32", (THREADS, PUSH_RECORDS), _A, "the last ones, at count % PUSH_RECORDS"),
    row("hart",  "u8",  (THREADS, PUSH_RECORDS), _A, "origin: the hart that pushed"),
    row("pc",    "u32", (THREADS, PUSH_RECORDS), _A, "origin: its pc"),
    row("cycle", "i64", (THREADS, PUSH_RECORDS), _M, "origin: the cycle of the push"),
    row("ctrl0", "u32", (),                      _A, "INSTRN_BUF_CTRL0"),
    row("ctrl1", "u32", (),                      _A, "INSTRN_BUF_CTRL1"),
))
# fmt: on

CTRL0_BITS = 0x77
STATUS = 0x77  # no FIFO full, all empty


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
    thread = window if hart == B else hart - T0
    if (S.push.ctrl0 >> thread) & 1:
        return 0  # the debug bus has control
    return push(S, hart, thread, value)


def push(S: View, hart: int, thread: int, word: int) -> int:
    """Hand `word` to Tensix thread `thread`, noting where it came from."""
    if word >= TTINSN_LIMIT:
        return fault(S, hart, Fault.PUSH_INVALID, word, thread)
    at = S.push.count[thread] % PUSH_RECORDS
    S.push.word[thread, at] = word
    S.push.hart[thread, at] = hart
    S.push.pc[thread, at] = S.hart.pc[hart]
    S.push.cycle[thread, at] = S.tile.cycle
    S.push.count[thread] += 1
    return 0


def ctrl0(S: View, hart: int, addr: int) -> int:
    """INSTRN_BUF_CTRL0."""
    return S.push.ctrl0


def set_ctrl0(S: View, hart: int, addr: int, value: int) -> int:
    """Bits 0 to 2 give control to the debug bus, bits 4 to 6 push when they go from 0 to 1."""
    rising = value & ~S.push.ctrl0
    for thread in range(THREADS):
        if (rising >> (4 + thread)) & 1 and (value >> thread) & 1:
            status = push(S, hart, thread, S.push.ctrl1)
            if status < 0:
                return status
    S.push.ctrl0 = value & CTRL0_BITS
    return 0


def ctrl1(S: View, hart: int, addr: int) -> int:
    """INSTRN_BUF_CTRL1."""
    return S.push.ctrl1


def set_ctrl1(S: View, hart: int, addr: int, value: int) -> int:
    """The instruction that the debug bus pushes next."""
    S.push.ctrl1 = value
    return 0


def buffer_status(S: View, hart: int, addr: int) -> int:
    """INSTRN_BUF_STATUS."""
    return STATUS


_PAGE = "BabyRISCV/PushTensixInstruction.md"

# fmt: off
REGISTERS = (
    Register(0x0A0, "INSTRN_BUF_CTRL0", Access.READ_WRITE, "pushing by the debug bus",
             peek=ctrl0, write=set_ctrl0, kept_bits=CTRL0_BITS, page=_PAGE, fields=(
                 Bits(0, 3, "control", "of thread i, given to the debug bus"),
                 Bits(4, 3, "push", "to thread i when it goes from 0 to 1"))),
    Register(0x0A4, "INSTRN_BUF_CTRL1", Access.READ_WRITE, "the instruction to push",
             peek=ctrl1, write=set_ctrl1, page=_PAGE),
    Register(0x0A8, "INSTRN_BUF_STATUS", Access.READ_ONLY, "FIFOs before the Replay expanders",
             STATUS, peek=buffer_status, page=_PAGE, fields=(
                 Bits(0, 3, "not full"), Bits(4, 3, "empty"))),
)
# fmt: on
