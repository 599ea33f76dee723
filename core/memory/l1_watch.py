# SPDX-License-Identifier: Apache-2.0
"""Bytes of L1 that a debugger watches: all that the coprocessor, the NoC and the host do there.

What harts load and store is stopped before the access (core/debug/armed.py). All others write at
once, in many places, so the watch is in the write itself: lines of L1 that are watched are marked
as if something of them was decoded (`decoded.line`), which each write asks for anyway, and only a
write to such a line compares its address with the ranges. So it does not matter how long a range
is, and without one nothing is compared.

What is read has no such place: it is noted by the loop with checks, before a unit reads.

A write of what is there already is no change, and only a range for every access notices it.
"""

from tensix_gdb.core.record.layout import Part, Tag, View, row

COLD = True  # little time of LLVM for it (core/engine/README.md)

RANGES = 64
READS, WRITES, ALL = 1, 2, 3  # `kind`, as WatchKind

_D = Tag.DERIVED

# fmt: off
L1_WATCH = Part("l1_watch", (
    row("ranges", "u32", (),     _D, "number of watched ranges"),
    row("lo",     "u32", RANGES, _D, "first byte"),
    row("hi",     "u32", RANGES, _D, "byte after the last"),
    row("kind",   "u8",  RANGES, _D, "READS, WRITES or ALL"),
    row("hit",    "u8",  (),     _D, "1 + the range of an access that was noted; 0: none"),
    row("by",     "u8",  (),     _D, "1 + the place of the unit (core/tensix/gate/issued.py)"),
    row("thread", "u8",  (),     _D, "its Tensix thread, if the unit knows"),
    row("hart",   "u8",  (),     _D, "of what a hart has started: the hart"),
    row("pc",     "u32", (),     _D, "and where"),
    row("is_read", "u8", (),     _D, "what it was"),
    row("addr",   "u32", (),     _D, "its first watched byte"),
    row("size",   "u32", (),     _D, "bytes"),
    row("old",    "u32", (),     _D, "what was there"),
    row("new",    "u32", (),     _D, "what is there"),
))
# fmt: on


def note_write(S: View, addr: int, value: int, size: int) -> int:
    """Before a write of up to 4 bytes that are in one word: note it if it is watched."""
    if S.l1_watch.hit:
        return 0
    for i in range(S.l1_watch.ranges):
        first = max(S.l1_watch.lo[i] - addr, 0)
        last = min(S.l1_watch.hi[i] - addr, size)
        if first < last and S.l1_watch.kind[i] & WRITES:
            seen = (1 << 8 * last) - (1 << 8 * first)
            old = (S.l1.word[addr >> 2] >> 8 * (addr & 3)) & seen
            if S.l1_watch.kind[i] == ALL or old != value & seen:
                note(S, i, 0, addr + first, last - first)
                S.l1_watch.old = old >> 8 * first
                S.l1_watch.new = (value & seen) >> 8 * first
                return 0
    return 0


def note_read(S: View, addr: int, size: int) -> int:
    """Before `size` bytes are read: note it if any of them is watched. 1 if it is."""
    if S.l1_watch.hit:
        return 0
    for i in range(S.l1_watch.ranges):
        first = max(S.l1_watch.lo[i] - addr, 0)
        last = min(S.l1_watch.hi[i] - addr, size)
        if first < last and S.l1_watch.kind[i] & READS:
            note(S, i, 1, addr + first, last - first)
            return 1
    return 0


def note(S: View, i: int, is_read: int, addr: int, size: int) -> int:
    """An access to range `i`."""
    S.l1_watch.hit = i + 1
    S.l1_watch.is_read = is_read
    S.l1_watch.addr = addr
    S.l1_watch.size = size
    S.l1_watch.old = 0
    S.l1_watch.new = 0
    return 0


def forget(S: View) -> int:
    """Nothing is noted."""
    S.l1_watch.hit = 0
    S.l1_watch.by = 0
    return 0
