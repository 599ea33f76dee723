# SPDX-License-Identifier: Apache-2.0
"""Processing of the Scalar Unit's memory requests (see pipeline.py), and the end of its
instruction.

Device addresses are those of B: MOP configuration, GPRs and all above them are out of reach.
"""

from tensix_gdb.core.arch.blackhole import T0, B
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.decisions import SCALAR
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.memory import l1_watch, regions
from tensix_gdb.core.memory.l1_ports import OF_B_NC_T0, unit_waits, unit_writes
from tensix_gdb.core.memory.ram import l1_load, l1_read, l1_store, l1_write
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.schedule import Schedule, due_after, is_delayed, wait_until
from tensix_gdb.core.stop import STOPPED, WAIT, StopKind, fault
from tensix_gdb.core.tensix.config import pipeline as config_pipe
from tensix_gdb.core.tensix.device_store import store_to_device
from tensix_gdb.core.tensix.gate.wait_gate import any_condition_holds
from tensix_gdb.core.tensix.regfiles import adc
from tensix_gdb.core.tensix.scalar import pipeline as thcon
from tensix_gdb.core.tensix.scalar.store_src import store_to_source
from tensix_gdb.core.tensix.scalar.to_thcon import store_to_thcon

# What an atomic reads of L1, by kind.
READ_BYTES = tuple(
    {thcon.INCREMENT: 4, thcon.COMPARE: 4, thcon.ADVANCE: 8}.get(kind, 0)
    for kind in range(thcon.STORE_DEVICE + 1)
)


def step(S: View, CHECKED: int) -> int:
    """Run one cycle: an answer, a request to L1, one to a device, the instruction in the unit.

    1 if anything moved, or STOPPED.
    """
    moved = deliver(S)
    to_l1 = oldest(S, 1)
    if (
        to_l1 >= 0
        and l1_takes(S, to_l1)
        and not is_delayed(S, S.thcon.when[to_l1])
        and not unit_waits(S, OF_B_NC_T0, S.thcon.addr[to_l1])
    ):
        if S.thcon.kind[to_l1] != thcon.LOAD_L1:
            is_line = S.thcon.kind[to_l1] == thcon.STORE_L1 and S.thcon.size[to_l1] == 16
            unit_writes(S, OF_B_NC_T0, S.thcon.addr[to_l1], 16 if is_line else 4)
        if is_short_atomic(S, to_l1):
            S.thcon.next_atomic = wait_until(S, thcon.BETWEEN_ATOMICS)
        if CHECKED and S.l1_watch.ranges:
            is_load = S.thcon.kind[to_l1] == thcon.LOAD_L1
            size = S.thcon.size[to_l1] if is_load else READ_BYTES[S.thcon.kind[to_l1]]
            l1_watch.note_read(S, S.thcon.addr[to_l1], size)
        moved |= at_l1(S, to_l1)
    device = oldest(S, 0)
    if device >= 0 and not is_delayed(S, S.thcon.when[device]):
        status = at_device(S, device)
        if status == STOPPED:
            return STOPPED
        moved |= 1 if status >= 0 else 0
    return moved | end_instruction(S)


def oldest(S: View, to_l1: int) -> int:
    """Return the oldest request to L1 or to a device that is not processed; -1 for none."""
    for i in range(S.thcon.requests):
        if S.thcon.answer[i] == 0 and thcon.TO_L1[S.thcon.kind[i]] == to_l1:
            return i
    return -1


def is_short_atomic(S: View, i: int) -> int:
    """True if request `i` is that of ATINCGET or ATSWAP."""
    kind = S.thcon.kind[i]
    return 1 if kind == thcon.INCREMENT or kind == thcon.SWAP else 0


def l1_takes(S: View, i: int) -> int:
    """True if the last atomic is long enough ago, or request `i` is none (ATINCGET.md,
    ATSWAP.md)."""
    if S.schedule.kind == Schedule.SC or not is_short_atomic(S, i):
        return 1
    return 1 if S.thcon.next_atomic <= S.tile.cycle else 0


def deliver(S: View) -> int:
    """Write the oldest answer that has arrived into its GPRs."""
    for i in range(S.thcon.requests):
        if S.thcon.answer[i]:
            if is_delayed(S, S.thcon.when[i]):
                return 0
            at = S.thcon.owner[i] * 64 + S.thcon.gpr[i]
            match S.thcon.size[i]:
                case 16:
                    for word in range(4):
                        S.gpr.word[at + word] = S.thcon.data[i, word]
                case 4:
                    S.gpr.word[at] = S.thcon.data[i, 0]
                case 2:
                    S.gpr.half[at * 2] = S.thcon.data[i, 0]
                case 1:
                    S.gpr.byte[at * 4] = S.thcon.data[i, 0]
            if S.thcon.kind[i] == thcon.COMPARE or S.thcon.kind[i] == thcon.ADVANCE:
                thcon.release(S)
            return 1 + thcon.forget(S, i)
    return 0


def at_l1(S: View, i: int) -> int:
    """L1 processes request `i`."""
    addr = S.thcon.addr[i]
    match S.thcon.kind[i]:
        case thcon.LOAD_L1:
            load(S, i, addr)
        case thcon.STORE_L1:
            store(S, i, addr)
            return 1 + thcon.forget(S, i)
        case thcon.INCREMENT:
            increment(S, i, addr, S.thcon.data[i, 0], S.thcon.data[i, 1])
        case thcon.SWAP:
            for half in range(8):
                if (S.thcon.size[i] >> half) & 1:
                    value = S.thcon.data[i, half >> 1] >> (16 * (half & 1))
                    l1_write(S, addr + 2 * half, value & 0xFFFF, 2)
            return 1 + thcon.forget(S, i)
        case thcon.COMPARE:
            if l1_read(S, addr, 4, 0) != S.thcon.data[i, 0]:
                return again(S, i)
            l1_write(S, addr, S.thcon.data[i, 1], 4)
        case _:
            if not advance(S, i, addr):
                return again(S, i)
    thcon.answered(S, i)
    return 1


def again(S: View, i: int) -> int:
    """An attempt that failed is repeated; nothing moves by that."""
    S.thcon.when[i] = due_after(S, thcon.RETRY, SCALAR + S.thcon.owner[i])
    return 0


def load(S: View, i: int, addr: int) -> int:
    """LOADIND.md"""
    if S.thcon.size[i] != 16:
        S.thcon.data[i, 0] = l1_load(S, addr, S.thcon.size[i])
        return 0
    for word in range(4):
        S.thcon.data[i, word] = l1_read(S, addr + 4 * word, 4, 0)
    return 0


def store(S: View, i: int, addr: int) -> int:
    """STOREIND_L1.md"""
    if S.thcon.size[i] != 16:
        return l1_store(S, addr, S.thcon.size[i], S.thcon.data[i, 0])
    for word in range(4):
        l1_write(S, addr + 4 * word, S.thcon.data[i, word], 4)
    return 0


def increment(S: View, i: int, addr: int, by: int, mask: int) -> int:
    """Add within the bits of `mask`; the old value is the answer (ATINCGET.md)."""
    old = l1_read(S, addr, 4, 0)
    S.thcon.data[i, 0] = old
    S.thcon.data[i, 1] = 0
    return l1_write(S, addr, ((old + by) & mask) | (old & ~mask & MASK32), 4)


def advance(S: View, i: int, addr: int) -> int:
    """Advance a pointer of a FIFO, 0 if it is empty or full (ATINCGETPTR.md)."""
    width = S.thcon.data[i, 1]
    ofs = S.thcon.data[i, 2]
    held = (l1_read(S, addr + 4, 4, 0) - l1_read(S, addr, 4, 0)) & MASK32
    if ofs & 1:
        capacity = 1 << (width - 1) if width else 0x8000
        if held and held % capacity == 0:
            return 0
    elif held == 0:
        return 0
    S.thcon.data[i, 2] = 0
    increment(S, i, addr + 4 * ofs, S.thcon.data[i, 0], (1 << width) - 1)
    return 1


def at_device(S: View, i: int) -> int:
    """Let a device process request `i`; 1, WAIT or STOPPED."""
    addr = S.thcon.addr[i]
    if S.thcon.kind[i] == thcon.LOAD_DEVICE:
        status = regions.READ[regions.number_of(S, B, addr)](S, B, addr, 4)
        S.thcon.data[i, 0] = max(status, 0)
    else:
        status = store_to_device(S, addr, S.thcon.data[i, 0])
    if status == WAIT:
        return WAIT
    if status < 0:
        # The device has said so of B, which has nothing to do with it.
        S.stop.kind = StopKind.NONE
        owner = S.thcon.owner[i]
        return fault(S, T0 + owner, Fault.TENSIX_DEVICE, addr, owner)
    if S.thcon.kind[i] == thcon.LOAD_DEVICE:
        thcon.answered(S, i)
    else:
        thcon.forget(S, i)
    return 1


def end_instruction(S: View) -> int:
    """Let the instruction in the unit end when its time has come; 1 if it does."""
    if S.thcon.stage:
        return 0
    match S.thcon.state:
        case thcon.RESULT:
            if thcon.is_due(S):
                return thcon.finish(S)
            return thcon.write_result(S) if thcon.is_last_cycle(S) else 0
        case thcon.OCCUPIED | thcon.WRITTEN:
            return thcon.release(S) if thcon.is_due(S) else 0
        case thcon.COUNTER:
            if thcon.is_due(S) and not config_pipe.writes_thcon(S):
                adc.set_at(S, S.thcon.reg, S.thcon.value)
                return thcon.release(S)
        case thcon.FLUSHING:
            if thcon.is_due(S) and not any_condition_holds(S, S.thcon.thread, S.thcon.value):
                return thcon.release(S)
        case thcon.TO_SOURCE:
            return store_to_source(S)
        case thcon.TO_THCON:
            return store_to_thcon(S)
    return 0


INLINED = (step, oldest, deliver, end_instruction)
