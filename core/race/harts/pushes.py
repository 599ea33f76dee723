# SPDX-License-Identifier: Apache-2.0
"""Pushes of harts: what each finds done, and the MOPs among them."""

from tensix_gdb.core.arch.blackhole import (
    T0,
    TTINSN_LIMIT,
)
from tensix_gdb.core.isa.opcodes import MOP, MOP_CFG, REPLAY
from tensix_gdb.core.memory import streams
from tensix_gdb.core.ordering.promises import OLD, Number
from tensix_gdb.core.race.clocks import copy_push
from tensix_gdb.core.race.fields import (
    B_PUSHES,
    FROM_B,
    MOP_CELLS,
    OLDER_CONFIG,
    OLDER_GPR,
    OLDER_MOP_CONFIG,
    OLDER_OLD,
    OLDER_PART,
    OLDER_PUSH,
    OLDER_SEMAPHORE,
    OLDER_TDMA,
    PUSH_SLOTS,
    PUSHED,
    PUSHES_KEPT,
)
from tensix_gdb.core.race.lines import (
    STORE,
    Line,
    Region,
    of_hart,
    of_thread,
)
from tensix_gdb.core.race.shadow import READ, access, site_of
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.frontend.fifo import CAPACITIES

PARTS = 8
FIFO_WORDS = sum(CAPACITIES)
MOP_WORDS = 0x1FF
MASK_WORDS = 0x1FE  # of template 0, which has no count of a loop
MOP_TEMPLATE = 23  # the bit of a MOP that chooses the template


def note_older(S: View, hart: int, clock: int) -> int:
    """Note what a push finds emitted: all that its hart has made before."""
    for way in range(2):
        S.race.older[clock, OLDER_GPR + way] = S.race.made[hart, Region.GPR, way]
        S.race.older[clock, OLDER_CONFIG + way] = S.race.made[hart, Region.CONFIG, way]
        S.race.older[clock, OLDER_TDMA + way] = S.race.made[hart, Region.TDMA, way]
    S.race.older[clock, OLDER_MOP_CONFIG] = S.race.made[hart, Region.MOP_CONFIG, STORE]
    S.race.older[clock, OLDER_SEMAPHORE] = S.race.made[hart, Region.SEMAPHORE, STORE]
    for part in range(2 * PARTS):
        S.race.older[clock, OLDER_PART + part] = S.race.parts[hart, part]
    return 0


def give_slots(S: View, hart: int, clock: int) -> int:
    """Auto TTSync has taken slots for the words of a push; the clock goes with them."""
    if S.stream.size[hart, streams.PUSH, 0] != 4:
        return 0
    if S.stream.data[hart, streams.PUSH, 0, 0] >= TTINSN_LIMIT:
        return 0
    thread = hart - T0
    words = 0
    for word in range(4):
        words += (S.stream.mask[hart, streams.PUSH, 0] >> (4 * word)) & 1
    last = S.tracker.head[thread] + S.tracker.count[thread]
    old_stores(S, hart, clock)
    for i in range(words):
        slot = (last - 1 - i) % PUSH_SLOTS
        at = PUSHED + thread * PUSH_SLOTS + slot
        copy_push(S, at, clock)
        S.race.number[at] = S.race.number[clock]
    return count_words(S, hart, S.race.number[clock])


def count_words(S: View, hart: int, number: int) -> int:
    """A push of a T core is emitted: which of those before it have left the FIFOs by now, as the
    words after them are more than these hold (promise P28)?"""
    thread = hart - T0
    total = S.race.push_total[thread]
    for word in range(4):
        if (S.stream.mask[hart, streams.PUSH, 0] >> (4 * word)) & 1:
            total += reaches_gate(S, thread, S.stream.data[hart, streams.PUSH, 0, word])
    S.race.push_total[thread] = total
    S.race.push_words[thread, number & (PUSHES_KEPT - 1)] = total
    seen = max(S.race.push_seen[thread], number - PUSHES_KEPT + 8)
    while (
        seen + 1 < number
        and S.race.push_words[thread, (seen + 1) & (PUSHES_KEPT - 1)] + FIFO_WORDS < total
    ):
        seen += 1
        S.race.push_done[thread] = seen
    S.race.push_seen[thread] = seen
    S.race.push_clear[thread, number & (PUSHES_KEPT - 1)] = S.race.push_done[thread]
    return 0


def reaches_gate(S: View, thread: int, word: int) -> int:
    """Return 1 for a word that takes places in the FIFOs until it is at the gate: no MOP and no
    REPLAY, and none that is only recorded."""
    opcode = word >> 24
    if S.race.recorded[thread]:
        S.race.recorded[thread] -= 1
        return 0
    if opcode == REPLAY and word & 3 == 1:
        count = (word >> 4) & 63
        S.race.recorded[thread] = count if count else 32
    return 0 if opcode == MOP or opcode == MOP_CFG or opcode == REPLAY else 1


def promise(S: View, hart: int, clock: int) -> int:
    """Note what promise P28 has done before a request of a T core to the configuration."""
    thread = hart - T0
    number = S.race.older[clock, OLDER_PUSH]
    done = S.race.push_clear[thread, number & (PUSHES_KEPT - 1)]
    at = done & (PUSHES_KEPT - 1)
    if number == 0 or done == 0 or S.race.push_number[thread, at] != done:
        return 0
    S.race.promise_line[0] = of_thread(thread, Line.GATE)
    S.race.promise_upto[0] = S.race.push_gate[thread, at]
    S.race.promise_of[0] = Number.P28
    S.race.promise_line[1] = of_thread(thread, Line.PIPE)
    S.race.promise_upto[1] = S.race.push_pipe[thread, at]
    S.race.promise_of[1] = Number.P28
    S.race.promises = 2
    return 0


def pushed(S: View, hart: int, clock: int) -> int:
    """A push of a T core is processed: MOPs among its words begin to be expanded."""
    if S.stream.size[hart, streams.PUSH, 0] != 4:
        return 0
    for word in range(4):
        is_pushed = (S.stream.mask[hart, streams.PUSH, 0] >> (4 * word)) & 1
        if is_pushed and S.stream.data[hart, streams.PUSH, 0, word] >> 24 == MOP:
            expand(S, hart, word, clock)
    return 0


def expand(S: View, hart: int, word: int, clock: int) -> int:
    """A MOP was pushed: its expansion reads MopCfg at any time until it ends (promise P1)."""
    thread = hart - T0
    S.race.promise_line[0] = of_hart(hart, Region.MOP_CONFIG, STORE)
    S.race.promise_upto[0] = S.race.older[clock, OLDER_MOP_CONFIG]
    S.race.promise_of[0] = Number.P1
    S.race.promises = 1
    S.race.promise_clock = clock
    pc = S.stream.pc[hart, streams.PUSH, 0] + 4 * word
    site = site_of(S, hart, thread + 1, 0, MOP, pc)
    line = of_thread(thread, Line.EXPANDER)
    words = MOP_WORDS
    if not (S.stream.data[hart, streams.PUSH, 0, word] >> MOP_TEMPLATE) & 1:
        words = MASK_WORDS
    access(S, MOP_CELLS + thread, words, READ, clock, line, S.race.number[clock], site)
    S.race.promises = 0
    return 0


def old_stores(S: View, hart: int, clock: int) -> int:
    """Count the stores that were emitted OLD cycles before this push: promises P8, P10, P11."""
    for at in range(2):
        count = S.race.older[clock, OLDER_CONFIG if at else OLDER_GPR]
        tries = 0
        while tries < 8 and count > 0:
            if S.race.old_cycle[hart, at, count & 7] + OLD <= S.tile.cycle:
                break
            count -= 1
            tries += 1
        S.race.older[clock, OLDER_OLD + at] = 0 if tries == 8 else count
    return 0


def pushed_by_b(S: View, thread: int, clock: int) -> int:
    """B has pushed an instruction, which is in FIFO B now."""
    number = S.race.b_last[thread]
    S.race.b_last[thread] = number + 1
    at = number & (B_PUSHES - 1)
    S.race.b_cycle[thread, at] = S.tile.cycle
    return copy_push(S, FROM_B + thread * B_PUSHES + at, clock)
