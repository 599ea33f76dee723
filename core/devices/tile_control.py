# SPDX-License-Identifier: Apache-2.0
"""Tile control, debug and status registers (TileControlDebugStatus.md, SoftReset.md).

The table joins what several devices have in this page of the address space: soft reset (what it
does is in soft_reset.py) and reset pcs, which are here, and the debug interface, timestamper, debug
bus, push registers, PCBuf overrides and performance counters (core/perf), which have files of their
own. Registers that are known by
a name in `tensix.h` only stop the hart by that name.

UNSPECIFIED(SoftReset.md): stores narrower than a word; they stop the hart.
"""

from tensix_gdb.core.arch.blackhole import SOFT_RESET_HARTS, SOFT_RESET_WRITABLE, TILE_CONTROL_BASE
from tensix_gdb.core.devices import backend_config, pcbufs, push, timestamper
from tensix_gdb.core.devices.debug import debug_bus, debug_registers, risc_debug, samples
from tensix_gdb.core.devices.registers import (
    Access,
    Bits,
    Register,
    RegisterBlock,
    extract,
)
from tensix_gdb.core.devices.soft_reset import set_soft_reset
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.perf import control as perf_control
from tensix_gdb.core.perf.fields import PERF
from tensix_gdb.core.record.layout import Chapter, Part, Tag, View, row
from tensix_gdb.core.stop import fault

DST_ROWS, DEBUG_ARRAY_DST = 1024, 2  # of DBG_ARRAY_RD_CMD


def kept(S: View, hart: int, addr: int) -> int:
    """Return the word that was written."""
    return S.tile_control.word[SLOT[(addr & 0xFFF) >> 2]]


def keep(S: View, hart: int, addr: int, value: int) -> int:
    """Hold what is written, as far as it has bits."""
    slot = SLOT[(addr & 0xFFF) >> 2]
    S.tile_control.word[slot] = value & KEPT_BITS[slot]
    return 0


def write_soft_reset(S: View, hart: int, addr: int, value: int) -> int:
    """SOFT_RESET_0: what changes enters or leaves reset."""
    return set_soft_reset(S, value)


def array_read_data(S: View, hart: int, addr: int) -> int:
    """DBG_ARRAY_RD_DATA, or the fault of a row of SrcA or SrcB.

    UNSPECIFIED: what is in these two arrays; ttsim, too, ends with MissingSpecification. Of SrcA an
    engineer of Tenstorrent says only that its rows are read in every cycle while it is selected
    (tt-metal#48647). LLK and tt-exalens read SrcA by way of Dst, with MOVDBGA2D, which works here.
    For SrcB both push SHIFTXB, which is to latch rows: LLK's ckernel_debug.h with half the number
    of the row, and then reads row 0 or 1 of the array; tt-exalens with the whole number, and then
    reads that row, in lines that are commented out since it calls SrcB not supported. No program of
    theirs uses either.
    """
    value = array_word(S, hart, addr)
    return fault(S, hart, Fault.UNIMPLEMENTED_REGISTER, addr, 4) if value < 0 else value


def array_word(S: View, hart: int, addr: int) -> int:
    """Return two datums of a row of DstBits, as they are there, the left one in the low half: LLK's
    debug helpers store the words of a row one after another. 0 if not enabled, -1 of another
    array."""
    command = S.tile_control.array_command
    if S.tile_control.array_enable == 0:
        return 0
    if (command >> 16) & 7 != DEBUG_ARRAY_DST:
        return -1
    row = command & (DST_ROWS - 1)
    pair = (command >> 12) & 7
    return S.dst.bits[row, 2 * pair] | S.dst.bits[row, 2 * pair + 1] << 16


def set_config_read_control(S: View, hart: int, addr: int, value: int) -> int:
    """Sample a word of the backend configuration into CFGREG_RDDATA."""
    S.tile_control.config_index = value & 0x7FF
    S.tile_control.config_data = backend_config.word_at(S, value & 0x7FF)
    return 0


_RW, _RO, _NO = Access.READ_WRITE, Access.READ_ONLY, Access.MISSING
_RESET, _CFG = "SoftReset.md", "TensixCoprocessor/BackendConfiguration.md"
_HEADER = "tensix.h"
_LLK_DEBUG = "ckernel_debug.h"

SOFT_RESET_FIELDS = (
    Bits(0, 2, "unpackers", "with bit 7"),
    Bits(2, 4, "packers"),
    Bits(6, 1, "mover"),
    Bits(7, 1, "unpackers"),
    Bits(8, 1, "TDMA-RISC, glue"),
    Bits(9, 1, "THCON configuration, ThCon"),
    Bits(10, 1, "FPU, SFPU, SrcA data"),
    Bits(11, 1, "B"),
    Bits(12, 3, "T0, T1, T2"),
    Bits(15, 1, "SrcA AllowedClient"),
    Bits(16, 1, "SrcB AllowedClient, SrcB data"),
    Bits(17, 1, "packer Dst connection, ZEROACC"),
    Bits(18, 1, "NC"),
    Bits(19, 4, "SrcA data, four columns each"),
    Bits(23, 1, "Auto TTSync"),
)
DISABLE_RESET_FIELDS = tuple(
    field
    for i, name in enumerate(("T0", "T1", "T2", "B", "NC"))
    for field in (
        Bits(2 * i, 1, f"{name} local RAM", "is not cleared"),
        Bits(2 * i + 1, 1, f"{name} DRs", "are not cleared"),
    )
)

# fmt: off
REGISTERS = (
    Register(0x058, "CFGREG_RD_CNTL", _RW, "samples a word of the backend configuration",
             kept_bits=0x7FF, write=set_config_read_control, row="config_index", page=_CFG,
             fields=(Bits(0, 11, "index", "from TENSIX_CFG_BASE, in words"),)),
    Register(0x060, "DBG_ARRAY_RD_EN", _RW, "bit 0: DBG_ARRAY_RD_DATA shows the selection",
             kept_bits=1, row="array_enable", page=_LLK_DEBUG),
    Register(0x064, "DBG_ARRAY_RD_CMD", _RW, "selects 32 bits of a row; Dst alone is emulated",
             kept_bits=0xFFFFF, row="array_command",
             fields=(Bits(0, 12, "row"), Bits(12, 4, "which 32 bits"),
                     Bits(16, 3, "array", "0 SrcA, 1 SrcB, 2 Dst"), Bits(19, 1, "bank")),
             page=_LLK_DEBUG),
    Register(0x068, "DBG_FEATURE_DISABLE", _RW, "bit 11: Dst16b is the high half of Dst32b",
             row="feature_disable", page="TensixCoprocessor/Dst.md"),
    Register(0x06C, "DBG_ARRAY_RD_DATA", _RO, "two datums of the row", peek=array_word,
             read=array_read_data, page=_LLK_DEBUG),
    Register(0x070, "CG_CTRL_HYST0", _RW, "clock gating, without effect here", page=_HEADER),
    Register(0x074, "CG_CTRL_HYST1", _RW, "clock gating, without effect here", page=_HEADER),
    Register(0x078, "CFGREG_RDDATA", _RO, "the sampled word", row="config_data", page=_CFG),
    Register(0x07C, "CG_CTRL_HYST2", _RW, "clock gating, without effect here", page=_HEADER),
    Register(0x090, "TRISC_PC_BUF_OVERRIDE", _RW, "cuts waits for PCBufs and TTSync short",
             row="pc_buf_override", fields=pcbufs.OVERRIDE_FIELDS,
             page="BabyRISCV/PCBufs.md"),
    Register(0x094, "DBG_INVALID_INSTRN", _NO, "", page=_HEADER),
    Register(0x0AC, "STOCH_RND_MASK{i}", _NO, "", count=2, page=_HEADER),
    Register(0x0B4, "FPU_STICKY_BITS", _NO, "", page=_HEADER),
    Register(0x1B0, "SOFT_RESET_0", _RW, "1 holds in reset", SOFT_RESET_HARTS, SOFT_RESET_WRITABLE,
             write=write_soft_reset, row="soft_reset", fields=SOFT_RESET_FIELDS, page=_RESET),
    Register(0x1C0, "BREAKPOINT_CTRL", _NO, "", page=_HEADER),
    Register(0x1C4, "BREAKPOINT_STATUS", _NO, "", page=_HEADER),
    Register(0x1C8, "BREAKPOINT_DATA", _NO, "", page=_HEADER),
    Register(0x1D0, "ECC_CTRL", _NO, "", page=_HEADER),
    Register(0x1D4, "ECC_STATUS", _NO, "", page=_HEADER),
    Register(0x1E0, "WATCHDOG_TIMER", _NO, "", page=_HEADER),
    Register(0x1E4, "WDT_CNTL", _NO, "", page=_HEADER),
    Register(0x1E8, "WDT_STATUS", _NO, "", page=_HEADER),
    Register(0x21C, "DBG_L1_READBACK_OFFSET", _NO, "", page=_HEADER),
    Register(0x220, "LFSR_HIT_MASK", _NO, "", page=_HEADER),
    Register(0x224, "DISABLE_RESET", _RW, "what soft resets leave alone", kept_bits=0x3FF,
             row="disable_reset", fields=DISABLE_RESET_FIELDS, page=_RESET),
    Register(0x228, "TRISC{i}_RESET_PC", _RW, "first pc after soft reset, if overridden", count=3,
             row="trisc_reset_pc", page=_RESET),
    Register(0x234, "TRISC_RESET_PC_OVERRIDE", _RW, "bit i: TRISCi_RESET_PC counts", kept_bits=7,
             row="trisc_override", page=_RESET),
    Register(0x238, "NCRISC_RESET_PC", _RW, "first pc after soft reset, if overridden",
             row="ncrisc_reset_pc", page=_RESET),
    Register(0x23C, "NCRISC_RESET_PC_OVERRIDE", _RW, "bit 0: NCRISC_RESET_PC counts", kept_bits=1,
             row="ncrisc_override", page=_RESET),
    Register(0x240, "DEST_CG_CTRL", _RW, "clock gating, without effect here", page=_HEADER),
    Register(0x244, "CG_CTRL_EN", _RW, "clock gating, without effect here", page=_HEADER),
    Register(0x248, "CG_KICK", _RW, "clock gating, without effect here", page=_HEADER),
    *perf_control.REGISTERS, *debug_bus.REGISTERS, *debug_registers.REGISTERS, *push.REGISTERS,
    *timestamper.REGISTERS,
)
# fmt: on
BLOCK = RegisterBlock(
    "tile control",
    TILE_CONTROL_BASE,
    0x1000,
    "TileControlDebugStatus.md",
    REGISTERS,
    kept=kept,
    keep=keep,
    row="tile_control.word",
)
SLOT, KEPT_BITS = BLOCK.slots, BLOCK.kept_bits
PEEK, READ, WRITE = BLOCK.peeks, BLOCK.reads, BLOCK.writes

_WORD = row("word", "u32", BLOCK.count, Tag.ARCHITECTURAL, "the registers that are storage")
TILE_CONTROL = Part("tile_control", (_WORD, *BLOCK.named_rows(_WORD)), chapter=Chapter.DEVICES)
PARTS = (TILE_CONTROL, PERF, timestamper.TIMESTAMPER, risc_debug.RISC_DEBUG, samples.SAMPLES)


def peek(S: View, hart: int, addr: int) -> int:
    """Return the register at `addr`, or -1 when there is none."""
    return PEEK[SLOT[(addr & 0xFFF) >> 2]](S, hart, addr)


def read(S: View, hart: int, addr: int, size: int) -> int:
    """Sub-word loads pick their bytes."""
    word = addr & 0xFFFFFFFC
    return extract(READ[SLOT[(addr & 0xFFF) >> 2]](S, hart, word), addr, size)


def write(S: View, hart: int, addr: int, size: int, value: int) -> int:
    """`sw` only."""
    if size != 4:
        return fault(S, hart, Fault.STORE_WIDTH, addr, size)
    return WRITE[SLOT[(addr & 0xFFF) >> 2]](S, hart, addr, value)


def power_up(S: View) -> None:
    """Set what is not 0 when the tile gets power."""
    S.tile_control.stamp_cntl = timestamper.CNTL_RESET
