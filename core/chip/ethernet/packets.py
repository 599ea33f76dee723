# SPDX-License-Identifier: Apache-2.0
"""The packets that an Ethernet tile has sent: a ring in the record of its machine.

    send ──► leaves when the cable is free ──► due: it is at the other end ──► acknowledged

It is in the words of `l1` after the registers of the tile (tile.py), so that snapshots, hashes
and recordings have it. Faults on purpose are not in the record: `Damage` says from which cycle on
the cable is cut, and which packet is lost or late.

UNSPECIFIED(EthernetTxRx.md): how many packets a queue holds until they are acknowledged; RING here.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.cost.row import Trust, cost
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.schedule import Schedule

BYTES_A_CYCLE = cost(
    "ethernet.rate", 37, "bytes in a cycle", "of a link",
    source="BlackholeA0 EthernetTile/README.md", trust=Trust.PAGE,
    note="400 Gb/s at the 1.35 GHz of the tile",
)  # fmt: skip
BYTES_IN_TWO_CYCLES = cost(
    "ethernet.rate_wormhole", 25, "bytes in two cycles", "of a link",
    source="WormholeB0 EthernetTile/L1.md", trust=Trust.PAGE,
    note="100 Gb/s at the 1 GHz of the tile",
)  # fmt: skip
RATE_OF = ((BYTES_A_CYCLE, 1), (BYTES_IN_TWO_CYCLES, 2))  # by chip: bytes, cycles
FRAME_BYTES = cost(
    "ethernet.frame", 56, "bytes", "around the data of a packet",
    source="BlackholeA0 EthernetTile/EthernetTxRx.md; IEEE 802.3", trust=Trust.PAGE,
    note="Ethernet header 14, TT-link header 18, CRC 4, preamble 8, gap 12",
)  # fmt: skip
CABLE_CYCLES = cost(
    "ethernet.latency", 800, "cycles", "from the last byte sent to its place in the peer's L1",
    source="no page", trust=Trust.UNKNOWN,
    note="chosen: some 600 ns, of which a MAC with forward error correction has the most",
)  # fmt: skip

L1_WRITE, MMIO_WRITE = 2, 4  # of ETH_TXQ_CMD
LOST = 1 << 8  # beside the command of a packet that does not arrive
HEAD = struct.Struct("<QIII4x")  # when the cable is free; first packet, the next one; lost ones
PACKET = struct.Struct("<QQIIIIII")  # the fields of Packet
RING = 64
NEVER = (1 << 63) - 1


class Packet(NamedTuple):
    """A packet of the ring."""

    due: int  # the cycle in which it is at the other end
    acknowledged: int
    command: int
    start: int  # in the sender's L1
    to: int
    size: int  # or the data of an MMIO_WRITE
    pc: int  # of the store that has sent it
    by: int  # its hart, and the queue (sent_by)


def sent_by(hart: int | None, queue: int) -> int:
    """Return what `Packet.by` says; a hart of None is the host."""
    return (0 if hart is None else 1 + hart) | queue << 8


def sender_of(packet: Packet) -> tuple[int | None, int]:
    """Return the hart, None for the host, and the queue."""
    hart = packet.by & 0xFF
    return hart - 1 if hart else None, packet.by >> 8


@dataclass
class Damage:
    """Faults on purpose of one direction of a cable, by the cycle in which they begin."""

    cut_at: int = NEVER  # from then on nothing arrives
    lose_at: int = NEVER  # the first packet that is sent from then on is lost
    late_at: int = NEVER  # packets that are sent from then on arrive later
    late_by: int = 0  # by so many cycles


class Packets:
    """Those of one tile: its ring begins at `at` of `l1`."""

    def __init__(self, S: View, l1: memoryview, at: int) -> None:
        self._S, self._l1, self._at = S, l1, at
        self.damage = Damage()

    def _head(self) -> tuple[int, int, int, int]:
        free, first, following, lost = HEAD.unpack_from(self._l1, self._at)
        return int(free), int(first), int(following), int(lost)

    def _packet(self, number: int) -> Packet:
        at = self._at + HEAD.size + PACKET.size * (number % RING)
        return Packet(*PACKET.unpack_from(self._l1, at))

    def is_full(self) -> bool:
        """True if no packet can be taken: as many are on the way, or not acknowledged."""
        _, first, following, _ = self._head()
        return following - first >= RING or (
            following >= RING and self._packet(following - RING).acknowledged > self._S.tile.cycle
        )

    def send(self, command: int, start: int, to: int, size: int, pc: int, by: int) -> None:
        """Take a packet: it leaves when the cable is free, and arrives some time after. The store
        at `pc` has sent it, that of `sent_by`."""
        length = FRAME_BYTES + (16 if command == MMIO_WRITE else size)
        free, first, following, lost = self._head()
        now, damage = int(self._S.tile.cycle), self.damage
        size_of, cycles = RATE_OF[self._S.tile.chip]
        free = max(free, now) - -length * cycles // size_of
        due = free + CABLE_CYCLES + self._delay(following)
        if now >= damage.late_at:
            due += damage.late_by
        if following:
            due = max(due, self._packet(following - 1).due)  # a link keeps the order
        if now >= damage.lose_at and not lost:
            command, lost = command | LOST, 1
        at = self._at + HEAD.size + PACKET.size * (following % RING)
        packet = Packet(due, due + CABLE_CYCLES, command, start, to, size, pc, by)
        PACKET.pack_into(self._l1, at, *packet)
        HEAD.pack_into(self._l1, self._at, free, first, following + 1, lost)

    def _delay(self, number: int) -> int:
        """Return by how much a packet is late in `random`: one in four, by its number and the
        seed, as requests of a NoC (core/noc/order.py)."""
        if self._S.schedule.kind != Schedule.RANDOM:
            return 0
        mixed = (int(self._S.noc.seed) + number * 0x9E3779B1 & MASK32) * 0x85EBCA6B & MASK32
        return mixed >> 8 & 0xFF if mixed >> 30 == 0 else 0

    def next_due(self) -> int:
        """Return the cycle in which the first packet arrives, or is lost; NEVER without one."""
        _, first, following, _ = self._head()
        due = self._packet(first).due if first != following else NEVER
        return due if due < self.damage.cut_at else NEVER

    @property
    def first(self) -> int:
        """The number of the first packet on the cable."""
        return self._head()[1]

    def take(self) -> Packet | None:
        """Take the first packet off the cable; None of a lost one."""
        free, first, following, lost = self._head()
        packet = self._packet(first)
        HEAD.pack_into(self._l1, self._at, free, first + 1, following, lost)
        return None if packet.command & LOST else packet

    @property
    def is_cut(self) -> bool:
        """True if nothing arrives any more."""
        return bool(self._S.tile.cycle >= self.damage.cut_at)

    def progress(self) -> tuple[int, bool]:
        """Return how many packets were sent, and whether one is on its way and will arrive."""
        return self._head()[2], self.next_due() != NEVER

    def lines(self, way: str) -> list[str]:
        """Return in words what has arrived last on this way, and what is under way."""
        _, first, following, lost = self._head()
        told = f"{way}: nothing has arrived"
        if first:
            last = self._packet(first - 1)
            packets = f"{first} packets have" if first > 1 else "1 packet has"
            told = f"{way}: {packets} arrived, the last in cycle {last.due}: {_words(last)}"
        damage, now = self.damage, int(self._S.tile.cycle)
        if lost:
            told += f"; one was lost on purpose, from cycle {damage.lose_at} on"
        if now >= damage.late_at:
            told += f"; they are {damage.late_by} cycles late since cycle {damage.late_at}"
        if self.is_cut:
            told += f"; the cable is cut since cycle {damage.cut_at}"
        lines = [told]
        for number in range(first, following):
            packet = self._packet(number)
            will = packet.due < damage.cut_at and not packet.command & LOST
            lines.append(
                f"    under way: {_words(packet)}, "
                + (f"in cycle {packet.due}" if will else "will not arrive")
            )
        return lines


def _words(packet: Packet) -> str:
    text = f"{packet.size:#x} to {packet.to:#x}"
    if packet.command & ~LOST != MMIO_WRITE:
        text = f"{packet.size} bytes from {packet.start:#x} to {packet.to:#x}"
    return text + (" (lost)" if packet.command & LOST else "")
