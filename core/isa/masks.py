# SPDX-License-Identifier: Apache-2.0
"""Names of the bits in wait instructions and their like, as the pages and as LLK write them.

Pages: STALLWAIT.md, SEMWAIT.md, STREAMWAIT.md, FLUSHDMA.md of both architectures, AutoTTSync.md.
LLK's names are those of `ckernel_instr_params.h` (`p_stall`), which has the same name with another
value on the other architecture: `TRISC_CFG` is C10 on Blackhole and C13 on Wormhole.
"""

from __future__ import annotations

import enum

from tensix_gdb.core.isa.operand import Bits, Choice, Name


class Block(enum.IntFlag):
    """Bits of a block mask: which instructions may not pass the wait gate."""

    B0 = 1 << 0
    B1 = 1 << 1
    B2 = 1 << 2
    B3 = 1 << 3
    B4 = 1 << 4
    B5 = 1 << 5
    B6 = 1 << 6
    B7 = 1 << 7
    B8 = 1 << 8
    ALL = 0x1FF


# A block mask of 0 acts as this one.
DEFAULT_BLOCK_MASK = Block.B6

# fmt: off
BLOCK_MASK = Bits(also={"NONE": 0}, names=(
    Name("ALL", 0x1FF, ("STALL_THREAD",),   "every instruction that reaches the wait gate"),
    Name("B0",  0x001, ("STALL_TDMA",),     "Misc, Mover, ThCon, Packer, Unpackers"),
    Name("B1",  0x002, ("STALL_SYNC",),     "Sync Unit"),
    Name("B2",  0x004, ("STALL_PACK",),     "Packer"),
    Name("B3",  0x008, ("STALL_UNPACK",),   "Unpackers"),
    Name("B4",  0x010, ("STALL_XMOV",),     "Mover"),
    Name("B5",  0x020, ("STALL_THCON",),    "Scalar Unit (ThCon)"),
    Name("B6",  0x040, ("STALL_MATH",),     "Matrix Unit (FPU)"),
    Name("B7",  0x080, ("STALL_CFG",),      "Configuration Unit"),
    Name("B8",  0x100, ("STALL_SFPU",),     "Vector Unit (SFPU)"),
))

_THCON = "the Scalar Unit has memory requests of this thread outstanding"
_SRCA_CLEARED = "Unpacker 0's bank of SrcA does not belong to the unpackers"
_SRCB_CLEARED = "Unpacker 1's bank of SrcB does not belong to the unpackers"
_SRCA_VALID = "the Matrix Unit's bank of SrcA does not belong to it"
_SRCB_VALID = "the Matrix Unit's bank of SrcB does not belong to it"
_MOVER = "the Mover has memory requests of any thread outstanding"
_CONFIG = "any thread has an instruction in the Configuration Unit"
_RISCV = ("the thread's T core has a request to Tensix GPRs, configuration or TDMA-RISC "
          "emitted and not yet processed")


def _busy(unit: str) -> str:
    return f"this thread has an instruction in {unit}"


CONDITIONS_BLACKHOLE = Bits(also={"UNPACK": 0x6, "ALL_THREAD_RES": 0x21F, "NONE": 0}, names=(
    Name("C0",  1 << 0,  ("THCON",),                _THCON),
    Name("C1",  1 << 1,  ("UNPACK0",),              _busy("Unpacker 0")),
    Name("C2",  1 << 2,  ("UNPACK1",),              _busy("Unpacker 1")),
    Name("C3",  1 << 3,  ("PACK", "PACK0"),         _busy("the Packer")),
    Name("C4",  1 << 4,  ("MATH",),                 _busy("the Matrix Unit")),
    Name("C5",  1 << 5,  ("SRCA_CLR",),             _SRCA_CLEARED),
    Name("C6",  1 << 6,  ("SRCB_CLR",),             _SRCB_CLEARED),
    Name("C7",  1 << 7,  ("SRCA_VLD",),             _SRCA_VALID),
    Name("C8",  1 << 8,  ("SRCB_VLD",),             _SRCB_VALID),
    Name("C9",  1 << 9,  ("XMOV",),                 _MOVER),
    Name("C10", 1 << 10, ("TRISC_CFG",),            _RISCV),
    Name("C11", 1 << 11, ("WAIT_SFPU", "SFPU1"),    _busy("the Vector Unit")),
    Name("C12", 1 << 12, ("CFGEXU",),               _CONFIG),
))

_ALSO_WORMHOLE = {"UNPACK": 0x6, "PACK": 0x78, "ALL_THREAD_RES": 0x10FF, "NONE": 0}
CONDITIONS_WORMHOLE = Bits(also=_ALSO_WORMHOLE, names=(
    Name("C0",  1 << 0,  ("THCON",),                _THCON),
    Name("C1",  1 << 1,  ("UNPACK0",),              _busy("Unpacker 0")),
    Name("C2",  1 << 2,  ("UNPACK1",),              _busy("Unpacker 1")),
    Name("C3",  1 << 3,  ("PACK0",),                _busy("Packer 0")),
    Name("C4",  1 << 4,  ("PACK1",),                _busy("Packer 1")),
    Name("C5",  1 << 5,  ("PACK2",),                _busy("Packer 2")),
    Name("C6",  1 << 6,  ("PACK3",),                _busy("Packer 3")),
    Name("C7",  1 << 7,  ("MATH",),                 _busy("the Matrix Unit")),
    Name("C8",  1 << 8,  ("SRCA_CLR",),             _SRCA_CLEARED),
    Name("C9",  1 << 9,  ("SRCB_CLR",),             _SRCB_CLEARED),
    Name("C10", 1 << 10, ("SRCA_VLD",),             _SRCA_VALID),
    Name("C11", 1 << 11, ("SRCB_VLD",),             _SRCB_VALID),
    Name("C12", 1 << 12, ("XMOV",),                 _MOVER),
    Name("C13", 1 << 13, ("TRISC_CFG",),            _RISCV),
    Name("C14", 1 << 14, ("WAIT_SFPU", "SFPU1"),    _busy("the Vector Unit")),
))

# The four low bits of STALLWAIT's condition mask; the packer is Packer 0 on Wormhole.
CONDITIONS_FLUSHDMA = Bits(names=(
    Name("C0",  1 << 0,  ("THCON",),                _THCON),
    Name("C1",  1 << 1,  ("UNPACK0",),              _busy("Unpacker 0")),
    Name("C2",  1 << 2,  ("UNPACK1",),              _busy("Unpacker 1")),
    Name("C3",  1 << 3,  ("PACK0", "PACK"),         _busy("Packer 0 (on Blackhole, the packer)")),
))

CONDITIONS_SEMWAIT = Bits(names=(
    Name("C0",  1 << 0,  ("STALL_ON_ZERO",),        "a selected semaphore has Value == 0"),
    Name("C1",  1 << 1,  ("STALL_ON_MAX",),         "a selected semaphore has Value >= Max"),
))

CONDITION_STREAMWAIT = Choice(always=True, names=(
    Name("C0",  0,  (),  "the stream's current phase is below the target"),
    Name("C1",  1,  (),  "the stream received fewer messages than the target"),
))

SEMAPHORES = Bits(names=tuple(
    Name(f"S{i}", 1 << i, (f"SEMAPHORE_{i}",),      f"semaphore {i}") for i in range(8)
))

# RESOURCEDECL, AutoTTSync.md.
RESOURCES = Bits(names=(
    Name("RD_CFG",  1 << 0, (), "reads shared configuration"),
    Name("WR_CFG",  1 << 1, (), "writes shared configuration"),
    Name("UNP0",    1 << 2, (), "configuration of Unpacker 0"),
    Name("UNP1",    1 << 3, (), "configuration of Unpacker 1"),
    Name("REST",    1 << 4, (), "configuration of neither unpacker"),
    Name("RD_GPR",  1 << 5, (), "reads GPRs"),
    Name("WR_GPR",  1 << 6, (), "writes GPRs"),
    Name("RD_TDMA", 1 << 7, (), "reads TDMA-RISC"),
    Name("WR_TDMA", 1 << 8, (), "writes TDMA-RISC"),
))
# fmt: on

# What each Auto TTSync class has until a RESOURCEDECL says otherwise (AutoTTSync.md).
DEFAULT_RESOURCES = (
    0x060,  # 0: ALU group, SETDMAREG
    0x060,  # 1: ATINCGET, ATINCGETPTR, ATSWAP, ATCAS
    0x1E0,  # 2: REG2FLOP
    0x060,  # 3: LOADIND, STOREIND
    0x01F,  # 4: STREAMWRCFG, CFGSHIFTMASK
    0x020,  # 5: STOREREG
    0x040,  # 6: LOADREG
    0x100,  # 7: FLUSHDMA
    0x03E,  # 8: WRCFG
    0x05D,  # 9: RDCFG
    0x07F,  # 10: XMOV
    0x19D,  # 11: UNPACR, UNPACR_NOP
    0x191,  # 12: PACR
    0x1FF,  # 13: MOP
    0x1FF,  # 14: REPLAY
    0x011,  # 15: everything else
)
