# SPDX-License-Identifier: Apache-2.0
"""Requests of harts that a region processes: the check of each access, and what a load carries.

check             before a region processes a request: check it
done              after that: synchronisation, the answer (answers.py)
"""

from tensix_gdb.core.arch.blackhole import (
    LOCAL_BYTES,
    LOCAL_STRIDE,
    SLOW_LOCAL_BASE,
    SLOW_LOCAL_OWNER,
    T0,
    T2,
    THREADS,
    B,
)
from tensix_gdb.core.arch.chips import CONFIG_WORDS, THREAD_CONFIG_WORDS, WORMHOLE
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.arch.wormhole import THREAD_CONFIG_STRIDE
from tensix_gdb.core.devices.backend_config import (
    CONFIG_BASE,
    GLOBAL_WORD,
    THREAD_WORDS,
    WINDOW_WORDS,
    WORDS,
)
from tensix_gdb.core.devices.gprs import offset_of
from tensix_gdb.core.devices.mop_config import MOP_CONFIG_BASE
from tensix_gdb.core.devices.tdma import TDMA_BASE
from tensix_gdb.core.devices.wormhole import backend_config as wormhole
from tensix_gdb.core.memory import streams
from tensix_gdb.core.memory.map import local_offset
from tensix_gdb.core.race import commands, sync
from tensix_gdb.core.race.checks import config as checks_of_config
from tensix_gdb.core.race.checks import harts as checks
from tensix_gdb.core.race.clocks import copy, reach
from tensix_gdb.core.race.fields import (
    CACHED,
    CONFIG_CELLS,
    GPR_CELLS,
    IN_PIPE,
    L1_CELLS,
    LET_GO,
    LINE_BYTES,
    LOCAL_CELLS,
    MOP_CELLS,
    NOTHING,
    OLDER_OTHER,
    TDMA_CELLS,
    TDMA_WORDS,
    THREAD_CONFIG_CELLS,
)
from tensix_gdb.core.race.harts import bits, pushes, resets
from tensix_gdb.core.race.harts.answers import keep_answer
from tensix_gdb.core.race.harts.polls import is_poll
from tensix_gdb.core.race.harts.pushes import (
    pushed,
    pushed_by_b,
)
from tensix_gdb.core.race.harts.requests import emitted, is_private, line_filled
from tensix_gdb.core.race.lines import (
    LOAD,
    NO_REGION,
    REGION_OF,
    SPARE,
    STORE,
    Region,
    of_hart,
)
from tensix_gdb.core.race.network import registers as network
from tensix_gdb.core.race.registers import dst, own_words, sampled
from tensix_gdb.core.race.shadow import ATOMIC, READ, WRITE, WRITES, access, site_of
from tensix_gdb.core.race.state import config as state
from tensix_gdb.core.race.state import objects
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.pipeline.fields import L0_LINES


def check(S: View, hart: int, stream: int) -> int:
    """A region is about to process the oldest request of a stream."""
    region = REGION_OF[stream]
    clock = emitted(S, hart, stream, 0)
    if clock == NOTHING or is_private(S, region):
        return 0
    if T0 <= hart <= T2 and S.stream.touches[hart, stream, 0]:
        S.race.carries[clock] = 1
        sync.after_tracked(S, hart, stream, clock)
    if region == Region.CONFIG:
        sync.after_ring(S, clock, IN_PIPE)
    S.race.promise_row = LET_GO + hart
    S.race.promise_clock = clock
    addr = S.stream.addr[hart, stream, 0]
    what = READ if S.stream.kind[hart, stream, 0] == streams.READ else WRITE
    match region:
        case Region.L1:
            return check_l1(S, hart, stream, addr, what, clock)
        case Region.CONFIG:
            if T0 <= hart <= T2:
                pushes.promise(S, hart, clock)
            CHECK_CONFIG[S.tile.chip](S, hart, stream, addr, what, clock)
            S.race.promises = 0
            return 0
        case Region.GPR:
            at = offset_of(hart, addr)
            if at < 0:
                return 0
            mask = ((1 << S.stream.size[hart, stream, 0]) - 1) << (at & 3)
            return touch(S, hart, stream, GPR_CELLS + (at >> 2), mask, what, clock)
        case Region.MOP_CONFIG:
            word = (addr - MOP_CONFIG_BASE) >> 2
            if not T0 <= hart <= T2 or word > 8:
                return 0
            return touch(S, hart, stream, MOP_CELLS + hart - T0, 1 << word, what, clock)
        case Region.TDMA:
            word = (addr - TDMA_BASE) >> 2
            if word >= TDMA_WORDS:
                return 0
            if word == commands.STATUS and what == READ:
                commands.status(S, clock)
            mask = commands.mask_of(hart, word)
            return touch(S, hart, stream, TDMA_CELLS + word, mask, what, clock)
        case Region.DST:
            return dst.by_hart(S, hart, addr, what, clock)
        case Region.LOCAL | Region.SLOW_LOCAL:
            return check_local(S, hart, stream, addr, what, clock)
        case Region.SEMAPHORE:
            if S.state.on and what != READ:
                objects.stored(S, hart, stream, addr)
            return checks.semaphore(S, hart, addr, clock) if S.check.on and what != READ else 0
        case _:
            if stream == streams.TILE_CONTROL and what == WRITE:
                return resets.stored(S, hart, clock)
            return 0


def touch(S: View, hart: int, stream: int, cell: int, mask: int, what: int, clock: int) -> int:
    """Check the access of the oldest request of a stream to one cell."""
    way = LOAD if S.stream.kind[hart, stream, 0] == streams.READ else STORE
    if S.stream.kind[hart, stream, 0] == streams.ATOMIC:
        way = LOAD
    line = of_hart(hart, REGION_OF[stream], way)
    site = site_of(S, hart, 0, 0, 0, S.stream.pc[hart, stream, 0])
    return access(S, cell, mask, what, clock, line, S.race.number[clock], site)


def check_l1(S: View, hart: int, stream: int, addr: int, what: int, clock: int) -> int:
    """L1: a store has a mask of its line."""
    mask = ((1 << S.stream.size[hart, stream, 0]) - 1) << (addr & 15)
    line = of_hart(hart, Region.L1, STORE)
    pc = S.stream.pc[hart, stream, 0]
    kind = S.stream.kind[hart, stream, 0]
    polls = 0
    if kind != streams.WRITE:
        polls = is_poll(S, site_of(S, hart, 0, 0, 0, pc), hart, pc)
    if kind == streams.ATOMIC:
        S.race.carries[clock] = 1
        sync.after_signal(S, addr, clock)
        sync.signal(S, addr, clock, of_hart(hart, Region.L1, LOAD), S.race.number[clock], 1)
        what = ATOMIC
    elif polls:
        S.race.carries[clock] = 1
        sync.after_signal(S, addr, clock)
    elif kind == streams.WRITE:
        mask = S.stream.mask[hart, stream, 0]
        for word in range(4):
            part = (mask >> (4 * word)) & 15
            if part:
                number = S.race.number[clock]
                sync.signal(S, addr + 4 * word, clock, line, number, 1 if part == 15 else 0)
        # Stores that have merged with the first one, of which the signals are.
        reach(S, clock, of_hart(hart, Region.L1, LOAD), S.race.older[clock, OLDER_OTHER])
    if polls:
        return 0
    return touch(S, hart, stream, L1_CELLS + (addr >> 4), mask, what, clock)


def check_local(S: View, hart: int, stream: int, addr: int, what: int, clock: int) -> int:
    """Local RAM, by whichever of its two ways."""
    offset = local_offset(hart, addr)
    if offset < 0:
        owner = SLOW_LOCAL_OWNER[(addr - SLOW_LOCAL_BASE) // LOCAL_STRIDE]
        offset = owner * LOCAL_STRIDE + (addr - SLOW_LOCAL_BASE) % LOCAL_BYTES[owner]
    mask = ((1 << S.stream.size[hart, stream, 0]) - 1) << (offset & 15)
    return touch(S, hart, stream, LOCAL_CELLS + (offset >> 4), mask, what, clock)


def check_config(S: View, hart: int, stream: int, addr: int, what: int, clock: int) -> int:
    """Configuration: one bank, both, or ThreadConfig."""
    index = (addr - CONFIG_BASE) >> 2
    if index >= WINDOW_WORDS:
        return 0
    if index >= 3 * WORDS:
        cell = THREAD_CONFIG_CELLS + index - 3 * WORDS
        if S.state.on and what != READ:
            at = site_of(S, hart, 0, 0, 0, S.stream.pc[hart, stream, 0])
            state.note(S, cell, S.stream.data[hart, stream, 0, 0], 0xFFFFFFFF, at)
        return touch(S, hart, stream, cell, 0xFFFFFFFF, what, clock)
    bank = index // WORDS
    word = index % WORDS
    if bank == 2 and what != READ and word < GLOBAL_WORD:
        check_word(S, hart, stream, 1, word, what, clock)
    return check_word(S, hart, stream, bank & 1, word, what, clock)


def check_config_wormhole(S: View, hart: int, stream: int, addr: int, what: int, clock: int) -> int:
    """The same in Wormhole's window, where ThreadConfig is only read."""
    index = (addr - CONFIG_BASE) >> 2
    if index < wormhole.THREAD_CONFIG:
        bank = index // CONFIG_WORDS[WORMHOLE]
        return check_word(S, hart, stream, bank, index % CONFIG_WORDS[WORMHOLE], what, clock)
    at = (index - wormhole.THREAD_CONFIG) // THREAD_CONFIG_STRIDE
    thread = at // THREAD_CONFIG_WORDS[WORMHOLE]
    if thread >= THREADS or what != READ:
        return 0
    word = at % THREAD_CONFIG_WORDS[WORMHOLE]
    cell = THREAD_CONFIG_CELLS + thread * THREAD_WORDS + word
    return touch(S, hart, stream, cell, 0xFFFFFFFF, what, clock)


CHECK_CONFIG = (check_config, check_config_wormhole)  # by chip


def check_word(S: View, hart: int, stream: int, bank: int, word: int, what: int, clock: int) -> int:
    """Return a word of a bank; there is one of each global word."""
    if own_words.is_global(S, word):
        bank = 0
    data = S.stream.data[hart, stream, 0, 0]
    if S.check.on:
        site = site_of(S, hart, 0, 0, 0, S.stream.pc[hart, stream, 0])
        reads = 1 if what == READ else 0
        checks_of_config.request(S, hart, bank, word, data, reads, site)
    if S.state.on and what != READ:
        at = site_of(S, hart, 0, 0, 0, S.stream.pc[hart, stream, 0])
        state.note(S, state.cell_of(S, bank, word), data, 0xFFFFFFFF, at)
    if what != READ and own_words.value(S, bank, word) == data:
        what = WRITES
    mask = MASK32
    if what != READ:
        sampled.written(S, CONFIG_CELLS + bank * WORDS + word)
    elif S.stream.size[hart, stream, 0] == 4:
        mask = bits.of_site(S, hart, S.stream.pc[hart, stream, 0])
    return touch(S, hart, stream, CONFIG_CELLS + bank * WORDS + word, mask, what, clock)


def done(S: View, hart: int, stream: int) -> int:
    """A region has processed the oldest request of a stream, which is still there."""
    clock = emitted(S, hart, stream, 0)
    region = REGION_OF[stream]
    if clock == NOTHING or is_private(S, region):
        S.race.first[hart, stream] = (S.race.first[hart, stream] + 1) & (streams.DEPTH - 1)
        return 0
    kind = S.stream.kind[hart, stream, 0]
    if stream == streams.TILE_CONTROL:
        if kind == streams.READ:
            resets.loaded(S, hart, clock)
    elif streams.NOC0 <= stream <= streams.OVERLAY:
        network.processed(S, hart, stream, clock)
    elif region == NO_REGION or region >= Region.SEMAPHORE:
        sync.request(S, hart, stream, clock)
    at = S.race.first[hart, stream]
    S.race.first[hart, stream] = (at + 1) & (streams.DEPTH - 1)
    if kind == streams.WRITE:
        if region == Region.PUSH:
            if hart == B:
                return pushed_by_b(S, stream - streams.PUSH, clock)
            return pushed(S, hart, clock)
        if stream == streams.TDMA:
            commanded(S, hart, S.stream.addr[hart, stream, 0], S.stream.pc[hart, stream, 0], clock)
        return 0
    if region == Region.L1 and kind == streams.READ:
        keep_line(S, hart, stream, clock)
    if S.race.carries[clock] and S.race.line[clock] != SPARE:
        S.race.clock[clock, S.race.line[clock]] = S.race.number[clock]
    return keep_answer(S, hart, S.stream.entry[hart, stream, 0], clock)


def commanded(S: View, hart: int, addr: int, pc: int, clock: int) -> int:
    """A store to TDMA-RISC was processed: is it a command?"""
    if addr == TDMA_BASE + 4 * commands.COMMAND:
        return commands.enqueued(S, hart, clock, site_of(S, hart, 0, 0, 0, pc))
    return 0


def keep_line(S: View, hart: int, stream: int, clock: int) -> int:
    """The L0 data cache has the line now, if it has."""
    wanted = S.stream.addr[hart, stream, 0] & ~(LINE_BYTES - 1)
    for line in range(L0_LINES):
        if S.pipeline.l0_valid[hart, line] and S.pipeline.l0_line[hart, line] == wanted:
            cached = CACHED + hart * L0_LINES + line
            copy(S, cached, clock)
            S.race.number[cached] = S.race.number[clock]
            S.race.line[cached] = S.race.line[clock]
            S.race.carries[cached] = S.race.carries[clock]
            S.race.cached_at[hart, line] = S.race.number[clock]
            line_filled(S, hart, wanted)
    return 0
