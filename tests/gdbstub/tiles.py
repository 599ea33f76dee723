# SPDX-License-Identifier: Apache-2.0
"""A tile with a small program on three harts, and clients of it without any I/O.

B   0x0000  lui x6, 0x10; lui x7, 0xffb00
    0x0008  addi x5, x5, 1; sw x5, 0(x6); sw x5, 0x100(x7); lw x28, 0x100(x7); j 0x8
    0x001c  ebreak
T0  0x6000  lui x7, 0xffb00
    0x6004  addi x5, x5, 2; sw x5, 0x100(x7); .ttinsn (a NOP); j 0x6004
T1  0xa000  j 0xa000
    0xa004  addi x5, x5, 1; ebreak; addi x5, x5, 16; j 0xa010
T2 and NC are in reset.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tensix_gdb.core.arch.blackhole import T0, T1, B
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import Image, Segment
from tensix_gdb.core.semihosting.calls import Calls
from tensix_gdb.core.semihosting.operations import APPLICATION_EXIT, Op
from tensix_gdb.gdbstub.protocol.session import Session
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.tensix.capabilities.host_calls import ClientConsole, TileCalls
from tensix_gdb.gdbstub.tensix.host.host import plain_host
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tests.assembler import EBREAK, asm
from tests.core.semihosting.program import block, data, fill, load
from tests.gdbstub import wire
from tests.machines import machine_on

L1, LOCAL, X5, X6, X7 = 0x10000, 0xFFB00000, 5, 6, 7
TTINSN_NOP = 0x08000000

PROGRAMS: dict[int, tuple[int, list[int]]] = {
    B: (
        0x0000,
        [
            asm("lui", rd=X6, imm=L1),
            asm("lui", rd=X7, imm=LOCAL - (1 << 32)),
            asm("addi", rd=X5, rs1=X5, imm=1),
            asm("sw", rs1=X6, rs2=X5, imm=0),
            asm("sw", rs1=X7, rs2=X5, imm=0x100),
            asm("lw", rd=28, rs1=X7, imm=0x100),
            asm("jal", imm=-16),
            EBREAK,
        ],
    ),
    T0: (
        0x6000,
        [
            asm("lui", rd=X7, imm=LOCAL - (1 << 32)),
            asm("addi", rd=X5, rs1=X5, imm=2),
            asm("sw", rs1=X7, rs2=X5, imm=0x100),
            TTINSN_NOP,
            asm("jal", imm=-12),
        ],
    ),
    T1: (
        0xA000,
        [
            asm("jal"),
            asm("addi", rd=X5, rs1=X5, imm=1),
            EBREAK,
            asm("addi", rd=X5, rs1=X5, imm=16),
            asm("jal"),
        ],
    ),
}


def loaded(machine: Machine) -> Machine:
    """The machine with the programs in it."""
    for hart, (addr, words) in PROGRAMS.items():
        data = b"".join(word.to_bytes(4, "little") for word in words)
        content = b"\x7fELF of hart %d" % hart + bytes(100) + b"}#$*"
        path = Path(f"/nowhere/{hart}.elf")
        machine.load(hart, Image(path, addr, (Segment(addr, data),), content))
    return machine


def new_tile(
    engine: str = "reference", *, run_at_once: bool = False, processes: bool = False
) -> SharedTile:
    """A tile that runs only when it is told to, unless `run_at_once`."""
    target = tensix_target(loaded(machine_on(engine)), processes=processes)
    return SharedTile(target, run_at_once=run_at_once)


def calling_tile(engine: str = "reference", *, processes: bool = False) -> SharedTile:
    """A tile whose program writes, reads and ends by calls that its client is to answer."""
    machine = machine_on(engine)
    console = ClientConsole()
    host = Calls(console)
    machine.serve_calls(host)
    fill(machine, 0, text=b"hello\0")
    fill(machine, 1, 0, data(1), 16)
    fill(machine, 2, APPLICATION_EXIT, 7)
    calls = [(Op.SYS_WRITE0, data(0)), (Op.SYS_READ, block(1)), (Op.SYS_EXIT_EXTENDED, block(2))]
    load(machine, calls)
    served = TileCalls(machine, host, console, by_gdb=True)
    side = replace(plain_host(machine), console=console, calls=served)
    target = tensix_target(machine, host=side, processes=processes)
    return SharedTile(target, run_at_once=False)


class Client:
    """A client of a tile: sends bytes, checks that what comes back is well-formed."""

    def __init__(self, tile: SharedTile, name: str = "client") -> None:
        self.tile = tile
        self.session: Session = tile.join(name)
        self.defects_expected = False

    def send(self, data: bytes) -> list[bytes]:
        """Send bytes as they are; what comes back, acks and payloads (see wire.answers)."""
        return wire.answers(self.exchange(data))

    def exchange(self, data: bytes) -> bytes:
        """Send bytes; the bytes that come back."""
        self.session.receive(data)
        return self._outgoing()

    def read(self) -> list[bytes]:
        """Return what has come meanwhile, acks and payloads."""
        return wire.answers(self._outgoing())

    def _outgoing(self) -> bytes:
        """Return what is to be sent. As a server does, get back to what is unanswered. A defect of
        ours is a sentence to clients, and fails a test."""
        out = bytearray(self.session.stream.take_outgoing())
        while self.session.unanswered:
            self.session.proceed()
            out += self.session.stream.take_outgoing()
        assert self.defects_expected or not self.tile.defects.all(), self.tile.defects.all()
        return bytes(out)

    def send_only(self, payload: bytes | str) -> list[bytes]:
        """Send one packet; what comes back at once."""
        data = payload.encode("latin-1") if isinstance(payload, str) else payload
        return self.send(wire.frame(data))

    def ask(self, payload: bytes | str) -> bytes:
        """Send one packet, let the tile run up to a stop, return the last packet that came."""
        came = self.send_only(payload)
        while self.tile.running:
            self.tile.advance_to(self.tile.target.execution.clock() + 10_000)
        came += self.read()
        packets = [one for one in came if one not in (wire.ACK, wire.NAK)]
        return packets[-1] if packets else b"(nothing)"
