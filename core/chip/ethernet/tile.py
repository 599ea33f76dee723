# SPDX-License-Identifier: Apache-2.0
"""An Ethernet tile: two baby cores, L1, NIUs and overlay, and queues for the cable.

Its cores are those of a Tensix tile (BlackholeA0 EthernetTile/BabyRISCV/README.md), so it is the
machine of one: B is E0, NC is E1, and the T cores are parked. What only an Ethernet tile has stops
that machine as an access to nothing, and is carried out here: `Ethernet.serve`, once for each load
and store of such a register. So a Tensix tile is not a word different for it.

    TXQ   write a command to ETH_TXQ_CMD ──► the packet waits for the cable ──► it is at the peer
          status says "ongoing" while as many packets are on the way as can be

All of its state is in the record, in the words of `l1` after the end of an Ethernet tile's L1, so
snapshots, hashes and recordings have it: the registers, then a ring of packets (packets.py).

UNSPECIFIED(BlackholeA0 EthernetTile/EthernetTxRx.md): when a packet's data is read. The page lets
hardware read it until it is acknowledged; here it is read when it arrives.
"""

from __future__ import annotations

from typing import Protocol

from tensix_gdb.core.arch.blackhole import NC, SOFT_RESET_BIT, SOFT_RESET_HARTS, B
from tensix_gdb.core.chip.ethernet.base_firmware import E1_CODE, HEARTBEAT, PARK, Side, contents
from tensix_gdb.core.chip.ethernet.packets import (
    L1_WRITE,
    MMIO_WRITE,
    Packet,
    Packets,
    sender_of,
    sent_by,
)
from tensix_gdb.core.chip.links import TRANSLATED_X, TRANSLATED_Y
from tensix_gdb.core.chip.places import Place, name_of
from tensix_gdb.core.debug.memory import MemoryFault
from tensix_gdb.core.devices.niu import LOGICAL
from tensix_gdb.core.devices.soft_reset import set_soft_reset
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.faults.policy import skip_fault
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.memory.map import fetched_at
from tensix_gdb.core.memory.noc_access import NocAccess
from tensix_gdb.core.memory.ram import decode_at
from tensix_gdb.core.noc.carried import Follower
from tensix_gdb.core.noc.state import NIUS
from tensix_gdb.core.stop import StopKind

L1_BYTES = 512 << 10
FIRST, END = 0xFFB90000, 0xFFBA0000  # its own registers
SOFT_RESET_0, E1_RESET = 0xFFB121B0, 0x1000  # of an Ethernet tile; E0 has the bit of B
OF_E0, OF_E1 = 1 << SOFT_RESET_BIT[B], 1 << SOFT_RESET_BIT[NC]  # of the machine
CYCLES_A_BEAT = 256  # of base firmware's heartbeat; chosen here

QUEUE, QUEUES = 0x1000, 3
CONTROL, CMD, STATUS, START, SIZE, DEST, DATA = 0x00, 0x04, 0x08, 0x14, 0x18, 0x1C, 0x44
ONGOING = 1 << 16  # of STATUS
TXQ, RXQ, CTRL = 0xFFB90000, 0xFFB94000, 0xFFB98000
PCS_STATUS, HEADERS, HEADERS_END = 0xFFB9800C, 0xFFB98200, 0xFFB98700
# Of each queue, and of the tile: what is storage.
TXQ_KEPT = (CONTROL, 0x0C, START, SIZE, DEST, DATA, 0x6C, 0x80, 0x84, 0x88)
CTRL_KEPT = (CTRL + 0x150, CTRL + 0x154)
RESET_VALUES = {
    **{TXQ + QUEUE * i: 1 for i in range(2)},
    **{RXQ + QUEUE * i: 2 for i in range(2)},
    CTRL + 0x154: 0xA00,
    TXQ + QUEUE + 0x80: 0x111,
    TXQ + QUEUE + 0x84: 1,
}

KEPT, PACKETS = L1_BYTES, L1_BYTES + (END - FIRST)  # in `l1`, after what it has of it


class Observer(Protocol):
    """Sees packets at both ends (core/chip/races/packets.py)."""

    def sent(self, machine: Machine, packet: int, hart: int, queue: int, *, is_data: bool) -> None:
        """A core has sent the packet with that number."""

    def arrived(self, near: Machine, far: Machine, number: int, packet: Packet | None) -> None:
        """A packet is at the other end; None: it was lost."""


class Ethernet:
    """The Ethernet tile that a machine is. `peer` is at the other end of its cable."""

    def __init__(self, machine: Machine, place: Place, logical: int) -> None:
        self.machine, self.place, self._S = machine, place, machine.S
        self.peer: Ethernet | None = None
        self.problem = ""  # a sentence, where `serve` has refused an access
        self.follower: Follower | None = None
        self.races: Observer | None = None
        self._by: tuple[int | None, int] = None, 0  # hart and pc of the access that is served
        record = machine.record
        self._l1 = record.row(record.layout.slot("l1", "word"))
        self.packets = Packets(machine.S, self._l1, PACKETS)
        self.access = NocAccess(record, machine.memory, machine.engine.call)
        for niu in range(NIUS):
            self._S.niu.word[niu, LOGICAL] = TRANSLATED_X + logical | TRANSLATED_Y << 6

    def power_up(self, local: Side, remote: Side) -> None:
        """Begin as base firmware leaves it: the link is up, E0 waits for a message, and E1 is in
        reset."""
        S = self._S
        for addr, data in contents(local, remote).items():
            self.machine.load_bytes(addr, data)
        for addr, value in RESET_VALUES.items():
            self._keep(addr, value)
        S.tile_control.disable_reset = 1 << 6  # B's local RAM keeps the registers of reset
        for thread in range(3):
            S.tile_control.trisc_reset_pc[thread] = PARK
        S.tile_control.trisc_override = 7
        S.tile_control.ncrisc_reset_pc, S.tile_control.ncrisc_override = E1_CODE, 1
        set_soft_reset(S, SOFT_RESET_HARTS & ~OF_E0)

    # Registers

    def serve(self) -> bool:
        """Carry out the load or store that the machine has stopped at, if it is of a register of
        an Ethernet tile. False if it is not, or `problem` says what is not there."""
        S = self._S
        self.problem = ""
        code, addr, hart = int(S.stop.code), int(S.stop.a), int(S.stop.hart)
        is_load = code == Fault.LOAD_UNMAPPED
        if S.stop.kind != StopKind.FAULT or not (is_load or code == Fault.STORE_UNMAPPED):
            return False
        if S.stop.stream or not FIRST <= addr < END or int(S.stop.b) != 4:
            return False
        pc = int(S.hart.pc[hart])
        decoded = int(decode_at(S, fetched_at(S, hart, pc)))
        if self.follower is not None:
            register = decoded >> 8 & 63 if is_load else 0
            self.follower.serving(self.machine.record, hart, pc, register)
        self._by = hart, pc
        try:
            if is_load:
                value = self.read(addr)
                skip_fault(S)
                self.machine.write_x(hart, decoded >> 8 & 63, value)
            else:
                self.write(addr, self.machine.read_x(hart, decoded >> 24 & 63))
                skip_fault(S)
        except MemoryFault as problem:
            self.problem = str(problem)
            return False
        finally:
            self._by = None, 0
            if self.follower is not None:
                self.follower.moved()
        S.stop.kind = StopKind.NONE
        return True

    def read(self, addr: int) -> int:
        """Return a register. MemoryFault if nothing is known of it."""
        queue, offset = divmod(addr - TXQ, QUEUE)
        if queue < QUEUES:
            if offset == CMD:
                return 0  # on Blackhole, always
            if offset == STATUS:
                return ONGOING if self.packets.is_full() else 0
            if offset in TXQ_KEPT:
                return self._kept(addr)
        if addr == PCS_STATUS:
            return 0 if self.peer is None or self.packets.is_cut else 1
        if addr in CTRL_KEPT or HEADERS <= addr < HEADERS_END or self._is_rxq(addr):
            return self._kept(addr)
        raise MemoryFault(self._nothing(addr, "read"))

    def write(self, addr: int, value: int) -> None:
        """Write a register. MemoryFault if nothing is known of it, or of what it would do."""
        queue, offset = divmod(addr - TXQ, QUEUE)
        if queue < QUEUES and offset == CMD:
            self._send(queue, value)
        elif queue < QUEUES and offset in TXQ_KEPT:
            if offset == CONTROL and value != 1:
                raise MemoryFault(f"{self._where(addr)}: a TX queue in raw mode is not emulated")
            self._keep(addr, value)
        elif self._is_rxq(addr):
            if value != 2:
                raise MemoryFault(f"{self._where(addr)}: an RX queue in raw mode is not emulated")
            self._keep(addr, value)
        elif addr in CTRL_KEPT or HEADERS <= addr < HEADERS_END:
            self._keep(addr, value)
        else:
            raise MemoryFault(self._nothing(addr, "written"))

    @staticmethod
    def _is_rxq(addr: int) -> bool:
        return addr in range(RXQ, RXQ + QUEUES * QUEUE, QUEUE)

    def _where(self, addr: int) -> str:
        return f"register {addr:#x} of Ethernet tile {name_of(self.place)}"

    def _nothing(self, addr: int, done: str) -> str:
        return f"{self._where(addr)} is {done}, and nothing is known of it here"

    def _kept(self, addr: int) -> int:
        at = KEPT + addr - FIRST
        return int.from_bytes(self._l1[at : at + 4], "little")

    def _keep(self, addr: int, value: int) -> None:
        self._put(KEPT + addr - FIRST, value)

    def _put(self, at: int, value: int) -> None:
        """Write a word of L1."""
        self._l1[at : at + 4] = (value & 0xFFFFFFFF).to_bytes(4, "little")
        self.machine.memory.drop_decoded(at, at + 4)

    # Packets

    def _send(self, queue: int, command: int) -> None:
        """Take a packet: it leaves when the cable is free, and arrives some time after."""
        base = TXQ + QUEUE * queue
        if command not in (L1_WRITE, MMIO_WRITE) or (command == MMIO_WRITE and queue == 2):
            raise MemoryFault(f"{self._where(base + CMD)}: command {command} is not emulated")
        if self.peer is None:
            raise MemoryFault(f"{self._where(base + CMD)}: no cable is in its port")
        if self.packets.is_full():
            raise MemoryFault(f"{self._where(base + CMD)} is written while ETH_TXQ_STATUS says no")
        start, size, to = (self._kept(base + each) for each in (START, SIZE, DEST))
        if command == MMIO_WRITE:
            size, start = self._kept(base + DATA), 0
        elif (start | size | to) & 15 or max(start, to) + size > L1_BYTES:
            raise MemoryFault(
                f"{self._where(base + CMD)}: {size} bytes from {start:#x} to {to:#x} are no words "
                f"of 16 bytes in two L1s, which end at {L1_BYTES:#x}"
            )
        hart, pc = self._by
        if self.races is not None and hart is not None:
            number = self.packets.progress()[0]
            self.races.sent(self.machine, number, hart, queue, is_data=command == L1_WRITE)
        self.packets.send(command, start, to, size, pc, sent_by(hart, queue))

    def arrive(self) -> None:
        """Write the first packet to the peer, which is awake. MemoryFault if it has nothing
        there."""
        peer, number, packet = self.peer, self.packets.first, self.packets.take()
        assert peer is not None
        if packet is not None:
            self._write(peer, packet)
        if self.races is not None:
            self.races.arrived(self.machine, peer.machine, number, packet)

    def _write(self, peer: Ethernet, packet: Packet) -> None:
        is_data, start, to, size = packet.command == L1_WRITE, *packet[3:6]
        if self.follower is not None:
            near, far = self.machine.record, peer.machine.record
            hart, queue = sender_of(packet)
            source = start if is_data else None
            length = size if is_data else 4
            self.follower.carrying(near, queue, hart, packet.pc, source, (far, to), length)
        if is_data:
            peer.access.write(to, bytes(self._l1[start : start + size]))
        else:
            peer.write_over_cable(to, size)
        if self.follower is not None:
            self.follower.moved()

    def write_over_cable(self, addr: int, value: int) -> None:
        """Write a word for the peer, to a register or to L1."""
        if FIRST <= addr < END:
            self.write(addr, value)
        else:
            self.access.write(addr, value.to_bytes(4, "little"))

    def lines(self) -> list[str]:
        """Return in words what has arrived last, and what is under way."""
        if self.peer is None:
            return []
        return self.packets.lines(f"{name_of(self.place)} to {name_of(self.peer.place)}")

    # The host

    def read_bytes(self, addr: int, size: int) -> bytes:
        """Return what the NoC reads. MemoryFault if nothing is there."""
        if addr <= HEARTBEAT < addr + size:
            beats = int(self._S.tile.cycle) // CYCLES_A_BEAT & 0xFFFF
            self._put(HEARTBEAT, 0xABCD0000 | beats)
        if addr + size <= L1_BYTES:
            return self.access.read(addr, size)
        if size != 4 or addr < L1_BYTES * 3:
            raise MemoryFault(f"{addr:#x} is nothing that Ethernet tile {name_of(self.place)} has")
        if FIRST <= addr < END:
            return self.read(addr).to_bytes(4, "little")
        if addr == SOFT_RESET_0:
            held = int(self._S.tile_control.soft_reset)
            bits = held & OF_E0 | (E1_RESET if held & OF_E1 else 0)
            return bits.to_bytes(4, "little")
        return self.access.read(addr, size)

    def write_bytes(self, addr: int, data: bytes) -> None:
        """Write from the NoC. MemoryFault if nothing is there."""
        if addr + len(data) <= L1_BYTES:
            self.access.write(addr, data)
            return
        if len(data) != 4 or addr < L1_BYTES * 3:
            raise MemoryFault(f"{addr:#x} is nothing that Ethernet tile {name_of(self.place)} has")
        value = int.from_bytes(data, "little")
        if FIRST <= addr < END:
            self.write(addr, value)
        elif addr == SOFT_RESET_0:
            held = value & OF_E0 | (OF_E1 if value & E1_RESET else 0)
            threads = SOFT_RESET_HARTS & ~(OF_E0 | OF_E1)
            self.access.write(addr, (held | threads).to_bytes(4, "little"))
        else:
            self.access.write(addr, data)
