# SPDX-License-Identifier: Apache-2.0
"""An Ethernet tile: baby cores, L1, NIUs and overlay, and queues for the cable.

Its cores are those of a Tensix tile (BlackholeA0 EthernetTile/BabyRISCV/README.md), so it is the
machine of one: B is E0, NC is E1, and the T cores are parked. Wormhole's has one core, which is NC
(kind.py). What only an Ethernet tile has stops that machine as an access to nothing, and is carried
out here: `Ethernet.serve`, once for each load and store of such a register. So a Tensix tile is not
a word different for it.

    TXQ   write a command to ETH_TXQ_CMD ──► the packet waits for the cable ──► it is at the peer
          status says "ongoing" while as many packets are on the way as can be

All of its state is in the record, in the words of `l1` after the end of an Ethernet tile's L1, so
snapshots, hashes and recordings have it: the registers, then a ring of packets (packets.py).

UNSPECIFIED(BlackholeA0 EthernetTile/EthernetTxRx.md): when a packet's data is read. The page lets
hardware read it until it is acknowledged; here it is read when it arrives.
"""

from __future__ import annotations

from tensix_gdb.core.arch.blackhole import NC, SOFT_RESET_BIT, SOFT_RESET_HARTS
from tensix_gdb.core.chip.ethernet.assembled import Side
from tensix_gdb.core.chip.ethernet.base_firmware import E1_CODE, PARK
from tensix_gdb.core.chip.ethernet.kind import (
    CMD,
    DATA,
    DEST,
    END,
    FIRST,
    QUEUE,
    SIZE,
    SOFT_RESET_0,
    START,
    TXQ,
)
from tensix_gdb.core.chip.ethernet.packets import (
    L1_WRITE,
    MMIO_WRITE,
    Packet,
    sender_of,
    sent_by,
)
from tensix_gdb.core.chip.ethernet.registers import Observer, Registers
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
from tensix_gdb.core.riscv.reset import set_reset_pc_wormhole
from tensix_gdb.core.stop import StopKind

NOT_L1 = 1536 << 10  # registers come after it, and in between is nothing
CYCLES_A_BEAT = 256  # of base firmware's heartbeat; chosen here


class Ethernet(Registers):
    """The Ethernet tile that a machine is. `peer` is at the other end of its cable."""

    def __init__(self, machine: Machine, place: Place, logical: int) -> None:
        super().__init__(machine, place)
        self.peer: Ethernet | None = None
        self.problem = ""  # a sentence, where `serve` has refused an access
        self.follower: Follower | None = None
        self.races: Observer | None = None
        self._beats = 0  # that a host has seen
        self._by: tuple[int | None, int] = None, 0  # hart and pc of the access that is served
        self.access = NocAccess(machine.record, machine.memory, machine.engine.call)
        for niu in range(NIUS):
            if not self._S.tile.chip:  # a Wormhole's is as of any tile (core/noc/translation.py)
                self._S.niu.word[niu, LOGICAL] = TRANSLATED_X + logical | TRANSLATED_Y << 6

    def power_up(self, local: Side, remote: Side) -> None:
        """Begin as base firmware leaves it: the link is up, the core that has it waits for a
        program, and the others are in reset."""
        S = self._S
        for addr, data in self.kind.contents(local, remote).items():
            self.machine.load_bytes(addr, data)
        for addr, value in self.kind.reset_values.items():
            self.keep(addr, value)
        if S.tile.chip:
            set_reset_pc_wormhole(S, NC, 0)
        else:
            S.tile_control.disable_reset = 1 << 6  # B's local RAM keeps the registers of reset
            for thread in range(3):
                S.tile_control.trisc_reset_pc[thread] = PARK
            S.tile_control.trisc_override = 7
            S.tile_control.ncrisc_reset_pc, S.tile_control.ncrisc_override = E1_CODE, 1
        first = 1 << SOFT_RESET_BIT[self.kind.first]
        set_soft_reset(S, SOFT_RESET_HARTS & ~first)

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

    # Packets

    def is_up(self) -> bool:
        """True if the link is."""
        return self.peer is not None and not self.packets.is_cut

    def send(self, queue: int, command: int) -> None:
        """Take a packet: it leaves when the cable is free, and arrives some time after."""
        base = TXQ + QUEUE * queue
        has_words = queue < self.kind.queues_with_words
        if command not in (L1_WRITE, MMIO_WRITE) or (command == MMIO_WRITE and not has_words):
            raise MemoryFault(f"{self.where(base + CMD)}: command {command} is not emulated")
        if self.peer is None:
            raise MemoryFault(f"{self.where(base + CMD)}: no cable is in its port")
        if self.packets.is_full():
            raise MemoryFault(f"{self.where(base + CMD)} is written while the queue takes none")
        start, size, to = (self.kept(base + each) for each in (START, SIZE, DEST))
        if command == MMIO_WRITE:
            size, start = self.kept(base + DATA), 0
        elif (start | size | to) & 15 or max(start, to) + size > self.kind.l1_bytes:
            raise MemoryFault(
                f"{self.where(base + CMD)}: {size} bytes from {start:#x} to {to:#x} are no words "
                f"of 16 bytes in two L1s, which end at {self.kind.l1_bytes:#x}"
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
        if addr + size <= self.kind.l1_bytes:
            data = self.access.read(addr, size)
            return self._beating(addr, data) if addr <= self.kind.heartbeat < addr + size else data
        self._check(addr, size)
        if FIRST <= addr < END:
            return self.read(addr).to_bytes(4, "little")
        if addr == SOFT_RESET_0:
            held = int(self._S.tile_control.soft_reset)
            bits = sum(1 << own for own, bit in self.kind.bits if held >> bit & 1)
            return bits.to_bytes(4, "little")
        return self.access.read(addr, size)

    def _beating(self, addr: int, data: bytes) -> bytes:
        """Return bytes of L1 with a heartbeat in them. Base firmware's is quicker than a host
        reads, so it has changed whenever one does: drivers allow some time of the clock for it, in
        which no cycle may pass here. It is in no state of the tile: a read leaves that as it is."""
        at = self.kind.heartbeat - addr
        self._beats += 1
        beats = int(self._S.tile.cycle) // CYCLES_A_BEAT + self._beats & 0xFFFF
        found = data[:at] + (0xABCD0000 | beats).to_bytes(4, "little") + data[at + 4 :]
        return found[: len(data)]

    def write_bytes(self, addr: int, data: bytes) -> None:
        """Write from the NoC. MemoryFault if nothing is there."""
        if addr + len(data) <= self.kind.l1_bytes:
            self.access.write(addr, data)
            return
        self._check(addr, len(data))
        value = int.from_bytes(data, "little")
        if FIRST <= addr < END:
            self.write(addr, value)
        elif addr == SOFT_RESET_0:
            held = sum(1 << bit for own, bit in self.kind.bits if value >> own & 1)
            others = SOFT_RESET_HARTS & ~self.kind.harts
            self.access.write(addr, (held | others).to_bytes(4, "little"))
        else:
            self.access.write(addr, data)

    def _check(self, addr: int, size: int) -> None:
        """MemoryFault for what is neither L1 nor a register."""
        if size != 4 or addr < NOT_L1:
            raise MemoryFault(f"{addr:#x} is nothing that Ethernet tile {name_of(self.place)} has")
