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

from tensix_gdb.core.arch.blackhole import NC, SOFT_RESET_HARTS
from tensix_gdb.core.arch.wormhole import IRAM_BYTES, IRAM_PLACE
from tensix_gdb.core.chip.ethernet.assembled import Side
from tensix_gdb.core.chip.ethernet.base_firmware import E1_CODE, PARK
from tensix_gdb.core.chip.ethernet.kind import (
    CMD,
    CONTROL,
    DATA,
    DEST,
    END,
    FIRST,
    KINDS,
    QUEUE,
    SIZE,
    SOFT_RESET_0,
    START,
    TT_LINK_RX,
    TT_LINK_TX,
    TXQ,
)
from tensix_gdb.core.chip.ethernet.packets import (
    L1_WRITE,
    MMIO_WRITE,
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
from tensix_gdb.core.riscv.reset import set_reset_pc_wormhole
from tensix_gdb.core.stop import StopKind

NOT_L1 = 1536 << 10  # registers come after it, and in between is nothing
CYCLES_A_BEAT = 256  # of base firmware's heartbeat; chosen here


class Ethernet:
    """The Ethernet tile that a machine is. `peer` is at the other end of its cable."""

    def __init__(self, machine: Machine, place: Place, logical: int) -> None:
        self.machine, self.place, self._S = machine, place, machine.S
        self.peer: Ethernet | None = None
        self.problem = ""  # a sentence, where `serve` has refused an access
        self.follower: Follower | None = None
        self._by: tuple[int | None, int] = None, 0  # hart and pc of the access that is served
        record = machine.record
        chip = int(machine.S.tile.chip)
        self.kind = KINDS[chip]
        self._l1 = record.row(record.layout.slot("l1", "word"))
        # In `l1`, after what the tile has of it.
        self._kept_at = self.kind.l1_bytes
        self.packets = Packets(machine.S, self._l1, self._kept_at + END - FIRST)
        self.access = NocAccess(record, machine.memory, machine.engine.call)
        for niu in range(NIUS):
            if not chip:  # a Wormhole's is as of any tile (core/noc/translation.py)
                self._S.niu.word[niu, LOGICAL] = TRANSLATED_X + logical | TRANSLATED_Y << 6

    def power_up(self, local: Side, remote: Side) -> None:
        """Begin as base firmware leaves it: the link is up, the core that has it waits for a
        program, and the others are in reset."""
        S = self._S
        for addr, data in self.kind.contents(local, remote).items():
            self.machine.load_bytes(addr, data)
        for addr, value in self.kind.reset_values.items():
            self._keep(addr, value)
        if S.tile.chip:
            set_reset_pc_wormhole(S, NC, 0)
        else:
            S.tile_control.disable_reset = 1 << 6  # B's local RAM keeps the registers of reset
            for thread in range(3):
                S.tile_control.trisc_reset_pc[thread] = PARK
            S.tile_control.trisc_override = 7
            S.tile_control.ncrisc_reset_pc, S.tile_control.ncrisc_override = E1_CODE, 1
        first = 1 << self.kind.bits[0][1]
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

    def read(self, addr: int) -> int:
        """Return a register. MemoryFault if nothing is known of it."""
        kind = self.kind
        queue, offset = divmod(addr - TXQ, QUEUE)
        if queue < kind.queues:
            if offset == kind.busy[0]:
                return kind.busy[1] if self.packets.is_full() else 0
            if offset == CMD:
                return 0
            if offset in kind.txq_kept:
                return self._kept(addr)
        if addr == kind.link_status:
            return 0 if self.peer is None or self.packets.is_cut else 1
        if addr == kind.iram_load:
            return 0  # it has loaded
        if self._is_storage(addr) or self._is_rxq(addr):
            return self._kept(addr)
        raise MemoryFault(self._nothing(addr, "read"))

    def write(self, addr: int, value: int) -> None:
        """Write a register. MemoryFault if nothing is known of it, or of what it would do."""
        queue, offset = divmod(addr - TXQ, QUEUE)
        is_txq = queue < self.kind.queues
        if is_txq and offset == CMD:
            self._send(queue, value)
        elif is_txq and offset in self.kind.txq_kept:
            if offset == CONTROL and not value & TT_LINK_TX:
                raise MemoryFault(f"{self._where(addr)}: a TX queue in raw mode is not emulated")
            self._keep(addr, value)
        elif self._is_rxq(addr):
            if not value & TT_LINK_RX:
                raise MemoryFault(f"{self._where(addr)}: an RX queue in raw mode is not emulated")
            self._keep(addr, value)
        elif self._is_storage(addr):
            self._keep(addr, value)
        elif addr == self.kind.iram_load:
            self._load_iram(value << 4)
        else:
            raise MemoryFault(self._nothing(addr, "written"))

    def _load_iram(self, start: int) -> None:
        """Copy L1 to the core's instruction RAM.

        UNSPECIFIED(BabyRISCV/InstructionRAM.md): how long that takes; no time here."""
        data = bytes(self._l1[start : start + IRAM_BYTES])
        if start + IRAM_BYTES > self.kind.l1_bytes:
            raise MemoryFault(
                f"{self._where(self.kind.iram_load)}: L1 ends before {start:#x} + 16 KiB"
            )
        self._l1[IRAM_PLACE : IRAM_PLACE + IRAM_BYTES] = data
        self.machine.memory.drop_decoded(IRAM_PLACE, IRAM_PLACE + IRAM_BYTES)

    def _is_rxq(self, addr: int) -> bool:
        return addr in range(self.kind.rxq, self.kind.rxq + self.kind.queues * QUEUE, QUEUE)

    def _is_storage(self, addr: int) -> bool:
        return addr in self.kind.kept or addr in self.kind.kept_from

    def _where(self, addr: int) -> str:
        return f"register {addr:#x} of Ethernet tile {name_of(self.place)}"

    def _nothing(self, addr: int, done: str) -> str:
        return f"{self._where(addr)} is {done}, and nothing is known of it here"

    def _kept(self, addr: int) -> int:
        at = self._kept_at + addr - FIRST
        return int.from_bytes(self._l1[at : at + 4], "little")

    def _keep(self, addr: int, value: int) -> None:
        self._put(self._kept_at + addr - FIRST, value)

    def _put(self, at: int, value: int) -> None:
        """Write a word of L1."""
        self._l1[at : at + 4] = (value & 0xFFFFFFFF).to_bytes(4, "little")
        self.machine.memory.drop_decoded(at, at + 4)

    # Packets

    def _send(self, queue: int, command: int) -> None:
        """Take a packet: it leaves when the cable is free, and arrives some time after."""
        base = TXQ + QUEUE * queue
        has_words = queue < self.kind.queues_with_words
        if command not in (L1_WRITE, MMIO_WRITE) or (command == MMIO_WRITE and not has_words):
            raise MemoryFault(f"{self._where(base + CMD)}: command {command} is not emulated")
        if self.peer is None:
            raise MemoryFault(f"{self._where(base + CMD)}: no cable is in its port")
        if self.packets.is_full():
            raise MemoryFault(f"{self._where(base + CMD)} is written while the queue takes none")
        start, size, to = (self._kept(base + each) for each in (START, SIZE, DEST))
        if command == MMIO_WRITE:
            size, start = self._kept(base + DATA), 0
        elif (start | size | to) & 15 or max(start, to) + size > self.kind.l1_bytes:
            raise MemoryFault(
                f"{self._where(base + CMD)}: {size} bytes from {start:#x} to {to:#x} are no words "
                f"of 16 bytes in two L1s, which end at {self.kind.l1_bytes:#x}"
            )
        hart, pc = self._by
        self.packets.send(command, start, to, size, pc, sent_by(hart, queue))

    def arrive(self) -> None:
        """Write the first packet to the peer, which is awake. MemoryFault if it has nothing
        there."""
        peer, packet = self.peer, self.packets.take()
        assert peer is not None
        if packet is None:
            return
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
        if addr <= self.kind.heartbeat < addr + size:
            beats = int(self._S.tile.cycle) // CYCLES_A_BEAT & 0xFFFF
            self._put(self.kind.heartbeat, 0xABCD0000 | beats)
        if addr + size <= self.kind.l1_bytes:
            return self.access.read(addr, size)
        self._check(addr, size)
        if FIRST <= addr < END:
            return self.read(addr).to_bytes(4, "little")
        if addr == SOFT_RESET_0:
            held = int(self._S.tile_control.soft_reset)
            bits = sum(1 << own for own, bit in self.kind.bits if held >> bit & 1)
            return bits.to_bytes(4, "little")
        return self.access.read(addr, size)

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
