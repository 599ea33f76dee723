# SPDX-License-Identifier: Apache-2.0
"""The command processor of TDMA-RISC (TDMA-RISC.md): takes commands from the queue in their order.

    0x40  start the mover, as soon as it is idle      0x66  write 32 or 64 bits of L1
    0x46  wait until the mover is idle                0x89  nothing

`check` is asked when a command is enqueued, so that what has no meaning stops at its store. What a
compact command copies from is known only when it is processed: its base is a register of the core.

UNSPECIFIED(TDMA-RISC.md): how long a command takes; one cycle. When a command writes L1, which goes
on in the background: at once.
"""

import enum

from tensix_gdb.core.arch.blackhole import NC, T0, SoftReset
from tensix_gdb.core.arch.chips import L1_END
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.decisions import TDMA
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.memory.l1_ports import OF_T1_T2, unit_waits, unit_writes
from tensix_gdb.core.memory.ram import l1_write
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.schedule import due_after, is_delayed
from tensix_gdb.core.stop import fault
from tensix_gdb.core.tensix.mover import unit as mover

COLD = True  # little time of LLVM for it (core/engine/README.md)


class Command(enum.IntEnum):
    """The low byte of a command."""

    MOVE = 0x40
    WAIT_IDLE = 0x46
    WRITE_L1 = 0x66
    NOTHING = 0x89


COMPACT = 1 << 31
WRITE_BITS, WRITE_64 = 0x600, 0x100
QUEUE = 4
PARAMETER = 1  # where the registers of parameters begin in `tdma.word`


def check(S: View, command: int) -> int:
    """0, or why the command has no meaning, with the parameters that are there now (Fault)."""
    match command & 0xFF:
        case Command.MOVE:
            if command & COMPACT:
                return 0
            src = S.tdma.word[PARAMETER] << 4
            dst = S.tdma.word[PARAMETER + 1] << 4
            units = S.tdma.word[PARAMETER + 2] & 0xFFFF
            mode = S.tdma.word[PARAMETER + 3] & 3
            if mover.is_defined(S, dst & MASK32, src & MASK32, units, mode):
                return 0
            return Fault.MOVER_RANGE
        case Command.WRITE_L1:
            size = 8 if command & WRITE_64 else 4
            dst = S.tdma.word[PARAMETER]
            if command & COMPACT or command & WRITE_BITS != WRITE_BITS:
                return Fault.MOVER_COMMAND
            end = L1_END[S.tile.chip]
            return 0 if dst % size == 0 and dst + size <= end else Fault.MOVER_RANGE
        case Command.WAIT_IDLE | Command.NOTHING:
            return 0
    return Fault.MOVER_COMMAND


def enqueue(S: View, hart: int, pc: int, command: int) -> int:
    """Put a command at the end of the queue, which has room."""
    at = S.tdma.queued
    S.tdma.queued = at + 1
    S.tdma.command[at] = command
    S.tdma.hart[at] = hart
    S.tdma.pc[at] = pc
    if not command & COMPACT:
        S.tdma.with_parameters += 1
        for i in range(4):
            S.tdma.parameter[at, i] = S.tdma.word[PARAMETER + i]
    if at == 0:
        S.tdma.due = due_after(S, 1, TDMA)
    S.tensix.active = 1
    return 0


def pop(S: View) -> int:
    """The oldest command is gone."""
    last = S.tdma.queued - 1
    S.tdma.queued = last
    if not S.tdma.command[0] & COMPACT:
        S.tdma.with_parameters -= 1
    for at in range(QUEUE):
        more = at + 1 if at < last else at
        keep = 1 if at < last else 0
        S.tdma.command[at] = S.tdma.command[more] * keep
        S.tdma.hart[at] = S.tdma.hart[more] * keep
        S.tdma.pc[at] = S.tdma.pc[more] * keep
        for i in range(4):
            S.tdma.parameter[at, i] = S.tdma.parameter[more, i] * keep
    S.tdma.due = due_after(S, 1, TDMA) if last else 0
    return 1


def empty(S: View) -> int:
    """Discard everything that is queued."""
    while S.tdma.queued:
        pop(S)
    return 0


def base_of(S: View, hart: int) -> int:
    """XMOV_L1_BASE_ADDR as a core has it; NC uses that of T0."""
    return S.tdma.mover_base[T0 if hart == NC else hart]


def step(S: View) -> int:
    """Run one cycle: process the oldest command, if it can be; 1 if it is, or STOPPED."""
    if is_delayed(S, S.tdma.due):
        return 0
    command = S.tdma.command[0]
    match command & 0xFF:
        case Command.MOVE:
            if S.busy.mover:
                return 0
            return move(S, command)
        case Command.WAIT_IDLE:
            if S.busy.mover:
                return 0
        case Command.WRITE_L1:
            if unit_waits(S, OF_T1_T2, S.tdma.parameter[0, 0]):
                return 0
            unit_writes(S, OF_T1_T2, S.tdma.parameter[0, 0], 8 if command & WRITE_64 else 4)
            l1_write(S, S.tdma.parameter[0, 0], S.tdma.parameter[0, 2], 4)
            if command & WRITE_64:
                l1_write(S, S.tdma.parameter[0, 0] + 4, S.tdma.parameter[0, 3], 4)
    return pop(S)


def move(S: View, command: int) -> int:
    """Hand a command to the mover, which is idle; in reset it takes none."""
    hart = S.tdma.hart[0]
    pc = S.tdma.pc[0]
    if command & COMPACT:
        src = base_of(S, hart) + ((command >> 8) & 0xFF)
        dst = (command >> 16) & 0xFF
        units = (command >> 24) & 0x3F
        mode = mover.L1_TO_L1 if (command >> 30) & 1 else mover.L1_TO_L0
    else:
        src = S.tdma.parameter[0, 0]
        dst = S.tdma.parameter[0, 1]
        units = S.tdma.parameter[0, 2] & 0xFFFF
        mode = S.tdma.parameter[0, 3] & 3
    pop(S)
    if S.tile_control.soft_reset & SoftReset.MOVER:
        return 1
    if not mover.is_defined(S, (dst << 4) & MASK32, (src << 4) & MASK32, units, mode):
        return fault(S, hart, Fault.MOVER_COMPACT, command, pc)
    mover.start(S, dst << 4, src << 4, units, mode, hart, pc)
    return 1
