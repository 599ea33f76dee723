# SPDX-License-Identifier: Apache-2.0
"""The four registers of the tile that reach the debug registers of its cores (risc_debug.py)."""

from tensix_gdb.core.devices.debug import risc_debug
from tensix_gdb.core.devices.debug.risc_debug import IS_WRITE, READ_VALID, TRIGGER
from tensix_gdb.core.devices.registers import Access, Bits, Register
from tensix_gdb.core.record.layout import View

COLD = True  # little time of LLVM for it (core/engine/README.md)


def set_cntl0(S: View, hart: int, addr: int, value: int) -> int:
    """Bit 31 going from 0 to 1 reads or writes a DR."""
    if value & TRIGGER and not S.tile_control.debug_cntl0 & TRIGGER:
        core = (value >> 17) & 3
        if value & IS_WRITE:
            status = risc_debug.write_dr(S, hart, core, value & 0x7FF, S.tile_control.debug_cntl1)
            if status < 0:
                return status
            S.tile_control.debug_status0 &= ~READ_VALID
        else:
            S.tile_control.debug_status1 = risc_debug.dr(S, core, value & 0x7FF)
            S.tile_control.debug_status0 |= READ_VALID
    S.tile_control.debug_cntl0 = value
    written = 1 << ((value >> 17) & 3) if value & IS_WRITE else 0
    echo = (value & 0x7FF) | written << 13 | (value & TRIGGER)
    S.tile_control.debug_status0 = echo | (S.tile_control.debug_status0 & READ_VALID)
    return 0


_PAGE = "WormholeB0 BabyRISCV/DebugInterface.md"

# fmt: off
REGISTERS = (
    Register(0x080, "RISC_DBG_CNTL_0", Access.READ_WRITE, "reads or writes a debug register",
             write=set_cntl0, row="debug_cntl0", page=_PAGE, fields=(
                 Bits(0, 11, "DR_i"), Bits(16, 1, "IsWrite"),
                 Bits(17, 2, "Which_RISCV", "0 B, 1 T0, 2 T1, 3 T2"),
                 Bits(31, 1, "Trigger", "acts when it goes from 0 to 1"))),
    Register(0x084, "RISC_DBG_CNTL_1", Access.READ_WRITE, "what is written to a debug register",
             row="debug_cntl1", page=_PAGE),
    Register(0x088, "RISC_DBG_STATUS_0", Access.IGNORES_WRITES, "echo of CNTL_0",
             row="debug_status0", page=_PAGE, fields=(
                 Bits(0, 11, "DR_i"), Bits(13, 4, "IsWrite << Which_RISCV"),
                 Bits(30, 1, "STATUS_1 is valid"), Bits(31, 1, "Trigger"))),
    Register(0x08C, "RISC_DBG_STATUS_1", Access.IGNORES_WRITES, "what was read",
             row="debug_status1", page=_PAGE),
)
# fmt: on
