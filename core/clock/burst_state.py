# SPDX-License-Identifier: Apache-2.0
"""The state of a hart at the beginning and the end of a burst with time (burst_timed.py).

    begin      the retire-order queue as cycles, and what is in EX1 as if it were executed
    end_burst  what has not retired, in the rows of the pipeline; accesses under way are taken back

All rows are DERIVED: they mean nothing outside a burst.
"""

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.memory import streams
from tensix_gdb.core.memory.map import local_offset
from tensix_gdb.core.memory.ram import local_load, local_store
from tensix_gdb.core.record.layout import Part, Tag, View, row
from tensix_gdb.core.riscv.encoding import Form
from tensix_gdb.core.riscv.pipeline.fields import RETIRE_ORDER_ENTRIES
from tensix_gdb.core.riscv.pipeline.forms import hold_in_ex1
from tensix_gdb.core.riscv.pipeline.frontend import JUMPS
from tensix_gdb.core.riscv.pipeline.load_store import BACK, LOADS, THERE, enter, extend
from tensix_gdb.core.riscv.pipeline.pipeline import DIVIDES, LATENCY, leave_ex1, reserve
from tensix_gdb.core.riscv.pipeline.stores import drain
from tensix_gdb.core.riscv.table import FORMS, OPERATIONS, SIZES

COLD = True  # little time of LLVM for it (core/engine/README.md)

REGISTERS = 64  # those of vectors are not for this loop
LAST_ENTRY = RETIRE_ORDER_ENTRIES - 1
UNDER_WAY = 2  # accesses: one in EX1, one on its way to local RAM
LAST_ACCESS = UNDER_WAY - 1

_D = Tag.DERIVED

# fmt: off
BURST = Part("burst", (
    row("known",   "i64", REGISTERS, _D, "cycle from which an instruction may read the register"),
    # The retire-order queue, by entry.
    row("retires", "i64", RETIRE_ORDER_ENTRIES, _D, "cycle in which the instruction retires"),
    row("ready",   "i64", RETIRE_ORDER_ENTRIES, _D, "cycle from which it may"),
    row("rd",      "u8",  RETIRE_ORDER_ENTRIES, _D, "the register it writes; 0 none"),
    row("waits",   "u8",  (), _D, "1 after an instruction that has waited; not read"),
    # The last accesses to local RAM.
    row("number",  "i64", UNDER_WAY, _D, "of the instruction, as `burst` counts; -1: none"),
    row("d",       "i64", UNDER_WAY, _D, "the instruction"),
    row("pc",      "u32", UNDER_WAY, _D, "where it is"),
    row("addr",    "u32", UNDER_WAY, _D, "the address"),
    row("data",    "u32", UNDER_WAY, _D, "what is stored"),
    row("old_x",   "u32", UNDER_WAY, _D, "what was in its register"),
    row("old_word","u32", UNDER_WAY, _D, "what was in local RAM"),
))
# fmt: on

# The instruction is processed in this cycle after it has entered EX1 (`load_store.py`).
PROCESSED = 2
if THERE[streams.LOCAL] != 0:
    raise ValueError("an access to local RAM is not processed in the cycle after its emission")

# By op number: cycles until its result is ready; with ACCESS one of memory, with JUMP one that the
# Frontend has predicted. 0: not for this loop.
ACCESS, JUMP = 16, 32
LONGEST = ACCESS - 1
_PLAIN = (
    *(Form.ALU_RR, Form.ALU_RI, Form.ALU_R1, Form.LUI, Form.AUIPC),
    *(Form.JAL, Form.JALR, Form.BRANCH),
)


def _cycles(op: int) -> int:
    form = FORMS[op]
    if form is Form.LOAD:
        return ACCESS + PROCESSED + BACK[streams.LOCAL]
    if form is Form.STORE:
        return ACCESS + 2  # it retires in the cycle after it has left EX1
    module = OPERATIONS[op].__module__ if form not in (Form.LUI, Form.AUIPC) else ""
    if form not in _PLAIN or DIVIDES[op] or module.endswith("float32"):
        return 0
    return LATENCY[op] + JUMP * JUMPS[op]


# As many as a packed word can name, so that no access has to ask whether there is such an op.
CYCLES = tuple(_cycles(op) if op < len(FORMS) else 0 for op in range(256))


def begin_burst(S: View, hart: int) -> int:
    """Begin with what is in the retire-order queue; return the cycle in which the last of it
    retires, or -1 if it is not for this loop."""
    for i in range(REGISTERS):
        S.burst.known[i] = 0
    for i in range(RETIRE_ORDER_ENTRIES):
        S.burst.retires[i] = 0
    for i in range(UNDER_WAY):
        S.burst.number[i] = -1
    retires = S.tile.cycle - 1
    head = S.pipeline.rq_head[hart]
    for i in range(S.pipeline.rq_count[hart]):
        entry = (head + i) & LAST_ENTRY
        rd = S.pipeline.rq_rd[hart, entry]
        if rd >= REGISTERS:
            return -1
        ready = S.pipeline.rq_ready[hart, entry]
        if S.pipeline.ex1_op[hart] and S.pipeline.ex1_entry[hart] == entry:
            ready = take_out_of_ex1(S, hart, head + i)
        retires = max(ready, retires + 1)
        S.burst.retires[entry] = retires
        S.burst.ready[entry] = ready
        S.burst.rd[entry] = rd
        if rd:
            S.burst.known[rd] = ready
    return retires


def take_out_of_ex1(S: View, hart: int, number: int) -> int:
    """Execute the access to local RAM that is in EX1; return from which cycle on it may retire."""
    op = S.pipeline.ex1_op[hart]
    rd = S.pipeline.rq_rd[hart, S.pipeline.ex1_entry[hart]]
    addr = S.pipeline.ex1_addr[hart]
    offset = local_offset(hart, addr)
    S.burst.number[LAST_ACCESS] = number
    S.burst.d[LAST_ACCESS] = op | (rd << 8)
    S.burst.pc[LAST_ACCESS] = S.pipeline.ex1_pc[hart]
    S.burst.addr[LAST_ACCESS] = addr
    S.burst.data[LAST_ACCESS] = S.pipeline.ex1_data[hart]
    S.burst.old_x[LAST_ACCESS] = S.hart.x[hart, rd]
    S.burst.old_word[LAST_ACCESS] = S.local.word[offset >> 2]
    if not LOADS[op]:
        local_store(S, offset, SIZES[op], S.pipeline.ex1_data[hart])
    elif rd:
        S.hart.x[hart, rd] = extend(local_load(S, offset, SIZES[op]), SIZES[op] * 8, op)
    return S.pipeline.ex1_since[hart] + CYCLES[op] - ACCESS


def end_burst(S: View, hart: int, n: int, now: int) -> int:
    """Make the state at the end of the cycle `now`, in which the instruction before `n` has entered
    EX1."""
    start = S.tile.cycle
    # Of the accesses that are not processed yet, which slot has it.
    in_ex1 = -1
    emitted = -1
    for slot in range(UNDER_WAY):
        number = S.burst.number[slot]
        if number >= 0:
            entry = number & LAST_ENTRY
            entered = S.burst.ready[entry] - (CYCLES[S.burst.d[slot] & 0xFF] - ACCESS)
            if number + UNDER_WAY >= n and entered == now:
                in_ex1 = slot
            elif number + UNDER_WAY >= n and entered == now - 1:
                emitted = slot
    if in_ex1 >= 0:
        take_back(S, hart, in_ex1)
    if emitted >= 0:
        number = S.burst.number[emitted]
        rd = (S.burst.d[emitted] >> 8) & 63
        # An instruction after a load may have written its register, and the answer does not.
        if number + 1 == n or in_ex1 >= 0 or S.burst.rd[(number + 1) & LAST_ENTRY] != rd or rd == 0:
            take_back(S, hart, emitted)
    empty_queue(S, hart)
    number = n - RETIRE_ORDER_ENTRIES
    while number < n and S.burst.retires[number & LAST_ENTRY] <= now:
        number += 1
    S.pipeline.rq_head[hart] = number & LAST_ENTRY
    while number < n:
        if emitted >= 0 and S.burst.number[emitted] == number:
            S.tile.cycle = now - 1
            put_into_ex1(S, hart, emitted)
            S.tile.cycle = now
            if enter(S, hart, 0) == 0:
                drain(S, hart, 0)
        elif in_ex1 >= 0 and S.burst.number[in_ex1] == number:
            S.tile.cycle = now
            put_into_ex1(S, hart, in_ex1)
        else:
            reserve(S, hart, S.burst.rd[number & LAST_ENTRY], S.burst.ready[number & LAST_ENTRY])
        number += 1
    S.tile.cycle = now + 1
    S.schedule.first_hart = (S.schedule.first_hart + now + 1 - start) % HARTS
    S.tile.idle_cycles = 1  # as the last of the cycles leaves it
    return 0


def empty_queue(S: View, hart: int) -> int:
    """Forget what was in the retire-order queue and in EX1 before."""
    head = S.pipeline.rq_head[hart]
    count = S.pipeline.rq_count[hart]
    for i in range(count):
        entry = (head + i) & LAST_ENTRY
        rd = S.pipeline.rq_rd[hart, entry]
        S.pipeline.writers[hart, rd] = 0
        S.pipeline.last_writer[hart, rd] = 0
        S.pipeline.known[hart, rd] = 0
        S.pipeline.rq_rd[hart, entry] = 0
        S.pipeline.rq_ready[hart, entry] = 0
        S.pipeline.rq_answer[hart, entry] = 0
    S.pipeline.rq_count[hart] = 0
    if S.pipeline.ex1_op[hart]:
        leave_ex1(S, hart)
        S.pipeline.rq_ready[hart, (head + count - 1) & LAST_ENTRY] = 0  # `leave_ex1` has set it
    return 0


def take_back(S: View, hart: int, slot: int) -> int:
    """Undo what an access has changed."""
    if LOADS[S.burst.d[slot] & 0xFF]:
        S.hart.x[hart, (S.burst.d[slot] >> 8) & 63] = S.burst.old_x[slot]
    else:
        S.local.word[local_offset(hart, S.burst.addr[slot]) >> 2] = S.burst.old_word[slot]
    return 0


def put_into_ex1(S: View, hart: int, slot: int) -> int:
    """Let an access that was taken back enter EX1 again."""
    d = S.burst.d[slot]
    is_load = LOADS[d & 0xFF]
    data = 0 if is_load else S.burst.data[slot]
    return hold_in_ex1(S, hart, S.burst.pc[slot], d, S.burst.addr[slot], data, is_load)
