# SPDX-License-Identifier: Apache-2.0
"""Answers of loads: a hart comes after them when it uses them.

An instruction that reads the register has waited for the answer, and so has the one that gets the
place of the load in the retire-order queue, and what comes after a fence.
"""

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.core.race.checks import harts as checks
from tensix_gdb.core.race.clocks import join, reach
from tensix_gdb.core.race.fields import PAST
from tensix_gdb.core.race.lines import SPARE
from tensix_gdb.core.race.shadow import site_of
from tensix_gdb.core.race.state import changed, contract, stacks, words
from tensix_gdb.core.race.state.table import Group
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.pipeline.fields import RETIRE_ORDER_ENTRIES


def keep_answer(S: View, hart: int, entry: int, clock: int) -> int:
    """An answer is there for an instruction to use; a load with it comes after `clock`."""
    if S.race.unused[hart, entry] == 0:
        S.race.pending[hart] += 1
    S.race.unused[hart, entry] = clock
    rd = S.pipeline.rq_rd[hart, entry]
    S.race.holder[hart, entry] = rd
    if rd and S.pipeline.last_writer[hart, rd] == entry:
        S.race.source[hart, rd] = entry + 1
    return 0


def use_entry(S: View, hart: int, entry: int) -> int:
    """Order what the load of an entry has seen before the hart's next steps."""
    clock = S.race.unused[hart, entry]
    if clock:
        S.race.unused[hart, entry] = 0
        checks.used(S, hart, clock)
        S.race.pending[hart] -= 1
        holder = S.race.holder[hart, entry]
        if S.race.source[hart, holder] == entry + 1:
            S.race.source[hart, holder] = 0
        if S.race.carries[clock]:
            return join(S, PAST + hart, clock)
        # Of all else it knows no more than its hart did when the load was made.
        line = S.race.line[clock]
        if line == SPARE:
            return 0
        reach(S, PAST + hart, line - 1, S.race.clock[clock, line - 1])
        reach(S, PAST + hart, line, S.race.number[clock])
    return 0


def use_all(S: View, hart: int) -> int:
    """All loads are answered, and the hart has waited for it."""
    for entry in range(RETIRE_ORDER_ENTRIES):
        use_entry(S, hart, entry)
    return 0


def use_register(S: View, hart: int, register: int) -> int:
    """An instruction has read a register."""
    source = S.race.source[hart, register]
    if source:
        S.race.source[hart, register] = 0
        use_entry(S, hart, source - 1)
    return 0


def writes_sp(d: int) -> int:
    """True if an instruction may change the stack pointer."""
    return 1 if (d >> 8) & 63 == words.SP else 0


def issue(S: View, hart: int, d: int, pc: int) -> int:
    """The instruction `d` (riscv/decode.py) at `pc` has entered EX1: it is the youngest entry. The
    one that had the entry before has retired."""
    if S.state.on & Group.MEMORY:
        if S.state.lowest[hart] == 0 or S.hart.x[hart, words.SP] < S.state.lowest[hart]:
            stacks.stack(S, hart)
        if contract.DIVIDES[d & 0xFF] and contract.divides_by_zero(S, hart, d):
            contract.divided(S, site_of(S, hart, 0, 0, 0, pc))
        if pc < L1_BYTES and changed.is_asked(S, hart, pc) and changed.executed(S, hart, pc):
            changed.report(S, hart, pc, site_of(S, hart, 0, 0, 0, pc))
    if S.state.on & Group.INIT and (
        S.state.unknown[hart] or words.MATTERS[d & 0xFF] | writes_sp(d)
    ):
        words.issued(S, hart, d, pc)
    entry = (S.pipeline.rq_head[hart] + S.pipeline.rq_count[hart] - 1) % RETIRE_ORDER_ENTRIES
    if S.race.pending[hart] | S.race.settles[hart] == 0:
        S.race.settles[hart] = S.pipeline.rq_serial[hart, entry]
        return 0
    if S.race.settles[hart]:
        S.race.settles[hart] = 0
        use_all(S, hart)
    use_entry(S, hart, entry)
    use_register(S, hart, (d >> 16) & 63)
    use_register(S, hart, (d >> 24) & 63)
    if S.pipeline.rq_serial[hart, entry]:
        S.race.settles[hart] = 1
    rd = (d >> 8) & 63
    S.race.source[hart, rd] = 0
    return 0


INLINED = (use_register, keep_answer)
