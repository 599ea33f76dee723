# SPDX-License-Identifier: Apache-2.0
"""TDMA-RISC: parameters of the mover and of PACR_SETREG and UNPACR_NOP (WormholeB0 TDMA-RISC.md).

Commands go through a queue of four to the mover (mover/commands.py); a store waits while the
queue is full. What the packer knows of its tiles is read here (packer/metadata.py). Peeking at
an empty metadata FIFO waits, popping one gives undefined data and stops the hart. While
SOFT_RESET_0 holds TDMA-RISC in reset, stores are discarded.

The page is the one of Wormhole: a tile there has four packers; Blackhole has one, and the registers
of packers 1 to 3 are left out on both, except for those of unpacker 1. SETDMAREG reads the same.

UNSPECIFIED(TDMA-RISC.md): what the two raw values of clock gating are after reset; 0. Stores
narrower than a word stop the hart.
"""

from tensix_gdb.core.arch.blackhole import NC, T0, SoftReset
from tensix_gdb.core.devices.registers import (
    Access,
    Elsewhere,
    Register,
    RegisterBlock,
    extract,
    missing_write,
    zero,
)
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import Chapter, Part, Tag, View, row
from tensix_gdb.core.stall import WaitsFor, wait
from tensix_gdb.core.stop import fault
from tensix_gdb.core.tensix.mover.commands import (
    COMPACT,
    PARAMETER,
    QUEUE,
    base_of,
    check,
    empty,
    enqueue,
)
from tensix_gdb.core.tensix.packer import metadata as pack_metadata
from tensix_gdb.core.tensix.packer.four import sizes as sizes_wormhole
from tensix_gdb.core.tensix.packer.four.at_work import any_of
from tensix_gdb.core.tensix.packer.four.set_register import BASES
from tensix_gdb.core.tensix.packer.metadata import PACKER_0_BUSY

COLD = True  # little time of LLVM for it (core/engine/README.md)

TDMA_BASE = 0xFFB11000  # RISCV_TDMA_REGS_START_ADDR
IDLE = 0x428  # queues empty, capacity 4, mover idle
FULL, EMPTY, NO_CREDITS, ALL_CREDITS = 1 << 2, 1 << 3, 1 << 4, 1 << 5  # of STATUS
CREDITS = 2  # commands with parameters that may be queued
METADATA_EMPTY = 0x55  # the "is empty" bits of all four FIFOs
OTHERS_EMPTY = 0x54


def kept(S: View, hart: int, addr: int) -> int:
    """Return the word that was written."""
    return S.tdma.word[SLOT[(addr & 0xFFF) >> 2]]


def keep(S: View, hart: int, addr: int, value: int) -> int:
    """Hold what is written, as far as it has bits."""
    slot = SLOT[(addr & 0xFFF) >> 2]
    S.tdma.word[slot] = value & KEPT_BITS[slot]
    return 0


def command(S: View, hart: int, addr: int, value: int) -> int:
    """COMMAND_ADDR: enqueue a command."""
    if S.tdma.queued == QUEUE:
        return wait(S, hart, WaitsFor.MOVER_QUEUE, hart)
    code = check(S, value)
    if code:
        return fault(S, hart, code, value, 0)
    if not value & COMPACT and S.tdma.with_parameters == CREDITS:
        return fault(S, hart, Fault.MOVER_CREDITS, value, 0)
    return enqueue(S, hart, S.request.pc, value)


def status(S: View, hart: int, addr: int) -> int:
    """STATUS of queue and mover."""
    word = (QUEUE - S.tdma.queued) << 8 | (1 if S.busy.mover else 0)
    if S.tdma.queued == QUEUE:
        word = word | FULL
    if S.tdma.queued == 0:
        word = word | EMPTY
    if S.tdma.with_parameters == CREDITS:
        word = word | NO_CREDITS
    if S.tdma.with_parameters == 0:
        word = word | ALL_CREDITS
    return word


def l1_base(S: View, hart: int, addr: int) -> int:
    """XMOV_L1_BASE_ADDR: one for each core."""
    return base_of(S, hart)


def set_l1_base(S: View, hart: int, addr: int, value: int) -> int:
    """Write the core's own.

    UNSPECIFIED(TDMA-RISC.md): a store by NC, which has none and reads that of T0; it stops the
    hart.
    """
    if hart == NC:
        return missing_write(S, hart, addr, value)
    S.tdma.mover_base[hart] = value
    return 0


def clock_gating_hysteresis(S: View, hart: int, addr: int, value: int) -> int:
    """CLK_GATE_HYST: the high half is scaler 3."""
    keep(S, hart, addr, value)
    S.tdma.scaler[3] = (value >> 16) & 0x1FF
    return 0


def scalers(S: View, hart: int, addr: int) -> int:
    """Scalers 0 to 2; above, that the packer is busy for T2, bit 16 of an unpacker's SetRegAcc."""
    word = S.tdma.scaler[0] | S.tdma.scaler[1] << 9 | S.tdma.scaler[2] << 18
    busy = any_of(S, 2, 1) if S.tile.chip else S.busy.packer[2]
    word |= PACKER_0_BUSY if busy else 0
    return word | (S.unpack.accumulator[(addr >> 8) & 1] >> 16 & 1) << 31


def set_scalers(S: View, hart: int, addr: int, value: int) -> int:
    """Write scalers 0 to 2."""
    for i in range(3):
        S.tdma.scaler[i] = (value >> (9 * i)) & 0x1FF
    return 0


def metadata_status(S: View, hart: int, addr: int) -> int:
    """FIFO_PACKED_TILE_STATUS: states of the FIFOs; above, what was written."""
    states = OTHERS_EMPTY | pack_metadata.fifo_state(S)
    return ((S.tdma.word[SLOT[(addr & 0xFFF) >> 2]] << 8) & 0xFFFFFFFF) | states


def metadata_look(S: View, hart: int, addr: int) -> int:
    """FIFO_PACKED_TILE_SIZE: the size of the oldest tile, -1 without one."""
    return S.pack.metadata_size[0] if S.pack.metadata_count else -1


def metadata_peek(S: View, hart: int, addr: int) -> int:
    """The same; waits for the FIFO to hold something."""
    if S.pack.metadata_count == 0:
        return wait(S, hart, WaitsFor.METADATA, hart)
    return S.pack.metadata_size[0]


def metadata_flags(S: View, hart: int, addr: int) -> int:
    """FIFO_PACKED_TILE_ZEROMASK without popping, -1 if there is nothing to pop."""
    return S.pack.metadata_flags[0] if S.pack.metadata_count else -1


def metadata_pop(S: View, hart: int, addr: int) -> int:
    """FIFO_PACKED_TILE_ZEROMASK: pops without waiting."""
    if S.pack.metadata_count == 0:
        return fault(S, hart, Fault.METADATA_EMPTY, addr, 4)
    return pack_metadata.pop(S)


def metadata_discard(S: View, hart: int, addr: int, value: int) -> int:
    """A store pops as well."""
    if S.pack.metadata_count == 0:
        return fault(S, hart, Fault.METADATA_EMPTY, addr, 4)
    pack_metadata.pop(S)
    return 0


def packed_size(S: View, hart: int, addr: int) -> int:
    """PACKED_SIZE: the size of the last tile, if it was of that thread."""
    return pack_metadata.tile_size(S, (addr >> 6) & 3)


def packed_flags(S: View, hart: int, addr: int) -> int:
    """PACKED_ZERO_FLAGS."""
    return S.pack.zero_flags


def sizes(S: View, hart: int, addr: int) -> int:
    """ACC_PACKED_SIZE: sizes of all tiles of a thread; above, an unpacker's SetRegAcc."""
    unpacker = (addr >> 8) & 1
    low = 0 if unpacker else S.pack.acc_size[(addr >> 6) & 3]
    return (S.unpack.accumulator[unpacker] & 0xFFFF) << 16 | low


WRITE_SIZES = (pack_metadata.write_sizes, sizes_wormhole.write_sizes)  # by chip


def set_sizes(S: View, hart: int, addr: int, value: int) -> int:
    """Make them 0, with an offset to the packer's next addresses."""
    return WRITE_SIZES[S.tile.chip](S, value)


MOVER_BASE = Elsewhere("tdma.mover_base", lambda hart, copy, i: (T0 if hart == NC else hart,))
_RW, _WO, _IGN = Access.READ_WRITE, Access.WRITE_ONLY, Access.IGNORES_WRITES

# fmt: off
REGISTERS = (
    Register(0x000, "XMOV_SRC_ADDR",         _WO,  "parameter 0 of a command; reads 0", read=zero),
    Register(0x004, "XMOV_DST_ADDR",         _WO,  "parameter 1 of a command; reads 0", read=zero),
    Register(0x008, "XMOV_SIZE",             _WO,  "parameter 2 of a command; reads 0", read=zero),
    Register(0x00C, "XMOV_DIRECTION",        _WO,  "parameter 3 of a command; reads 0", read=zero),
    Register(0x010, "COMMAND_ADDR",          _WO,  "enqueue a command; reads 0",
             peek=zero, read=zero, write=command),
    Register(0x014, "STATUS",                _IGN, "of queue and mover", IDLE, peek=status),
    Register(0x018, "PACKED_SIZE",           _IGN, "size of the last tile of thread T0",
             peek=packed_size),
    Register(0x01C, "ACC_PACKED_SIZE",       _RW,  "sizes accumulated by thread T0",
             peek=sizes, write=set_sizes),
    Register(0x020, "PACKED_ZERO_FLAGS",     _IGN, "all-zero flags of the last tile",
             peek=packed_flags, elsewhere=Elsewhere("pack.zero_flags", lambda hart, copy, i: ())),
    Register(0x024, "CLK_GATE_EN",           _RW,  "clock gating; UNPACR_NOP register base",
             kept_bits=0xFFFFFF7F),
    Register(0x028, "CLK_GATE_HYST",         _RW,  "hysteresis; the high half is scaler 3",
             kept_bits=0x01FF007F, write=clock_gating_hysteresis),
    Register(0x02C, "XMOV_L1_BASE_ADDR",     _RW,  "base of compact commands, one for each core",
             peek=l1_base, write=set_l1_base, elsewhere=MOVER_BASE),
    Register(0x030, "FIFO_PACKED_TILE_SIZE", _IGN, "metadata FIFO: waits for an entry, reads it",
             peek=metadata_look, read=metadata_peek, may_wait=True),
    Register(0x034, "FIFO_PACKED_TILE_ZEROMASK", _RW, "metadata FIFO: pops an entry",
             peek=metadata_flags, read=metadata_pop, write=metadata_discard, may_wait=True),
    Register(0x038, "FIFO_PACKED_TILE_STATUS", _RW, "load: FIFO states; store: PACR_SETREG bases",
             METADATA_EMPTY, peek=metadata_status),
    Register(0x03C, "SCALERS",               _RW,  "scalers 0 to 2, status of unpacker 0",
             peek=scalers, write=set_scalers),
    Register(0x058, "PACKED_SIZE + 0x40",    _IGN, "size of the last tile of thread T1",
             peek=packed_size),
    Register(0x05C, "ACC_PACKED_SIZE + 0x40", _RW, "sizes accumulated by thread T1",
             peek=sizes, write=set_sizes),
    Register(0x098, "PACKED_SIZE + 0x80",    _IGN, "size of the last tile of thread T2",
             peek=packed_size),
    Register(0x09C, "ACC_PACKED_SIZE + 0x80", _RW, "sizes accumulated by thread T2",
             peek=sizes, write=set_sizes),
    Register(0x11C, "ACC_PACKED_SIZE + 0x100", _RW, "state of unpacker 1", peek=zero,
             write=set_sizes),
    Register(0x13C, "SCALERS + 0x100",       _RW,  "scalers 0 to 2, status of unpacker 1",
             peek=scalers, write=set_scalers),
)
# fmt: on
BLOCK = RegisterBlock(
    "TDMA-RISC",
    TDMA_BASE,
    0x1000,
    "WormholeB0 TDMA-RISC.md",
    REGISTERS,
    kept=kept,
    keep=keep,
    row="tdma.word",
)
SLOT, KEPT_BITS = BLOCK.slots, BLOCK.kept_bits
PEEK, READ, WRITE = BLOCK.peeks, BLOCK.reads, BLOCK.writes

TDMA = Part(
    "tdma",
    (
        row("word", "u32", BLOCK.count, Tag.ARCHITECTURAL, "registers that are storage"),
        row("mover_base", "u32", 4, Tag.ARCHITECTURAL, "XMOV_L1_BASE_ADDR of B, T0, T1, T2"),
        row("queued", "u8", (), Tag.ARCHITECTURAL, "commands in the queue"),
        row("with_parameters", "u8", (), Tag.ARCHITECTURAL, "of these, those with parameters"),
        row("command", "u32", QUEUE, Tag.ARCHITECTURAL, "the oldest first"),
        row("parameter", "u32", (QUEUE, 4), Tag.ARCHITECTURAL, "of each"),
        row("hart", "u8", QUEUE, Tag.ARCHITECTURAL, "the hart that has stored it"),
        row("pc", "u32", QUEUE, Tag.ARCHITECTURAL, "address of the store"),
        row("due", "i64", (), Tag.TIMING, "earliest cycle in which the oldest is processed"),
        row("scaler", "u32", 4, Tag.ARCHITECTURAL, "Packers.SetRegHiScaler"),
    ),
    chapter=Chapter.DEVICES,
)
PARTS = (TDMA,)
assert T0 == 1
assert [SLOT[i] - PARAMETER for i in range(4)] == [0, 1, 2, 3]
assert SLOT[0x038 >> 2] == BASES


def peek(S: View, hart: int, addr: int) -> int:
    """Return the register at `addr`."""
    return PEEK[SLOT[(addr & 0xFFF) >> 2]](S, hart, addr)


def read(S: View, hart: int, addr: int, size: int) -> int:
    """Sub-word loads pick their bytes."""
    word = addr & 0xFFFFFFFC
    return extract(READ[SLOT[(addr & 0xFFF) >> 2]](S, hart, word), addr, size)


def write(S: View, hart: int, addr: int, size: int, value: int) -> int:
    """`sw` only."""
    if size != 4:
        return fault(S, hart, Fault.STORE_WIDTH, addr, size)
    if S.tile_control.soft_reset & SoftReset.TDMA_RISC:
        return 0
    return WRITE[SLOT[(addr & 0xFFF) >> 2]](S, hart, addr, value)


def enter_reset(S: View) -> int:
    """TDMA-RISC enters soft reset (SoftReset.md): parameters become 0, the queue is emptied.

    UNSPECIFIED(SoftReset.md): "some" value is assigned to the scalers and bases; 0.
    """
    for i in range(4):
        S.tdma.word[SLOT[i]] = 0
        S.tdma.scaler[i] = 0
    return empty(S)
