# SPDX-License-Identifier: Apache-2.0
"""Programs that poll, for tests: T0 waits for a word of L1, in loops of several kinds."""

from __future__ import annotations

from tests.assembler import EBREAK, asm, li

FLAG, OTHER, STACK = 0x20000, 0x20040, 0xFFB00400
X5, X6, X7, X8, A0, SP, RA = 5, 6, 7, 8, 10, 2, 1
# As tt-metal sets cfg0: the L0 data cache is on, and drops nothing by itself.
KEEPS_LINES = [*li(X5, 8), asm("csrrc", rs1=X5, imm=0x7C0), *li(X5, 1 << 24),
               asm("csrrs", rs1=X5, imm=0x7C0)]  # fmt: skip


def until(branch: str, number: int, *between: int, addr: int = FLAG) -> list[int]:
    """Load a word again and again until `branch`, with a number as its second operand, falls
    through."""
    loop = [asm("lw", rd=X6, rs1=X5), *between]
    again = asm(branch, rs1=X6, rs2=X8, imm=-4 * len(loop))
    return [*li(X5, addr), *li(X8, number), *loop, again, EBREAK]


COUNT = asm("addi", rd=X7, rs1=X7, imm=1)
COUNTS = until("bne", 1, COUNT)
TIMES_OUT = [
    *li(X5, FLAG),
    *li(X8, 1_000_000),
    asm("lw", rd=X6, rs1=X5),
    COUNT,
    asm("beq", rs1=X7, rs2=X8, imm=8),
    asm("beq", rs1=X6, imm=-12),
    EBREAK,
]
# What a compiler without optimization makes of a counter.
COUNTS_ON_STACK = [
    *li(X5, FLAG),
    *li(SP, STACK),
    asm("lw", rd=X6, rs1=X5),
    asm("lw", rd=X7, rs1=SP, imm=12),
    COUNT,
    asm("sw", rs1=SP, rs2=X7, imm=12),
    asm("beq", rs1=X6, imm=-16),
    EBREAK,
]
CALLS = [
    asm("jal", imm=24),
    *li(X5, FLAG),
    asm("lw", rd=A0, rs1=X5),
    asm("sw", rs1=SP, rs2=RA, imm=12),
    asm("jalr", rs1=RA),
    *li(SP, STACK),
    asm("jal", rd=RA, imm=-28),
    asm("sltiu", rd=A0, rs1=A0, imm=3),
    asm("bne", rs1=A0, imm=-8),
    EBREAK,
]
# A variable that a debugger may look at.
HEARTBEAT = until("bne", 1, *li(X7, STACK - 0x100), asm("lw", rd=9, rs1=X7),
                  asm("addi", rd=9, rs1=9, imm=1), asm("sw", rs1=X7, rs2=9))  # fmt: skip
STRLEN = [*li(X5, FLAG), asm("lw", rd=X6, rs1=X5), asm("addi", rd=X5, rs1=X5, imm=4),
          asm("beq", rs1=X6, imm=-8), EBREAK]  # fmt: skip
STORES = until("bne", 1, asm("sw", rs1=X5, rs2=X7, imm=16))
