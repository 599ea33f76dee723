# SPDX-License-Identifier: Apache-2.0
"""The record of a chip's links: packets under way, links, channels of DRAM, and what comes next.

A router has a link to the router of the next column, one to that of the next row, and one each from
and to its NIU (WormholeB0 NoC/RoutingPaths.md; Blackhole has no such page). Coordinates are those
of the NoC, so that both NoCs go to greater columns and rows.

    link  = (niu * PLACES + x + COLUMNS * y) * KINDS + kind
    event = cycle << EVENT_BITS | packet, or PACKETS + link, or PACKETS + LINKS + packet for the
            acknowledgement of one

A packet has the number of its request: (tile * NIUS + niu) * SLOTS + slot.
"""

from tensix_gdb.core.engine.fields import ENGINE
from tensix_gdb.core.noc.coordinates import COLUMNS, ENDS_CYCLES, ROWS, WORMHOLE_DRAM
from tensix_gdb.core.noc.state import NIUS, PLACES, SLOTS
from tensix_gdb.core.record.layout import Layout, Part, Tag, row

TILES = 140  # of a chip, at most
PACKETS = TILES * NIUS * SLOTS
KINDS = 4
TO_COLUMN, TO_ROW, IN, OUT = 0, 1, 2, 3  # the kinds of links
LANES = 2  # of a link: the second is for packets that have gone over the edge of the grid
# Of a router's link: TO_COLUMN of the column before, TO_ROW of the row before, IN; each has LANES
INPUTS = 3 * LANES
LINKS = NIUS * PLACES * KINDS
EVENT_BITS = 14
TRAIL = 32  # at most COLUMNS + ROWS + 2
assert 2 * PACKETS + LINKS <= 1 << EVENT_BITS
assert PLACES == COLUMNS * ROWS

# What a packet is: a request or answer that ends at a tile, a request to DRAM, a multicast
PLAIN, DRAM_READ, DRAM_WRITE, MULTICAST, RESERVING = 0, 1, 2, 3, 4
ANSWERS = 1 << 10  # of how a packet enters: its target acknowledges it
CHANNELS = 2 * len(WORMHOLE_DRAM)  # Blackhole has eight

NIU_CYCLES = ENDS_CYCLES // 2  # from NIU to router, and from router to NIU
_T, _M, _D = Tag.TIMING, Tag.MONOTONE, Tag.DERIVED
# fmt: off
NET = Part("net", (
    row("wants",   "u16", PACKETS, _T, "the link that a packet is at"),
    row("input",   "u8",  PACKETS, _T, "where it comes from there"),
    row("to",      "u16", PACKETS, _T, "coordinates of its target"),
    row("kind",    "u8",  PACKETS, _T, "PLAIN, DRAM_READ, ..."),
    row("length",  "u16", PACKETS, _T, "cycles that it keeps a link"),
    row("bytes",   "u16", PACKETS, _T, "of data, at a channel of DRAM"),
    row("channel", "u8",  PACKETS, _T, "of DRAM"),
    row("area",    "u32", PACKETS, _T, "the rectangle of a multicast"),
    row("answers", "u8",  PACKETS, _T, "its target acknowledges it"),
    row("ack",     "u16", PACKETS, _T, "the link that its acknowledgement is at"),
    row("major",   "u8",  PACKETS, _T, "the axis of a multicast: 1 for rows first"),
    row("at",      "i64", PACKETS, _T, "since when it is there; of one that has arrived, when"),
    row("flies",   "u8",  PACKETS, _T, "it has not arrived"),
    row("queued",  "u8",  PACKETS, _T, "it waits for its link"),
    row("taken",   "u8",  PACKETS, _T, "links that it has taken"),
    row("trail",   "u16", (PACKETS, TRAIL), _T, "each, times two, plus its lane"),
    row("next",    "u16", PACKETS, _T, "the packet after it in a queue, plus 1"),
    row("free",    "i64", LINKS,   _T, "from when on a link is free"),
    row("lane",    "u8",  LINKS,   _T, "the lane that had it last"),
    row("turn",    "u8",  (LINKS, LANES), _T, "by lane, what led to it last time"),
    row("user",    "u16", LINKS,   _T, "the packet that had it last"),
    row("asked",   "i64", LINKS,   _T, "when it is served next, 0 for never"),
    row("held",    "u16", (LINKS, LANES), _T, "cycles of the packets at its end"),
    row("first",   "u16", (LINKS, INPUTS), _T, "the first packet that waits, plus 1"),
    row("last",    "u16", (LINKS, INPUTS), _T, "the last one"),
    row("load",    "i64", LINKS,   _M, "cycles that a link was in use"),
    row("waited",  "i64", LINKS,   _M, "cycles that packets have waited for it"),
    row("until",   "i64", CHANNELS, _T, "when a channel of DRAM is free, in PARTS"),
    row("moved",   "i64", CHANNELS, _M, "bytes of a channel of DRAM"),
    row("kept",    "i64", TILES * NIUS, _T, "until when a NIU's reserved path is kept"),
    row("size",    "u32", (),      _T, "events"),
    row("event",   "i64", 2 * PACKETS + 4 * LINKS, _T, "a heap of what comes next"),
    row("chip",    "u8",  (),      _D, "core/arch/chips.py: a constant of compiled code"),
    row("bound",   "i64", PACKETS, _D, "a cycle before which one that flies has not arrived"),
    row("flying",  "u16", TILES,   _D, "packets of a tile that fly"),
    row("count",   "u32", (),      _D, "packets that have arrived since the last look"),
    row("arrived", "u16", PACKETS, _D, "their numbers"),
))
# fmt: on

LAYOUT = Layout((NET, ENGINE))
