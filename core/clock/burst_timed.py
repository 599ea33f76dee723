# SPDX-License-Identifier: Apache-2.0
"""Many instructions of a hart that is alone, in the schedule `latency`, in one loop.

    begin ──► when may the next one enter EX1? ──► execute it ──► ... ──► end

`run_alone` (timed.py) moves each stage of the hart's pipeline in each cycle. While a hart executes
only arithmetic, jumps and accesses to its own local RAM, all that the stages decide is when an
instruction enters EX1, and that can be worked out when it does:

- It enters a cycle after the one before it, when its operands are known, and when the
  retire-order queue has room.
- It retires in the cycle in which its result is ready, or one after the instruction before it.
- An operand is known when its last writer is ready (`pipeline.operand_late`).
- The Frontend has it: its line is in the instruction cache, and no branch was predicted wrongly.
- An access to local RAM leaves EX1 in the next cycle and is processed in the one after that. The
  port is always free for it, and stores never wait for others to merge with.

So an instruction takes effect when it enters EX1, by the functions of `clock.burst`. At the end the
rows of the pipeline are made from what has not retired, by the functions that fill them. An access
that is still under way is taken back and put where it is then. What this loop cannot execute it
leaves to the general case before anything of it has happened. The record is the one of the same
cycles one by one.
"""

from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.clock.burst_sc import OUTSIDE, WORD_INDEX
from tensix_gdb.core.clock.burst_state import (
    ACCESS,
    CYCLES,
    JUMP,
    LAST_ACCESS,
    LAST_ENTRY,
    LONGEST,
    begin_burst,
    end_burst,
    take_back,
)
from tensix_gdb.core.memory.map import local_offset
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.execute import EXECUTE_ALONE, Handler, leave
from tensix_gdb.core.riscv.pipeline import asleep
from tensix_gdb.core.riscv.pipeline.frontend import (
    LINE_SHIFT,
    NEXT,
    SETS,
    TO_NEXT,
    WAYS,
    look_on,
    resolve,
)
from tensix_gdb.core.riscv.pipeline.pipeline import DIS_REG_FORWARDING, SYNC_ALL_OPS
from tensix_gdb.core.riscv.table import NOT_DECODED, SIZES
from tensix_gdb.core.schedule import Schedule


def _handler(op: int) -> Handler:
    return EXECUTE_ALONE[op] if CYCLES[op] else leave


EXECUTE_BURST = tuple(_handler(op) for op in range(256))


def try_burst(S: View, hart: int, end: int, CHECKED: int) -> int:
    """`burst`, if that can be now; -1 if not.

    `burst` is called from here and not from a loop, so that LLVM leaves it one function.
    """
    if not may_burst(S, hart, CHECKED):
        return -1
    asleep.wake(S, hart)
    return burst(S, hart, end)


def may_burst(S: View, hart: int, CHECKED: int) -> int:
    """True if the hart has nothing but plain instructions to retire, and nothing has to see each of
    its cycles. Asked when regions have processed what is due in a cycle."""
    if S.stream.busy[hart] or S.pipeline.sq_count[hart] or S.pipeline.serial[hart]:
        return 0
    if S.pipeline.ex1_op[hart] and not local_access_in_ex1(S, hart):
        return 0
    if S.schedule.kind != Schedule.LATENCY or S.pause.earliest or S.pipeline.cut[hart]:
        return 0
    if S.hart.observed[hart] or S.hart.slow[hart] or S.pipeline.ex1_free[hart] > S.tile.cycle:
        return 0
    if S.hart.cfg0[hart] & (SYNC_ALL_OPS | DIS_REG_FORWARDING):
        return 0
    if (S.hart.pmacfg[hart, 0] | S.hart.pmacfg[hart, 1]) & 1:
        return 0
    if CHECKED:
        if S.debug.watches or S.debug.step_over[hart] or S.debug.stepping[hart]:
            return 0
        if S.counted.on or S.race.on or S.hold.on or S.pause_place.left:
            return 0
    return 1


def local_access_in_ex1(S: View, hart: int) -> int:
    """True if what is in EX1 is an access to local RAM that leaves it in this cycle."""
    if CYCLES[S.pipeline.ex1_op[hart]] < ACCESS or S.pipeline.ex1_since[hart] != S.tile.cycle - 1:
        return 0
    return local_offset(hart, S.pipeline.ex1_addr[hart]) >= 0


def burst(S: View, hart: int, end: int) -> int:
    """Run `hart`, of which `may_burst` is true, up to the cycle `end`, or until it comes to what is
    not for this loop; return how many instructions it has issued."""
    pc = S.hart.pc[hart]
    retires = begin_burst(S, hart)
    if retires < 0:
        return 0
    first = S.pipeline.rq_head[hart] + S.pipeline.rq_count[hart]
    n = first  # instructions are counted so that `n & LAST_ENTRY` is the entry
    accesses = 0
    now = S.tile.cycle - 1
    line = S.frontend.line[hart]
    slot = S.frontend.slot[hart]
    free = S.frontend.free[hart]
    blind = n - 1 + S.frontend.blind[hart]  # the instruction that follows a bubble
    while 1:
        if pc & OUTSIDE:
            break
        d = S.decoded.word[(pc >> 2) & WORD_INDEX]
        kind = CYCLES[d & 0xFF]
        if kind == 0:
            if d & 0xFF == NOT_DECODED:
                d = S.translated.word[d >> 8]
                kind = CYCLES[d & 0xFF]
            if kind == 0:
                break  # before it looks for the line: a breakpoint stops the hart before it does
        entry = n & LAST_ENTRY
        operands = max(S.burst.known[(d >> 16) & 63], S.burst.known[(d >> 24) & 63])
        if (pc >> LINE_SHIFT) + 1 != line:
            if now + 1 >= end:
                break  # it looks there in the cycle in which it may enter EX1
            last = line
            line = (pc >> LINE_SHIFT) + 1
            slot = (line & (SETS - 1)) * WAYS
            if S.frontend.tag[hart, slot] == line:
                S.frontend.old[hart, line & (SETS - 1)] = 1
            else:
                slot = look_on(S, hart, line, last, now + 1)
                free = S.frontend.free[hart]
        # What the instruction before has made of its operands comes late to the host. Few have to
        # wait for anything, so the host predicts that. The store keeps LLVM from choosing the later
        # one instead, which would wait for both.
        at = now + 1
        known = max(free, S.burst.retires[entry], operands)
        if known > at:
            at = known
            S.burst.waits = 1
        if at >= end:
            break
        if kind & ACCESS:
            if note_access(S, hart, pc, d, n, accesses & LAST_ACCESS) == 0:
                break
            accesses += 1
        npc = EXECUTE_BURST[d & 0xFF](S, hart, pc, d, 0)
        if npc < 0:
            break
        if kind >= JUMP:
            taken = 1
            if npc == pc + 4:
                if d >> 32 == NEXT and TO_NEXT[d & 0xFF]:
                    break  # its condition says if it was taken; it can be executed again
                taken = 0
            if (S.frontend.taken[hart, slot] >> ((pc >> 2) & 3)) & 1 != taken or n == blind:
                free = resolve(S, hart, slot, pc, taken, 1 if n == blind else 0, at)
                blind = n + S.frontend.blind[hart]
        pc = npc
        now = at
        rd = (d >> 8) & 63
        ready = at + (kind & LONGEST)
        retires = max(ready, retires + 1)
        S.burst.retires[entry] = retires
        S.burst.ready[entry] = ready
        S.burst.rd[entry] = rd
        S.burst.known[rd] = ready
        S.burst.known[0] = 0
        n += 1
    S.frontend.line[hart] = line
    S.frontend.slot[hart] = slot
    if n > first:
        S.frontend.blind[hart] = 1 if n == blind else 0
        S.hart.pc[hart] = pc
        S.hart.retired[hart] += n - first
        end_burst(S, hart, n, now)
    elif S.pipeline.ex1_op[hart]:
        take_back(S, hart, LAST_ACCESS)
    return n - first


def note_access(S: View, hart: int, pc: int, d: int, number: int, slot: int) -> int:
    """Note what an access to local RAM will change, in case it has to be taken back; 0 if it is
    another access, or misaligned."""
    addr = (S.hart.x[hart, (d >> 16) & 31] + (d >> 32)) & MASK32
    offset = local_offset(hart, addr)
    if offset < 0 or addr & (SIZES[d & 0xFF] - 1):
        return 0
    S.burst.number[slot] = number
    S.burst.d[slot] = d
    S.burst.pc[slot] = pc
    S.burst.addr[slot] = addr
    S.burst.data[slot] = S.hart.x[hart, (d >> 24) & 63]
    S.burst.old_x[slot] = S.hart.x[hart, (d >> 8) & 63]
    S.burst.old_word[slot] = S.local.word[offset >> 2]
    return 1
