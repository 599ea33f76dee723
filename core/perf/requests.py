# SPDX-License-Identifier: Apache-2.0
"""Requests that begin in this cycle: of unpackers and the packer to their registers and to L1, of
harts, the mover and the Scalar Unit to L1.

A request that is due is granted. An interface of an unpacker or the packer carries 16 bytes in a
cycle, so that a cycle with more of them uses more interfaces.

Unpackers that slow each other down take turns: each uses all of its interfaces, in every second
cycle. A card counts so: in sums of two tiles its packer, which needs 25 cycles for a tile, is busy
for 57.7 %, and unpacker 0's first port for 36.9 % of the same time, which are 16 cycles for 2 KiB
(tt-metal#56320). Kept out: 23.7 and 51.9 % in multiplications.
"""

from tensix_gdb.core.arch.blackhole import HARTS, T1, T2
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.memory import streams
from tensix_gdb.core.perf.counters import (
    PACKER,
    PORT_OF,
    RISC_0,
    RISC_1,
    SLOTS,
    UNPACKER_0,
)
from tensix_gdb.core.perf.fields import GRANT, L1, REQUEST, SELECTS
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.packer import pipeline as pack_pipe
from tensix_gdb.core.tensix.packer.state import END, FROM_DST32, OUT
from tensix_gdb.core.tensix.scalar import memory_requests
from tensix_gdb.core.tensix.unpacker import pipeline as unpack_pipe
from tensix_gdb.core.tensix.unpacker import queue

COLD = True  # little time of LLVM for it (core/engine/README.md)

INTERFACES = 8  # of each unpacker and of the packer
L1_BIT = 1 << streams.L1


def add(S: View, bank: int, kind: int, select: int, n: int) -> int:
    """Count `n` more; a count is of 32 bits."""
    S.perf.count[bank, kind, select & (SELECTS - 1)] = (
        S.perf.count[bank, kind, select & (SELECTS - 1)] + n & MASK32
    )
    return 0


# -- the unpackers
def has_datums(S: View, unpacker: int) -> int:
    """True if the unpacker has datums for SrcA or SrcB in this cycle."""
    if S.unpack.count[unpacker] == 0:
        return 0
    j = queue.oldest(S, unpacker)
    if S.unpack.kind[j] != queue.MOVE or S.unpack.due[j] > S.tile.cycle:
        return 0
    return 1 if S.unpack.target[j] == unpacker else 0


def thread_of(S: View, unpacker: int) -> int:
    """Return the thread of its oldest instruction."""
    return S.unpack.thread[queue.oldest(S, unpacker)]


# -- the packer
def reads_dst(S: View) -> int:
    """True if the instruction in the front stage wants rows of Dst in this cycle."""
    if S.pack.running == 0 or S.pack.left == 0 or S.pack.source > FROM_DST32:
        return 0
    return 1 if S.pack.due <= S.tile.cycle else 0


def may_read_dst(S: View) -> int:
    """True if there is room for what it makes of them."""
    return 1 if S.pack.out_count + pack_pipe.MOST[S.tile.chip] <= OUT else 0


def blocks_to_l1(S: View) -> int:
    """Return how many blocks of 16 bytes the packer writes to L1 in this cycle."""
    blocks = 0
    at = S.pack.out_first
    for _ in range(S.pack.out_count):
        if blocks == INTERFACES or S.pack.out_due[at] > S.tile.cycle:
            break
        if S.pack.out_kind[at] < END:
            blocks += 1
        at = (at + 1) % OUT
    return blocks


# -- L1
def l1(S: View, n: int) -> int:
    """The eight ports that the mux shows."""
    active = active_ports(S)
    mux = S.tile_control.perf_mux >> 4 & 7
    for slot in range(SLOTS):
        if (active >> PORT_OF[SLOTS * mux + slot]) & 1:
            add(S, L1, REQUEST, slot, 1)
            add(S, L1, GRANT, slot, 1)
    return 0


def active_ports(S: View) -> int:
    """Return the ports with a request in this cycle, a bit each."""
    active = 0
    both = 1 if unpack_pipe.is_fetching(S, 0) and unpack_pipe.is_fetching(S, 1) else 0
    for unpacker in range(2):
        if unpack_pipe.is_fetching(S, unpacker):
            j = queue.oldest(S, unpacker)
            wanted = S.unpack.speed[j]
            turns = wanted - unpack_pipe.speed(S, unpacker, j, both)
            if (S.tile.cycle + unpacker) & ((1 << turns) - 1) == 0:
                active |= (1 << (1 << wanted)) - 1 << UNPACKER_0 + INTERFACES * unpacker
    active |= (1 << blocks_to_l1(S)) - 1 << PACKER
    for hart in range(HARTS):
        if S.stream.busy[hart] & L1_BIT and S.stream.due[hart, streams.L1, 0] <= S.tile.cycle:
            active |= 1 << (RISC_1 if T1 <= hart <= T2 else RISC_0)
    if S.busy.mover:
        active |= 1 << RISC_0
    request = memory_requests.oldest(S, 1)
    if request >= 0 and S.thcon.when[request] <= S.tile.cycle:
        active |= 1 << RISC_0
    return active
