# SPDX-License-Identifier: Apache-2.0
"""Conditions of breakpoints, evaluated where the loop looks for the breakpoint.

A condition is a program for a small stack machine, in the encoding of the GDB manual's appendix
"The GDB Agent Expression Mechanism", so that what a client compiled is what runs. This evaluator
has what conditions consist of: integers, registers, RAM. Whatever else comes (a device, a value
under way in a schedule with time, a number beyond 62 bits, a damaged program) is UNDECIDED: the
tile stops, and the client that armed the breakpoint decides with means of its own.

Evaluating changes nothing but the stack here, which is no state of the machine.
"""

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.core.arch.numbers import MASK32, s32
from tensix_gdb.core.debug.agent_opcodes import Op, binary
from tensix_gdb.core.memory.map import local_offset
from tensix_gdb.core.record.layout import Part, Tag, View, row
from tensix_gdb.core.riscv.encoding import Form
from tensix_gdb.core.riscv.table import FORMS
from tensix_gdb.core.schedule import Schedule

BUCKETS = 1 << 13
PLACES = 1 << 14
PROGRAMS = 1 << 14
IGNORED = 64
CODE_BYTES = 1 << 19
STACK = 64
# Of all conditions at one hit. The reference engine takes a millisecond or more for so many, and
# may come to a breakpoint in every cycle.
MAX_OPERATIONS = 1000

FALSE, TRUE, UNDECIDED = 0, 1, 2


# Instructions that write to memory, by op number.
MAY_STORE = tuple(int(form in (Form.STORE, Form.TTINSN, Form.AMO)) for form in FORMS)
PC = 32  # its number after x0 to x31

CONDITION = Part(
    "condition",
    (
        row("active", "u32", (), Tag.DERIVED, "is there anything below?"),
        row("ignored", "u32", (), Tag.DERIVED, "number of breakpoints that ignore hits"),
        row("ignored_addr", "u32", IGNORED, Tag.DERIVED, "where they are"),
        row("ignored_left", "i64", IGNORED, Tag.DERIVED, "how many hits they still ignore"),
        row("count", "u32", (), Tag.DERIVED, "number of conditions"),
        row("bucket", "u16", BUCKETS, Tag.DERIVED, "the first place of each chain; 0 is none"),
        row("place_addr", "u32", PLACES, Tag.DERIVED, "the breakpoint's address"),
        row("place_harts", "u8", PLACES, Tag.DERIVED, "the harts that conditions decide about"),
        row("place_program", "u16", PLACES, Tag.DERIVED, "its first condition"),
        row("place_next", "u16", PLACES, Tag.DERIVED, "the next place of its chain; 0 ends it"),
        row("harts", "u8", PROGRAMS, Tag.DERIVED, "the harts that a condition is for"),
        row("start", "u32", PROGRAMS, Tag.DERIVED, "where its program begins"),
        row("end", "u32", PROGRAMS, Tag.DERIVED, "and ends"),
        row("next", "u16", PROGRAMS, Tag.DERIVED, "the next condition of its place; 0 ends it"),
        row("code", "u8", CODE_BYTES, Tag.DERIVED, "the programs"),
        row("used", "u32", (), Tag.DERIVED, "how many operations one evaluation took"),
        row("stack", "i64", STACK, Tag.DERIVED, "scratch of one evaluation"),
    ),
)


def wanted(S: View, hart: int, pc: int) -> int:
    """True if `hart` has to stop at its breakpoint at `pc`: not if all its conditions are false,
    nor as often as hits are to be ignored."""
    verdict = TRUE
    place = place_at(S, pc)
    if (S.condition.place_harts[place] >> hart) & 1:
        verdict = decide(S, hart, pc, S.condition.place_program[place])
    if verdict == TRUE and ignore(S, pc):
        return 0
    return 0 if verdict == FALSE else 1


def bucket_of(addr: int) -> int:
    """Return the bucket that the place at an address is in."""
    return (addr >> 2) & (BUCKETS - 1)


def place_at(S: View, pc: int) -> int:
    """Return the number of the place at `pc`; 0, which has no harts, where there are no
    conditions."""
    place = S.condition.bucket[bucket_of(pc)]
    for _ in range(PLACES):
        if place == 0 or S.condition.place_addr[place] == pc:
            return place
        place = S.condition.place_next[place]
    return 0  # the chain is a circle: only a damaged recording has one


def decide(S: View, hart: int, pc: int, first: int) -> int:
    """Join the verdicts of a place's conditions, from the `first` one on: one that is true stops,
    one that is undecided might."""
    verdict = FALSE
    left = MAX_OPERATIONS
    which = first
    while which != 0 and verdict != TRUE:
        if left <= 0:
            return UNDECIDED
        left -= 1
        if (S.condition.harts[which] >> hart) & 1:
            value = evaluate(S, hart, pc, which, left)
            left -= S.condition.used
            if value != FALSE:
                verdict = value
        which = S.condition.next[which]
    return verdict


def ignore(S: View, pc: int) -> int:
    """True if this hit of the breakpoint at `pc` is to be ignored; it is counted then."""
    for i in range(S.condition.ignored):
        if S.condition.ignored_addr[i] == pc and S.condition.ignored_left[i] > 0:
            S.condition.ignored_left[i] -= 1
            return 1
    return 0


def evaluate(S: View, hart: int, pc: int, which: int, most: int) -> int:
    """FALSE, TRUE or UNDECIDED, after at most `most` operations; `condition.used` counts them."""
    start = S.condition.start[which]
    end = S.condition.end[which]
    at = start
    top = 0  # how many values are on the stack
    S.condition.used = 0
    for number in range(most):
        S.condition.used = number + 1
        if not (start <= at < end):
            return UNDECIDED
        op = S.condition.code[at]
        size = operand_bytes(op)
        if size < 0 or at + size >= end or top + 1 >= STACK:
            return UNDECIDED
        operand = 0
        for i in range(size):
            if operand >> 48:
                return UNDECIDED
            operand = operand << 8 | S.condition.code[at + 1 + i]
        at += 1 + size
        if op == Op.END:
            if top < 1:
                return UNDECIDED
            return FALSE if S.condition.stack[top - 1] == 0 else TRUE
        if op == Op.GOTO:
            at = start + operand
        elif op == Op.IF_GOTO:
            if top < 1:
                return UNDECIDED
            top -= 1
            if S.condition.stack[top] != 0:
                at = start + operand
        elif size:
            top = push(S, hart, pc, op, operand, top)
        elif op <= Op.LESS_UNSIGNED and op != Op.LOG_NOT and op != Op.BIT_NOT:
            top = binary(S, op, top)
        else:
            top = unary(S, hart, op, top)
        if top < 0:
            return UNDECIDED
    return UNDECIDED


def operand_bytes(op: int) -> int:
    """Return how many bytes follow an operation; -1 for one that conditions do not have here."""
    match op:
        case Op.CONST8 | Op.EXT | Op.ZERO_EXT | Op.PICK:
            return 1
        case Op.CONST16 | Op.REG | Op.GOTO | Op.IF_GOTO:
            return 2
        case Op.CONST32:
            return 4
        case Op.CONST64:
            return 8  # as GDB writes addresses; UNDECIDED when more than 56 bits count
    known = (Op.ADD <= op <= Op.REF64 and op != Op.TRACE and op != Op.TRACE_QUICK) or op == Op.END
    return 0 if known or op == Op.DUP or op == Op.POP or op == Op.SWAP or op == Op.ROT else -1


def push(S: View, hart: int, pc: int, op: int, operand: int, top: int) -> int:
    """Operations with an operand in the program; the new height of the stack, or -1."""
    value = operand
    at = top
    match op:
        case Op.EXT | Op.ZERO_EXT:
            if top < 1 or operand < 1 or operand > 32:
                # What 64 bits hold is sign-extended to them already.
                return top if top > 0 and op == Op.EXT and operand == 64 else -1
            at = top - 1
            value = S.condition.stack[at] & ((1 << operand) - 1)
            if op == Op.EXT and (value >> (operand - 1)) & 1:
                value -= 1 << operand
        case Op.REG:
            if operand == PC:
                value = pc
            elif operand < PC and not S.pipeline.writers[hart, operand]:
                value = S.hart.x[hart, operand]
            else:
                return -1
        case Op.PICK:
            if operand >= top:
                return -1
            value = S.condition.stack[top - 1 - operand]
    S.condition.stack[at] = value
    return at + 1


def unary(S: View, hart: int, op: int, top: int) -> int:
    """Operations on the top of the stack; its new height, or -1."""
    if top < 1 or ((op == Op.SWAP or op == Op.ROT) and top < 2) or (op == Op.ROT and top < 3):
        return -1
    value = S.condition.stack[top - 1]
    match op:
        case Op.LOG_NOT:
            value = 1 if value == 0 else 0
        case Op.BIT_NOT:
            value = ~value
        case Op.REF8 | Op.REF16 | Op.REF32:
            value = read(S, hart, value & MASK32, 1 << (op - Op.REF8))
            if value < 0:
                return -1
        case Op.REF64:
            low = read(S, hart, value & MASK32, 4)
            high = read(S, hart, (value + 4) & MASK32, 4)
            if low < 0 or high < 0:
                return -1
            value = s32(high) << 32 | low
        case Op.DUP:
            S.condition.stack[top] = value
            return top + 1
        case Op.POP:
            return top - 1
        case Op.SWAP:
            S.condition.stack[top - 1] = S.condition.stack[top - 2]
            S.condition.stack[top - 2] = value
            return top
        case Op.ROT:
            # The manual: a b c => c a b.
            S.condition.stack[top - 1] = S.condition.stack[top - 2]
            S.condition.stack[top - 2] = S.condition.stack[top - 3]
            S.condition.stack[top - 3] = value
            return top
        case _:
            return -1
    S.condition.stack[top - 1] = value
    return top


def read(S: View, hart: int, addr: int, size: int) -> int:
    """Return the bytes of RAM at `addr` as a number; -1 where that is not all there is to know: a
    device, or in a schedule with time a hart that may have a store under way."""
    if S.schedule.kind != Schedule.SC and (
        S.stream.busy[hart] or S.pipeline.sq_count[hart] or MAY_STORE[S.pipeline.ex1_op[hart]]
    ):
        return -1
    value = 0
    for i in range(size):
        byte = addr + i
        offset = local_offset(hart, byte)
        if byte < L1_BYTES:
            value |= S.l1.byte[byte] << (8 * i)
        elif offset >= 0:
            value |= S.local.byte[offset] << (8 * i)
        else:
            return -1
    return value
