# SPDX-License-Identifier: Apache-2.0
"""The links' part in a tile: what has left it enters them, and they say when that is at its end.

`S` is the tile's record here; that of the links is known by its address (core/engine/native.py). A
tile with a request under way neither sleeps nor rests (`may_poll`, `quiescent`), so it is in the
cycle in which it is told.
"""

from tensix_gdb.core.engine.native import call_on
from tensix_gdb.core.links.state import (
    ANSWERS,
    CHANNELS,
    DRAM_READ,
    DRAM_WRITE,
    MULTICAST,
    PLAIN,
    RESERVING,
)
from tensix_gdb.core.noc.coordinates import HOST, OURSELVES, TENSIX, at, home
from tensix_gdb.core.noc.dram import channel_of
from tensix_gdb.core.noc.order import there_of
from tensix_gdb.core.noc.request import (
    ATOMIC,
    BROADCAST,
    BYTE_ENABLE,
    INLINE,
    KIND,
    LINKED,
    MARKED,
    PATH_RESERVE,
    READ,
    XY,
)
from tensix_gdb.core.noc.state import AFTER_READ, GOING, NIUS, SLOTS, THERE
from tensix_gdb.core.record.layout import View

COLD = True  # little time of LLVM for it (core/engine/README.md)


def leave(S: View, number: int, net: int, enter: int) -> int:
    """Let the links, the code `enter` on the record `net`, know what has left the tile `number`."""
    for niu in range(NIUS):
        slots = S.noc.fresh[niu]
        if slots:
            S.noc.fresh[niu] = 0
            for slot in range(SLOTS):
                if slots >> slot & 1:
                    packet = (number * NIUS + niu) * SLOTS + slot
                    call_on(
                        net,
                        enter,
                        packet,
                        S.noc.left[niu, slot],
                        home(S, niu),
                        ends_of(S, niu, slot),
                        size_of(S, niu, slot),
                        how_of(S, niu, slot),
                    )
    return 0


def place_of(S: View, niu: int, slot: int) -> int:
    """Return what is where the request goes: TENSIX for a rectangle."""
    if S.noc.ctrl[niu, slot] & BROADCAST:
        return TENSIX
    there = there_of(S, niu, slot)
    return at(S, niu, there & 63, there >> 6)


def ends_of(S: View, niu: int, slot: int) -> int:
    """Return where the packet goes; for DRAM and the host, and where an answer comes back to."""
    there = there_of(S, niu, slot)
    return there if S.noc.ctrl[niu, slot] & BROADCAST else there | home(S, niu) << 12


def size_of(S: View, niu: int, slot: int) -> int:
    """Return bytes of data that go, or of those that are read from outside the tiles."""
    ctrl = S.noc.ctrl[niu, slot]
    if ctrl & (INLINE | BYTE_ENABLE) or ctrl & KIND == ATOMIC:
        return 1
    if ctrl & KIND == READ and place_of(S, niu, slot) == TENSIX:
        return 0
    return S.noc.length[niu, slot]


def how_of(S: View, niu: int, slot: int) -> int:
    """Return the kind of the packet, the axis of a multicast, and the channel of DRAM."""
    ctrl = S.noc.ctrl[niu, slot]
    if ctrl & BROADCAST:
        linked = S.noc.ctrl[niu, (slot - 1) % SLOTS] & LINKED
        kind = RESERVING if ctrl & PATH_RESERVE and not linked else MULTICAST
        return kind | (16 if ctrl & XY else 0)
    place = place_of(S, niu, slot)
    is_read = 1 if ctrl & KIND == READ else 0
    answers = 0 if is_read or not ctrl & MARKED else ANSWERS
    if place == TENSIX or place == OURSELVES:
        return PLAIN | answers
    channel = CHANNELS if place == HOST else channel_of(S, niu, slot, place, is_read)
    return (DRAM_READ if is_read else DRAM_WRITE) | channel << 5 | answers


def told(S: View, slot_of_tile: int, cycle: int) -> int:
    """The links know the cycle in which a packet is at its end. What is for DRAM or the host is the
    tile's own from now on."""
    niu = slot_of_tile // SLOTS
    slot = slot_of_tile % SLOTS
    after = 1 if S.noc.held[niu, slot] == AFTER_READ and S.noc.stage[niu, slot] == GOING else 0
    S.noc.held[niu, slot] = THERE if after else 0
    S.noc.due[niu, slot] = cycle
    S.asleep.niu = 0
    return 0
