# SPDX-License-Identifier: Apache-2.0
"""Mover (Mover.md): copies and clears memory in units of 16 bytes, in the background.

XMOV and commands of TDMA-RISC (devices/tdma.py, commands.py) start it; condition C9 is that
it is at work. A copy reads L1; it writes L1 or the backend configuration: its pipeline takes a
unit of four words like a request of a core: in a cycle in which no instruction is there.

It keeps the pace that Mover.md has measured without contention: copies of eight units in eleven
cycles, clearing of one unit in a cycle. UNSPECIFIED(Mover.md): in what order units are copied
when source and destination overlap; ascending, each read just before it is written.

The page is the one of Wormhole. Its destinations 0x40000 to 0x4ffff are the instruction RAM of NC,
which Blackhole has not. UNSPECIFIED(Mover.md): what is written there on Blackhole; it is discarded,
as it is of all other destinations without meaning.
"""

from tensix_gdb.core.arch.blackhole import SoftReset
from tensix_gdb.core.arch.chips import CONFIG_WORDS, L1_END
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.arch.wormhole import IRAM_BYTES, IRAM_PLACE
from tensix_gdb.core.cost.row import Trust, cost
from tensix_gdb.core.decisions import MOVER as MOVER_DECIDES
from tensix_gdb.core.devices import backend_config
from tensix_gdb.core.devices.wormhole.backend_config import write_word as write_config_wormhole
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import config_fields
from tensix_gdb.core.isa.masks import Block
from tensix_gdb.core.isa.schema import Unused
from tensix_gdb.core.memory.l1_ports import OF_B_NC_T0, OF_T1_T2, unit_waits, unit_writes
from tensix_gdb.core.memory.ram import l1_write
from tensix_gdb.core.record.layout import Chapter, Part, Role, Tag, View, row
from tensix_gdb.core.schedule import Schedule, due_after, is_delayed
from tensix_gdb.core.tensix import state_use as uses
from tensix_gdb.core.tensix.config import pipeline as config_pipe
from tensix_gdb.core.tensix.config.unit import bank_of
from tensix_gdb.core.tensix.frontend.fifo import C
from tensix_gdb.core.tensix.gate.head import fault_at_gate
from tensix_gdb.core.tensix.instruction import WH, Group, Unit, tensix

COLD = True  # little time of LLVM for it (core/engine/README.md)

# `mode`: the names are the pages', and misnomers: "L0" stands for zeros as a source, and for
# everything but L1 as a destination.
L0_TO_L1, L1_TO_L0, L0_TO_L0, L1_TO_L1 = range(4)
UNIT = 16
EIGHT_UNITS = cost(
    "mover.eight_copies", 11, "cycles", "in which the mover copies eight times 16 bytes",
    source="L1.md, Mover (\"measured performance\")", trust=Trust.PAGE,
)  # fmt: skip
TO_CONFIG = 0x10000  # destinations that are not L1: bytes of the configuration
TO_IRAM = 0x40000  # from here on, on Wormhole: those of NC's instruction RAM
# Words of the window onto the configuration that can be written, by chip.
WRITABLE = (3 * CONFIG_WORDS[0], 2 * CONFIG_WORDS[1])

_A, _T = Tag.ARCHITECTURAL, Tag.TIMING
# Where XMOV's parameters are.
_FIELDS = config_fields(Arch.BLACKHOLE)
SOURCE_WORD = _FIELDS["THCON_SEC0_REG6_Source_address"].word
DESTINATION_WORD = _FIELDS["THCON_SEC0_REG6_Destination_address"].word
SIZE_WORD = _FIELDS["THCON_SEC0_REG6_Buffer_size"].word
DIRECTION_LOW = _FIELDS["THCON_SEC0_REG6_Transfer_direction"].low

# fmt: off
MOVER_STATE = Part("mover", (
    row("mode",  "u8",  (), _A, "L0_TO_L1, L1_TO_L0, L0_TO_L0 or L1_TO_L1"),
    row("src",   "u32", (), _A, "first byte of the next unit, in L1"),
    row("dst",   "u32", (), _A, "first byte of the next unit"),
    row("left",  "u32", (), _A, "units", role=Role.PROGRESS),
    row("done",  "u32", (), _A, "units", role=Role.PROGRESS),
    row("hart",  "u8",  (), _A, "the hart that has started it, or that pushed XMOV"),
    row("pc",    "u32", (), _A, "address of its store"),
    row("due",   "i64", (), _T, "earliest cycle of the next unit"),
), role=Role.SETTING, chapter=Chapter.CONTROL)
# fmt: on

MOVER = Group(Unit.MOVER, operands={}, blocked_by=Block.B0 | Block.B4)


# XMOV.md: both parameters of LLK's macro are 0.
@MOVER.instruction(
    "XMOV",
    tensix(0x40, Unused(24)),
    llk="Mov_block_selection@23 Last@0",
    ttsync=10,
    latency="1+",
    page=WH + "XMOV.md",
    reads=(uses.SAMPLED, uses.L1),
    writes=(uses.L1, uses.SAMPLED),
    summary="Start the copy that THCON_SEC0_REG6 describes, as soon as the mover can.",
)
def xmov(S: View, thread: int) -> int:
    """XMOV.md"""
    if S.tile_control.soft_reset & SoftReset.MOVER:
        return 0
    bank = bank_of(S, thread)
    last = S.config.word[bank, SIZE_WORD]
    mode = last >> DIRECTION_LOW
    src = S.config.word[bank, SOURCE_WORD] << 4
    dst = S.config.word[bank, DESTINATION_WORD] << 4
    units = last & 0xFFFF
    if not is_defined(S, dst & MASK32, src & MASK32, units, mode):
        return fault_at_gate(S, thread, Fault.TENSIX_MOVER)
    at = S.fifo.head[thread, C]
    return start(S, dst, src, units, mode, S.fifo.hart[thread, C, at], S.fifo.pc[thread, C, at])


def is_defined(S: View, dst: int, src: int, units: int, mode: int) -> int:
    """Mover.md: does the copy stay in its regions?"""
    size = units * UNIT
    end = L1_END[S.tile.chip]
    if mode & 1 and src + size > end:
        return 0
    if mode == L1_TO_L1 or mode == L0_TO_L1:
        return 1 if dst + size <= end else 0
    if (dst & 0xFFFF) + size > (IRAM_BYTES if iram_at(S, dst) >= 0 else TO_CONFIG):
        return 0
    # ThreadConfig is written by SETC16 alone, and no page says what follows it.
    return 0 if dst < TO_CONFIG and dst + size > 4 * WRITABLE[S.tile.chip] else 1


def iram_at(S: View, dst: int) -> int:
    """Return where the record has the byte of NC's instruction RAM that a destination is; -1 if it
    is none, as always on Blackhole.

    UNSPECIFIED(Mover.md): what is 16 KiB and more from its beginning; no copy is defined there.
    """
    if not S.tile.chip or dst & ~0xFFFF != TO_IRAM:
        return -1
    return IRAM_PLACE + (dst & 0xFFFF)


def start(S: View, dst: int, src: int, units: int, mode: int, hart: int, pc: int) -> int:
    """Begin to copy what `is_defined`."""
    S.mover.mode = mode
    S.mover.src = src & MASK32
    S.mover.dst = dst & MASK32
    S.mover.left = units
    S.mover.done = 0
    S.mover.hart = hart
    S.mover.pc = pc
    S.mover.due = due_after(S, 1, MOVER_DECIDES)
    S.busy.mover = 1
    return 0


def step(S: View) -> int:
    """Run one cycle; 1 if anything moved. In the schedule `sc` all of it."""
    if S.schedule.kind == Schedule.SC:
        while S.mover.left > 0:
            unit(S)
        return stop(S)
    if is_delayed(S, S.mover.due):
        return 0
    if S.mover.left and not unit(S):
        return 0
    return 1 if S.mover.left else stop(S)


def stop(S: View) -> int:
    """Nothing is left to be done."""
    start(S, 0, 0, 0, 0, 0, 0)
    S.mover.due = 0
    S.busy.mover = 0
    return 1


CONFIG_WRITES = (backend_config.write_word, write_config_wormhole)


def unit(S: View) -> int:
    """Copy one unit; 0 if the configuration or L1 does not take it now."""
    mode = S.mover.mode
    dst = S.mover.dst
    to_l1 = mode == L1_TO_L1 or mode == L0_TO_L1
    iram = -1 if to_l1 else iram_at(S, dst)
    to_config = not to_l1 and dst < TO_CONFIG
    if to_config and not config_pipe.may_enter(S, config_pipe.ACCESS):
        return 0
    if mode & 1 and unit_waits(S, OF_B_NC_T0, S.mover.src):
        return 0
    if to_l1 and unit_waits(S, OF_T1_T2, dst):
        return 0
    if to_l1:
        unit_writes(S, OF_T1_T2, dst, UNIT)
    for word in range(4):
        value = S.l1.word[(S.mover.src >> 2) + word] if mode & 1 else 0
        if to_l1:
            l1_write(S, dst + 4 * word, value, 4)
        elif iram >= 0:
            l1_write(S, iram + 4 * word, value, 4)
        elif to_config:
            CONFIG_WRITES[S.tile.chip](S, (dst >> 2) + word, value)
    if to_config and S.schedule.kind != Schedule.SC:
        config_pipe.take_access(S)
    if mode & 1:
        S.mover.src += UNIT
        done = S.mover.done
        S.mover.due = due_after(S, copied_by(done + 1) - copied_by(done), MOVER_DECIDES)
    else:
        S.mover.due = due_after(S, 1, MOVER_DECIDES)
    S.mover.dst += UNIT
    S.mover.left -= 1
    S.mover.done += 1
    return 1


def copied_by(units: int) -> int:
    """Return cycles in which so many units are copied."""
    return units * EIGHT_UNITS >> 3
