# SPDX-License-Identifier: Apache-2.0
"""A hart with time: what enters EX1, what waits, what retires (BabyRISCV/README.md, CSRs.md).

    pc ──► EX1 ──► Load/Store Unit ──► store queue, streams          (load_store.py)
            └────► retire-order queue of 8 ──► retired in order

Registers are written when the value is known: by an instruction that needs no memory in EX1, by a
load when its region has processed it. An instruction enters EX1 in program order and only with all
its operands, so writing early shows nothing that waiting would not. What is kept beside the value
is when EX1 may have it: `known`, and how many unretired instructions write the register, because
forwarding works from exactly one of them.

An instruction "issues" here when it enters EX1; a hart's pc is that of the next one to do so.
"""

from tensix_gdb.core.arch.blackhole import F0
from tensix_gdb.core.arch.numbers import s32
from tensix_gdb.core.cost.row import Trust, cost
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.encoding import Form
from tensix_gdb.core.riscv.pipeline import asleep
from tensix_gdb.core.riscv.pipeline.fields import RETIRE_ORDER_ENTRIES
from tensix_gdb.core.riscv.table import FORMS, OPS

NO_ENTRY = 0xFF  # in `last_writer`: no answer is wanted
NEVER = 1 << 62  # a cycle that does not come; an answer will set another one

DIS_CSR_SYNC = 1 << 10  # cfg0
SYNC_ALL_OPS = 1 << 9
DIS_REG_FORWARDING = 1 << 20

_VSET = (Form.VSETVLI, Form.VSETIVLI, Form.VSETVL)
_SERIAL_FORMS = (Form.CSR_R, Form.CSR_I, Form.FENCE, Form.FENCE_I, Form.EBREAK, Form.ECALL, *_VSET)
# By op number: nothing enters EX1 before the instruction has retired. A fence is so in any case
# (MemoryOrdering.md), the others unless DisCsrSync is set.
SERIAL = tuple(int(form in _SERIAL_FORMS) for form in FORMS)
FENCES = tuple(int(form in (Form.FENCE, Form.FENCE_I)) for form in FORMS)
READS_RS1 = tuple(int(form is not Form.CSR_I) for form in FORMS)
READS_RS3 = tuple(int(form in (Form.ALU_RRR, Form.HALF_RRR)) for form in FORMS)
# Cycles until the result can be had; divisions are worked out from their operands.
# UNSPECIFIED(BabyRISCV/README.md): "floating-point arithmetic" goes through EX2; conversions are
# taken to be some, and comparing, signs, classes and moves not.
_EX2 = {OPS[name] for name in ("mul", "mulh", "mulhsu", "mulhu")} | {
    op
    for name, op in OPS.items()
    if name.startswith(("fmadd.", "fmsub.", "fnm", "fadd.", "fsub.", "fmul.", "fcvt."))
}
EX2 = cost(
    "hart.multiply", 2, "cycles", "until the result of a multiplication or of floating-point "
    "arithmetic can be used",
    source="BabyRISCV/README.md, EX2", trust=Trust.PAGE,
)  # fmt: skip
DIVIDE_LEAST = cost(
    "hart.divide_least", 2, "cycles", "of a division by 0 or 1",
    source="BabyRISCV/README.md, EX1", trust=Trust.PAGE,
)  # fmt: skip
DIVIDE_STEP = cost(
    "hart.divide_step", 4, "bits", "of the dividend that a division takes together, in as many "
    "cycles; one more, and six at least",
    source="BabyRISCV/README.md, EX1; mesham/tt-sim, rv_div", trust=Trust.FITTED,
    note="fitted to 33.03 cycles of 0x12345678 / 3 and the page's 6 to 33; no other is published",
)  # fmt: skip
LATENCY = tuple(EX2 if op in _EX2 else 1 for op in range(len(FORMS)))
DIVIDES = tuple(
    int(op in {OPS["div"], OPS["divu"], OPS["rem"], OPS["remu"]}) for op in range(len(FORMS))
)
SIGNED_DIVIDES = tuple(int(op in {OPS["div"], OPS["rem"]}) for op in range(len(FORMS)))


def operand_late(S: View, hart: int, register: int) -> int:
    """True if EX1 may not have the value of a register now.

    README.md, Retire Unit: from the register file when no unretired instruction writes it; from the
    retire-order queue when exactly one does and has its result. `known` of a register that none
    writes is 0, so two comparisons say it, without a branch: which operands are late is what a
    processor predicts worst.
    """
    late = S.pipeline.known[hart, register] > S.tile.cycle
    return late | (S.pipeline.writers[hart, register] > 1)


def may_enter(S: View, hart: int, d: int) -> int:
    """True if the instruction `d` (riscv/decode.py) may enter EX1, which is free, in this cycle."""
    if S.pipeline.serial[hart] > 0 or S.pipeline.rq_count[hart] == RETIRE_ORDER_ENTRIES:
        return 0
    if S.hart.cfg0[hart] & (SYNC_ALL_OPS | DIS_REG_FORWARDING) or S.hart.slow[hart]:
        return may_enter_alone(S, hart, d)
    if READS_RS3[d & 0xFF] and operand_late(S, hart, F0 + ((d >> 32) & 31)):
        return 0
    late = operand_late(S, hart, (d >> 16) & 63) & READS_RS1[d & 0xFF]
    return 0 if late | operand_late(S, hart, (d >> 24) & 63) else 1


def may_enter_alone(S: View, hart: int, d: int) -> int:
    """The same where cfg0 or the debug interface lets nothing overlap, or nothing be forwarded."""
    if S.hart.cfg0[hart] & SYNC_ALL_OPS or S.hart.slow[hart]:
        return 1 if S.pipeline.rq_count[hart] == 0 else 0
    if READS_RS1[d & 0xFF] and S.pipeline.writers[hart, (d >> 16) & 63]:
        return 0
    if READS_RS3[d & 0xFF] and S.pipeline.writers[hart, F0 + ((d >> 32) & 31)]:
        return 0
    return 0 if S.pipeline.writers[hart, (d >> 24) & 63] else 1


def enters_from(S: View, hart: int, d: int) -> int:
    """The cycle before which `d` may not enter EX1, when it may not now, if nothing retires and
    nothing is answered before it: that of the first operand that is not known yet."""
    first = operand_from(S, hart, (d >> 24) & 63)
    if READS_RS1[d & 0xFF]:
        first = min(first, operand_from(S, hart, (d >> 16) & 63))
    if READS_RS3[d & 0xFF]:
        first = min(first, operand_from(S, hart, F0 + ((d >> 32) & 31)))
    return first


def operand_from(S: View, hart: int, register: int) -> int:
    """The cycle from which a register is known that is not known now; NEVER of one that is known,
    or that an answer decides. Retirement may let EX1 have it later."""
    known = S.pipeline.known[hart, register]
    return known if known > S.tile.cycle else NEVER


def serializes(S: View, hart: int, op: int) -> int:
    """True if nothing enters EX1 before an instruction of the kind `op` has retired."""
    if S.hart.cfg0[hart] & DIS_CSR_SYNC and not FENCES[op]:
        return 0
    return SERIAL[op]


def reserve(S: View, hart: int, rd: int, ready: int) -> int:
    """Append to the retire-order queue; the number of the entry. Its other rows are 0."""
    head = S.pipeline.rq_head[hart]
    count = S.pipeline.rq_count[hart]
    entry = (head + count) % RETIRE_ORDER_ENTRIES
    S.pipeline.rq_count[hart] = count + 1
    S.pipeline.rq_rd[hart, entry] = rd
    S.pipeline.rq_ready[hart, entry] = ready
    if rd != 0:
        S.pipeline.writers[hart, rd] += 1
        S.pipeline.last_writer[hart, rd] = entry
        S.pipeline.known[hart, rd] = ready
    return entry


def serialise(S: View, hart: int, entry: int) -> int:
    """Let nothing enter EX1 before the instruction of `entry` has retired."""
    S.pipeline.rq_serial[hart, entry] = 1
    S.pipeline.serial[hart] += 1
    return entry


def note_division(S: View, hart: int, d: int, dividend: int, divisor: int) -> int:
    """A division occupies EX1 from this cycle on."""
    cycles = division_cycles(dividend, divisor, SIGNED_DIVIDES[d & 0xFF])
    S.pipeline.ex1_free[hart] = S.tile.cycle + cycles
    return reserve(S, hart, (d >> 8) & 63, S.tile.cycle + cycles)


def division_cycles(dividend: int, divisor: int, signed: int) -> int:
    """How long a division occupies EX1: 2, or 6 to 33 cycles.

    UNSPECIFIED(BabyRISCV/README.md): "dependent upon the magnitude of the dividend". Four of its
    bits in four cycles and one more: 0x12345678, of 29 bits, takes 33 on a card.
    """
    if divisor <= 1:
        return DIVIDE_LEAST
    magnitude = dividend
    if signed:
        if dividend == 0x80000000 and divisor == 0xFFFFFFFF:
            return DIVIDE_LEAST
        magnitude = abs(s32(dividend))
    bits = 0
    while magnitude > 0:
        magnitude = magnitude >> DIVIDE_STEP
        bits += DIVIDE_STEP
    return 1 + max(bits, 5)


def answer(S: View, hart: int, entry: int, value: int, back: int) -> int:
    """The answer of a load or atomic: `value`, which EX1 can have in `back` cycles."""
    rd = S.pipeline.rq_rd[hart, entry]
    S.pipeline.rq_answer[hart, entry] = 0
    S.pipeline.rq_ready[hart, entry] = S.tile.cycle + back
    S.pipeline.loads[hart] -= 1
    asleep.wake(S, hart)
    if S.pipeline.check[hart] == entry + 1:
        S.pipeline.check[hart] = 0
        S.pipeline.checked[hart] = S.tile.cycle + back
    if rd != 0 and S.pipeline.last_writer[hart, rd] == entry:
        S.hart.x[hart, rd] = value
        S.pipeline.known[hart, rd] = S.tile.cycle + back
    return 0


def retire(S: View, hart: int) -> int:
    """Take the oldest entry out of the retire-order queue if it is done; 1 if so."""
    if S.pipeline.rq_count[hart] == 0:
        return 0
    head = S.pipeline.rq_head[hart]
    if S.pipeline.rq_ready[hart, head] > S.tile.cycle:
        return 0
    rd = S.pipeline.rq_rd[hart, head]
    if rd != 0:
        S.pipeline.writers[hart, rd] -= 1
        if S.pipeline.writers[hart, rd] == 0:
            S.pipeline.last_writer[hart, rd] = 0
            S.pipeline.known[hart, rd] = 0
    if S.pipeline.rq_serial[hart, head]:
        S.pipeline.rq_serial[hart, head] = 0
        S.pipeline.serial[hart] -= 1
    S.pipeline.rq_rd[hart, head] = 0
    S.pipeline.rq_ready[hart, head] = 0
    S.pipeline.rq_head[hart] = (head + 1) % RETIRE_ORDER_ENTRIES
    S.pipeline.rq_count[hart] -= 1
    asleep.wake(S, hart)
    return 1


def leave_ex1(S: View, hart: int) -> int:
    """The instruction is in the Load/Store Unit; one without an answer may retire next cycle."""
    entry = S.pipeline.ex1_entry[hart]
    if S.pipeline.rq_answer[hart, entry] == 0:
        S.pipeline.rq_ready[hart, entry] = S.tile.cycle + 1
    S.pipeline.ex1_op[hart] = 0
    asleep.wake(S, hart)
    S.pipeline.ex1_addr[hart] = 0
    S.pipeline.ex1_data[hart] = 0
    if S.pipeline.ex1_fused[hart]:
        S.pipeline.ex1_fused[hart] = 0
        for i in range(3):
            S.pipeline.ex1_more[hart, i] = 0
    S.pipeline.ex1_entry[hart] = 0
    S.pipeline.ex1_pc[hart] = 0
    S.pipeline.ex1_since[hart] = 0
    return 0
