# SPDX-License-Identifier: Apache-2.0
"""The data of a request for DRAM, moved between L1 and the segments of core/memory/segments.py.

Which of DRAM and which of the tile is here; when is in core/noc/arrive.py. What has to be told to
others (races, origins, watches), the host's memory, masks of bytes and new segments are left to
core/noc/outside.py.
"""

from tensix_gdb.core.arch.chips import L1_END
from tensix_gdb.core.clock.polling_rows import OFF
from tensix_gdb.core.engine.native import copy_bytes, fill_bytes, load_word
from tensix_gdb.core.memory.pages import PAGE_BYTES
from tensix_gdb.core.memory.segments import SEGMENT_BYTES
from tensix_gdb.core.noc.coordinates import DRAM_0, TENSIX, at
from tensix_gdb.core.noc.landed import landed
from tensix_gdb.core.noc.request import BYTE_ENABLE, KIND, READ
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.stop import StopKind

COLD = True  # little time of LLVM for it (core/engine/README.md)

DRAM_BYTES = 0xFF000000  # of a channel, as tt-metal's description of the chip says
# By chip: bytes of what one tile of DRAM leads to. Wormhole has two channels of 1 GiB at a tile of
# DRAM (DRAMTile/README.md).
DRAM_END = (DRAM_BYTES, 2 << 30)
MOVED, LEFT = 0, 1


def serve(S: View) -> int:
    """Move the data of the request that the tile has stopped for: MOVED, and it can run; or LEFT,
    and nothing is changed."""
    niu = S.stop.a
    slot = S.stop.b
    ctrl = S.noc.ctrl[niu, slot]
    reads = 1 if ctrl & KIND == READ else 0
    there = S.noc.targ_at[niu, slot] if reads else S.noc.ret_at[niu, slot]
    place = at(S, niu, there & 63, there >> 6)
    far = S.noc.targ[niu, slot] if reads else S.noc.ret[niu, slot]
    near = S.noc.ret[niu, slot] if reads else S.noc.targ[niu, slot]
    length = S.noc.length[niu, slot]
    if place < DRAM_0 or place >= TENSIX or (ctrl & BYTE_ENABLE and not reads):
        return LEFT
    if near + length > L1_END[S.tile.chip] or far < 0 or far > DRAM_END[S.tile.chip] - length:
        return LEFT
    table = S.noc.dram[place - DRAM_0]
    if S.noc.l1 == 0 or table == 0:
        return LEFT
    if reads:
        read(table, far, S.noc.l1 + near, length)
        landed(S, near, near + length)
    else:
        if not has_segments(table, far, length):
            return LEFT
        write(table, far, S.noc.l1 + near, length)
    S.noc.outside[niu, slot] = 1
    S.stop.kind = StopKind.NONE
    S.polling.state = OFF
    return MOVED


def has_segments(table: int, addr: int, length: int) -> int:
    """True if there is memory for all of it."""
    if length:
        for number in range(addr // SEGMENT_BYTES, (addr + length - 1) // SEGMENT_BYTES + 1):
            if load_word(table + 8 * number) == 0:
                return 0
    return 1


def read(table: int, addr: int, to: int, length: int) -> int:
    """Copy from DRAM to an address."""
    while length > 0:
        offset = addr % SEGMENT_BYTES
        run = min(SEGMENT_BYTES - offset, length)
        segment = load_word(table + 8 * (addr // SEGMENT_BYTES))
        if segment:
            copy_bytes(to, segment + offset, run)
        else:
            fill_bytes(to, 0, run)
        addr += run
        to += run
        length -= run
    return 0


def write(table: int, addr: int, source: int, length: int) -> int:
    """Copy to DRAM, and note which pages are written."""
    while length > 0:
        offset = addr % SEGMENT_BYTES
        run = min(SEGMENT_BYTES - offset, length)
        segment = load_word(table + 8 * (addr // SEGMENT_BYTES))
        first = offset // PAGE_BYTES
        copy_bytes(segment + offset, source, run)
        fill_bytes(segment + SEGMENT_BYTES + first, 1, (offset + run - 1) // PAGE_BYTES - first + 1)
        addr += run
        source += run
        length -= run
    return 0
