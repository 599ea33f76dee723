# SPDX-License-Identifier: Apache-2.0
"""Issuing with time: the forms of `execute.py`, where memory is reached through the pipeline.

Everything that can be wrong with an instruction by itself (no such instruction, a misaligned or
unmapped address, a watch) stops the hart before it enters EX1. What only the device knows is found
when the request is processed, and then stops the hart with the pc of the instruction it came from.
"""

from functools import partial

from tensix_gdb.core.arch.blackhole import L1_BYTES, PUSH_BASE, B
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.counting import harts as counted_harts
from tensix_gdb.core.devices.ttsync import COPROCESSOR_DONE_CHECK, MOP_EXPANDER_DONE_CHECK
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.memory.map import Region, region_of
from tensix_gdb.core.memory.ram import decode_at
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv import observe
from tensix_gdb.core.riscv.encoding import Form
from tensix_gdb.core.riscv.execute import EXECUTE, Handler, pause
from tensix_gdb.core.riscv.lsu import watch_stop, watched
from tensix_gdb.core.riscv.pipeline.fused import fuse, go_on, is_cut_here
from tensix_gdb.core.riscv.pipeline.pipeline import (
    DIVIDES,
    FENCES,
    LATENCY,
    NEVER,
    SERIAL,
    hold_others,
    may_enter,
    note_division,
    reserve,
    serializes,
)
from tensix_gdb.core.riscv.rvv import timed
from tensix_gdb.core.riscv.table import FORMS, SIZES
from tensix_gdb.core.stop import PASS_BREAK, WAIT, StopKind, WatchKind, break_at, fault, stop

DIS_TRISC_CACHE = 1 << 18  # cfg0: neighbouring .ttinsn are not fused


def issue(S: View, hart: int, CHECKED: int) -> int:
    """Let `hart` issue its next instruction; the next pc, WAIT or STOPPED."""
    pc = S.hart.pc[hart]
    if S.hart.observed[hart] and observe.pauses(S, hart):
        return WAIT
    if CHECKED and break_at(S, hart, pc) and not S.debug.passing[hart] & PASS_BREAK:
        return stop(S, hart, StopKind.BREAK, pc, 0)
    if CHECKED and S.pipeline.cut[hart]:
        S.pipeline.cut[hart] = 0
        if is_cut_here(S, hart, pc):
            return go_on(S, hart, pc, CHECKED)
    if pc & 3 or pc >= L1_BYTES:
        code = Fault.FETCH_MISALIGNED if pc & 3 else Fault.FETCH_OUTSIDE_L1
        return fault(S, hart, code, pc, 4)
    d = S.decoded.word[pc >> 2]
    if d == 0:
        d = decode_at(S, pc)
    if not may_enter(S, hart, d):
        return WAIT
    observed = S.hart.observed[hart]
    cause = observe.before(S, hart, pc, d) if observed else 0
    npc = ISSUE[d & 0xFF](S, hart, pc, d, CHECKED)
    if npc < 0:
        return npc
    S.hart.pc[hart] = npc
    S.hart.retired[hart] += 1
    S.tile.still = 0
    if observed:
        observe.after_issue(S, hart, cause)
    if CHECKED:
        if S.counted.on:
            counted_harts.executed(S, hart, pc, d, npc)
        S.debug.passing[hart] = 0
        if S.debug.stepping[hart] and not S.debug.step_lo[hart] <= npc < S.debug.step_hi[hart]:
            stop(S, hart, StopKind.STEP, 0, 0)
    return npc


def simple(
    S: View, hart: int, pc: int, d: int, CHECKED: int, HANDLER: Handler, CYCLES: int, IS_SERIAL: int
) -> int:
    """Whatever reaches no memory: executed in EX1."""
    npc = HANDLER(S, hart, pc, d, CHECKED)
    if npc >= 0:
        entry = reserve(S, hart, (d >> 8) & 63, S.tile.cycle + CYCLES)
        if IS_SERIAL and serializes(S, hart, d & 0xFF):
            hold_others(S, hart, entry)
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
            hold_others(S, hart, entry)
    return npc


def hold_in_ex1(S: View, hart: int, pc: int, d: int, addr: int, data: int, answered: int) -> int:
    """Keep a memory instruction in EX1 until the Load/Store Unit takes it."""
    op = d & 0xFF
    entry = reserve(S, hart, (d >> 8) & 63, NEVER)
    if FENCES[op]:
        hold_others(S, hart, entry)
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
    if addr & (size - 1):
        return fault(S, hart, Fault.LOAD_MISALIGNED, addr, size)
    if region_of(hart, addr) == Region.NONE:
        return fault(S, hart, Fault.LOAD_UNMAPPED, addr, size)
    if CHECKED and S.debug.watches > 0 and watched(S, hart, addr, size, WatchKind.READ) >= 0:
        return watch_stop(S, hart, addr, size, WatchKind.READ)
    region = region_of(hart, addr)
    if region == Region.PCBUF or region == Region.MAILBOX:
        return load_near_check(S, hart, pc, d, addr)
    return hold_in_ex1(S, hart, pc, d, addr, 0, 1)


def load_near_check(S: View, hart: int, pc: int, d: int, addr: int) -> int:
    """A load from where CoprocessorDoneCheck and MOPExpanderDoneCheck are, or from mailboxes.

    Hardware cannot have one under way behind a load from either of the two (ManualTTSync.md).
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
    if addr & (size - 1):
        return fault(S, hart, Fault.STORE_MISALIGNED, addr, size)
    if region_of(hart, addr) == Region.NONE:
        return fault(S, hart, Fault.STORE_UNMAPPED, addr, size)
    if CHECKED and S.debug.watches > 0 and watched(S, hart, addr, size, WatchKind.WRITE) >= 0:
        return watch_stop(S, hart, addr, size, WatchKind.WRITE)
    return hold_in_ex1(S, hart, pc, d, addr, S.hart.x[hart, (d >> 24) & 63], 0)


def ttinsn(S: View, hart: int, pc: int, d: int, CHECKED: int) -> int:
    """Exactly a `sw` of the immediate to INSTRN_BUF_BASE; up to four neighbours are one store."""
    if region_of(hart, PUSH_BASE) == Region.NONE:
        return fault(S, hart, Fault.STORE_UNMAPPED, PUSH_BASE, 4)
    npc = hold_in_ex1(S, hart, pc, d, PUSH_BASE, (d >> 32) & MASK32, 0)
    if hart == B or S.hart.cfg0[hart] & DIS_TRISC_CACHE:
        return npc
    npc = fuse(S, hart, npc, CHECKED)
    S.hart.retired[hart] += S.pipeline.ex1_fused[hart]
    return npc


def take_turn(S: View, hart: int, CHECKED: int) -> int:
    """Let `hart` issue, and after a stop keep whose turn it is."""
    npc = issue(S, hart, CHECKED)
    if CHECKED:
        while S.pipeline.cut[hart] and S.stop.kind == StopKind.NONE:
            npc = issue(S, hart, CHECKED)
    if S.stop.kind != StopKind.NONE:
        S.tile.turn = hart if npc < 0 or S.pipeline.cut[hart] else hart + 1
    return npc


def amo(S: View, hart: int, pc: int, d: int, CHECKED: int) -> int:
    """amo*.w"""
    addr = S.hart.x[hart, (d >> 16) & 31]
    if addr & 3:
        return fault(S, hart, Fault.LOAD_MISALIGNED, addr, 4)
    if addr >= L1_BYTES:
        return fault(S, hart, Fault.AMO_OUTSIDE_L1, addr, 4)
    if CHECKED and S.debug.watches > 0 and watched(S, hart, addr, 4, WatchKind.ACCESS) >= 0:
        return watch_stop(S, hart, addr, 4, WatchKind.ACCESS)
    return hold_in_ex1(S, hart, pc, d, addr, S.hart.x[hart, (d >> 24) & 31], 1)


def fence(S: View, hart: int, pc: int, d: int, CHECKED: int) -> int:
    """fence; the bits that choose what is ordered are ignored."""
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
    return partial(simple, HANDLER=EXECUTE[op], CYCLES=LATENCY[op], IS_SERIAL=SERIAL[op])


ISSUE = tuple(_issue_form(op) for op in range(len(FORMS)))
