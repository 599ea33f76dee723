# SPDX-License-Identifier: Apache-2.0
"""Starting a request: what a store to NOC_CMD_CTRL does (NoC/MemoryMap.md, NoC/Counters.md).

The initiator waits until the requests before it have been taken and a slot is free; until then
NOC_CMD_CTRL reads 1. A request of more than 16,384 bytes, 8,192 on Wormhole, is taken in parts.

What cannot be carried out stops the hart that starts it: a request to a tile that the emulator has
not, a broadcast of a tile that is alone, a length or an alignment that no page allows.

Tables by chip are indexed by `S.tile.chip`.
"""

from tensix_gdb.core.cost.row import Trust, cost
from tensix_gdb.core.counting import kernels as counted_kernels
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.faults.reports import report
from tensix_gdb.core.noc import wormhole
from tensix_gdb.core.noc.coordinates import (
    DRAM_0,
    ENDS_CYCLES,
    EXCLUDE,
    HOP_CYCLES,
    HOST,
    NOTHING,
    OURSELVES,
    TENSIX,
    at,
    has_tile,
    untranslated,
    way,
    way_back,
)
from tensix_gdb.core.noc.dram import answers
from tensix_gdb.core.noc.order import in_order, late, takes_no_time, waits_for_read
from tensix_gdb.core.noc.request import (
    ACCUMULATE,
    ATOMIC,
    BROADCAST,
    CHANNEL,
    FLIT,
    HEADER_STORE,
    INLINE,
    KIND,
    LINKED,
    MARKED,
    MAX_BYTES,
    MMIO,
    READ,
    RESERVED_TAG,
    STATIC,
    TO_OVERLAY,
    WRITE,
    XY,
    flits_of,
    has_wrong_channel,
    is_write_of_data,
    length_cycles,
    on_link,
    packets,
    target,
)
from tensix_gdb.core.noc.state import (
    AFTER_READ,
    BASES,
    CMD_ACCEPTED,
    COMING,
    CONFIG,
    GOING,
    HELD,
    INITIATORS,
    NIUS,
    NONPOSTED_ATOMIC_SENT,
    NONPOSTED_ATOMIC_STARTED,
    NONPOSTED_WR_REQ_STARTED,
    OUTGOING,
    OUTSTANDING,
    PENDING_NOC,
    POSTED_ATOMIC_SENT,
    POSTED_WR_REQ_STARTED,
    RD_REQ_SENT,
    RD_REQ_STARTED,
    SLOTS,
    count,
)
from tensix_gdb.core.race.network import requests as races
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.schedule import Schedule, wait_until
from tensix_gdb.core.stop import fault

COLD = True  # little time of LLVM for it (core/engine/README.md)

COMMAND_CYCLES = cost(
    "noc.command", 5, "cycles", "from a store that starts a request on, NOC_CMD_CTRL reads 1",
    source="tt-metal noc_estimator, noc_latencies.yaml", trust=Trust.FITTED,
    note="4 to 7 fit: a loop that polls at once polls twice, so that a card's reads of L1 of 64"
    " bytes follow each other in 34.0 cycles (fitted), and one that has a page to compute does not."
    " Reads of 2 KiB, loops without state (35.0) and nocread's were not used; of Wormhole none is"
    " known",
)  # fmt: skip
COMMAND = (COMMAND_CYCLES, 0)  # by chip

TRANSLATE = 1 << 14  # of NIU_CFG_0
NEAREST = ENDS_CYCLES + HOP_CYCLES  # cycles to another tile, at least


def start(S: View, hart: int, niu: int, initiator: int, addr: int) -> int:
    """NOC_CMD_CTRL becomes 1."""
    base = BASES[initiator]
    ctrl = S.niu.word[niu, base + 7]
    register = S.niu.word[niu, base + 2] if target(ctrl) else S.niu.word[niu, base + 5]
    if S.noc.wants[niu, initiator]:
        return fault(S, hart, Fault.NOC_BUSY, addr, initiator)
    if ctrl & KIND == KIND:
        return fault(S, hart, Fault.NOC_KIND, addr, ctrl)
    there = destination(S, niu, register, ctrl)
    place = at(S, niu, there & 63, there >> 6)
    if ctrl & BROADCAST:
        if S.noc.home == 0 or ctrl & KIND == READ:
            return fault(S, hart, Fault.NOC_KIND, addr, ctrl)
        if S.niu.word[niu, base + EXCLUDE]:
            return fault(S, hart, Fault.NOC_EXCLUDE, addr, S.niu.word[niu, base + EXCLUDE])
        if not has_tile(S, niu, there):
            return fault(S, hart, Fault.NOC_BROADCAST, addr, there)
        place = TENSIX
    if place == NOTHING and S.niu.word[niu, CONFIG] & TRANSLATE:
        return fault(S, hart, Fault.NOC_TRANSLATION, addr, there)
    if place == NOTHING:
        return fault(S, hart, Fault.NOC_REQUEST, addr, there)
    if place != OURSELVES and place != TENSIX and (ctrl & KIND == ATOMIC or ctrl & INLINE):
        return fault(S, hart, Fault.NOC_KIND, addr, ctrl)
    if has_wrong_channel(ctrl):
        return fault(S, hart, Fault.NOC_CHANNEL, addr, ctrl)
    if breaks_link(S, niu, ctrl, there):
        return fault(S, hart, Fault.NOC_LINKED, addr, there)
    if MISALIGNED[S.tile.chip](S, niu, base, ctrl, place):
        return fault(S, hart, Fault.NOC_ALIGNMENT, addr, ctrl)
    if HAS_OTHER_TAG[S.tile.chip](S, niu, base, ctrl):
        return fault(S, hart, Fault.NOC_TAG, addr, S.niu.word[niu, base + 6])
    if S.tile.chip == 0 and ctrl & ACCUMULATE and ctrl & KIND != ATOMIC:
        return fault(S, hart, Fault.NOC_ACCUMULATE, addr, ctrl)
    if S.tile.chip == 0 and ctrl & KIND == WRITE and ctrl & INLINE and S.niu.word[niu, base] < MMIO:
        report(S, Fault.NOC_INLINE_L1, hart, S.request.pc, ctrl, S.niu.word[niu, base])
    WRITE_BACK[S.tile.chip](S, niu, base, ctrl, there)
    length = S.niu.word[niu, base + 8]
    tag = (S.niu.word[niu, base + 6] >> 10) & 15
    if ctrl & KIND == READ or ctrl & MARKED:
        count(S, niu, OUTSTANDING + tag, packets(S, ctrl, length))
    if is_write_of_data(ctrl):
        count(S, niu, OUTGOING + tag, packets(S, ctrl, length))
    S.noc.order[niu] = S.noc.order[niu] + 1
    S.noc.wants[niu, initiator] = S.noc.order[niu]
    if S.schedule.kind == Schedule.LATENCY:
        S.noc.busy[niu, initiator] = S.tile.cycle + COMMAND[S.tile.chip]
    S.noc.by[niu, initiator] = hart
    S.noc.at[niu, initiator] = S.request.pc
    S.tile.pending |= PENDING_NOC
    return 0


def breaks_link(S: View, niu: int, ctrl: int, there: int) -> int:
    """True if the request before is linked to this one, which goes elsewhere or by another virtual
    channel."""
    slot = (S.noc.next[niu] - 1) % SLOTS
    before = S.noc.ctrl[niu, slot]
    went = S.noc.targ_at[niu, slot] if target(before) else S.noc.ret_at[niu, slot]
    for initiator in range(INITIATORS):
        if S.noc.wants[niu, initiator] and S.noc.wants[niu, initiator] == S.noc.order[niu]:
            base = BASES[initiator]
            before = S.niu.word[niu, base + 7]
            register = base + 2 if target(before) else base + 5
            went = WRITTEN[S.tile.chip](S, niu, S.niu.word[niu, register], before)
    if not before & LINKED:
        return 0
    if went != there or (before ^ ctrl) & (BROADCAST | XY if ctrl & BROADCAST else BROADCAST):
        return 1
    return 1 if before & ctrl & STATIC and (before ^ ctrl) & CHANNEL else 0


def misaligned(S: View, niu: int, base: int, ctrl: int, place: int) -> int:
    """True if the two addresses do not go together (WormholeB0 NoC/Alignment.md).

    UNSPECIFIED(NoC/Alignment.md): Blackhole has no such page; its flits are twice as long, so what
    Wormhole wants modulo 32 between L1 and DRAM is wanted modulo 64 of reads here (tt-metal does so
    too).
    """
    targ = S.niu.word[niu, base]
    ret = S.niu.word[niu, base + 3]
    if ctrl & KIND == ATOMIC:
        return 1 if targ & 3 or targ >= MMIO else 0
    if ctrl & INLINE:
        return 1 if targ & 3 else 0
    if targ >= MMIO or (ret >= MMIO and (place == OURSELVES or place == TENSIX)):
        return 1 if (targ | ret) & 3 else 0
    if place == HOST:
        return 0
    apart = FLIT[0] if ctrl & KIND == READ and DRAM_0 <= place < TENSIX else 16
    return 1 if (targ - ret) % apart else 0


def destination(S: View, niu: int, register: int, ctrl: int) -> int:
    """Return the tile of NOC_TARG_ADDR_HI or NOC_RET_ADDR_HI, in the NoC's own coordinates; of a
    broadcast, both corners of the rectangle."""
    there = register & 0xFFF
    start = (register >> 12) & 0xFFF if ctrl & BROADCAST else 0
    if S.niu.word[niu, CONFIG] & TRANSLATE:
        there = UNTRANSLATED[S.tile.chip](S, niu, there)
        if ctrl & BROADCAST:
            start = UNTRANSLATED[S.tile.chip](S, niu, start)
    return there | start << 12


def written(S: View, niu: int, register: int, ctrl: int) -> int:
    """The same of a request that has started: the register is as it was written."""
    return destination(S, niu, register, ctrl)


def has_other_tag(S: View, niu: int, base: int, ctrl: int) -> int:
    """True if NOC_PACKET_TAG has more than a transaction id from 0 to 15."""
    tag = S.niu.word[niu, base + 6]
    if tag & RESERVED_TAG:
        return 1
    return 1 if ctrl & KIND == WRITE and tag & (TO_OVERLAY | HEADER_STORE) else 0


def write_back(S: View, niu: int, base: int, ctrl: int, there: int) -> int:
    """The initiator stays as it was written."""
    return 0


UNTRANSLATED = (untranslated, wormhole.untranslated)
WRITTEN = (written, wormhole.written)
WRITE_BACK = (write_back, wormhole.write_back)
HAS_OTHER_TAG = (has_other_tag, wormhole.has_other_tag)
MISALIGNED = (misaligned, wormhole.misaligned)


def take_requests(S: View, CHECKED: int) -> int:
    """Each NIU takes the request that has waited longest, if a slot is free."""
    for niu in range(NIUS):
        slot = S.noc.next[niu]
        if S.noc.order[niu] and not S.noc.stage[niu, slot]:
            for initiator in range(INITIATORS):
                if S.noc.wants[niu, initiator] == 1:
                    take_from(S, niu, initiator, slot)
                    if CHECKED and S.race.on:
                        races.taken(S, niu, initiator, slot)
                    if CHECKED and S.counted.kernels:
                        counted_kernels.taken(S, niu, slot)
                    break
    return 0


def take_from(S: View, niu: int, initiator: int, slot: int) -> int:
    """The request, or its first part, leaves the initiator."""
    base = BASES[initiator]
    ctrl = S.niu.word[niu, base + 7]
    most = MAX_BYTES[S.tile.chip]
    S.noc.hart[niu, slot] = S.noc.by[niu, initiator]
    S.noc.pc[niu, slot] = S.noc.at[niu, initiator]
    S.noc.ctrl[niu, slot] = ctrl
    S.noc.id[niu, slot] = (S.niu.word[niu, base + 6] >> 10) & 15
    S.noc.targ[niu, slot] = S.niu.word[niu, base] | (S.niu.word[niu, base + 1] & 0x7FFFFFFF) << 32
    S.noc.targ_at[niu, slot] = WRITTEN[S.tile.chip](
        S, niu, S.niu.word[niu, base + 2], ctrl if target(ctrl) else 0
    )
    S.noc.ret[niu, slot] = (
        S.niu.word[niu, base + 3] | (S.niu.word[niu, base + 4] & 0x7FFFFFFF) << 32
    )
    S.noc.ret_at[niu, slot] = WRITTEN[S.tile.chip](
        S, niu, S.niu.word[niu, base + 5], 0 if target(ctrl) else ctrl
    )
    S.noc.data[niu, slot] = S.niu.word[niu, base + 10]
    length = S.niu.word[niu, base + 8]
    whole = packets(S, ctrl, length)
    if whole > 1:
        S.niu.word[niu, base + 8] = length - most
        S.niu.word[niu, base] = (S.niu.word[niu, base] + most) & 0xFFFFFFFF
        S.niu.word[niu, base + 3] = (S.niu.word[niu, base + 3] + most) & 0xFFFFFFFF
        length = most
    S.noc.length[niu, slot] = length
    S.noc.mask[niu, slot] = S.niu.word[niu, base + 9]
    there = S.noc.targ_at[niu, slot] if target(ctrl) else S.noc.ret_at[niu, slot]
    S.noc.outside[niu, slot] = 0
    S.noc.stage[niu, slot] = GOING
    # When a broadcast is where is known by core/chip.
    unicast = way(S, niu, there) + length_cycles(S, ctrl, length)
    cycles = NEAREST if ctrl & BROADCAST else unicast
    due = S.tile.cycle if takes_no_time(S) else wait_until(S, cycles)
    if S.noc.home:
        due = due if ctrl & BROADCAST else late(S, niu, slot, due, 0)
        due = in_order(S, niu, slot, due, length_cycles(S, ctrl, length))
    S.noc.due[niu, slot] = due
    if S.noc.links:
        enter_links(S, niu, slot, there)
    S.noc.next[niu] = (slot + 1) % SLOTS
    count_leaving(S, niu, ctrl)
    if whole == 1:
        for other in range(INITIATORS):
            if S.noc.wants[niu, other]:
                S.noc.wants[niu, other] = S.noc.wants[niu, other] - 1
        S.noc.order[niu] = S.noc.order[niu] - 1
    return 0


def enter_links(S: View, niu: int, slot: int, there: int) -> int:
    """The request is the links' (core/links) from now on. Until they say more it is due when it
    would be there alone, which is nothing to go by. A read of DRAM is theirs until its data is
    back; one of the tile's own L1 is not theirs."""
    ctrl = S.noc.ctrl[niu, slot]
    S.noc.held[niu, slot] = HELD
    if not ctrl & BROADCAST:
        place = at(S, niu, there & 63, there >> 6)
        if place == OURSELVES and ctrl & KIND == READ:
            S.noc.held[niu, slot] = 0
            return 0
        S.noc.held[niu, slot] = AFTER_READ if waits_for_read(S, niu, slot) else HELD
        if ctrl & KIND == READ and place != TENSIX:
            S.noc.stage[niu, slot] = COMING
            length = S.noc.length[niu, slot]
            back = way_back(S, niu, there) + on_link(flits_of(S, length))
            back += answers(S.tile.chip, length) if place >= DRAM_0 else 0
            S.noc.due[niu, slot] = S.noc.due[niu, slot] + back
    S.noc.left[niu, slot] = S.tile.cycle
    S.noc.fresh[niu] |= 1 << slot
    return 0


def count_leaving(S: View, niu: int, ctrl: int) -> int:
    """Count a request as it leaves; a write's data once it has been read."""
    count(S, niu, CMD_ACCEPTED, 1)
    if ctrl & KIND == READ:
        count(S, niu, RD_REQ_STARTED, 1)
        count(S, niu, RD_REQ_SENT, 1)
    elif ctrl & KIND == ATOMIC:
        if ctrl & MARKED:
            count(S, niu, NONPOSTED_ATOMIC_STARTED, 1)
        count(S, niu, NONPOSTED_ATOMIC_SENT if ctrl & MARKED else POSTED_ATOMIC_SENT, 1)
    else:
        count(S, niu, NONPOSTED_WR_REQ_STARTED if ctrl & MARKED else POSTED_WR_REQ_STARTED, 1)
    return 0
