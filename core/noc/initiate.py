# SPDX-License-Identifier: Apache-2.0
"""Starting a request: what a store to NOC_CMD_CTRL does (NoC/MemoryMap.md, NoC/Counters.md).

The initiator waits until the requests before it have been taken and a slot is free; until then
NOC_CMD_CTRL reads 1. A request of more than 16,384 bytes is taken in parts.

What cannot be carried out stops the hart that starts it: a request to a tile that the emulator has
not, a broadcast, a length or an alignment that no page allows.
"""

from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.noc.coordinates import (
    DRAM_0,
    HOST,
    NOTHING,
    OURSELVES,
    TENSIX,
    at,
    untranslated,
    way,
)
from tensix_gdb.core.noc.state import (
    BASES,
    CMD_ACCEPTED,
    CONFIG,
    GOING,
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
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.schedule import Schedule, wait_until
from tensix_gdb.core.stop import fault

COLD = True  # little time of LLVM for it (core/engine/README.md)

# NOC_CTRL
KIND, READ, ATOMIC, WRITE = 3, 0, 1, 2
BYTE_ENABLE, INLINE, MARKED, BROADCAST = 1 << 2, 1 << 3, 1 << 4, 1 << 5

MAX_BYTES = 16384  # of a packet: 256 flits of 64 bytes
FLIT = 64
MMIO = 0xFF000000  # addresses of a Tensix tile from here on are registers
TRANSLATE = 1 << 14  # of NIU_CFG_0


def is_write_of_data(ctrl: int) -> int:
    """True if it is a write with data in memory."""
    return 1 if ctrl & KIND == WRITE and not ctrl & INLINE else 0


def target(ctrl: int) -> int:
    """True if the request goes to NOC_TARG_ADDR; a write of data goes to NOC_RET_ADDR."""
    return 0 if is_write_of_data(ctrl) else 1


def packets(ctrl: int, length: int) -> int:
    """How many packets a request of that length needs."""
    if ctrl & KIND == ATOMIC or ctrl & (BYTE_ENABLE | INLINE):
        return 1
    return max(1, (length + MAX_BYTES - 1) // MAX_BYTES)


def start(S: View, hart: int, niu: int, initiator: int, addr: int) -> int:
    """NOC_CMD_CTRL becomes 1."""
    base = BASES[initiator]
    ctrl = S.niu.word[niu, base + 7]
    there = S.niu.word[niu, base + 2] if target(ctrl) else S.niu.word[niu, base + 5]
    if S.noc.wants[niu, initiator]:
        return fault(S, hart, Fault.NOC_BUSY, addr, initiator)
    if ctrl & BROADCAST or ctrl & KIND == KIND:
        return fault(S, hart, Fault.NOC_KIND, addr, ctrl)
    there = destination(S, niu, there)
    place = at(S, niu, there & 63, there >> 6)
    if place == NOTHING and S.niu.word[niu, CONFIG] & TRANSLATE:
        return fault(S, hart, Fault.NOC_TRANSLATION, addr, there)
    if place == NOTHING:
        return fault(S, hart, Fault.NOC_REQUEST, addr, there)
    if place != OURSELVES and place != TENSIX and (ctrl & KIND == ATOMIC or ctrl & INLINE):
        return fault(S, hart, Fault.NOC_KIND, addr, ctrl)
    if misaligned(S, niu, base, ctrl, place):
        return fault(S, hart, Fault.NOC_ALIGNMENT, addr, ctrl)
    length = S.niu.word[niu, base + 8]
    tag = (S.niu.word[niu, base + 6] >> 10) & 15
    if ctrl & KIND == READ or ctrl & MARKED:
        count(S, niu, OUTSTANDING + tag, packets(ctrl, length))
    if is_write_of_data(ctrl):
        count(S, niu, OUTGOING + tag, packets(ctrl, length))
    S.noc.order[niu] = S.noc.order[niu] + 1
    S.noc.wants[niu, initiator] = S.noc.order[niu]
    S.noc.by[niu, initiator] = hart
    S.noc.at[niu, initiator] = S.request.pc
    S.tile.pending |= PENDING_NOC
    return 0


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
    apart = FLIT if ctrl & KIND == READ and DRAM_0 <= place < TENSIX else 16
    return 1 if (targ - ret) % apart else 0


def destination(S: View, niu: int, register: int) -> int:
    """The tile of NOC_TARG_ADDR_HI or NOC_RET_ADDR_HI, in the NoC's own coordinates."""
    there = register & 0xFFF
    return untranslated(S, niu, there) if S.niu.word[niu, CONFIG] & TRANSLATE else there


def take(S: View) -> int:
    """Each NIU takes the request that has waited longest, if a slot is free."""
    for niu in range(NIUS):
        slot = S.noc.next[niu]
        if S.noc.order[niu] and not S.noc.stage[niu, slot]:
            for initiator in range(INITIATORS):
                if S.noc.wants[niu, initiator] == 1:
                    take_from(S, niu, initiator, slot)
                    break
    return 0


def take_from(S: View, niu: int, initiator: int, slot: int) -> int:
    """The request, or its first part, leaves the initiator."""
    base = BASES[initiator]
    ctrl = S.niu.word[niu, base + 7]
    S.noc.hart[niu, slot] = S.noc.by[niu, initiator]
    S.noc.pc[niu, slot] = S.noc.at[niu, initiator]
    S.noc.ctrl[niu, slot] = ctrl
    S.noc.id[niu, slot] = (S.niu.word[niu, base + 6] >> 10) & 15
    S.noc.targ[niu, slot] = S.niu.word[niu, base] | (S.niu.word[niu, base + 1] & 0x7FFFFFFF) << 32
    S.noc.targ_at[niu, slot] = destination(S, niu, S.niu.word[niu, base + 2])
    S.noc.ret[niu, slot] = (
        S.niu.word[niu, base + 3] | (S.niu.word[niu, base + 4] & 0x7FFFFFFF) << 32
    )
    S.noc.ret_at[niu, slot] = destination(S, niu, S.niu.word[niu, base + 5])
    S.noc.data[niu, slot] = S.niu.word[niu, base + 10]
    length = S.niu.word[niu, base + 8]
    whole = packets(ctrl, length)
    if whole > 1:
        S.niu.word[niu, base + 8] = length - MAX_BYTES
        S.niu.word[niu, base] = (S.niu.word[niu, base] + MAX_BYTES) & 0xFFFFFFFF
        S.niu.word[niu, base + 3] = (S.niu.word[niu, base + 3] + MAX_BYTES) & 0xFFFFFFFF
        length = MAX_BYTES
    S.noc.length[niu, slot] = length
    S.noc.mask[niu, slot] = S.niu.word[niu, base + 9]
    there = S.noc.targ_at[niu, slot] if target(ctrl) else S.noc.ret_at[niu, slot]
    S.noc.outside[niu, slot] = 0
    S.noc.stage[niu, slot] = GOING
    cycles = way(S, niu, there) + length_cycles(ctrl, length)
    S.noc.due[niu, slot] = S.tile.cycle if S.schedule.kind == Schedule.SC else wait_until(S, cycles)
    S.noc.next[niu] = (slot + 1) % SLOTS
    count_leaving(S, niu, ctrl)
    if whole == 1:
        for other in range(INITIATORS):
            if S.noc.wants[niu, other]:
                S.noc.wants[niu, other] = S.noc.wants[niu, other] - 1
        S.noc.order[niu] = S.noc.order[niu] - 1
    return 0


def length_cycles(ctrl: int, length: int) -> int:
    """A flit of 64 bytes each cycle."""
    return (length + FLIT - 1) // FLIT if not ctrl & (BYTE_ENABLE | INLINE | ATOMIC) else 1


def count_leaving(S: View, niu: int, ctrl: int) -> int:
    """What is counted as a request leaves; the data of a write, when it has been read."""
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
