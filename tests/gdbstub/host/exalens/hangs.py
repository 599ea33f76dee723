# SPDX-License-Identifier: Apache-2.0
"""Ten tiles that hang, each in another way: words of each hart."""

from __future__ import annotations

from collections.abc import Sequence

from tensix_gdb.core.arch.blackhole import LOCAL_BASE, NC, PUSH_BASE, T0, T1, T2, B
from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.devices.backend_config import CONFIG_BASE
from tensix_gdb.core.devices.gprs import GPR_BASE
from tensix_gdb.core.devices.niu import NIU_BASE, NIU_STRIDE
from tensix_gdb.core.devices.semaphores import SEMAPHORE_BASE
from tests.assembler import SPIN, asm, li

A0, A1, A2 = 10, 11, 12
FLAG, MAILBOX, NIU_COUNTER = 0x9000, 0xFFEC1000, 0xFFB20208
DONE = 0x9100  # the company's T2 has filled everything


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


# What the cores that do not hang do, so that a tile has something in all that hardware shows.


def fills_words(addr: int, count: int, value: int) -> list[int]:
    """Words that count up from `value`."""
    return [
        *(*li(A0, addr), *li(A1, value), *li(A2, addr + 4 * count)),
        *(asm("sw", rs1=A0, rs2=A1), asm("addi", rd=A1, rs1=A1, imm=1)),
        *(asm("addi", rd=A0, rs1=A0, imm=4), asm("bne", rs1=A0, rs2=A2, imm=-12)),
    ]


def company(number: int) -> dict[int, Sequence[int]]:
    """B, T0 and T1 wait; T2 fills local RAM, GPRs, configuration, an NIU, Dst, counters and
    semaphores, others for each number, and waits."""
    value = 0x1000 * (number + 1)
    pushed = (
        *("SETRWC 0, 0, 5, 4, 3, 7", "SETADCXY 4, 1, 2, 3, 4, 15", "SETADCZW 4, 1, 2, 3, 4, 15"),
        *(f"SETC16 {15 + word}, {value + word}" for word in range(4)),
        *(f"SFPLOADI 0, 2, {value + 77}", "SFPSTORE 0, 6, 0, 8", "SFPSTORE 0, 6, 0, 600"),
        *(f"SEMINIT 15, {number + 1}, 128", "SEMINIT 7, 3, 64"),
    )
    words = [
        *fills_words(LOCAL_BASE, 200, value << 8),
        *fills_words(GPR_BASE, 64, value << 4),
        *fills_words(CONFIG_BASE + 4 * 12, 20, value << 2),
        *fills_words(NIU_BASE + NIU_STRIDE, 6, value << 1),
        *pushes(*pushed)[:-1],
        *(*li(A0, DONE), *li(A1, 1), asm("sw", rs1=A0, rs2=A1), SPIN),
    ]
    return {B: [SPIN], T0: [SPIN], T1: [SPIN], T2: words}
