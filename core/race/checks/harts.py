# SPDX-License-Identifier: Apache-2.0
"""Checks of requests of harts: S1 of stores, S5, S6, S11."""

from tensix_gdb.core.arch.blackhole import T0, T2
from tensix_gdb.core.devices.semaphores import SEMAPHORE_BASE, SEMAPHORES
from tensix_gdb.core.memory import streams
from tensix_gdb.core.race.checks.fields import found, is_on
from tensix_gdb.core.race.checks.gate import after_post, note_post, one_semaphore
from tensix_gdb.core.race.checks.table import Number
from tensix_gdb.core.race.lines import STORE, Region, of_hart
from tensix_gdb.core.race.shadow import site_of
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.table import opcode

STALLWAIT, SEMWAIT = opcode("STALLWAIT"), opcode("SEMWAIT")
SAID = 2  # in `is_done_check`: S5 has reported the load
EFFECTS = tuple(
    int(
        stream in (streams.PCBUF, streams.TTSYNC)
        or streams.MAILBOX_READ <= stream < streams.MAILBOX_WRITE
    )
    for stream in range(streams.STREAMS)
)
# The window of semaphores, PCBuf and TTSync, and the mailboxes.
WINDOW = tuple(
    int(streams.PCBUF <= stream < streams.MAILBOX_WRITE) for stream in range(streams.STREAMS)
)


def stored(S: View, hart: int, stream: int, region: int, tail: int) -> int:
    """A store has entered the store queue, at `tail`, or has merged with it."""
    pc = S.pipeline.sq_pc[hart, tail]
    if S.check.effect[hart] and is_on(S, Number.S5):
        next_request(S, hart, pc)
    if region == Region.PUSH:
        last = 0
        for word in range(4):
            if (S.pipeline.sq_mask[hart, tail] >> (4 * word)) & 1:
                last = word
        S.check.pushed[hart] = S.pipeline.sq_data[hart, tail, last]
        S.check.pushed_pc[hart] = pc + 4 * last
        return 0
    if stream == streams.TTSYNC:
        S.check.pushed[hart] = 0
    if region == Region.CONFIG and T0 <= hart <= T2 and is_on(S, Number.S11):
        pushed = S.check.pushed[hart]
        if pushed >> 24 == STALLWAIT or pushed >> 24 == SEMWAIT:
            wait = site_of(S, hart, hart - T0 + 1, 0, pushed >> 24, S.check.pushed_pc[hart])
            found(S, Number.S11, site_of(S, hart, 0, 0, 0, pc), wait, 0, 0)
    return 0


def loaded(S: View, hart: int, stream: int, clock: int, pc: int) -> int:
    """A load was emitted."""
    if S.check.effect[hart]:
        if WINDOW[stream] and S.check.is_done_check[hart] & 1 and is_on(S, Number.S6):
            at = site_of(S, hart, 0, 0, 0, pc)
            found(S, Number.S6, at, S.check.effect_site[hart], 0, 0)
        if is_on(S, Number.S5):
            next_request(S, hart, pc)
    if EFFECTS[stream]:
        S.check.effect[hart] = clock
        S.check.effect_site[hart] = site_of(S, hart, 0, 0, 0, pc)
        S.check.is_done_check[hart] = 1 if stream == streams.TTSYNC else 0
    return 0


def next_request(S: View, hart: int, pc: int) -> int:
    """S5: a request is made after a load with an effect, before the value is used."""
    if S.check.is_done_check[hart] & SAID:
        return 0
    S.check.is_done_check[hart] |= SAID
    at = S.check.effect_site[hart]
    found(S, Number.S5, at, site_of(S, hart, 0, 0, 0, pc), 0, 0)
    return 0


def used(S: View, hart: int, clock: int) -> int:
    """An instruction has used the answer of a load."""
    if S.check.effect[hart] == clock:
        S.check.effect[hart] = 0
    return 0


def semaphore(S: View, hart: int, addr: int, clock: int) -> int:
    """S1: a hart's store to a semaphore is about to be processed."""
    index = (addr - SEMAPHORE_BASE) >> 2
    if is_on(S, Number.S1) and 0 <= index < SEMAPHORES:
        at = site_of(S, hart, 0, 0, 0, S.stream.pc[hart, streams.SEMAPHORE, 0])
        gets = S.stream.data[hart, streams.SEMAPHORE, 0, 0] & 1
        # Cores count with stores, too, and look at the value alone: LLK's barrier.
        one_semaphore(S, index, gets, at, S.check.max_awaited >> index & 1)
        if gets:
            after_post(S, index, S.race.gets[index] + 1, clock, at, 0, 0)
        else:
            line = of_hart(hart, Region.SEMAPHORE, STORE)
            note_post(S, index, S.race.posts[index] + 1, line, S.race.number[clock])
    return 0
