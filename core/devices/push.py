# SPDX-License-Identifier: Apache-2.0
"""The push windows: stores that hand Tensix instructions to the coprocessor.

BabyRISCV/PushTensixInstruction.md. B reaches all three threads, each through its own 64 KiB
window; T0..T2 reach their own thread through the first window. `.ttinsn` is exactly a store to the
first window. The coprocessor behind the windows is not there yet: every push is counted and kept
with its origin, and takes effect nowhere.
"""

from core.arch.blackhole import PUSH_BASE, PUSH_STRIDE, T0, TTINSN_LIMIT, B
from core.devices.fields import PUSH_RECORDS
from core.faults import Fault
from core.layout import View
from core.stop import fault


def read(S: View, hart: int, addr: int, size: int) -> int:
    """Loads from the windows: no document describes them."""
    return fault(S, hart, Fault.LOAD_WRITE_ONLY, addr, size)


def write(S: View, hart: int, addr: int, size: int, value: int) -> int:
    """Push `value` to the thread that `addr` means to `hart`."""
    if size != 4:
        return fault(S, hart, Fault.STORE_WIDTH, addr, size)
    window = (addr - PUSH_BASE) // PUSH_STRIDE
    if hart == B:
        return push(S, hart, window, value)
    if window != 0:
        return fault(S, hart, Fault.PUSH_OTHER_THREAD, addr, size)
    return push(S, hart, hart - T0, value)


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
