# SPDX-License-Identifier: Apache-2.0
"""A hart with time: what enters EX1, what waits, what retires (BabyRISCV/README.md, CSRs.md).

    pc ──► EX1 ──► Load/Store Unit ──► store queue, streams          (load_store.py)
            └────► retire-order queue of 8 ──► retired in order

Registers are written when the value is known: by an instruction that needs no memory in EX1, by a
load when its region has processed it. An instruction enters EX1 in program order and only with all
its operands, so writing early shows nothing that waiting would not. What is kept beside the value
is when EX1 may have it: `known`, and how many unretired instructions write the register, because
the page promises forwarding from exactly one of them.

An instruction "issues" here when it enters EX1; a hart's pc is that of the next one to do so.
"""

from tensix_gdb.core.arch.blackhole import F0
from tensix_gdb.core.arch.numbers import s32
from tensix_gdb.core.cost.row import Trust, cost
from tensix_gdb.core.memory import streams
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.encoding import Form
from tensix_gdb.core.riscv.pipeline import asleep
from tensix_gdb.core.riscv.pipeline.fields import RETIRE_ORDER_ENTRIES
from tensix_gdb.core.riscv.table import FORMS, OPS
from tensix_gdb.core.schedule import Schedule

NO_ENTRY = 0xFF  # in `last_writer`: no answer is wanted
NEVER = 1 << 62  # a cycle that does not come; an answer will set another one

# Streams of accesses that can wait for another party for as long as it likes.
CAN_WAIT = sum(
    1 << stream
    for stream in (
        *range(streams.PCBUF, streams.SEMAPHORE + 1),
        *range(streams.MAILBOX_READ, streams.CONFIG),
    )
)

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
OCCUPIED = cost(
    "hart.multiply_wormhole", 2, "cycles", "that a multiplication occupies the Integer Unit on "
    "Wormhole",
    source="WormholeB0 BabyRISCV/README.md, Integer Unit", trust=Trust.PAGE,
)  # fmt: skip
DIVIDE_LEAST = cost(
    "hart.divide_least", 2, "cycles", "of a division by 0 or 1",
    source="BabyRISCV/README.md, EX1", trust=Trust.PAGE,
)  # fmt: skip
DIVIDE_STEP = cost(
    "hart.divide_step", 4, "bits", "of the dividend that a division takes together, in as many "
    "cycles; four at least, one cycle more for all 32 bits, two for fewer",
    source="BabyRISCV/README.md, EX1; mesham/tt-sim, rv_div and retirebench", trust=Trust.FITTED,
    note="fitted to a card's 33.03 cycles of 0x12345678 / 3 and 14.0 of 0xfff / 3; the page's "
    "least and most, 6 and 33, come out, as Wormhole's page has them, too",
)  # fmt: skip
MULTIPLIES = tuple(
    int(op in {OPS[name] for name in ("mul", "mulh", "mulhsu", "mulhu")})
    for op in range(len(FORMS))
)
LATENCY = tuple(EX2 if op in _EX2 else 1 for op in range(len(FORMS)))
DIVIDES = tuple(
    int(op in {OPS["div"], OPS["divu"], OPS["rem"], OPS["remu"]}) for op in range(len(FORMS))
)
SIGNED_DIVIDES = tuple(int(op in {OPS["div"], OPS["rem"]}) for op in range(len(FORMS)))


def operand_late(S: View, hart: int, register: int) -> int:
    """True if EX1 may not have the value of a register now.

    README.md, Retire Unit: from the register file when no unretired instruction writes it; from the
    retire-order queue when exactly one does and has its result. Of several, peeking "might not be
    possible". UNSPECIFIED(BabyRISCV/README.md): when it is. In MemoryOrdering.md's example it is
    not, where the oldest instruction waits for a mailbox. On a card it is, where the oldest is a
    load of 7 cycles: a loop of additions to one register takes what one of NOPs takes
    (mesham/tt-sim, riscvbench, s_loop_addi). So `latency` forwards from the youngest unless the
    hart accesses what can make it wait; the other schedules never do.

    `known` of a register that none writes is 0, so comparisons say it, without a branch: which
    operands are late is what a processor predicts worst.
    """
    return (S.pipeline.known[hart, register] > S.tile.cycle) | (
        (S.pipeline.writers[hart, register] > 1) & keeps_to_itself(S, hart)
    )


def keeps_to_itself(S: View, hart: int) -> int:
    """True if of several unretired writers of a register none is forwarded now."""
    may_wait = S.stream.busy[hart] & CAN_WAIT != 0
    return (S.schedule.kind != Schedule.LATENCY) | may_wait


def may_enter(S: View, hart: int, d: int) -> int:
    """True if the instruction `d` (riscv/decode.py) may enter EX1, which is free, in this cycle."""
    if S.pipeline.serial[hart] > 0 or S.pipeline.rq_count[hart] == RETIRE_ORDER_ENTRIES:
        return 0
    if S.hart.cfg0[hart] & (SYNC_ALL_OPS | DIS_REG_FORWARDING) or S.hart.slow[hart]:
        return may_enter_alone(S, hart, d)
    if S.pipeline.known[hart, (d >> 24) & 63] > S.tile.cycle:
        return 0
    if S.pipeline.known[hart, (d >> 16) & 63] > S.tile.cycle and READS_RS1[d & 0xFF]:
        return 0
    writers = S.pipeline.writers[hart, (d >> 16) & 63] | S.pipeline.writers[hart, (d >> 24) & 63]
    if writers <= 1 and not READS_RS3[d & 0xFF]:
        return 1  # as a rule
    return 1 - any_operand_late(S, hart, d)


def any_operand_late(S: View, hart: int, d: int) -> int:
    """True if `operand_late` says so of one that the instruction `d` reads."""
    if READS_RS3[d & 0xFF] and operand_late(S, hart, F0 + ((d >> 32) & 31)):
        return 1
    late = operand_late(S, hart, (d >> 16) & 63) & READS_RS1[d & 0xFF]
    return 1 if late | operand_late(S, hart, (d >> 24) & 63) else 0


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
    """Return the cycle before which `d` may not enter EX1, when it may not now, if nothing retires
    and nothing is answered before it: that of the first operand that is not known yet."""
    first = operand_from(S, hart, (d >> 24) & 63)
    if READS_RS1[d & 0xFF]:
        first = min(first, operand_from(S, hart, (d >> 16) & 63))
    if READS_RS3[d & 0xFF]:
        first = min(first, operand_from(S, hart, F0 + ((d >> 32) & 31)))
    return first


def waits_for_retirement(S: View, hart: int, d: int) -> int:
    """True if a retirement may be what lets `d`, which may not enter EX1 now, do so. Where it is
    not, each operand that is late is known from some cycle on, or will be by an answer."""
    if S.pipeline.serial[hart] > 0 or S.pipeline.rq_count[hart] == RETIRE_ORDER_ENTRIES:
        return 1
    if S.hart.cfg0[hart] & (SYNC_ALL_OPS | DIS_REG_FORWARDING) or S.hart.slow[hart]:
        return 1
    writers = S.pipeline.writers[hart, (d >> 16) & 63] | S.pipeline.writers[hart, (d >> 24) & 63]
    if writers > 1 or READS_RS3[d & 0xFF]:
        return 1
    # What a debugger has put there stays: no answer makes it known (debug/registers.py).
    last = S.pipeline.last_writer[hart, (d >> 16) & 63]
    return 1 if last == NO_ENTRY or S.pipeline.last_writer[hart, (d >> 24) & 63] == NO_ENTRY else 0


def operand_from(S: View, hart: int, register: int) -> int:
    """Return the cycle from which a register is known that is not known now; NEVER of one that is
    known, or that an answer or a retirement decides. A request that ends may let it be forwarded,
    so then it is the next cycle."""
    if S.pipeline.known[hart, register] > S.tile.cycle:
        return S.pipeline.known[hart, register]
    if S.pipeline.writers[hart, register] > 1 and S.schedule.kind == Schedule.LATENCY:
        return S.tile.cycle + 1
    return NEVER


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
    S.asleep.still[hart] = 0
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
    """Return how many cycles a division occupies EX1: 2, or 6 to 33.

    UNSPECIFIED(BabyRISCV/README.md): "dependent upon the magnitude of the dividend". Four of its
    bits in four cycles, and one more; another one where leading zeros are left out. On a card
    0x12345678, of 29 bits, takes 33 and 0xfff 14.
    """
    if divisor <= 1:
        return DIVIDE_LEAST
    magnitude = dividend
    if signed:
        if dividend == 0x80000000 and divisor == 0xFFFFFFFF:
            return DIVIDE_LEAST
        magnitude = abs(s32(dividend))
    bits = DIVIDE_STEP
    magnitude = magnitude >> DIVIDE_STEP
    while magnitude > 0:
        magnitude = magnitude >> DIVIDE_STEP
        bits += DIVIDE_STEP
    return bits + (1 if bits == 32 else 2)


def answer(S: View, hart: int, entry: int, value: int, back: int) -> int:
    """The answer of a load or atomic: `value`, which EX1 can have in `back` cycles."""
    rd = S.pipeline.rq_rd[hart, entry]
    S.pipeline.rq_answer[hart, entry] = 0
    S.pipeline.rq_ready[hart, entry] = S.tile.cycle + back
    S.pipeline.loads[hart] -= 1
    asleep.answered(S, hart, S.tile.cycle + back)
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
    asleep.retired(S, hart)
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


INLINED = (retire, may_enter, leave_ex1)
