# SPDX-License-Identifier: Apache-2.0
"""The pipeline of the Configuration Unit (ConfigurationUnit.md), stages -4 to +1.

    STREAMWRCFG    prepare  read  wait  wait  write
    WRCFG                               GPR   write
    CFGSHIFTMASK                     (blocks) read, write
    RMWCIB                                    read and write
    RDCFG                                     read   GPR
    RISCV request                             read or write
    mover request                             write

Stages move by one in a cycle, before the wait gates let anything enter, and do their work after
that. So WRCFG is seen by the second instruction after it, and RMWCIB by the next one. In `sc`,
where the Scalar Unit has its operands at once, RDCFG has its GPR at once too.

An instruction enters at its first stage when that is free and none of the stages before it, from -3
on, holds anything: of whichever thread, which is a documented bug, as is that stage -4 does not
count. RISCV requests enter at stage 0 in the same way and take it for that one cycle; so do those
of the mover, which leave a REQUEST there.

C12 sees an instruction in the cycle after its access too: two threads that push RMWCIB0 in turn
keep another one at its STALLWAIT until they end, on a card (mesham/tt-sim, card session
2026-08-12b: 40,400 cycles where the thread alone has 24,542), and RMWCIB0 alone does not delay the
STALLWAIT of its own thread. So what has been in stage 0 is DONE in stage +1.
UNSPECIFIED(ConfigurationUnit.md): the page has RMWCIB in stage 0 only. Measured is RMWCIB; the
others are taken to do so too. `sc` and `exhaustive` have no such cycle.
"""

import enum

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.arch.numbers import MASK32, put_bits
from tensix_gdb.core.decisions import CONFIG as CONTENDED
from tensix_gdb.core.devices import overlay
from tensix_gdb.core.isa.opcodes import ADDDMAREG, CMPDMAREG
from tensix_gdb.core.memory.streams import GPR, WRITE
from tensix_gdb.core.record.layout import Chapter, Part, Role, Tag, View, row
from tensix_gdb.core.schedule import Schedule, choose
from tensix_gdb.core.tensix.config.words import IS_THCON, MODIFY, SET_CONFIG, WORD_OF
from tensix_gdb.core.tensix.frontend.fifo import C
from tensix_gdb.core.tensix.scalar.pipeline import gpr_before, note_old_gpr

STAGES = 6
PREPARE, ISSUE_READ, WAIT_READ, WAITED_READ, ACCESS, WRITE_BACK = range(STAGES)
GPR_READ = WAITED_READ  # stage -1

MASK_MODE = 8  # SHIFT: in `reg`, above the mode of the ALU
NEW = 1  # READ on Wormhole: in `data[1]` in the cycle in which it has entered
DECLARED = 2  # READ: `data[2]` is 1 if Auto TTSync knows that it writes a GPR


class Op(enum.IntEnum):
    """The operation in a stage."""

    EMPTY = 0
    STREAM = 1
    WRITE_1 = 2
    WRITE_4 = 3
    SHIFT = 4
    SHIFTED = 5
    MODIFY = 6
    READ = 7
    REQUEST = 8
    DONE = 9


class ShiftMode(enum.IntEnum):
    """The operation of CFGSHIFTMASK on the scratch register and the old value (CFGSHIFTMASK.md)."""

    OR = 0
    AND = 1
    XOR = 2
    ADD = 3
    ORN = 4
    ANDN = 5
    XNOR = 6
    SUB = 7


NO_THREAD = 3

_A, _M = Tag.ARCHITECTURAL, Tag.MONOTONE

# fmt: off
CONFIG_PIPE = Part("config_pipe", (
    row("op",     "u8",  STAGES,      _A, "what is in the stage, EMPTY for nothing",
        role=Role.PROGRESS),
    row("thread", "u8",  STAGES,      _A, "the thread that it belongs to"),
    row("bank",   "u8",  STAGES,      _A, "Config bank"),
    row("index",  "u16", STAGES,      _A, "word of the bank"),
    row("reg",    "u16", STAGES,      _A, "GPR; STREAM: overlay register; SHIFT: modes"),
    row("data",   "u32", (STAGES, 4), _A, "the values on their way, or the operands",
        role=Role.DATA),
    row("word",   "u32", STAGES,      _M, "the instruction", role=Role.PROGRESS),
    row("hart",   "u8",  STAGES,      _M, "its origin"),
    row("pc",     "u32", STAGES,      _M, "its origin"),
), role=Role.SETTING, chapter=Chapter.CONTROL)
# fmt: on


def may_enter(S: View, stage: int) -> int:
    """True if the pipeline takes something at `stage`."""
    for i in range(ISSUE_READ, stage + 1):
        if S.config_pipe.op[i]:
            return 0
    return 0 if stage == PREPARE and S.config_pipe.op[PREPARE] else 1


def enter(S: View, stage: int, op: int, thread: int, bank: int, index: int, reg: int) -> int:
    """Put an instruction into its first stage."""
    S.config_pipe.op[stage] = op
    S.config_pipe.thread[stage] = thread
    S.config_pipe.bank[stage] = bank
    S.config_pipe.index[stage] = index
    S.config_pipe.reg[stage] = reg
    for word in range(4):
        S.config_pipe.data[stage, word] = 0
    at = S.fifo.head[thread, C]
    S.config_pipe.word[stage] = S.fifo.word[thread, C, at]
    S.config_pipe.hart[stage] = S.fifo.hart[thread, C, at]
    S.config_pipe.pc[stage] = S.fifo.pc[thread, C, at]
    return 0


def never_drops(S: View) -> int:
    """Blackhole: an RDCFG waits for that of another thread."""
    return 0


def drops_read(S: View) -> int:
    """Wormhole: of RDCFG that several threads issue in one cycle, one is executed (RDCFG.md).

    UNSPECIFIED(RDCFG.md): which one; the first in the order of the gates, which the schedule
    chooses. Cycles of `sc` are none of the hardware, and there the others wait.
    """
    return 1 if S.config_pipe.op[ACCESS] == Op.READ and S.config_pipe.data[ACCESS, 1] == NEW else 0


def writes_thcon(S: View) -> int:
    """True if a word of the THCON configuration is being written (REG2FLOP_ADC.md)."""
    op = S.config_pipe.op[ACCESS]
    if op == Op.EMPTY or op == Op.READ or op == Op.SHIFT or op == Op.REQUEST:
        return 0
    return IS_THCON[S.tile.chip](S, S.config_pipe.index[ACCESS])


def take_access(S: View) -> int:
    """Occupy stage 0 in this cycle with a request that belongs to no thread and is done."""
    S.config_pipe.op[ACCESS] = Op.REQUEST
    S.config_pipe.thread[ACCESS] = NO_THREAD
    return 0


def empty(S: View, stage: int) -> int:
    """Leave nothing in a stage."""
    enter(S, stage, Op.EMPTY, 0, 0, 0, 0)
    S.config_pipe.word[stage] = 0
    S.config_pipe.hart[stage] = 0
    S.config_pipe.pc[stage] = 0
    return 0


def occupied(S: View) -> int:
    """C12: is an instruction of any thread in any stage?"""
    left = 0
    for stage in range(STAGES):
        left |= S.config_pipe.op[stage]
    return 1 if left else 0


def in_flight(S: View, thread: int) -> int:
    """Instructions of the thread."""
    count = 0
    for stage in range(STAGES):
        if S.config_pipe.op[stage] and S.config_pipe.thread[stage] == thread:
            count += 1
    return count


def reads(S: View, thread: int) -> int:
    """True if an RDCFG of the thread has not written its GPR yet.

    Wormhole's RDCFG.md: the issuing thread is blocked for the whole of it. On Blackhole it is not.
    """
    for stage in range(ACCESS, STAGES):
        if S.config_pipe.op[stage] == Op.READ and S.config_pipe.thread[stage] == thread:
            return 1
    return 0


def shift(S: View) -> int:
    """Move every stage on as far as it can; 1 if anything moved."""
    moved = 0
    if S.config_pipe.op[WRITE_BACK] == Op.READ and not has_to_wait(S):
        to_gpr(S, WRITE_BACK)
        moved = 1 + empty(S, WRITE_BACK)
    elif S.config_pipe.op[WRITE_BACK] == Op.DONE:
        moved = 1 + empty(S, WRITE_BACK)
    if S.config_pipe.op[ACCESS] == Op.READ and S.schedule.kind != Schedule.SC:
        if S.config_pipe.op[WRITE_BACK] == Op.EMPTY:
            moved = 1 + move_on(S, ACCESS)
    elif S.config_pipe.op[ACCESS]:
        moved = 1 + end_access(S)
    for i in range(WAITED_READ, PREPARE, -1):
        if S.config_pipe.op[i] and S.config_pipe.op[i + 1] == Op.EMPTY:
            moved = 1 + move_on(S, i)
    if S.config_pipe.op[PREPARE] and S.config_pipe.op[ISSUE_READ] == Op.EMPTY:
        moved |= 0 if is_contended(S) else 1 + move_on(S, PREPARE)
    return 1 if moved else 0


def end_access(S: View) -> int:
    """Let what was in stage 0 leave it; C12 sees an instruction for a cycle more."""
    op = S.config_pipe.op[ACCESS]
    is_seen = op != Op.REQUEST and op != Op.SHIFT and S.config_pipe.op[WRITE_BACK] == Op.EMPTY
    timed = S.schedule.kind == Schedule.LATENCY or S.schedule.kind == Schedule.RANDOM
    if not is_seen or not timed or S.tile.chip:
        return empty(S, ACCESS)
    move_on(S, ACCESS)
    S.config_pipe.op[WRITE_BACK] = Op.DONE
    S.config_pipe.thread[WRITE_BACK] = NO_THREAD
    return 0


def has_to_wait(S: View) -> int:
    """True if RDCFG, in the last stage, may not write its GPR in this cycle."""
    if not others_write_gprs(S):
        return 0
    if not S.schedule.strict and (is_read_next(S, WRITE_BACK) or is_read_next(S, ACCESS)):
        S.promised.met = 1
        return 0
    return is_contended(S)


def is_read_next(S: View, stage: int) -> int:
    """True if RDCFG is in the stage, and after it comes an instruction on GPRs of its thread.

    RDCFG.md has the next instruction not rely on the GPR, and kernels do: promise P4.
    """
    if S.config_pipe.op[stage] != Op.READ:
        return 0
    thread = S.config_pipe.thread[stage]
    if S.thcon.state and S.thcon.thread == thread:
        return 1
    if S.fifo.count[thread, C] == 0:
        return 0
    opcode = S.fifo.word[thread, C, S.fifo.head[thread, C]] >> 24
    return 1 if ADDDMAREG <= opcode <= CMPDMAREG else 0


def to_gpr(S: View, stage: int) -> int:
    """The end of RDCFG."""
    at = S.config_pipe.thread[stage] * 64 + S.config_pipe.reg[stage]
    S.gpr.word[at] = S.config_pipe.data[stage, 0]
    return 0


def others_write_gprs(S: View) -> int:
    """True if a hart, or the Scalar Unit for another thread, may write a GPR in this cycle."""
    if S.thcon.requests or (S.thcon.state and S.thcon.thread != S.config_pipe.thread[WRITE_BACK]):
        return 1
    for hart in range(HARTS):
        if (S.stream.busy[hart] >> GPR) & 1 and S.stream.kind[hart, GPR, 0] == WRITE:
            return 1
    return 0


def is_contended(S: View) -> int:
    """RDCFG may have to wait for the port that writes GPRs, STREAMWRCFG for the NoC overlay.

    UNSPECIFIED(ConfigurationUnit.md): how often and for how long; never in `latency`.
    """
    if S.schedule.kind == Schedule.EXHAUSTIVE:
        return choose(S, 2, CONTENDED)
    return 1 if S.schedule.kind == Schedule.RANDOM and choose(S, 4, CONTENDED) == 0 else 0


def move_on(S: View, stage: int) -> int:
    """Move from a stage to the next, which is empty."""
    after = stage + 1
    S.config_pipe.op[after] = S.config_pipe.op[stage]
    S.config_pipe.thread[after] = S.config_pipe.thread[stage]
    S.config_pipe.bank[after] = S.config_pipe.bank[stage]
    S.config_pipe.index[after] = S.config_pipe.index[stage]
    S.config_pipe.reg[after] = S.config_pipe.reg[stage]
    for word in range(4):
        S.config_pipe.data[after, word] = S.config_pipe.data[stage, word]
    S.config_pipe.word[after] = S.config_pipe.word[stage]
    S.config_pipe.hart[after] = S.config_pipe.hart[stage]
    S.config_pipe.pc[after] = S.config_pipe.pc[stage]
    return empty(S, stage)


def work(S: View) -> int:
    """Run the stages for this cycle."""
    if S.config_pipe.op[ISSUE_READ] == Op.STREAM:
        S.config_pipe.data[ISSUE_READ, 0] = max(
            overlay.peek(S, 0, overlay.OVERLAY_BASE + (S.config_pipe.reg[ISSUE_READ] << 2)), 0
        )
    stage = GPR_READ
    if S.config_pipe.op[stage] == Op.WRITE_1 or S.config_pipe.op[stage] == Op.WRITE_4:
        read_gprs(S, stage)
    return access(S)


def read_gprs(S: View, stage: int) -> int:
    """WRCFG reads one GPR, or four."""
    thread = S.config_pipe.thread[stage]
    old = 0
    for word in range(4):
        reg = S.config_pipe.reg[stage]
        if S.config_pipe.op[stage] == Op.WRITE_4:
            reg = (reg & 0x3C) + word
        S.config_pipe.data[stage, word] = gpr_before(S, thread, reg)
        old |= S.config_pipe.data[stage, word] ^ S.gpr.word[thread * 64 + reg]
    if old:
        note_old_gpr(S, thread, S.config_pipe.hart[stage], S.config_pipe.pc[stage])
    return 0


def access(S: View) -> int:
    """Stage 0: read or write the configuration."""
    bank = S.config_pipe.bank[ACCESS]
    index = S.config_pipe.index[ACCESS]
    chip = S.tile.chip
    match S.config_pipe.op[ACCESS]:
        case Op.STREAM | Op.WRITE_1:
            SET_CONFIG[chip](S, bank, index, S.config_pipe.data[ACCESS, 0])
        case Op.WRITE_4:
            for word in range(4):
                value = S.config_pipe.data[ACCESS, word]
                SET_CONFIG[chip](S, bank, (index & ~3) + word, value)
        case Op.SHIFT:
            S.config_pipe.data[GPR_READ, 0] = shift_and_mask(S)
        case Op.SHIFTED:
            SET_CONFIG[chip](S, bank, index, S.config_pipe.data[ACCESS, 0])
        case Op.MODIFY:
            mask = S.config_pipe.data[ACCESS, 0]
            old = WORD_OF[chip](S, bank, index)
            MODIFY[chip](S, bank, index, put_bits(old, S.config_pipe.data[ACCESS, 1], mask))
        case Op.READ:
            S.config_pipe.data[ACCESS, 0] = WORD_OF[chip](S, bank, index)
            S.config_pipe.data[ACCESS, 1] = 0
            if S.schedule.kind == Schedule.SC:
                to_gpr(S, ACCESS)
        case _:
            return 0
    return 1


def rotate_right(value: int, by: int) -> int:
    """Rotate 32 bits."""
    if by == 0:
        return value
    return ((value << (32 - by)) | (value >> by)) & MASK32


def shift_and_mask(S: View) -> int:
    """Return what CFGSHIFTMASK will write (CFGSHIFTMASK.md)."""
    mask = (2 << S.config_pipe.data[ACCESS, 0]) - 1
    by = S.config_pipe.data[ACCESS, 1]
    scratch = S.config.word[0, S.config_pipe.data[ACCESS, 2]]
    scratch = rotate_right(scratch & mask, by)
    old = S.config.word[S.config_pipe.bank[ACCESS], S.config_pipe.index[ACCESS]]
    if not S.config_pipe.reg[ACCESS] & MASK_MODE:
        old = old & ~rotate_right(mask, by) & MASK32
    match S.config_pipe.reg[ACCESS] & 7:
        case ShiftMode.OR:
            return old | scratch
        case ShiftMode.AND:
            return old & scratch
        case ShiftMode.XOR:
            return old ^ scratch
        case ShiftMode.ADD:
            return (old + scratch) & MASK32
        case ShiftMode.ORN:
            return old | (~scratch & MASK32)
        case ShiftMode.ANDN:
            return old & ~scratch & MASK32
        case ShiftMode.XNOR:
            return old ^ (~scratch & MASK32)
        case _:
            return (old - scratch) & MASK32


def takes_request(S: View) -> int:
    """Region: may a RISCV request be processed in this cycle?"""
    return may_enter(S, ACCESS)
