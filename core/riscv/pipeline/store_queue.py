# SPDX-License-Identifier: Apache-2.0
"""The store queue of a hart, of depth 4: stores that are not emitted yet (MemoryOrdering.md).

    store ──► [tail] [ ] [ ] [head] ──► one write request a cycle, when no load takes the port

A store waits here whatever becomes of its instruction, which may retire long before. Loads go past
it unless they touch one of its bytes. Stores to the same 16 bytes of L1 merge with the tail when
their first bytes are within 4 of each other (CSRs.md, cfg0: DisStMerge, StMergeTimer).

UNSPECIFIED(CSRs.md): whether StMergeTimer starts again with a store that has merged. It does not,
because no hart would ever see a counter in L1 that a loop of fewer cycles counts.
"""

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.pipeline.fields import LINE_BYTES, STORE_QUEUE_ENTRIES
from tensix_gdb.core.schedule import wait_until

# By size of a store that is no line.
BYTES = tuple((1 << size) - 1 for size in range(8))
BITS = tuple((1 << (8 * size)) - 1 for size in range(8))

DIS_LD_BUF_BYP = 1 << 0  # cfg0: loads wait for an empty store queue
DIS_ST_MERGE = 1 << 12


def merge_timer(S: View, hart: int) -> int:
    """Return cycles that an L1 store waits for others to merge with."""
    return (S.hart.cfg0[hart] >> 13) & 31


def touches(S: View, hart: int, i: int, addr: int, size: int) -> int:
    """True if entry `i` holds one of the bytes [addr, addr + size)."""
    start = S.pipeline.sq_addr[hart, i]
    if addr >= start + S.pipeline.sq_size[hart, i] or addr + size <= start:
        return 0
    if S.pipeline.sq_size[hart, i] != LINE_BYTES:
        return 1
    for byte in range(size):
        if start <= addr + byte < start + LINE_BYTES and (
            (S.pipeline.sq_mask[hart, i] >> (addr + byte - start)) & 1
        ):
            return 1
    return 0


def conflicts(S: View, hart: int, addr: int, size: int) -> int:
    """True if a load of these bytes has to wait for a store. As in hardware, addresses decide."""
    if S.hart.cfg0[hart] & DIS_LD_BUF_BYP:
        return 1 if S.pipeline.sq_count[hart] > 0 else 0
    for i in range(S.pipeline.sq_count[hart]):
        if touches(S, hart, i, addr, size):
            return 1
    return 0


def conflicts_wormhole(S: View, hart: int, addr: int, size: int) -> int:
    """MemoryOrdering.md of Wormhole: a load enters when there is room in the store queue, as if it
    were a store, and waits only for a store with the very same first byte."""
    entries = S.pipeline.sq_count[hart]
    if entries == STORE_QUEUE_ENTRIES:
        return 1
    for i in range(entries):
        if S.pipeline.sq_start[hart, i] == addr:
            return 1
    return 0


CONFLICTS = (conflicts, conflicts_wormhole)  # by chip


def can_merge(S: View, hart: int, addr: int) -> int:
    """True if a store to L1 at `addr` may join the tail of the queue; never on Wormhole."""
    if S.tile.chip:
        return 0
    if S.pipeline.sq_count[hart] == 0 or S.hart.cfg0[hart] & DIS_ST_MERGE:
        return 0
    tail = S.pipeline.sq_count[hart] - 1
    if S.pipeline.sq_size[hart, tail] != LINE_BYTES:
        return 0
    if S.pipeline.sq_addr[hart, tail] != addr & ~(LINE_BYTES - 1):
        return 0
    return 1 if abs(S.pipeline.sq_start[hart, tail] - addr) <= 4 else 0


def put_bytes(S: View, hart: int, i: int, addr: int, size: int, value: int) -> int:
    """Write `value` into the line that entry `i` holds."""
    at = addr & (LINE_BYTES - 1)
    shift = (at & 3) * 8
    bits = ((1 << (size * 8)) - 1) << shift
    old = S.pipeline.sq_data[hart, i, at >> 2]
    S.pipeline.sq_data[hart, i, at >> 2] = (old & ~bits & 0xFFFFFFFF) | ((value << shift) & bits)
    S.pipeline.sq_mask[hart, i] = S.pipeline.sq_mask[hart, i] | (((1 << size) - 1) << at)
    return 0


def append(S: View, hart: int, pc: int, addr: int, size: int, value: int) -> int:
    """Take a store; 0 when there is no room. An entry that is not taken is clear."""
    if addr < L1_BYTES and can_merge(S, hart, addr):
        tail = S.pipeline.sq_count[hart] - 1
        put_bytes(S, hart, tail, addr, size, value)
        S.pipeline.sq_start[hart, tail] = addr
        return 1
    i = S.pipeline.sq_count[hart]
    if i == STORE_QUEUE_ENTRIES or (i > 0 and S.hart.slow[hart]):
        return 0
    S.pipeline.sq_count[hart] = i + 1
    S.pipeline.sq_pc[hart, i] = pc
    S.pipeline.sq_start[hart, i] = addr
    if addr < L1_BYTES:
        S.pipeline.sq_addr[hart, i] = addr & ~(LINE_BYTES - 1)
        S.pipeline.sq_size[hart, i] = LINE_BYTES
        waits = 0 if S.hart.cfg0[hart] & DIS_ST_MERGE else merge_timer(S, hart)
        S.pipeline.sq_until[hart, i] = wait_until(S, waits)
        return 1 + put_bytes(S, hart, i, addr, size, value)
    S.pipeline.sq_addr[hart, i] = addr
    S.pipeline.sq_size[hart, i] = size
    S.pipeline.sq_mask[hart, i] = BYTES[size]
    S.pipeline.sq_data[hart, i, 0] = value & BITS[size]
    return 1


def fuse(S: View, hart: int) -> int:
    """Put the instructions that are fused with the one at the tail beside it."""
    tail = S.pipeline.sq_count[hart] - 1
    for i in range(S.pipeline.ex1_fused[hart]):
        S.pipeline.sq_data[hart, tail, i + 1] = S.pipeline.ex1_more[hart, i]
        S.pipeline.sq_mask[hart, tail] = S.pipeline.sq_mask[hart, tail] | (0xF << (4 * i + 4))
    return 0


def pop(S: View, hart: int) -> int:
    """Drop the head. What is not taken is clear, so all entries can move."""
    last = S.pipeline.sq_count[hart] - 1
    S.pipeline.sq_count[hart] = last
    if last == 0:
        return clear(S, hart, 0)
    for i in range(STORE_QUEUE_ENTRIES - 1):
        S.pipeline.sq_addr[hart, i] = S.pipeline.sq_addr[hart, i + 1]
        S.pipeline.sq_size[hart, i] = S.pipeline.sq_size[hart, i + 1]
        S.pipeline.sq_mask[hart, i] = S.pipeline.sq_mask[hart, i + 1]
        S.pipeline.sq_start[hart, i] = S.pipeline.sq_start[hart, i + 1]
        S.pipeline.sq_pc[hart, i] = S.pipeline.sq_pc[hart, i + 1]
        S.pipeline.sq_until[hart, i] = S.pipeline.sq_until[hart, i + 1]
        for word in range(4):
            S.pipeline.sq_data[hart, i, word] = S.pipeline.sq_data[hart, i + 1, word]
    return clear(S, hart, STORE_QUEUE_ENTRIES - 1)


def clear(S: View, hart: int, i: int) -> int:
    """Clear an entry, so that equal states are equal bytes."""
    S.pipeline.sq_addr[hart, i] = 0
    S.pipeline.sq_size[hart, i] = 0
    S.pipeline.sq_mask[hart, i] = 0
    S.pipeline.sq_start[hart, i] = 0
    S.pipeline.sq_pc[hart, i] = 0
    S.pipeline.sq_until[hart, i] = 0
    for word in range(4):
        S.pipeline.sq_data[hart, i, word] = 0
    return 0


INLINED = (append, can_merge, pop)
