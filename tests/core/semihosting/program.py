# SPDX-License-Identifier: Apache-2.0
"""Programs of semihosting calls, one after the other, whose answers are kept in memory."""

from __future__ import annotations

from collections.abc import Iterable

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.semihosting.operations import APPLICATION_EXIT, Op
from tests.assembler import EBREAK, SPIN, asm, image, li

SEQUENCE = [0x01F01013, EBREAK, 0x40705013]  # slli x0, x0, 0x1f; ebreak; srai x0, x0, 7
ANSWERS = 0x10000  # where the answer of each call is put, one word each
BLOCK = 0x11000  # argument blocks, 64 bytes each
DATA = 0x12000  # what they point to, 256 bytes each
EXIT = (Op.SYS_EXIT, APPLICATION_EXIT)


def block(number: int) -> int:
    """The argument block of a call."""
    return BLOCK + 64 * number


def data(number: int) -> int:
    """The memory that a call points to."""
    return DATA + 256 * number


def program(calls: Iterable[tuple[int, int]]) -> list[int]:
    """Make these calls (operation, argument), keep the answers, and spin."""
    words = li(8, ANSWERS)
    for operation, argument in calls:
        words += [*li(10, operation), *li(11, argument), *SEQUENCE]
        words += [asm("sw", rs1=8, rs2=10), asm("addi", rd=8, rs1=8, imm=4)]
    return [*words, SPIN]


def load(machine: Machine, calls: Iterable[tuple[int, int]], hart: int = B, at: int = 0) -> None:
    """Let a hart make these calls."""
    machine.load(hart, image(program(calls), at))


def fill(machine: Machine, number: int, *fields: int, text: bytes = b"") -> None:
    """Fill a call's block and its memory."""
    words = b"".join((field & 0xFFFFFFFF).to_bytes(4, "little") for field in fields)
    machine.load_bytes(block(number), words or bytes(4))
    if text:
        machine.load_bytes(data(number), text)


def answers(machine: Machine, count: int) -> list[int]:
    """Return the answers of the calls, signed."""
    raw = machine.peek(B, ANSWERS, 4 * count)
    return [int.from_bytes(raw[i : i + 4], "little", signed=True) for i in range(0, len(raw), 4)]
