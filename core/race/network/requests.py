# SPDX-License-Identifier: Apache-2.0
"""Requests of the two NIUs: accesses to L1 that begin after the store to NOC_CMD_CTRL.

    started    a store to NOC_CMD_CTRL was processed     clock = what its hart had used
    taken      the request has a slot, and its numbers
    arrived    a write has read its source, and is at its target; so is an atomic
    landed     the data of a read is in L1

What a hart has stored to L1 before the store to NOC_CMD_CTRL is in another region, and may be
later. A request ends on a line of its NIU (lines.Noc), and a hart comes after it when a counter
says so (counters.py), or a word that the request writes and the hart polls.

UNSPECIFIED(NoC/Ordering.md): which parts of a packet are written first. A write of up to a flit is
a signal to harts that poll one of its words; a longer one is none.
"""

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.noc.atomic import IS_LINE, WORD_OF
from tensix_gdb.core.noc.coordinates import OURSELVES, at
from tensix_gdb.core.noc.order import there_of
from tensix_gdb.core.noc.request import (
    ATOMIC,
    BROADCAST,
    BYTE_ENABLE,
    CHANNEL,
    FLIT,
    INLINE,
    KIND,
    MARKED,
    MMIO,
    READ,
    STATIC,
    is_write_of_data,
)
from tensix_gdb.core.noc.state import INITIATORS, SLOTS
from tensix_gdb.core.ordering.promises import Number
from tensix_gdb.core.race import shadow, sync
from tensix_gdb.core.race.clocks import copy, reach
from tensix_gdb.core.race.fields import L1_CELLS, NOC_REQUEST, NOC_WANTED
from tensix_gdb.core.race.lines import READ_LINES, WORDS, Noc, of_niu
from tensix_gdb.core.race.network import streams as registers
from tensix_gdb.core.race.shadow import access, rely, site_of
from tensix_gdb.core.race.stages import carried
from tensix_gdb.core.race.state import memory
from tensix_gdb.core.race.units import span
from tensix_gdb.core.record.layout import View

COLD = True  # little time of LLVM for it (core/engine/README.md)


def started(S: View, hart: int, niu: int, initiator: int, clock: int) -> int:
    """A store to NOC_CMD_CTRL was processed."""
    wanted = NOC_WANTED + niu * INITIATORS + initiator
    S.race.noc_start[niu, hart] = S.race.number[clock]
    S.race.number[wanted] = S.race.number[clock]
    return copy(S, wanted, clock)


def taken(S: View, niu: int, initiator: int, slot: int) -> int:
    """A request has left its initiator: give it its places on the lines of the NIU."""
    ctrl = S.noc.ctrl[niu, slot]
    clock = NOC_REQUEST + niu * SLOTS + slot
    wanted = NOC_WANTED + niu * INITIATORS + initiator
    S.race.number[clock] = S.race.number[wanted]
    copy(S, clock, wanted)
    line = line_of(ctrl, S.noc.id[niu, slot], S.noc.length[niu, slot])
    S.race.noc_line[niu, slot] = line
    if S.race.strict == 0:
        after_channel(S, niu, slot, clock)
    S.race.noc_end[niu, slot, 0] = number_on(S, niu, slot, line)
    S.race.noc_end[niu, slot, 1] = 0
    if is_write_of_data(ctrl):
        S.race.noc_end[niu, slot, 1] = number_on(S, niu, slot, Noc.SENT)
    if S.state.on:
        memory.requested(S, niu, slot, line, S.race.noc_end[niu, slot, 0], site(S, niu, slot))
        if line == Noc.POSTED and S.race.noc_end[niu, slot, 1]:
            memory.posted(S, niu, slot, Noc.SENT, S.race.noc_end[niu, slot, 1], site(S, niu, slot))
        S.stages.data[niu * SLOTS + slot] = 0
    return 0


def line_of(ctrl: int, transaction: int, length: int) -> int:
    """Return the line on which a request ends."""
    if ctrl & KIND == READ:
        return Noc.LANDED + transaction % READ_LINES
    if ctrl & KIND == ATOMIC:
        return Noc.ANSWERED if ctrl & MARKED else Noc.POSTED + WORDS
    words = WORDS if ctrl & INLINE or (length <= 4 and not ctrl & BYTE_ENABLE) else 0
    return (Noc.ACKED if ctrl & MARKED else Noc.POSTED) + words


def number_on(S: View, niu: int, slot: int, line: int) -> int:
    """Return the next place on a line, for a request."""
    number = S.race.noc_made[niu, line] + 1
    S.race.noc_made[niu, line] = number
    to = channel_of(S, niu, slot)
    if to == 0 or S.race.noc_to[niu, line] != to:
        S.race.noc_run[niu, line] = number
    S.race.noc_to[niu, line] = to
    S.race.noc_last[niu, line] = site(S, niu, slot)
    return number


def channel_of(S: View, niu: int, slot: int) -> int:
    """Target and virtual channel of a request; 0 if hardware chooses the channel."""
    ctrl = S.noc.ctrl[niu, slot]
    if not ctrl & STATIC:
        return 0
    return 1 << 31 | ctrl & (CHANNEL | BROADCAST) | there_of(S, niu, slot) << 16 & 0x0FFF0000


def after_channel(S: View, niu: int, slot: int, clock: int) -> int:
    """Writes that went before on the channel, to the same tile, take effect before this request
    (promise P25)."""
    to = channel_of(S, niu, slot)
    if to == 0 or S.noc.ctrl[niu, slot] & KIND == READ:
        return 0
    for line in range(Noc.ACKED, Noc.POSTED + WORDS + 1):
        if line != Noc.SENT and S.race.noc_to[niu, line] == to:
            of_line = of_niu(niu, line)
            known = S.race.clock[clock, of_line]
            if S.race.noc_run[niu, line] - 1 <= known < S.race.noc_made[niu, line]:
                reach(S, clock, of_line, S.race.noc_made[niu, line])
                if line != Noc.ANSWERED:
                    rely(S, Number.P25, S.race.noc_last[niu, line], site(S, niu, slot))
    return 0


def site(S: View, niu: int, slot: int) -> int:
    """Return the number of the instruction that has started a request."""
    return site_of(S, S.noc.hart[niu, slot], 0, 0, 0, S.noc.pc[niu, slot])


def arrived(S: View, niu: int, slot: int) -> int:
    """A write or an atomic has done what it does: at its source, and at its target if that is
    here."""
    if S.race.noc_end[niu, slot, 0] == 0:
        return 0  # it had left before observing began
    sends(S, niu, slot)
    there = there_of(S, niu, slot)
    if at(S, niu, there & 63, there >> 6) == OURSELVES:
        clock = NOC_REQUEST + niu * SLOTS + slot
        line = of_niu(niu, S.race.noc_line[niu, slot])
        ctrl = S.noc.ctrl[niu, slot]
        number = S.race.noc_end[niu, slot, 0]
        where = site(S, niu, slot)
        if ctrl & KIND == ATOMIC:
            operates(S, S.noc.targ[niu, slot], S.noc.length[niu, slot], clock, line, number, where)
        elif ctrl & INLINE:
            INLINE_WRITES[S.tile.chip](S, niu, slot, clock, line, number, where)
        elif ctrl & BYTE_ENABLE:
            low = S.noc.length[niu, slot]
            high = S.noc.mask[niu, slot]
            to = S.noc.ret[niu, slot]
            enabled(S, low, high, to, shadow.WRITE, clock, line, number, where)
        else:
            length = S.noc.length[niu, slot]
            writes(S, S.noc.ret[niu, slot], length, clock, line, number, where)
            carried.brought(S, niu * SLOTS + slot, S.noc.ret[niu, slot], length)
    return answers(S, niu, slot)


def sends(S: View, niu: int, slot: int) -> int:
    """A write has read its source in L1."""
    ctrl = S.noc.ctrl[niu, slot]
    if not is_write_of_data(ctrl):
        return 0
    S.race.promises = 0
    S.race.promise_row = 0
    clock = NOC_REQUEST + niu * SLOTS + slot
    line = of_niu(niu, Noc.SENT)
    number = S.race.noc_end[niu, slot, 1]
    source = S.noc.targ[niu, slot]
    where = site(S, niu, slot)
    if ctrl & BYTE_ENABLE:
        low = S.noc.length[niu, slot]
        high = S.noc.mask[niu, slot]
        return enabled(S, low, high, source, shadow.READ, clock, line, number, where)
    carried.taken(S, niu * SLOTS + slot, source, S.noc.length[niu, slot])
    return span(S, source, S.noc.length[niu, slot], shadow.READ, clock, line, number, where)


def answers(S: View, niu: int, slot: int) -> int:
    """An atomic that is answered writes the word that was there."""
    ctrl = S.noc.ctrl[niu, slot]
    if ctrl & KIND != ATOMIC or not ctrl & MARKED:
        return 0
    clock = NOC_REQUEST + niu * SLOTS + slot
    line = of_niu(niu, Noc.ANSWERED)
    number = S.race.noc_end[niu, slot, 0]
    to = S.noc.ret[niu, slot] & ~3
    # Kernels have all answers in one word that they never read.
    return span(S, to, 4, shadow.ATOMIC, clock, line, number, site(S, niu, slot))


def landed(S: View, niu: int, slot: int) -> int:
    """The data of a read has been written to L1."""
    number = S.race.noc_end[niu, slot, 0]
    if number == 0:
        return 0
    clock = NOC_REQUEST + niu * SLOTS + slot
    line = of_niu(niu, S.race.noc_line[niu, slot])
    where = site(S, niu, slot)
    length = S.noc.length[niu, slot]
    there = S.noc.targ_at[niu, slot]
    S.race.promises = 0
    S.race.promise_row = 0
    if at(S, niu, there & 63, there >> 6) == OURSELVES:
        span(S, S.noc.targ[niu, slot], length, shadow.READ, clock, line, number, where)
        carried.taken(S, niu * SLOTS + slot, S.noc.targ[niu, slot], length)
    writes(S, S.noc.ret[niu, slot], length, clock, line, number, where)
    return carried.brought(S, niu * SLOTS + slot, S.noc.ret[niu, slot], length)


def inline_writes(
    S: View, niu: int, slot: int, clock: int, line: int, number: int, where: int
) -> int:
    """Check an inline write: of a word."""
    return writes(S, S.noc.targ[niu, slot] & ~3, 4, clock, line, number, where)


def inline_writes_bytes(
    S: View, niu: int, slot: int, clock: int, line: int, number: int, where: int
) -> int:
    """The same on Wormhole, of any of 16 bytes of L1."""
    to = S.noc.targ[niu, slot]
    if to >= MMIO:
        return writes(S, to & ~3, 4, clock, line, number, where)
    mask = S.noc.length[niu, slot] & MASK32
    low = (mask | mask >> 16) & 0xFFFF
    S.race.promises = 0
    S.race.promise_row = 0
    return enabled(S, low, 0, to, shadow.WRITE, clock, line, number, where)


INLINE_WRITES = (inline_writes, inline_writes_bytes)


# Of any agent of the network


def writes(S: View, to: int, length: int, clock: int, line: int, number: int, where: int) -> int:
    """Check a write to L1; a short one is a signal, and so is one to a register of a stream."""
    if registers.is_stream(to):
        return registers.written(S, to, clock, line, number)
    S.race.promises = 0
    S.race.promise_row = 0
    span(S, to, length, shadow.WRITE, clock, line, number, where)
    if length <= FLIT[S.tile.chip] and to + length <= L1_BYTES:
        first = to & ~3
        while first < to + length:
            whole = 1 if to <= first and first + 4 <= to + length else 0
            sync.signal(S, first, clock, line, number, whole)
            first += 4
    return 0


def enabled(
    S: View,
    low: int,
    high: int,
    addr: int,
    what: int,
    clock: int,
    line: int,
    number: int,
    where: int,
) -> int:
    """Check those of 64 bytes, 32 on Wormhole, that have their bit set, in two words."""
    start = addr & ~15
    for part in range(FLIT[S.tile.chip] // 16):
        words = low if part < 2 else high
        mask = (words >> (16 * (part & 1))) & 0xFFFF
        if mask and start + 16 * part < L1_BYTES:
            access(S, L1_CELLS + (start >> 4) + part, mask, what, clock, line, number, where)
            if what != shadow.READ:
                for word in range(4):
                    enabled_bytes = (mask >> (4 * word)) & 15
                    if enabled_bytes:
                        at_word = start + 16 * part + 4 * word
                        whole = 1 if enabled_bytes == 15 else 0
                        sync.signal(S, at_word, clock, line, number, whole)
    return 0


def operates(
    S: View, targ: int, operands: int, clock: int, line: int, number: int, where: int
) -> int:
    """Check an atomic, which releases and acquires its word as one of a hart does."""
    start = targ & ~15
    if start + 16 > L1_BYTES:
        return 0
    mask = 15 << (4 * WORD_OF[S.tile.chip](operands))
    if IS_LINE[S.tile.chip](operands):
        mask = 0xFFFF
    S.race.promises = 0
    S.race.promise_row = 0
    for word in range(4):
        if (mask >> (4 * word)) & 15:
            sync.after_signal(S, start + 4 * word, clock)
            sync.signal(S, start + 4 * word, clock, line, number, 1)
    return access(S, L1_CELLS + (start >> 4), mask, shadow.ATOMIC, clock, line, number, where)
