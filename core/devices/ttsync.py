# SPDX-License-Identifier: Apache-2.0
"""Manual TTSync: loads by a T core that wait for its Tensix thread (ManualTTSync.md).

    CoprocessorDoneCheck   waits while the coprocessor has instructions of the thread in flight
    MOPExpanderDoneCheck   waits while MOPs of the thread are queued or being expanded

Both values are undefined; stores are discarded. The coprocessor is not there yet: in the schedule
`sc` whatever was pushed counts as done, so neither load waits.

UNSPECIFIED(ManualTTSync.md): the undefined value; 0 is loaded. The words between the two
registers and the semaphores: an access stops the hart.
"""

from core.devices.registers import Access, Register
from core.faults import Fault
from core.layout import View
from core.stop import fault

COPROCESSOR_DONE_CHECK = 0xFFE80004
MOP_EXPANDER_DONE_CHECK = 0xFFE80008

REGISTERS = (
    Register(
        0x4,
        "CoprocessorDoneCheck",
        Access.READ_WRITE,
        "load: waits for the thread's instructions; the value is undefined. store: discarded",
    ),
    Register(
        0x8,
        "MOPExpanderDoneCheck",
        Access.READ_WRITE,
        "load: waits for the thread's MOPs; the value is undefined. store: discarded",
    ),
)


def thread_is_idle(S: View, thread: int) -> int:
    """Has the coprocessor no instruction of `thread` in flight?"""
    return 1


def read(S: View, hart: int, addr: int, override: int) -> int:
    """The two checks; `override` are the PCBuf's bits, with which neither waits."""
    if addr != COPROCESSOR_DONE_CHECK and addr != MOP_EXPANDER_DONE_CHECK:
        return fault(S, hart, Fault.UNKNOWN_REGISTER, addr, 4)
    return 0


def write(S: View, hart: int, addr: int) -> int:
    """Stores only order what is around them."""
    if addr != COPROCESSOR_DONE_CHECK and addr != MOP_EXPANDER_DONE_CHECK:
        return fault(S, hart, Fault.UNKNOWN_REGISTER, addr, 4)
    return 0
