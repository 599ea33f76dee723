# SPDX-License-Identifier: Apache-2.0
"""The progress of requests that are on their way (NoC/README.md, Counters.md, Atomics.md).

    GOING ──► at its target: the data moves, the target counts ──► COMING ──► here: we count

UNSPECIFIED(NoC/Ordering.md): when each 16 bytes of a packet are read and written. They all move in
one cycle, a write's when it is at its target, a read's when its answer is here; so the counters
never say too early that something is done.

Data outside the tile is not in the record: the run stops with StopKind.OUTSIDE, Python moves it
(core/noc/outside.py), and the run continues as if nothing had been.

Tables by chip are indexed by `S.tile.chip`.
"""

from tensix_gdb.core.arch.chips import L1_END
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.memory import regions
from tensix_gdb.core.memory.l1_ports import niu_waits, niu_writes
from tensix_gdb.core.memory.ram import l1_read, l1_write
from tensix_gdb.core.noc import wormhole
from tensix_gdb.core.noc.atomic import atomic
from tensix_gdb.core.noc.coordinates import DRAM_0, OURSELVES, TENSIX, at, way_back
from tensix_gdb.core.noc.dram import PARTS, acknowledges, answers, channel_of, turn
from tensix_gdb.core.noc.initiate import take_requests
from tensix_gdb.core.noc.order import NEVER, alone, late, takes_no_time, there_of
from tensix_gdb.core.noc.request import (
    ATOMIC,
    BYTE_ENABLE,
    FLIT,
    INLINE,
    KIND,
    MARKED,
    MMIO,
    READ,
    flits_of,
    is_write_of_data,
    on_link,
)
from tensix_gdb.core.noc.state import (
    ATOMIC_RESP_RECEIVED,
    COMING,
    FREE,
    NIUS,
    NONPOSTED_WR_DATA_WORD_SENT,
    NONPOSTED_WR_REQ_SENT,
    OUTGOING,
    OUTSTANDING,
    PENDING_NOC,
    POSTED_WR_DATA_WORD_SENT,
    POSTED_WR_REQ_SENT,
    RD_DATA_WORD_RECEIVED,
    RD_RESP_RECEIVED,
    SLOTS,
    SLV_ATOMIC_RESP_SENT,
    SLV_NONPOSTED_ATOMIC_RECEIVED,
    SLV_NONPOSTED_WR_DATA_WORD_RECEIVED,
    SLV_NONPOSTED_WR_REQ_RECEIVED,
    SLV_NONPOSTED_WR_REQ_STARTED,
    SLV_POSTED_ATOMIC_RECEIVED,
    SLV_POSTED_WR_DATA_WORD_RECEIVED,
    SLV_POSTED_WR_REQ_RECEIVED,
    SLV_POSTED_WR_REQ_STARTED,
    SLV_RD_DATA_WORD_SENT,
    SLV_RD_REQ_RECEIVED,
    SLV_RD_RESP_SENT,
    SLV_REQ_ACCEPTED,
    SLV_WR_ACK_SENT,
    WR_ACK_RECEIVED,
    count,
)
from tensix_gdb.core.race.network import requests as races
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.schedule import Schedule, is_delayed, wait_until
from tensix_gdb.core.stop import STOPPED, WAIT, StopKind, fault
from tensix_gdb.core.tensix.gate import requests as watched


def advance(S: View, CHECKED: int) -> int:
    """Advance at the start of a cycle the requests that are where they go. STOPPED when one cannot
    be done, or needs memory outside the tile."""
    if S.tile.cycle < S.asleep.niu and not S.noc.order[0] and not S.noc.order[1]:
        return 0
    S.asleep.niu = 0
    busy = 0
    for niu in range(NIUS):
        for i in range(SLOTS):
            slot = (S.noc.next[niu] + i) % SLOTS
            if (
                S.noc.stage[niu, slot]
                and not is_delayed(S, S.noc.due[niu, slot])
                and alone(S, niu, slot)
            ):
                if waits_for_bank(S, niu, slot):
                    S.noc.due[niu, slot] = S.tile.cycle + 1
                    busy = 1
                    break  # what comes after it waits as well
                if step(S, niu, slot, CHECKED) == STOPPED:
                    return STOPPED
                S.tile.idle_cycles = 0
            busy = busy | S.noc.stage[niu, slot]
    take_requests(S, CHECKED)
    if not busy and not S.noc.order[0] and not S.noc.order[1]:
        for niu in range(NIUS):
            for slot in range(SLOTS):
                busy = busy | S.noc.stage[niu, slot]
        if not busy:
            S.tile.pending &= ~PENDING_NOC
    if S.schedule.kind == Schedule.LATENCY or S.schedule.kind == Schedule.SC:
        S.asleep.niu = own_due(S)
    return 0


def own_due(S: View) -> int:
    """Return the first cycle in which a request that is not the chip's affair is due."""
    first = NEVER
    for niu in range(NIUS):
        for slot in range(SLOTS):
            if S.noc.stage[niu, slot] and S.noc.due[niu, slot] < first and alone(S, niu, slot):
                first = S.noc.due[niu, slot]
    return first


def waits_for_bank(S: View, niu: int, slot: int) -> int:
    """True if a narrow write keeps a bank of L1 that the next step of the request needs
    (memory/l1_ports.py)."""
    if S.l1_port.until <= S.tile.cycle:
        return 0
    ctrl = S.noc.ctrl[niu, slot]
    targ = S.noc.targ[niu, slot]
    if ctrl & (INLINE | ATOMIC):
        return niu_waits(S, targ & ~15, 16) if targ < L1_END[S.tile.chip] else 0
    length = FLIT[S.tile.chip] if ctrl & BYTE_ENABLE else S.noc.length[niu, slot]
    if ctrl & KIND == READ and S.noc.stage[niu, slot] != COMING:
        return 0
    here = is_here(S, niu, S.noc.targ_at[niu, slot])
    if here and targ < L1_END[S.tile.chip] and niu_waits(S, targ, length):
        return 1
    to = S.noc.ret[niu, slot]
    if to < L1_END[S.tile.chip] and is_here(S, niu, S.noc.ret_at[niu, slot]):
        return niu_waits(S, to, length)
    return 0


def is_here(S: View, niu: int, there: int) -> int:
    """True if these coordinates are the tile's own."""
    return 1 if at(S, niu, there & 63, there >> 6) == OURSELVES else 0


def step(S: View, niu: int, slot: int, CHECKED: int) -> int:
    """Advance one request to its next stage; STOPPED when that is not possible."""
    if CHECKED and (S.l1_watch.ranges or S.gate_watch.cells):
        watched.before(S, niu, slot)
        status = next_stage(S, niu, slot, CHECKED)
        if status != STOPPED:
            watched.after(S, niu, slot)
        return status
    return next_stage(S, niu, slot, CHECKED)


def next_stage(S: View, niu: int, slot: int, CHECKED: int) -> int:
    """Advance one request, watched or not; STOPPED when that is not possible."""
    ctrl = S.noc.ctrl[niu, slot]
    if S.noc.stage[niu, slot] == COMING:
        if ctrl & KIND == READ and move(S, niu, slot) == STOPPED:
            return STOPPED
        if CHECKED and S.race.on and ctrl & KIND == READ:
            races.landed(S, niu, slot)
        count_back(S, niu, slot, ctrl)
        S.noc.stage[niu, slot] = FREE
        return 0
    there = there_of(S, niu, slot)
    ours = 1 if at(S, niu, there & 63, there >> 6) == OURSELVES else 0
    if ctrl & KIND != READ:
        done = atomic(S, niu, slot) if ctrl & KIND == ATOMIC else move(S, niu, slot)
        if done == STOPPED:
            return STOPPED
        if CHECKED and S.race.on:
            races.arrived(S, niu, slot)
        count_sent(S, niu, slot, ctrl)
    if ours:
        count_there(S, niu, ctrl, flits(S, niu, slot))
    if ctrl & KIND == READ or ctrl & MARKED:
        S.noc.stage[niu, slot] = COMING
        back = way_back(S, niu, there) + 1
        if ctrl & KIND == READ:
            back += on_link(flits(S, niu, slot)) - 1
        elif S.schedule.kind == Schedule.LATENCY and is_dram(S, niu, there):
            back += acknowledges(S.tile.chip)
        if S.schedule.kind == Schedule.LATENCY and not S.noc.links:
            back += dram_alone(S, niu, slot, there)
        due = S.tile.cycle if takes_no_time(S) else wait_until(S, back)
        S.noc.due[niu, slot] = late(S, niu, slot, due, 0)
    else:
        S.noc.stage[niu, slot] = FREE
    return 0


def is_dram(S: View, niu: int, there: int) -> int:
    """True if these coordinates are those of a channel of DRAM."""
    return 1 if DRAM_0 <= at(S, niu, there & 63, there >> 6) < TENSIX else 0


def dram_alone(S: View, niu: int, slot: int, there: int) -> int:
    """Return how much longer DRAM takes than its links, for a tile alone: nothing else uses the
    channel. On a chip core/links knows."""
    if not is_dram(S, niu, there) or S.noc.ctrl[niu, slot] & (INLINE | BYTE_ENABLE):
        return 0
    place = at(S, niu, there & 63, there >> 6)
    is_read = 1 if S.noc.ctrl[niu, slot] & KIND == READ else 0
    channel = channel_of(S, niu, slot, place, is_read)
    begins = max(S.tile.cycle * PARTS, S.noc.until[channel])
    size = S.noc.length[niu, slot]
    S.noc.until[channel] = begins + turn(S.tile.chip, size)
    waits = begins // PARTS - S.tile.cycle
    return waits + answers(S.tile.chip, size) if is_read else waits


def flits(S: View, niu: int, slot: int) -> int:
    """Flits of data of a request or its answer."""
    if S.noc.ctrl[niu, slot] & (BYTE_ENABLE | INLINE | ATOMIC):
        return 1
    return flits_of(S, S.noc.length[niu, slot])


# Data


def move(S: View, niu: int, slot: int) -> int:
    """Move the data of a read or write; STOPPED when it is not possible here."""
    ctrl = S.noc.ctrl[niu, slot]
    if ctrl & INLINE:
        return PUT[S.tile.chip](S, niu, slot, S.noc.targ[niu, slot], S.noc.data[niu, slot])
    there = S.noc.targ_at[niu, slot] if ctrl & KIND == READ else S.noc.ret_at[niu, slot]
    if at(S, niu, there & 63, there >> 6) != OURSELVES:
        if S.noc.outside[niu, slot]:
            if ctrl & KIND == READ and S.noc.ret[niu, slot] < L1_END[S.tile.chip]:
                niu_writes(S, S.noc.ret[niu, slot], S.noc.length[niu, slot])
            return 0
        S.stop.kind = StopKind.OUTSIDE
        S.stop.a = niu
        S.stop.b = slot
        return STOPPED
    source = S.noc.targ[niu, slot]
    to = S.noc.ret[niu, slot]
    if source >= MMIO or to >= MMIO:
        value = get_word(S, niu, slot, source)
        return STOPPED if value < 0 else PUT[S.tile.chip](S, niu, slot, to, value)
    if ctrl & BYTE_ENABLE:
        return copy_enabled(S, niu, slot, source & ~15, to & ~15)
    return copy(S, niu, slot, source, to, S.noc.length[niu, slot])


def copy(S: View, niu: int, slot: int, source: int, to: int, length: int) -> int:
    """Copy from L1 to L1."""
    if source + length > L1_END[S.tile.chip]:
        return outside_l1(S, niu, slot, source)
    if to + length > L1_END[S.tile.chip]:
        return outside_l1(S, niu, slot, to)
    niu_writes(S, to, length)
    done = 0
    while done < length:
        if length - done >= 4 and not (source + done) & 3 and not (to + done) & 3:
            l1_write(S, to + done, l1_read(S, source + done, 4, 0), 4)
            done += 4
        else:
            l1_write(S, to + done, l1_read(S, source + done, 1, 0), 1)
            done += 1
    return 0


def copy_enabled(S: View, niu: int, slot: int, source: int, to: int) -> int:
    """Copy at most 64 bytes, 32 on Wormhole: those with their bit set."""
    flit = FLIT[S.tile.chip]
    end = L1_END[S.tile.chip]
    if source + flit > end or to + flit > end:
        return outside_l1(S, niu, slot, source if source + flit > end else to)
    for part in range(0, flit, 16):
        mask = S.noc.length[niu, slot] if part < 32 else S.noc.mask[niu, slot]
        enabled = (mask >> (part & 31)) & 0xFFFF
        if enabled and enabled != 0xFFFF:
            niu_writes(S, to + part, 1)
    for byte in range(flit):
        mask = S.noc.length[niu, slot] if byte < 32 else S.noc.mask[niu, slot]
        if (mask >> (byte & 31)) & 1:
            l1_write(S, to + byte, l1_read(S, source + byte, 1, 0), 1)
    return 0


def get_word(S: View, niu: int, slot: int, addr: int) -> int:
    """Return a word of L1 or a register; STOPPED when there is none."""
    if addr < L1_END[S.tile.chip]:
        return l1_read(S, addr & ~3, 4, 0)
    if addr & MASK32 < MMIO:
        return outside_l1(S, niu, slot, addr)
    value = regions.read(S, S.noc.hart[niu, slot], addr & 0xFFFFFFFC, 4, S.noc.pc[niu, slot])
    return outside_l1(S, niu, slot, addr) if value == WAIT else value


def put_word(S: View, niu: int, slot: int, addr: int, value: int) -> int:
    """Write a word of L1 or a register; STOPPED when it cannot be."""
    if addr < L1_END[S.tile.chip]:
        niu_writes(S, addr & ~3, 4)
        return l1_write(S, addr & ~3, value, 4)
    if addr & MASK32 < MMIO:
        return outside_l1(S, niu, slot, addr)
    status = regions.write(
        S, S.noc.hart[niu, slot], addr & 0xFFFFFFFC, 4, value, S.noc.pc[niu, slot]
    )
    return outside_l1(S, niu, slot, addr) if status == WAIT else status


def put_enabled(S: View, niu: int, slot: int, addr: int, value: int) -> int:
    """The same on Wormhole, where a word may be written to some of several bytes of L1."""
    if addr >= MMIO:
        return put_word(S, niu, slot, addr, value)
    ctrl = S.noc.ctrl[niu, slot]
    if (addr & ~15) + wormhole.last_byte(ctrl) > L1_END[S.tile.chip]:
        return outside_l1(S, niu, slot, addr)
    return wormhole.put_enabled(S, addr, value, ctrl, S.noc.length[niu, slot] & MASK32)


PUT = (put_word, put_enabled)


def outside_l1(S: View, niu: int, slot: int, addr: int) -> int:
    """Raise a fault of the hart that has started the request."""
    return fault(S, S.noc.hart[niu, slot], Fault.NOC_OUTSIDE_L1, addr, S.noc.pc[niu, slot])


# Counters


def count_sent(S: View, niu: int, slot: int, ctrl: int) -> int:
    """The data of a write has been read."""
    if ctrl & KIND == ATOMIC:
        return 0
    marked = ctrl & MARKED
    count(S, niu, NONPOSTED_WR_REQ_SENT if marked else POSTED_WR_REQ_SENT, 1)
    if is_write_of_data(ctrl):
        words = NONPOSTED_WR_DATA_WORD_SENT if marked else POSTED_WR_DATA_WORD_SENT
        count(S, niu, words, flits(S, niu, slot))
        count(S, niu, OUTGOING + S.noc.id[niu, slot], -1)
    return 0


def count_there(S: View, niu: int, ctrl: int, size: int) -> int:
    """Count a request of `size` flits in the target's counters."""
    marked = ctrl & MARKED
    count(S, niu, SLV_REQ_ACCEPTED, 1)
    if ctrl & KIND == READ:
        count(S, niu, SLV_RD_REQ_RECEIVED, 1)
        count(S, niu, SLV_RD_RESP_SENT, 1)
        count(S, niu, SLV_RD_DATA_WORD_SENT, size)
    elif ctrl & KIND == ATOMIC:
        received = SLV_NONPOSTED_ATOMIC_RECEIVED if marked else SLV_POSTED_ATOMIC_RECEIVED
        count(S, niu, received, 1)
        if marked:
            count(S, niu, SLV_ATOMIC_RESP_SENT, 1)
    else:
        started = SLV_NONPOSTED_WR_REQ_STARTED if marked else SLV_POSTED_WR_REQ_STARTED
        received = SLV_NONPOSTED_WR_REQ_RECEIVED if marked else SLV_POSTED_WR_REQ_RECEIVED
        words = SLV_NONPOSTED_WR_DATA_WORD_RECEIVED if marked else SLV_POSTED_WR_DATA_WORD_RECEIVED
        count(S, niu, started, 1)
        count(S, niu, received, 1)
        count(S, niu, words, size)
        if marked:
            count(S, niu, SLV_WR_ACK_SENT, 1)
    return 0


def count_back(S: View, niu: int, slot: int, ctrl: int) -> int:
    """The answer is here."""
    if ctrl & KIND == READ:
        count(S, niu, RD_RESP_RECEIVED, 1)
        count(S, niu, RD_DATA_WORD_RECEIVED, flits(S, niu, slot))
    elif ctrl & KIND == ATOMIC:
        count(S, niu, ATOMIC_RESP_RECEIVED, 1)
    else:
        count(S, niu, WR_ACK_RECEIVED, 1)
    return count(S, niu, OUTSTANDING + ANSWERED_ID[S.tile.chip](S, niu, slot), -1)


def answered_id(S: View, niu: int, slot: int) -> int:
    """Return the transaction id that the answer counts down."""
    return S.noc.id[niu, slot]


ANSWERED_ID = (answered_id, wormhole.answered_id)
