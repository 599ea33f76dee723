# SPDX-License-Identifier: Apache-2.0
"""The accesses of unpackers, packer and mover to L1: intervals from the gate to the end of the
unit.

An unpacker's addresses are known when UNPACR has passed its gate, those of the mover when it
starts. The packer's blocks are known when they are on their way: `packed` looks for new ones in
each cycle. An access begins with the clock of the gate, however late it is made.

How long a compressed tile is, its data say: compressed.py follows an unpacker in one.
"""

from tensix_gdb.core.arch.blackhole import L1_BYTES, T0
from tensix_gdb.core.arch.chips import BLACKHOLE, CONFIG_WORDS, GLOBAL_WORD, WORMHOLE
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.devices.backend_config import BANKS, STATE_RESET_EN, WORDS
from tensix_gdb.core.race.clocks import copy, reach
from tensix_gdb.core.race.fields import (
    GATE,
    L1_CELLS,
    LET_GO,
    LINE_BYTES,
    MOVES_KEPT,
    MOVING,
    PACKING,
)
from tensix_gdb.core.race.lines import MOVER, Line, of_thread
from tensix_gdb.core.race.registers import banks, dst, sampled
from tensix_gdb.core.race.shadow import READ, WRITE, access
from tensix_gdb.core.race.stages import carried, tiles
from tensix_gdb.core.race.stages import dst as rows
from tensix_gdb.core.race.stages.fields import ARRIVES
from tensix_gdb.core.race.state import config as state
from tensix_gdb.core.race.state import reads
from tensix_gdb.core.race.state.table import Group
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.mover.unit import L0_TO_L1, L1_TO_L0, L1_TO_L1, TO_CONFIG
from tensix_gdb.core.tensix.packer.state import ADD_FP32, END, OUT, TO_DEVICE
from tensix_gdb.core.tensix.unpacker import queue
from tensix_gdb.core.tensix.unpacker.formats import BITS

ALL_BYTES = 0xFFFF
MOST_LINES = 1024  # of one instruction


def span(
    S: View, start: int, size: int, what: int, clock: int, line: int, number: int, site: int
) -> int:
    """Check an access to `size` bytes of L1."""
    addr = start
    end = min(start + size, L1_BYTES)
    while addr < end:
        first = addr & (LINE_BYTES - 1)
        count = min(LINE_BYTES - first, end - addr)
        mask = ((1 << count) - 1) << first
        access(S, L1_CELLS + (addr >> 4), mask, what, clock, line, number, site)
        addr += count
    return 0


def unpacked(S: View, thread: int, unpacker: int, multi: int, site: int) -> int:
    """UNPACR has passed its gate, with a context if `multi`: it is the youngest of its unpacker."""
    number = S.race.ends[thread, Line.UNPACKER_0 + unpacker] + 1
    S.race.ends[thread, Line.UNPACKER_0 + unpacker] = number
    banks.unpack_begins(S, thread, unpacker, site)
    count = S.unpack.count[unpacker]
    if count == 0:
        return 0
    j = unpacker * queue.DEPTH + (S.unpack.head[unpacker] + count - 1) % queue.DEPTH
    if S.unpack.kind[j] == queue.MOVE and S.unpack.target[j] >= queue.DST_16:
        dst.unpacks(S, thread, j, number, site)
        if S.state.on & Group.STAGES:
            rows.unpacks(S, j, site)
    if S.unpack.kind[j] != queue.MOVE or S.unpack.flags[j] & queue.ALL_ZERO:
        return 0
    if S.unpack.flags[j] & queue.COMPRESSED:
        return compressed_begins(S, j)
    if S.state.on & Group.STAGES:
        tiles.unpacked(S, j, unpacker, multi, site)
    bits = BITS[S.unpack.in_format[j]]
    width = S.unpack.width[j]
    left = S.unpack.total[j]
    data = S.unpack.data[j] >> 3
    clock = GATE + thread
    line = of_thread(thread, Line.UNPACKER_0 + unpacker)
    lines = 0
    while left > 0 and lines < MOST_LINES:
        datums = min(left, width)
        size = (datums * bits + 7) >> 3
        span(S, data, size, READ, clock, line, number, site)
        left -= datums
        data += S.unpack.stride[j]
        if data > S.unpack.limit[j]:
            data -= S.unpack.fifo_size[j]
        lines += 1 + (size >> 4)
    if queue.has_own_exponents(S, j):
        first = S.unpack.exponents[j] >> 4
        span(S, first, (S.unpack.total[j] + 15) >> 4, READ, clock, line, number, site)
    return 0


def compressed_begins(S: View, j: int) -> int:
    """An UNPACR with a compressed tile is in the queue."""
    S.race.compressed = S.race.compressed | 1 << j
    S.race.read_data[j] = S.unpack.data[j]
    S.race.read_deltas[j] = S.unpack.deltas[j]
    S.race.read_exponents[j] = S.unpack.exponents[j]
    return 0


def fills(S: View, thread: int, word: int, site: int) -> int:
    """UNPACR_NOP has passed its gate: it fills a bank, or gives it away."""
    unpacker = (word >> 23) & 1
    S.race.ends[thread, Line.UNPACKER_0 + unpacker] += 1
    return banks.unpack_begins(S, thread, unpacker, site)


def packs(S: View, thread: int, site: int) -> int:
    """PACR has passed its gate: blocks from now on are its."""
    number = S.race.ends[thread, Line.PACKER] + 1
    S.race.ends[thread, Line.PACKER] = number
    S.race.pack_site[thread] = site
    copy(S, PACKING + thread, GATE + thread)
    # One PACR after the other goes through the packer.
    return reach(S, PACKING + thread, of_thread(thread, Line.PACKER), number)


def packed(S: View) -> int:
    """Note in each cycle before the gates blocks that are on their way to L1 since the last one."""
    banks.note_given_banks(S)
    tail = (S.pack.out_first + S.pack.out_count) & (OUT - 1)
    at = S.race.pack_tail
    while at != tail:
        kind = S.pack.out_kind[at]
        if kind != END and kind != TO_DEVICE and S.pack.out_addr[at] < L1_BYTES:
            thread = S.pack.out_thread[at]
            S.race.promise_row = LET_GO + T0 + thread
            S.race.promise_clock = PACKING + thread
            cell = L1_CELLS + (S.pack.out_addr[at] >> 4)
            if S.state.on and kind >= ADD_FP32:
                line = of_thread(thread, Line.PACKER)
                end = S.race.ends[thread, Line.PACKER]
                reads.accessed(S, cell, ALL_BYTES, READ, line, end, S.race.pack_site[thread])
            access(
                S,
                cell,
                ALL_BYTES,
                WRITE,
                PACKING + thread,
                of_thread(thread, Line.PACKER),
                S.race.ends[thread, Line.PACKER],
                S.race.pack_site[thread],
            )
            if S.state.on & Group.STAGES:
                tiles.packed(S, cell, thread, S.race.pack_site[thread])
        at = at + 1 if at < OUT - 1 else 0
    S.race.pack_tail = tail
    return 0


def moves(
    S: View, clock: int, site: int, src: int, dst: int, size: int, mode: int, by: int, at: int
) -> int:
    """The mover has started after `clock`, by event `at` of the line `by`."""
    number = S.race.moves + 1
    S.race.moves = number
    copy(S, MOVING, clock)
    reach(S, MOVING, MOVER, number)  # it takes one copy at a time
    S.race.move_line[number & (MOVES_KEPT - 1)] = by
    S.race.move_at[number & (MOVES_KEPT - 1)] = at
    if mode == L1_TO_L1 or mode == L1_TO_L0:
        span(S, src, size, READ, MOVING, MOVER, number, site)
    if mode == L1_TO_L1 or mode == L0_TO_L1:
        S.stages.data[ARRIVES] = 0
        if mode == L1_TO_L1:
            carried.taken(S, ARRIVES, src, size)
        span(S, dst, size, WRITE, MOVING, MOVER, number, site)
        carried.brought(S, ARRIVES, dst, size)
    elif dst < TO_CONFIG:
        CONFIGURES[S.tile.chip](S, dst >> 2, size >> 2, number, site)
    return 0


def configures(S: View, first: int, words: int, number: int, site: int) -> int:
    """The mover writes words of the window of configuration; the third part of it is both banks."""
    for index in range(first, min(first + words, 3 * WORDS)):
        word = index % WORDS
        if index < BANKS * WORDS:
            configure(S, index // WORDS, word, number, site)
        else:
            configure(S, 0, word, number, site)
            if word < GLOBAL_WORD[BLACKHOLE]:
                configure(S, 1, word, number, site)
    return 0


def configures_wormhole(S: View, first: int, words: int, number: int, site: int) -> int:
    """Wormhole's window has two parts."""
    for index in range(first, min(first + words, BANKS * CONFIG_WORDS[WORMHOLE])):
        bank = index // CONFIG_WORDS[WORMHOLE]
        configure(S, bank, index % CONFIG_WORDS[WORMHOLE], number, site)
    return 0


CONFIGURES = (configures, configures_wormhole)  # by chip


def configure(S: View, bank: int, word: int, number: int, site: int) -> int:
    """It writes one word; that of a reset of the bank is all of them."""
    count = 1
    if word == STATE_RESET_EN:
        word = 0
        count = GLOBAL_WORD[S.tile.chip]
    for i in range(count):
        cell = sampled.cell_of(S, bank, word + i)
        if S.state.on:
            state.note(S, cell, state.UNKNOWN, MASK32, site)
        sampled.written(S, cell)
        access(S, cell, MASK32, WRITE, MOVING, MOVER, number, site)
    return 0
