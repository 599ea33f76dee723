# SPDX-License-Identifier: Apache-2.0
"""DBG_L1_MEM_REG0 to 2: the debug daisychain writes its 128 bits to L1 (WormholeB0
DebugDaisychain.md; tt-exalens does the same on Blackhole).

    REG0   first address, in 16 bytes        REG2   WriteMode, SamplingInterval, WriteTrigger
    REG1   the address after the last one

    WriteMode 15         prepares: REG0 counts from here on
    WriteMode 0 and 1    WriteTrigger going from 0 to 1 writes a sample; 1 advances by 16 bytes
    WriteMode 4          WriteTrigger starts a sample every SamplingInterval + 1 cycles, until REG1

A sample is written at the start of the next cycle. L1 is never too busy for it: `tile.pending` has
PENDING_SAMPLE meanwhile, so a tile that is sampled is not at a standstill.

UNSPECIFIED(DebugDaisychain.md): other WriteModes; the store stops the hart by the register's name.
Addresses beyond the low 1 MiB: they wrap.
"""

from tensix_gdb.core.devices.registers import Access, Bits, Register, missing_write
from tensix_gdb.core.memory.ram import l1_write
from tensix_gdb.core.record.layout import Chapter, Part, Tag, View, row

COLD = True  # little time of LLVM for it (core/engine/README.md)

PENDING_SAMPLE = 16  # bit of tile.pending: samples are to be taken
ONCE, ADVANCE, SERIES, PREPARE = 0, 1, 4, 15  # WriteMode
TRIGGER = 1 << 12
PLACES = (1 << 20) >> 4  # in the low 1 MiB, of 16 bytes

_A = Tag.ARCHITECTURAL
SAMPLES = Part(
    "samples",
    (
        row("at", "u32", (), _A, "where the next sample goes, in 16 bytes"),
        row("left", "u32", (), _A, "samples that are to be taken"),
        row("wait", "u32", (), _A, "cycles until the next one"),
    ),
    chapter=Chapter.DEVICES,
)


def set_reg(S: View, hart: int, addr: int, value: int) -> int:
    """Note an address, or prepare, or take samples."""
    number = ((addr & 0xFFF) - 0x048) >> 2
    if number < 2:
        S.tile_control.sample_reg[number] = value
        if number == 0:
            S.samples.at = value & (PLACES - 1)
        return 0
    mode = value & 15
    if mode != ONCE and mode != ADVANCE and mode != SERIES and mode != PREPARE:
        return missing_write(S, hart, addr, value)
    rises = value & ~S.tile_control.sample_reg[2] & TRIGGER
    S.tile_control.sample_reg[2] = value & 0x1FFF
    if rises and mode != PREPARE:
        S.samples.left = 1
        if mode == SERIES:
            count = S.tile_control.sample_reg[1] - S.tile_control.sample_reg[0]
            S.samples.left = count & (PLACES - 1)
        S.samples.wait = 0
        S.tile.pending |= PENDING_SAMPLE
    return 0


def is_due(S: View) -> int:
    """True if a sample is to be taken in this cycle."""
    if S.samples.left == 0:
        S.tile.pending &= ~PENDING_SAMPLE
        return 0
    if S.samples.wait == 0:
        return 1
    S.samples.wait -= 1
    return 0


def write_word(S: View, number: int, value: int) -> int:
    """Word `number` of the sample that is due."""
    return l1_write(S, 16 * S.samples.at + 4 * number, value, 4)


def taken(S: View) -> int:
    """The sample is in L1."""
    S.samples.left -= 1
    S.samples.wait = (S.tile_control.sample_reg[2] >> 4) & 0xFF
    if S.tile_control.sample_reg[2] & 15 != ONCE:
        S.samples.at = (S.samples.at + 1) & (PLACES - 1)
    if S.samples.left == 0:
        S.tile.pending &= ~PENDING_SAMPLE
    S.tile.idle_cycles = 0
    return 0


_PAGE = "WormholeB0 DebugDaisychain.md"

REGISTERS = (
    Register(
        0x048,
        "DBG_L1_MEM_REG{i}",
        Access.READ_WRITE,
        "samples of the debug bus: first address, last address, and REG2, with these fields",
        count=3,
        write=set_reg,
        row="sample_reg",
        page=_PAGE,
        fields=(
            Bits(0, 4, "WriteMode", "0, 1, 4 or 15"),
            Bits(4, 8, "SamplingInterval", "cycles between two samples, less 1"),
            Bits(12, 1, "WriteTrigger", "acts when it goes from 0 to 1"),
        ),
    ),
)
