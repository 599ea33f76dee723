# SPDX-License-Identifier: Apache-2.0
"""The forms of instructions: how each reads its operands, calls its operation and sets the pc.

An instruction is a row (`core.riscv.table`) with a form and an operation; this file has one
function per form, and joins both into two dispatch tables with one entry per op number:

EXECUTE        the general case, which `riscv/issue.py` calls.
EXECUTE_ALONE  for `clock.burst`: whatever needs more than registers and memory is `leave`.

All entries are called with (S, hart, pc, d, CHECKED), d being the packed word of `decode.py`,
and return the next pc or a negative status (core/stop.py).
"""

from collections.abc import Callable
from functools import partial

from tensix_gdb.core.arch.blackhole import F0, NC, PUSH_BASE, B
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.debug.armed import STEP_OVER_PAUSE
from tensix_gdb.core.devices.debug.risc_debug import EBREAK, HALTED
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.memory import regions
from tensix_gdb.core.memory.map import fetched_at
from tensix_gdb.core.numeric import half
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv import csrs, semihosting
from tensix_gdb.core.riscv.encoding import Form
from tensix_gdb.core.riscv.lsu import amo, load, store
from tensix_gdb.core.riscv.reset import PAUSED_AT_EBREAK, update_issuing
from tensix_gdb.core.riscv.rvv import arithmetic, configure, memory
from tensix_gdb.core.riscv.table import FORMS, OPERATIONS, SIGNED, SIZES
from tensix_gdb.core.riscv.zicsr import csrrw
from tensix_gdb.core.stop import HEAD, LEAVE, StopKind, WatchKind, fault, stop

Operation = Callable[..., int]


def write_rd(S: View, hart: int, d: int, value: int) -> int:
    """Write rd; x0 stays 0."""
    S.hart.x[hart, (d >> 8) & 63] = value
    S.hart.x[hart, 0] = 0
    return 0


def alu_rr(S: View, hart: int, pc: int, d: int, CHECKED: int, OPERATION: Operation) -> int:
    """rd = OPERATION(x[rs1], x[rs2])"""
    write_rd(S, hart, d, OPERATION(S.hart.x[hart, (d >> 16) & 63], S.hart.x[hart, (d >> 24) & 63]))
    return pc + 4


def alu_ri(S: View, hart: int, pc: int, d: int, CHECKED: int, OPERATION: Operation) -> int:
    """rd = OPERATION(x[rs1], immediate)"""
    write_rd(S, hart, d, OPERATION(S.hart.x[hart, (d >> 16) & 63], (d >> 32) & MASK32))
    return pc + 4


def alu_r1(S: View, hart: int, pc: int, d: int, CHECKED: int, OPERATION: Operation) -> int:
    """rd = OPERATION(x[rs1])"""
    write_rd(S, hart, d, OPERATION(S.hart.x[hart, (d >> 16) & 63]))
    return pc + 4


def alu_rrr(S: View, hart: int, pc: int, d: int, CHECKED: int, OPERATION: Operation) -> int:
    """rd = OPERATION(x[rs1], x[rs2], f[rs3])"""
    third = S.hart.x[hart, F0 + ((d >> 32) & 31)]
    value = OPERATION(S.hart.x[hart, (d >> 16) & 63], S.hart.x[hart, (d >> 24) & 63], third)
    write_rd(S, hart, d, value)
    return pc + 4


def half_r1(S: View, hart: int, pc: int, d: int, CHECKED: int, OPERATION: Operation) -> int:
    """Execute as alu_r1, with the mode of numbers of 16 bits."""
    mode = half.mode_of(S.hart.cfg0[hart])
    write_rd(S, hart, d, OPERATION(S.hart.x[hart, (d >> 16) & 63], mode))
    return pc + 4


def half_rr(S: View, hart: int, pc: int, d: int, CHECKED: int, OPERATION: Operation) -> int:
    """Execute as alu_rr, with the mode of numbers of 16 bits."""
    mode = half.mode_of(S.hart.cfg0[hart])
    a = S.hart.x[hart, (d >> 16) & 63]
    write_rd(S, hart, d, OPERATION(a, S.hart.x[hart, (d >> 24) & 63], mode))
    return pc + 4


def half_rrr(S: View, hart: int, pc: int, d: int, CHECKED: int, OPERATION: Operation) -> int:
    """Execute as alu_rrr, with the mode of numbers of 16 bits."""
    mode = half.mode_of(S.hart.cfg0[hart])
    a = S.hart.x[hart, (d >> 16) & 63]
    b = S.hart.x[hart, (d >> 24) & 63]
    write_rd(S, hart, d, OPERATION(a, b, S.hart.x[hart, F0 + ((d >> 32) & 31)], mode))
    return pc + 4


def branch(S: View, hart: int, pc: int, d: int, CHECKED: int, OPERATION: Operation) -> int:
    """pc += immediate if OPERATION(x[rs1], x[rs2])"""
    if OPERATION(S.hart.x[hart, (d >> 16) & 31], S.hart.x[hart, (d >> 24) & 31]):
        return (pc + (d >> 32)) & MASK32
    return pc + 4


def lui(S: View, hart: int, pc: int, d: int, CHECKED: int) -> int:
    """rd = immediate"""
    write_rd(S, hart, d, (d >> 32) & MASK32)
    return pc + 4


def auipc(S: View, hart: int, pc: int, d: int, CHECKED: int) -> int:
    """rd = pc + immediate"""
    write_rd(S, hart, d, (pc + (d >> 32)) & MASK32)
    return pc + 4


def jal(S: View, hart: int, pc: int, d: int, CHECKED: int) -> int:
    """rd = pc + 4; pc += immediate"""
    write_rd(S, hart, d, pc + 4)
    return (pc + (d >> 32)) & MASK32


def jalr(S: View, hart: int, pc: int, d: int, CHECKED: int) -> int:
    """rd = pc + 4; pc = x[rs1] + immediate without its lowest bit"""
    target = (S.hart.x[hart, (d >> 16) & 31] + (d >> 32)) & 0xFFFFFFFE
    write_rd(S, hart, d, pc + 4)
    return target


def fence(S: View, hart: int, pc: int, d: int, CHECKED: int) -> int:
    """fence, fence.i: nothing is left to wait for in the schedule `sc`.

    UNSPECIFIED(BabyRISCV/InstructionSet.md): Zifencei is not listed; the Wormhole page has
    fence.i as a nop, and so it is here.
    """
    return pc + 4


def csr_operand(S: View, hart: int, d: int, IMMEDIATE: int) -> int:
    """x[rs1], or the zimm in its place."""
    rs1 = (d >> 16) & 31
    return rs1 if IMMEDIATE else S.hart.x[hart, rs1]


def csr_swap(S: View, hart: int, pc: int, d: int, CHECKED: int, IMMEDIATE: int) -> int:
    """csrrw[i]: rd = csr; csr = operand. The CSR is not read when rd is x0."""
    number = (d >> 32) & 0xFFF
    operand = csr_operand(S, hart, d, IMMEDIATE)
    old = 0
    if (d >> 8) & 31:
        old = csrs.read(S, hart, number)
        if old < 0:
            return old
    status = csrs.write(S, hart, number, operand)
    if status < 0:
        return status
    write_rd(S, hart, d, old)
    return pc + 4


def csr_modify(
    S: View, hart: int, pc: int, d: int, CHECKED: int, IMMEDIATE: int, OPERATION: Operation
) -> int:
    """csrrs[i], csrrc[i]: rd = csr; csr = OPERATION(csr, operand). No write when rs1 is 0."""
    number = (d >> 32) & 0xFFF
    operand = csr_operand(S, hart, d, IMMEDIATE)
    old = csrs.read(S, hart, number)
    if old < 0:
        return old
    if (d >> 16) & 31:
        status = csrs.write(S, hart, number, OPERATION(old, operand))
        if status < 0:
            return status
    write_rd(S, hart, d, old)
    return pc + 4


def ebreak(S: View, hart: int, pc: int, d: int, CHECKED: int) -> int:
    """Pause the hart with the pc at the ebreak; go past it when the debugger has resumed it."""
    return pause(S, hart, pc, StopKind.EBREAK)


def ecall(S: View, hart: int, pc: int, d: int, CHECKED: int) -> int:
    """Pause as ebreak does.

    UNSPECIFIED(BabyRISCV/InstructionSet.md): the page names ebreak only; the Wormhole debug page
    lets ecall pause as well, and so does this.
    """
    return pause(S, hart, pc, StopKind.ECALL)


def pause(S: View, hart: int, pc: int, kind: int) -> int:
    """The debug pause of a hart, unless this very one was reported and resumed."""
    if S.debug.step_over[hart] & STEP_OVER_PAUSE:
        return pc + 4
    if kind == StopKind.EBREAK and S.semihosting.served and semihosting.is_call(S, pc):
        return semihosting.call(S, hart, pc)
    S.hart.paused[hart] = PAUSED_AT_EBREAK
    S.risc_debug.cause[hart] = HALTED | EBREAK
    update_issuing(S, hart)
    return stop(S, hart, kind, pc, 0)


def mret(S: View, hart: int, pc: int, d: int, CHECKED: int) -> int:
    """Return from an interrupt handler, on the harts that have interrupts."""
    if hart != B and hart != NC:
        return fault(S, hart, Fault.MRET_WITHOUT_INTERRUPTS, 0, 0)
    if not S.hart.in_handler[hart]:
        return fault(S, hart, Fault.MRET_OUTSIDE_HANDLER, 0, 0)
    S.hart.in_handler[hart] = 0
    return S.hart.restore_pc[hart]


def ttinsn(S: View, hart: int, pc: int, d: int, CHECKED: int) -> int:
    """Exactly a `sw` of the immediate to INSTRN_BUF_BASE (PushTensixInstruction.md)."""
    status = regions.write(S, hart, PUSH_BASE, 4, (d >> 32) & MASK32, pc)
    return status if status < 0 else pc + 4


def illegal(S: View, hart: int, pc: int, d: int, CHECKED: int) -> int:
    """Refuse words that are no instruction of this core."""
    return fault(S, hart, Fault.ILLEGAL_INSTRUCTION, S.l1.word[fetched_at(S, hart, pc) >> 2], 0)


def head(S: View, hart: int, pc: int, d: int, CHECKED: int) -> int:
    """A word that is not decoded, or the head of a translation."""
    return HEAD if d else LEAVE


def leave(S: View, hart: int, pc: int, d: int, CHECKED: int) -> int:
    """Not for `burst`."""
    return LEAVE


Handler = Callable[[View, int, int, int, int], int]

SIMPLE: dict[Form, Handler] = {
    Form.LUI: lui,
    Form.AUIPC: auipc,
    Form.JAL: jal,
    Form.JALR: jalr,
    Form.FENCE: fence,
    Form.FENCE_I: fence,
}
OPERATING: dict[Form, Callable[..., int]] = {
    Form.ALU_RR: alu_rr,
    Form.ALU_RI: alu_ri,
    Form.ALU_R1: alu_r1,
    Form.ALU_RRR: alu_rrr,
    Form.BRANCH: branch,
}
# Rare enough for `tick`.
HALF: dict[Form, Callable[..., int]] = {
    Form.HALF_R1: half_r1,
    Form.HALF_RR: half_rr,
    Form.HALF_RRR: half_rrr,
}
# What a burst leaves to the general case: it reads counters, reaches devices or stops.
GENERAL: dict[Form, Handler] = {
    Form.NOT_DECODED: illegal,  # `issue` decodes first, so this is never called
    Form.ILLEGAL: illegal,
    Form.EBREAK: ebreak,
    Form.ECALL: ecall,
    Form.MRET: mret,
    Form.TTINSN: ttinsn,
    Form.VECTOR: arithmetic.execute,
    Form.VECTOR_LOAD: partial(memory.access, KIND=WatchKind.READ),
    Form.VECTOR_STORE: partial(memory.access, KIND=WatchKind.WRITE),
    Form.VSETVLI: configure.vsetvli,
    Form.VSETIVLI: configure.vsetivli,
    Form.VSETVL: configure.vsetvl,
}


def _handler(op: int, alone: int) -> Handler:
    form, operation, size = FORMS[op], OPERATIONS[op], SIZES[op]
    if form in SIMPLE:
        return SIMPLE[form]
    if form in OPERATING:
        return partial(OPERATING[form], OPERATION=operation)
    if form is Form.LOAD:
        return partial(load, ALONE=alone, SIZE=size, SIGNED=SIGNED[op])
    if form is Form.STORE:
        return partial(store, ALONE=alone, SIZE=size)
    if form is Form.AMO:
        return partial(amo, ALONE=alone, OPERATION=operation)
    if alone:
        return head if form is Form.NOT_DECODED else leave
    if form in HALF:
        return partial(HALF[form], OPERATION=operation)
    if form in (Form.CSR_R, Form.CSR_I):
        immediate = int(form is Form.CSR_I)
        if operation is csrrw:
            return partial(csr_swap, IMMEDIATE=immediate)
        return partial(csr_modify, IMMEDIATE=immediate, OPERATION=operation)
    return GENERAL[form]


EXECUTE = tuple(_handler(op, 0) for op in range(len(FORMS)))
# As many as a packed word can name, so that no dispatch has to ask whether there is such an op.
EXECUTE_ALONE = tuple(_handler(op, 1) if op < len(FORMS) else leave for op in range(256))
