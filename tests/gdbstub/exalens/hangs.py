# SPDX-License-Identifier: Apache-2.0
"""Ten tiles that hang, each in another way: words of each hart."""

from __future__ import annotations

from collections.abc import Sequence

from tensix_gdb.core.arch.blackhole import NC, PUSH_BASE, T0, T1, B
from tensix_gdb.core.assembly.tensix_text import parse
from tensix_gdb.core.devices.semaphores import SEMAPHORE_BASE
from tests.assembler import SPIN, asm, li

A0, A1 = 10, 11
FLAG, MAILBOX, NIU_COUNTER = 0x9000, 0xFFEC1000, 0xFFB20208


def polls(addr: int) -> list[int]:
    """Until a word is not 0."""
    return [
        *li(A0, addr),
        asm("lw", rd=A1, rs1=A0),
        asm("beq", rs1=A1, rs2=0, imm=-4),
        SPIN,
    ]


def pushes(*texts: str) -> list[int]:
    """Push instructions to the own thread, then spin."""
    words = li(A0, PUSH_BASE)
    for text in texts:
        words += [*li(A1, parse(text)), asm("sw", rs1=A0, rs2=A1)]
    return [*words, SPIN]


def fills(text: str) -> list[int]:
    """Push an instruction that is held, then others until the FIFO is full."""
    return [
        *pushes(text)[:-1],
        *li(A1, parse("NOP")),
        asm("sw", rs1=A0, rs2=A1),
        asm("jal", imm=-4),
    ]


def loads_once(addr: int) -> list[int]:
    """A load that never comes back, and its use."""
    return [*li(A0, addr), asm("lw", rd=A1, rs1=A0), asm("add", rd=A1, rs1=A1, rs2=A1), SPIN]


SEMWAIT = "SEMWAIT block=ALL, sem=S1, wait=C0"
HANGS: dict[str, dict[int, Sequence[int]]] = {
    "a loop": {B: [asm("addi", rd=5, imm=77), SPIN]},
    "a flag in L1": {B: polls(FLAG)},
    "a mailbox that no hart fills": {T0: loads_once(MAILBOX)},
    "a semaphore that a core polls": {T0: polls(SEMAPHORE_BASE + 4)},
    "a semaphore at the gate": {T0: pushes(SEMWAIT, "SETDMAREG 0, 5, 0, 4")},
    "a bank that is not valid": {T1: pushes("STALLWAIT block=B6, wait=C7", "NOP")},
    "a mutex": {T0: pushes("ATGETM 0"), T1: pushes("NOP", "NOP", "NOP", "ATGETM 0", "NOP")},
    "a bank that does not come": {T1: pushes("MOVA2D 0, 0, 0, 0, 0")},
    "a full FIFO": {T0: fills(SEMWAIT)},
    "a counter of the NoC": {NC: polls(NIU_COUNTER)},
}
