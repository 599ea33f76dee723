# SPDX-License-Identifier: Apache-2.0
"""Manual TTSync: loads by a T core that wait for its Tensix thread (ManualTTSync.md).

    CoprocessorDoneCheck   waits while the coprocessor has instructions of the thread in flight
    MOPExpanderDoneCheck   waits while MOPs of the thread are queued or being expanded

Both values are undefined; stores are discarded.

UNSPECIFIED(ManualTTSync.md): the undefined value; 0 is loaded. The words between the two
registers and the semaphores: an access stops the hart.
"""

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.devices.registers import Access, Register
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.stall import WaitsFor, wait
from tensix_gdb.core.stop import fault
from tensix_gdb.core.tensix.in_flight import has_expanded, is_idle

COPROCESSOR_DONE_CHECK = 0xFFE80004
MOP_EXPANDER_DONE_CHECK = 0xFFE80008
OVERRIDES = 3  # OverrideEn and OverrideBusy of the thread's PCBuf

REGISTERS = (
    Register(
        0x4,
        "CoprocessorDoneCheck",
        Access.READ_WRITE,
        "load: waits for the thread's instructions; the value is undefined. store: discarded",
        may_wait=True,
    ),
    Register(
        0x8,
        "MOPExpanderDoneCheck",
        Access.READ_WRITE,
        "load: waits for the thread's MOPs; the value is undefined. store: discarded",
        may_wait=True,
    ),
)


def read(S: View, hart: int, addr: int, override: int) -> int:
    """Return the two checks; `override` are the PCBuf's bits, with which neither waits."""
    if addr != COPROCESSOR_DONE_CHECK and addr != MOP_EXPANDER_DONE_CHECK:
        return fault(S, hart, Fault.UNKNOWN_REGISTER, addr, 4)
    if override & OVERRIDES == OVERRIDES:
        return 0
    if addr == COPROCESSOR_DONE_CHECK:
        return 0 if is_idle(S, hart - T0) else wait(S, hart, WaitsFor.TENSIX_IDLE, hart)
    return 0 if has_expanded(S, hart - T0) else wait(S, hart, WaitsFor.TENSIX_MOP, hart)


def write(S: View, hart: int, addr: int) -> int:
    """Stores only order what is around them."""
    if addr != COPROCESSOR_DONE_CHECK and addr != MOP_EXPANDER_DONE_CHECK:
        return fault(S, hart, Fault.UNKNOWN_REGISTER, addr, 4)
    return 0
