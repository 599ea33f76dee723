# SPDX-License-Identifier: Apache-2.0
"""Requests under way: emitted by a hart, not yet processed by their region.

MemoryOrdering.md, README.md of BabyRISCV. Each hart has one stream of requests into each region;
a stream keeps its order, streams are not ordered against each other, and streams of different
harts meet only where the region processes them:

    hart ── emit ──►  stream (hart, region)  ── process ──►  region          one a cycle, L1 five
                                             ◄── answer ──   of a load or atomic

A region with one address has several streams where the documents have them apart: each mapping of a
local RAM through the slow path, each push window, both sides of each mailbox, and semaphores, the
TTSync registers and the PCBuf, which share a window.

Some requests wait for older ones of other streams all the same, because kernels rely on an order
that no page grants: `held` and `ahead` (ordering/kept.py).

UNSPECIFIED(MOPExpander.md): whether a store to MopCfg comes before a MOP that is pushed after it.
A pushed MOP waits until what its hart has emitted to MopCfg before is processed (promise P1). No
page says that the two are one region, but none counts the pair among its races either, and none has
a way to wait for such a store: MopCfg cannot be loaded, Auto TTSync and C10 do not know it.
ManualTTSync.md has a check for when it is safe to change MopCfg, and nothing for when the change is
there; all MOPs of Tenstorrent's kernels rely on it. A store to MopCfg after a push waits for
nothing.
"""

import itertools

from tensix_gdb.core.arch.blackhole import (
    HARTS,
    LOCAL_STRIDE,
    PUSH_BASE,
    PUSH_STRIDE,
    SLOW_LOCAL_BASE,
    T0,
    T1,
    T2,
    B,
)
from tensix_gdb.core.arch.chips import CHIPS, L1_END, L1_EVERYWHERE
from tensix_gdb.core.memory.devices import DEVICES
from tensix_gdb.core.memory.map import HARTS_ON, PAGE_SHIFT, PAGES, WINDOW, Region, rows_on
from tensix_gdb.core.ordering.awaited import NOT_AWAITED, PLACES, count_down
from tensix_gdb.core.record.layout import Chapter, Mark, Part, Role, Tag, View, row

DEPTH = 8  # requests that a stream holds; a hart has no more loads or stores under way

# The first stream of each region. Streams by number follow; SLOW_LOCAL, PUSH, MAILBOX_READ and
# MAILBOX_WRITE are the first of several.
FIRST = tuple(itertools.accumulate((len(each.latencies) for each in DEVICES), initial=0))
L1 = FIRST[Region.L1]
LOCAL = FIRST[Region.LOCAL]
SLOW_LOCAL = FIRST[Region.SLOW_LOCAL]
TDMA = FIRST[Region.TDMA]
TILE_CONTROL = FIRST[Region.TILE_CONTROL]
PIC = FIRST[Region.PIC]
NOC0 = FIRST[Region.NOC0]
NOC1 = FIRST[Region.NOC1]
OVERLAY = FIRST[Region.OVERLAY]
MOP_CONFIG = FIRST[Region.MOP_CONFIG]
DST = FIRST[Region.DST]
GPR = FIRST[Region.GPR]
PUSH = FIRST[Region.PUSH]
PCBUF = FIRST[Region.PCBUF]
TTSYNC = PCBUF + 1
SEMAPHORE = PCBUF + 2
MAILBOX_READ = FIRST[Region.MAILBOX]
MAILBOX_WRITE = MAILBOX_READ + 4
CONFIG = FIRST[Region.CONFIG]
NOWHERE = FIRST[-1]  # no request travels there
STREAMS = NOWHERE + 1
assert NOWHERE <= 32, "`stream.busy` has a bit for each stream"

# Streams with older requests that a push waits for; the last is for mailbox writes.
AWAITED = (MOP_CONFIG, SEMAPHORE, CONFIG, GPR, TILE_CONTROL, SEMAPHORE)
assert len(AWAITED) == PLACES
AWAITED_AT = tuple(
    AWAITED.index(stream) if stream in AWAITED else NOT_AWAITED for stream in range(STREAMS)
)

# What a request asks for.
READ = 1
WRITE = 2
ATOMIC = 3

_A, _T = Tag.ARCHITECTURAL, Tag.TIMING
_SHAPE = (HARTS, STREAMS, DEPTH)

# fmt: off
STREAM = Part("stream", (
    row("count", "u8",  (HARTS, STREAMS),    _A, "requests emitted and not processed",
        marks=Mark.UNDER_WAY),
    row("busy",  "u32", HARTS,               _A, "bit per stream that has any"),
    row("held",  "u16", HARTS,               _A, "what its push and its mailbox writes wait for"),
    row("ahead", "u8",  (HARTS, PLACES),      _A, "requests of AWAITED that come before them"),
    row("kind",  "u8",  _SHAPE,              _A, "READ, WRITE or ATOMIC; oldest first"),
    row("addr",  "u32", _SHAPE,              _A, "first byte"),
    row("size",  "u8",  _SHAPE,              _A, "bytes of a load; 16 of a merged store"),
    row("data",  "u32", (*_SHAPE, 4),        _A, "what to write, or an atomic's operand",
        role=Role.DATA),
    row("mask",  "u32", _SHAPE,              _A, "bytes of `data` that a store writes"),
    row("op",    "u8",  _SHAPE,              _A, "of a load or atomic: its op number"),
    row("entry", "u8",  _SHAPE,              _A, "which retire-order queue entry waits"),
    row("pc",    "u32", _SHAPE,              _A, "origin: the instruction"),
    row("touches", "u8",  _SHAPE,            _A, "resources that Auto TTSync tracks"),
    row("number", "u32", _SHAPE,             _A, "its place in Auto TTSync's order"),
    row("born",  "i64", _SHAPE,              _T, "cycle of the emission", marks=Mark.FOR_PEOPLE),
    row("due",   "i64", _SHAPE,              _T, "earliest cycle in which it is processed"),
), role=Role.PROGRESS, chapter=Chapter.HARTS)
# fmt: on

IN_PCBUF = STREAMS  # of a page: the address within it and the hart decide


def _of_page(number: int, addr: int, *, write: bool) -> int:
    """Return the stream of requests to a region with several, in the page at `addr`."""
    match number:
        case Region.SLOW_LOCAL:
            return SLOW_LOCAL + (addr - SLOW_LOCAL_BASE) // LOCAL_STRIDE
        case Region.PUSH:
            return PUSH + (addr - PUSH_BASE) // PUSH_STRIDE
        case Region.PCBUF:
            return IN_PCBUF
        case Region.MAILBOX:
            return (MAILBOX_WRITE if write else MAILBOX_READ) + ((addr >> PAGE_SHIFT) & 3)
    return NOWHERE


def _pages(chip: int, *, write: bool) -> list[int]:
    """Return them by page of a chip from WINDOW on."""
    streams = [NOWHERE] * PAGES
    for each in rows_on(chip):
        first, end = ((addr - WINDOW) >> PAGE_SHIFT for addr in (each.start, each.end))
        if first < 0:
            continue
        if len(DEVICES[each.region].latencies) == 1:
            streams[first:end] = [FIRST[each.region]] * (end - first)
            continue
        for page in range(first, end):
            streams[page] = _of_page(each.region, WINDOW + (page << PAGE_SHIFT), write=write)
    return streams


# Of each chip after the one before: of loads, then of stores.
STREAM_OF_PAGE = tuple(
    stream
    for write in (False, True)
    for chip in range(CHIPS)
    for stream in _pages(chip, write=write)
)
# A T core has its own window at the same place on every chip.
for _page in range((PUSH_BASE - WINDOW) >> PAGE_SHIFT, CHIPS * PAGES, PAGES):
    assert STREAM_OF_PAGE[CHIPS * PAGES + _page] == PUSH
    assert all((HARTS_ON[_page] >> hart) & 1 for hart in (T0, T1, T2))


def stream_of(S: View, hart: int, addr: int, write: int) -> int:
    """Return the stream that a request of `hart` to `addr` travels in; NOWHERE if nothing is
    there."""
    if addr < L1_EVERYWHERE:
        return L1
    if addr == PUSH_BASE and write and T0 <= hart <= T2:
        return PUSH  # as below: most of what T cores store
    chip = S.tile.chip
    if addr < WINDOW:
        return L1 if addr < L1_END[chip] else NOWHERE
    page = chip * PAGES + ((addr - WINDOW) >> PAGE_SHIFT)
    if (HARTS_ON[page] >> hart) & 1 == 0:
        return NOWHERE
    stream = STREAM_OF_PAGE[page + (CHIPS * PAGES if write else 0)]
    return pcbuf_stream(hart, addr) if stream == IN_PCBUF else stream


def pcbuf_stream(hart: int, addr: int) -> int:
    """Return the window that PCBufs, TTSync and semaphores share on T0 to T2; B has PCBufs only."""
    offset = addr & 0xFFFF
    if hart == B or offset < 4:
        return PCBUF
    return TTSYNC if offset < 0x20 else SEMAPHORE


def shift_out(S: View, hart: int, stream: int) -> int:
    """Drop the oldest request and clear its rows."""
    last = S.stream.count[hart, stream] - 1
    S.stream.count[hart, stream] = last
    if last:
        shift_on(S, hart, stream, last)
    else:  # as a rule
        if S.stream.kind[hart, stream, 0] != READ:
            for word in range(4):
                S.stream.data[hart, stream, 0, word] = 0
        S.stream.busy[hart] = S.stream.busy[hart] & ~(1 << stream)
        clear(S, hart, stream, 0)
    return count_down(S, hart, AWAITED_AT[stream]) if S.stream.held[hart] else 0


def shift_on(S: View, hart: int, stream: int, last: int) -> int:
    """Move all requests up to `last` to the one before."""
    for i in range(last):
        S.stream.kind[hart, stream, i] = S.stream.kind[hart, stream, i + 1]
        S.stream.addr[hart, stream, i] = S.stream.addr[hart, stream, i + 1]
        S.stream.size[hart, stream, i] = S.stream.size[hart, stream, i + 1]
        S.stream.mask[hart, stream, i] = S.stream.mask[hart, stream, i + 1]
        S.stream.op[hart, stream, i] = S.stream.op[hart, stream, i + 1]
        S.stream.entry[hart, stream, i] = S.stream.entry[hart, stream, i + 1]
        S.stream.pc[hart, stream, i] = S.stream.pc[hart, stream, i + 1]
        S.stream.touches[hart, stream, i] = S.stream.touches[hart, stream, i + 1]
        S.stream.number[hart, stream, i] = S.stream.number[hart, stream, i + 1]
        S.stream.born[hart, stream, i] = S.stream.born[hart, stream, i + 1]
        S.stream.due[hart, stream, i] = S.stream.due[hart, stream, i + 1]
        for word in range(4):
            S.stream.data[hart, stream, i, word] = S.stream.data[hart, stream, i + 1, word]
    for word in range(4):
        S.stream.data[hart, stream, last, word] = 0
    return clear(S, hart, stream, last)


def clear(S: View, hart: int, stream: int, i: int) -> int:
    """Clear the rows of a request, but for `data`, so that equal states are equal bytes."""
    S.stream.kind[hart, stream, i] = 0
    S.stream.addr[hart, stream, i] = 0
    S.stream.size[hart, stream, i] = 0
    S.stream.mask[hart, stream, i] = 0
    S.stream.op[hart, stream, i] = 0
    S.stream.entry[hart, stream, i] = 0
    S.stream.pc[hart, stream, i] = 0
    if S.stream.touches[hart, stream, i]:
        S.stream.touches[hart, stream, i] = 0
        S.stream.number[hart, stream, i] = 0
    S.stream.born[hart, stream, i] = 0
    S.stream.due[hart, stream, i] = 0
    return 0


INLINED = (stream_of, shift_out)
