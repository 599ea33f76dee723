# SPDX-License-Identifier: Apache-2.0
"""Mover (Mover.md): bulk copies of memory, which go on in the background."""

from core.isa.masks import Block
from core.isa.schema import Unused
from core.tensix.instruction import WH, Group, Unit, tensix

MOVER = Group(Unit.MOVER, operands={}, blocked_by=Block.B0 | Block.B4)

# XMOV.md: both parameters of LLK's macro are 0.
MOVER.instruction(
    "XMOV",
    tensix(0x40, Unused(24)),
    llk="Mov_block_selection@23 Last@0",
    ttsync=10,
    latency="1+",
    page=WH + "XMOV.md",
    summary="Start the copy that THCON_SEC0_REG6 describes, as soon as the mover can.",
)
