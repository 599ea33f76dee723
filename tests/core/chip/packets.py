# SPDX-License-Identifier: Apache-2.0
"""Programs of an Ethernet tile that send packets, for either chip."""

from __future__ import annotations

from tensix_gdb.core.chip.ethernet.kind import CMD, DATA, DEST, SIZE, START, TXQ
from tests.assembler import asm, li
from tests.core.chip.programs import store

BYTES = 256
PATTERN = bytes(range(BYTES))
ENOUGH = 4000
RETURN = asm("jalr", rs1=1)


def packet_when(ready: int, command: int, **fields: int) -> list[int]:
    """Wait until a register of queue 0, by its offset, reads 0, and send a packet from it."""
    words = [*li(10, TXQ + ready), asm("lw", rd=11, rs1=10), asm("bne", rs1=11, rs2=0, imm=-4)]
    offsets = {"start": START, "size": SIZE, "dest": DEST, "data": DATA}
    for name, value in fields.items():
        words += store(TXQ + offsets[name], value)
    return words + store(TXQ + CMD, command)
