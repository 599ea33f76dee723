# SPDX-License-Identifier: Apache-2.0
"""Programs that print for ever: by semihosting, by DPRINT, and one in which the client prints.

Each gives lines that differ from the ones before and after them, so that a missing line is seen.
"""

from __future__ import annotations

from dataclasses import replace

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.debug.conditions import Op as AgentOp
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.semihosting.calls import Calls
from tensix_gdb.core.semihosting.operations import Op
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.tensix.capabilities.host_calls import TileCalls
from tensix_gdb.gdbstub.tensix.host.host import plain_host
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tests.assembler import asm, image, li
from tests.core.semihosting.program import DATA, SEQUENCE
from tests.gdbstub.tiles import loaded
from tests.machines import machine_on

LINES = 1000  # that are different; then they come again
LINE_BYTES = 64
BUFFER, RING = 0x30000, 400  # of debug prints: where, and bytes of messages
AUX = 20  # bytes before them
T0, T1, T2, A0, A1, S1 = 5, 6, 7, 10, 11, 9
SCHEDULES = {"sc": Schedule.SC, "latency": Schedule.LATENCY, "random": Schedule.RANDOM}


def line(number: int) -> bytes:
    """Return what is printed, in this order."""
    return b"line %03d of what the program prints, padded...................\n" % (number % LINES)


def machine_in(schedule: str) -> Machine:
    """A machine that starts in this schedule."""
    machine = machine_on("compiled")
    machine.reschedule(SCHEDULES[schedule])
    return machine


def wait(rounds: int) -> list[int]:
    """Instructions that take so many rounds of nothing."""
    return [*li(T1, rounds), asm("addi", rd=T1, rs1=T1, imm=-1), asm("bne", rs1=T1, imm=-4)]


def back(words: list[int]) -> int:
    """A jump from the end of these words to the first."""
    return asm("jal", imm=-4 * len(words))


def calling_tile(schedule: str = "sc", *, rounds: int = 1) -> SharedTile:
    """B prints `line` after `line` by semihosting, with so much time in between."""
    machine = machine_in(schedule)
    host = plain_host(machine)
    calls = Calls(host.console)
    machine.serve_calls(calls)
    for number in range(LINES):
        machine.load_bytes(DATA + LINE_BYTES * number, line(number) + b"\0")
    body = [*li(A0, Op.SYS_WRITE0), *SEQUENCE, *wait(rounds)]
    body.append(asm("addi", rd=A1, rs1=A1, imm=LINE_BYTES))
    body.append(asm("bne", rs1=A1, rs2=S1, imm=-4 * len(body)))
    words = [*li(A1, DATA), *li(S1, DATA + LINE_BYTES * LINES), *body]
    machine.load(B, image([*words, back(words)]))
    answering = TileCalls(machine, calls, host.console, by_gdb=False)
    return SharedTile(tensix_target(machine, host=replace(host, calls=answering)))


def dprint_tile(schedule: str = "sc", *, rounds: int = 1) -> SharedTile:
    """B puts messages without arguments into the buffer of debug prints, and waits until each was
    read. Without a file that has its strings, what is shown is the number of the print, which is
    where in the ring it lies."""
    machine = machine_in(schedule)
    host = plain_host(machine)
    begin = [*li(T0, 0), *li(T2, BUFFER), *li(S1, RING)]
    body = [
        asm("slli", rd=A0, rs1=T0, imm=16),  # the header: the number, and nothing else
        asm("add", rd=A1, rs1=T2, rs2=T0),
        asm("sw", rs1=A1, rs2=A0, imm=AUX),
        asm("addi", rd=T0, rs1=T0, imm=4),
        asm("bne", rs1=T0, rs2=S1, imm=8),
        asm("addi", rd=T0),
        asm("sw", rs1=T2, rs2=T0),
        asm("lw", rd=A0, rs1=T2, imm=4),
        asm("bne", rs1=A0, rs2=T0, imm=-4),
        *wait(rounds),
    ]
    machine.load(B, image([*begin, *body, back(body)]))
    assert host.prints.start(f"{BUFFER:#x},{AUX + RING}") is not None
    return SharedTile(tensix_target(machine, host=host))


def dprinted(number: int) -> bytes:
    """Return what is shown of these prints, in this order."""
    what = b"print %d with 0 bytes" % (4 * number % RING)
    return b"B: <%b: no file with prints is loaded for B>\n" % what


LOOP = 0x10  # an instruction that B of tiles.py executes again and again


def counting_tile(schedule: str = "sc") -> SharedTile:
    """A tile without anything that prints; see `PRINTING`."""
    return SharedTile(tensix_target(loaded(machine_in(schedule))))


def _printf(form: bytes, register: int) -> bytes:
    values = bytes([AgentOp.REG, 0, register])
    channel = bytes([AgentOp.CONST8, 0, AgentOp.CONST8, 0])
    text = form + b"\0"
    code = values + channel + bytes([AgentOp.PRINTF, 1]) + len(text).to_bytes(2, "big") + text
    return b"X%x,%b" % (len(code) + 1, (code + bytes([AgentOp.END])).hex().encode("ascii"))


def printing(form: bytes, addr: int = LOOP) -> bytes:
    """GDB's dprintf, by the stub: whenever a hart comes there, with its x5, the counter of B."""
    return b"Z0,%x,4;cmds:0,%b" % (addr, _printf(form, 5))


PRINTING = printing(b"beat %d\n")


def beat(number: int) -> bytes:
    """Return what that prints, in this order."""
    return b"beat %d\n" % (number + 1)
