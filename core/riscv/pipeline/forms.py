# SPDX-License-Identifier: Apache-2.0
"""The forms of `execute.py` with time: memory is reached through the pipeline.

Everything that can be wrong with an instruction by itself (no such instruction, a misaligned or
unmapped address, a watch) stops the hart before it enters EX1. What only the device knows is found
when the request is processed, and then stops the hart with the pc of the instruction it came from.
"""

from functools import partial

from tensix_gdb.core.arch.blackhole import L1_BYTES, PUSH_BASE, PUSH_END, B
from tensix_gdb.core.arch.chips import CHECKS_ALL
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.devices.ttsync import COPROCESSOR_DONE_CHECK, MOP_EXPANDER_DONE_CHECK
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.memory.map import Region, region_on
from tensix_gdb.core.ordering import pauses
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.check_access import check_access, needs_check, refuse
from tensix_gdb.core.riscv.encoding import Form
from tensix_gdb.core.riscv.execute import EXECUTE, Handler, pause
from tensix_gdb.core.riscv.pipeline.fused import fuse
from tensix_gdb.core.riscv.pipeline.pipeline import (
    DIVIDES,
    FENCES,
    LATENCY,
    MULTIPLIES,
    NEVER,
    OCCUPIED,
    SERIAL,
    note_division,
    reserve,
    serialise,
    serializes,
)
from tensix_gdb.core.riscv.rvv import timed
from tensix_gdb.core.riscv.table import FORMS, SIZES
from tensix_gdb.core.stop import WAIT, StopKind, WatchKind, fault

DIS_TRISC_CACHE = 1 << 18  # cfg0: neighbouring .ttinsn are not fused


def simple(
    S: View, hart: int, pc: int, d: int, CHECKED: int, HANDLER: Handler, CYCLES: int, IS_SERIAL: int
) -> int:
    """Execute in EX1 an instruction that reaches no memory."""
    npc = HANDLER(S, hart, pc, d, CHECKED)
    if npc >= 0:
        entry = reserve(S, hart, (d >> 8) & 63, S.tile.cycle + CYCLES)
        if IS_SERIAL and serializes(S, hart, d & 0xFF):
            serialise(S, hart, entry)
    return npc


def branch(S: View, hart: int, pc: int, d: int, CHECKED: int, HANDLER: Handler, CYCLES: int) -> int:
    """beq to bgeu."""
    npc = simple(S, hart, pc, d, CHECKED, HANDLER, CYCLES, 0)
    if 0 <= npc <= pc and S.pause.earliest:
        pauses.at_hart(S, hart)
    return npc


def multiply(
    S: View, hart: int, pc: int, d: int, CHECKED: int, HANDLER: Handler, CYCLES: int
) -> int:
    """mul to mulhu, which on Wormhole let nothing else into the Integer Unit meanwhile."""
    npc = simple(S, hart, pc, d, CHECKED, HANDLER, CYCLES, 0)
    if S.tile.chip:
        S.pipeline.ex1_free[hart] = S.tile.cycle + OCCUPIED
    return npc


def divide(S: View, hart: int, pc: int, d: int, CHECKED: int, HANDLER: Handler) -> int:
    """div to remu."""
    dividend = S.hart.x[hart, (d >> 16) & 31]
    divisor = S.hart.x[hart, (d >> 24) & 31]
    npc = HANDLER(S, hart, pc, d, CHECKED)
    note_division(S, hart, d, dividend, divisor)
    return npc


def pausing(S: View, hart: int, pc: int, d: int, CHECKED: int, KIND: int) -> int:
    """ebreak, ecall: once everything before has retired; a paused hart has no loose ends."""
    if S.pipeline.rq_count[hart] > 0:
        return WAIT
    npc = pause(S, hart, pc, KIND)
    if npc >= 0:
        entry = reserve(S, hart, 0, S.tile.cycle + 1)
        if serializes(S, hart, d & 0xFF):
            serialise(S, hart, entry)
    return npc


def hold_in_ex1(S: View, hart: int, pc: int, d: int, addr: int, data: int, answered: int) -> int:
    """Keep a memory instruction in EX1 until the Load/Store Unit takes it."""
    op = d & 0xFF
    entry = reserve(S, hart, (d >> 8) & 63, NEVER)
    if FENCES[op]:
        serialise(S, hart, entry)
    S.pipeline.rq_answer[hart, entry] = answered
    S.pipeline.ex1_op[hart] = op
    S.pipeline.ex1_addr[hart] = addr
    S.pipeline.ex1_data[hart] = data
    S.pipeline.ex1_entry[hart] = entry
    S.pipeline.ex1_pc[hart] = pc
    S.pipeline.ex1_since[hart] = S.tile.cycle
    return pc + 4


def load(S: View, hart: int, pc: int, d: int, CHECKED: int) -> int:
    """lb to lhu."""
    addr = (S.hart.x[hart, (d >> 16) & 31] + (d >> 32)) & MASK32
    size = SIZES[d & 0xFF]
    asked = CHECKS_ALL[S.tile.chip]
    if asked or (CHECKED and S.debug.watches > 0) or needs_check(hart, addr, size):
        problem = check_access(S, hart, addr, size, WatchKind.READ, CHECKED, 0)
        if problem:
            return refuse(S, hart, addr, size, WatchKind.READ, problem)
    if addr >= L1_BYTES:
        region = region_on(S, hart, addr)
        if region != Region.LOCAL and S.pause.earliest and pauses.at_hart(S, hart):
            return WAIT
        if region == Region.PCBUF or region == Region.MAILBOX:
            return load_near_check(S, hart, pc, d, addr)
    return hold_in_ex1(S, hart, pc, d, addr, 0, 1)


def load_near_check(S: View, hart: int, pc: int, d: int, addr: int) -> int:
    """A load from where CoprocessorDoneCheck and MOPExpanderDoneCheck are, or from mailboxes.

    Hardware cannot have one under way after a load from either of the two (ManualTTSync.md).
    """
    if S.pipeline.check[hart] or S.pipeline.checked[hart] > S.tile.cycle:
        return fault(S, hart, Fault.TTSYNC_ADJACENT, addr, 4)
    npc = hold_in_ex1(S, hart, pc, d, addr, 0, 1)
    if hart != B and (addr == COPROCESSOR_DONE_CHECK or addr == MOP_EXPANDER_DONE_CHECK):
        S.pipeline.check[hart] = S.pipeline.ex1_entry[hart] + 1
    return npc


def store(S: View, hart: int, pc: int, d: int, CHECKED: int) -> int:
    """sb, sh, sw."""
    addr = (S.hart.x[hart, (d >> 16) & 31] + (d >> 32)) & MASK32
    size = SIZES[d & 0xFF]
    asked = CHECKS_ALL[S.tile.chip]
    if asked or (CHECKED and S.debug.watches > 0) or needs_check(hart, addr, size):
        problem = check_access(S, hart, addr, size, WatchKind.WRITE, CHECKED, 0)
        if problem:
            return refuse(S, hart, addr, size, WatchKind.WRITE, problem)
    if PUSH_BASE <= addr < PUSH_END and S.pause.earliest and pauses.at_hart(S, hart):
        return WAIT
    return hold_in_ex1(S, hart, pc, d, addr, S.hart.x[hart, (d >> 24) & 63], 0)


def ttinsn(S: View, hart: int, pc: int, d: int, CHECKED: int) -> int:
    """Exactly a `sw` of the immediate to INSTRN_BUF_BASE; up to four neighbours are one store."""
    if region_on(S, hart, PUSH_BASE) == Region.NONE:
        return fault(S, hart, Fault.STORE_UNMAPPED, PUSH_BASE, 4)
    if S.pause.earliest and pauses.at_hart(S, hart):
        return WAIT
    npc = hold_in_ex1(S, hart, pc, d, PUSH_BASE, (d >> 32) & MASK32, 0)
    if hart == B or S.hart.cfg0[hart] & DIS_TRISC_CACHE:
        return npc
    npc = fuse(S, hart, npc, S.hart.retired[hart] + 2, CHECKED)
    S.hart.retired[hart] += S.pipeline.ex1_fused[hart]
    return npc


def amo(S: View, hart: int, pc: int, d: int, CHECKED: int) -> int:
    """amo*.w"""
    addr = S.hart.x[hart, (d >> 16) & 31]
    problem = check_access(S, hart, addr, 4, WatchKind.ACCESS, CHECKED, 0)
    if problem:
        return refuse(S, hart, addr, 4, WatchKind.ACCESS, problem)
    return hold_in_ex1(S, hart, pc, d, addr, S.hart.x[hart, (d >> 24) & 31], 1)


def fence(S: View, hart: int, pc: int, d: int, CHECKED: int) -> int:
    """fence; the bits that choose what is ordered are ignored."""
    if S.pause.earliest and pauses.at_hart(S, hart):
        return WAIT
    return hold_in_ex1(S, hart, pc, d, 0, 0, 0)


_MEMORY = {
    Form.LOAD: load,
    Form.STORE: store,
    Form.AMO: amo,
    Form.TTINSN: ttinsn,
    Form.VECTOR: timed.issue_arithmetic,
    Form.VECTOR_LOAD: timed.issue_load,
    Form.VECTOR_STORE: timed.issue_store,
}


def _issue_form(op: int) -> Handler:
    form = FORMS[op]
    if form in _MEMORY:
        return _MEMORY[form]
    if form is Form.FENCE:
        return fence
    if form is Form.EBREAK:
        return partial(pausing, KIND=StopKind.EBREAK)
    if form is Form.ECALL:
        return partial(pausing, KIND=StopKind.ECALL)
    if DIVIDES[op]:
        return partial(divide, HANDLER=EXECUTE[op])
    if MULTIPLIES[op]:
        return partial(multiply, HANDLER=EXECUTE[op], CYCLES=LATENCY[op])
    if form is Form.BRANCH:
        return partial(branch, HANDLER=EXECUTE[op], CYCLES=LATENCY[op])
    return partial(simple, HANDLER=EXECUTE[op], CYCLES=LATENCY[op], IS_SERIAL=SERIAL[op])


ISSUE = tuple(_issue_form(op) for op in range(len(FORMS)))


INLINED = (hold_in_ex1,)
