# SPDX-License-Identifier: Apache-2.0
"""Waits as remedies: the block mask that holds an instruction, the condition of a line."""

from __future__ import annotations

from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.masks import Block
from tensix_gdb.core.race.lines import Line, Region
from tensix_gdb.core.race.remedies.end import End
from tensix_gdb.core.race.remedies.remedy import Remedy, RemedyKind, Spot
from tensix_gdb.core.tensix.instruction import Unit
from tensix_gdb.core.tensix.table import ROWS
from tensix_gdb.core.tensix.wormhole import CONDITIONS

# Conditions of STALLWAIT, as bits of Blackhole's mask.
THCON, UNPACK0, UNPACK1, PACK, MATH = (1 << i for i in range(5))
SRCA_VLD, SRCB_VLD, XMOV, TRISC_CFG, SFPU, CFGEXU = (1 << i for i in range(7, 13))
_PACKERS_OF_WORMHOLE = 0x78
_BLOCKS = {
    Unit.SYNC: Block.B1,
    Unit.PACKER: Block.B2,
    Unit.UNPACKER: Block.B3,
    Unit.MOVER: Block.B4,
    Unit.THCON: Block.B5,
    Unit.FPU: Block.B6,
    Unit.CONFIG: Block.B7,
    Unit.SFPU: Block.B8,
}
CONDITION_OF = {
    Line.PIPE: CFGEXU,
    Line.LATE_GPR: CFGEXU,
    Line.SCALAR: THCON,
    Line.MEMORY: THCON,
    Line.UNPACKER_0: UNPACK0,
    Line.UNPACKER_1: UNPACK1,
    Line.PACKER: PACK,
    Line.MATRIX: MATH,
    Line.VECTOR: SFPU,
}
# What STALLWAIT C10 counts.
COUNTED = (Region.GPR, Region.CONFIG, Region.TDMA)


def block_of(mnemonic: str) -> Block:
    """Return the block mask that holds an instruction back: the bit of its unit."""
    unit = next((row.unit for row in ROWS if row.mnemonic == mnemonic), None)
    return _BLOCKS.get(unit, Block.ALL) if unit else Block.ALL


def condition_of(end: End) -> int:
    """Return the condition that is about the unit of an instruction; 0 if none is."""
    if end.line.agent == "mover":
        return XMOV
    return CONDITION_OF.get(end.line.line, 0) if end.line.line is not None else 0


def stallwait(
    arch: Arch,
    block: int,
    conditions: int,
    where: str,
    spots: tuple[Spot, ...],
    *would_not: str,
) -> Remedy:
    """Return a STALLWAIT for Blackhole's conditions, or what takes its place on Wormhole: there no
    condition is about the Configuration Unit."""
    if arch is Arch.WORMHOLE:
        if conditions & CFGEXU:
            return Remedy(
                RemedyKind.NOP, "right after the instruction that writes the configuration",
                spots, "TTI_NOP", arch=arch,
                would_not=("STALLWAIT, which has no condition for that unit there",),
            )  # fmt: skip
        conditions = of_wormhole(conditions)
    return Remedy(
        RemedyKind.STALLWAIT, where, spots, "TTI_STALLWAIT", int(block), conditions,
        would_not=would_not, arch=arch,
    )  # fmt: skip


def semwait(
    arch: Arch,
    block: int,
    conditions: int,
    semaphore: int,
    where: str,
    spots: tuple[Spot, ...],
    *would_not: str,
) -> Remedy:
    """Return a SEMWAIT for one semaphore: until it is not zero (1), or below its Max (2)."""
    return Remedy(
        RemedyKind.SEMWAIT, where, spots, "TTI_SEMWAIT", int(block), conditions, semaphore,
        would_not=would_not, arch=arch,
    )  # fmt: skip


def of_wormhole(conditions: int) -> int:
    """Return Blackhole's conditions in Wormhole's bits; its packer is all four of them."""
    own = sum(1 << i for i, each in enumerate(CONDITIONS) if each & conditions)
    return own | (_PACKERS_OF_WORMHOLE if conditions & PACK else 0)
