# SPDX-License-Identifier: Apache-2.0
"""The wait gate of a thread: what an instruction there waits for (WaitGate.md).

`why_held` is the whole list, in the order in which the reasons are looked for. A latched wait is
`evaluate`d first in every cycle, and forgotten at the end of the cycle in which all its conditions
are met: what waits for it passes in the next one.
"""

from __future__ import annotations

import enum

from tensix_gdb.core.arch.blackhole import THREADS, SoftReset
from tensix_gdb.core.devices import overlay
from tensix_gdb.core.devices.semaphores import SEMAPHORES
from tensix_gdb.core.ordering import pauses
from tensix_gdb.core.record.layout import Chapter, Part, Role, Tag, View, row
from tensix_gdb.core.tensix import occupancy, sync
from tensix_gdb.core.tensix.auto_ttsync import tracker
from tensix_gdb.core.tensix.config import pipeline as config_pipe
from tensix_gdb.core.tensix.config.unit import stream_of
from tensix_gdb.core.tensix.decode import field
from tensix_gdb.core.tensix.frontend.fifo import NO_SLOT, C
from tensix_gdb.core.tensix.gate.head import slot_at_gate
from tensix_gdb.core.tensix.gate.latch import NONE, SEMWAIT, STALLWAIT
from tensix_gdb.core.tensix.instruction import Arch, Catch, Instruction, Unit
from tensix_gdb.core.tensix.matrix import pipeline as matrix_pipe
from tensix_gdb.core.tensix.matrix import source_banks as matrix_banks
from tensix_gdb.core.tensix.packer import hazard
from tensix_gdb.core.tensix.packer.four import at_work, set_register
from tensix_gdb.core.tensix.packer.four import hazard as hazard_wormhole
from tensix_gdb.core.tensix.packer.state import takes as packer_takes
from tensix_gdb.core.tensix.scalar import pipeline as thcon
from tensix_gdb.core.tensix.table import ROWS, by_number
from tensix_gdb.core.tensix.unpacker import queue as unpack_queue
from tensix_gdb.core.tensix.vector import pipeline as pipe
from tensix_gdb.core.tensix.vector import scheduled


class Held(enum.IntEnum):
    """The reason why the instruction at the gate has not passed in the last cycle."""

    NOT = 0
    LATCHED_WAIT = 1
    OWN_SCALAR = 2  # the thread's previous instruction is still in the Scalar Unit
    UNIT = 3  # another thread's instruction has the unit
    MUTEX = 4
    SOURCE_BANK = 5
    CONFIG_PIPE = 6  # it has no room, or on Wormhole the thread's own RDCFG
    AUTO_TTSYNC = 7
    OWN_UNPACKER = 8  # the thread's previous UNPACR still calculates its addresses
    PAUSED = 9  # the schedule or the user has paused the thread (core/ordering/pauses.py)


_T = Tag.TIMING

# fmt: off
GATE = Part("gate", (
    row("held",      "u8",  THREADS, _T, "Held"),
    row("since",     "i64", THREADS, Tag.MONOTONE, "the cycle in which that began"),
    row("met",       "u8",  THREADS, _T, "the latched wait is over after this cycle"),
    row("taken",     "u32", (),      _T, "units that took an instruction in this cycle; KEPT"),
    row("next",      "u8",  (),      _T, "1 + the place that is looked at next"),
    row("moved",     "u8",  (),      _T, "in a cycle that a stop has cut: what was before it"),
    row("order",     "u8",  (),      _T, "the threads as they are looked at (coprocessor.py)"),
    row("passed",    "u8",  (),      _T, "threads whose instruction has passed in this cycle"),
    row("known",     "i64", THREADS, Tag.DERIVED, "the word that `decoded` is of, and 1 more"),
    row("decoded",   "i64", THREADS, Tag.DERIVED, "decode_as of it"),
), role=Role.PROGRESS, chapter=Chapter.CONTROL)
# fmt: on

_NUMBERS = {unit: number for number, unit in enumerate(Unit)}
SYNC, CONFIG, SCALAR = _NUMBERS[Unit.SYNC], _NUMBERS[Unit.CONFIG], _NUMBERS[Unit.THCON]
MISC, UNPACKER = _NUMBERS[Unit.MISC], _NUMBERS[Unit.UNPACKER]
PACKER, VECTOR = _NUMBERS[Unit.PACKER], _NUMBERS[Unit.SFPU]
MATRIX = _NUMBERS[Unit.FPU]
KEPT = 16  # above the units in `taken`: those that an instruction waits for in its turn
# By chip.
READS_WHAT_WAS_WRITTEN = (
    hazard.reads_what_was_written,
    hazard_wormhole.reads_what_was_written,
)
PACKER_TAKES = (packer_takes, set_register.takes)
DROPS_READ = (config_pipe.never_drops, config_pipe.drops_read)
UNITS = by_number(lambda row: _NUMBERS[row.unit])
BLOCKS = by_number(lambda row: int(row.blocked_by))
ONLY_ALL = by_number(lambda row: int(row.gate is Catch.ONLY_ALL))
NEVER_HERE = by_number(lambda row: int(row.gate is Catch.NEVER))
# Where a configuration instruction enters its pipeline; -1 for SETC16, which does not.
_ENTRY = {"STREAMWRCFG": config_pipe.PREPARE, "WRCFG": config_pipe.GPR_READ, "SETC16": -1}
ENTRY = by_number(lambda row: _ENTRY.get(row.mnemonic, config_pipe.ACCESS))
WAITS_FOR = by_number(lambda row: matrix_banks.WAITS_FOR.get(row.mnemonic, 0))
ATGETM = 2 + next(i for i, row in enumerate(ROWS) if row.mnemonic == "ATGETM")
ATRELM = 2 + next(i for i, row in enumerate(ROWS) if row.mnemonic == "ATRELM")
RDCFG = 2 + next(i for i, row in enumerate(ROWS) if row.mnemonic == "RDCFG")
ALL_BLOCKED = 0x1FF
MOVER = _NUMBERS[Unit.MOVER]
# Bits of SOFT_RESET_0 in which new instructions of a unit do not start (SoftReset.md).
_RESETS = {
    Unit.THCON: SoftReset.TDMA_RISC | SoftReset.THCON,
    Unit.UNPACKER: SoftReset.TDMA_RISC | SoftReset.UNPACKERS,
    Unit.PACKER: SoftReset.TDMA_RISC | SoftReset.PACKER,
    Unit.MOVER: SoftReset.TDMA_RISC,
    Unit.FPU: SoftReset.FPU,
    Unit.SFPU: SoftReset.FPU,
}
_IN_RESET_TOO = ("DMANOP", "SETDMAREG")  # not held by the reset of the Scalar Unit itself


def _held_in_reset(row: Instruction) -> int:
    if row.mnemonic in _IN_RESET_TOO:
        return SoftReset.TDMA_RISC
    if row.unit is Unit.PACKER and row.arch is Arch.WORMHOLE:  # bits 2 to 5, as in packer/reset.py
        return SoftReset.TDMA_RISC | 0xF * SoftReset.PACKER
    return _RESETS.get(row.unit, 0)


RESETS = by_number(_held_in_reset)
PHASE, MESSAGES = 29, 32  # STREAM_CURR_PHASE_REG_INDEX, STREAM_NUM_MSGS_RECEIVED_REG_INDEX


def c10(S: View, thread: int) -> int:
    """C10: the T core has a request (a read too) to GPRs, configuration or TDMA-RISC under way."""
    return tracker.requests(S, thread)


def c12(S: View, thread: int) -> int:
    """Any thread has an instruction in the Configuration Unit."""
    return config_pipe.occupied(S)


def c3(S: View, thread: int) -> int:
    """The packer has an instruction of the thread; on Wormhole, packer 0."""
    if S.tile.chip:
        return at_work.any_of(S, thread, 1)
    return occupancy.c3(S, thread)


def c11(S: View, thread: int) -> int:
    """The Vector Unit has an instruction of the thread, or will have one by itself."""
    return S.busy.vector[thread] + scheduled.pending(S, thread)


CONDITIONS = (
    thcon.outstanding,
    *(occupancy.c1, occupancy.c2, c3, occupancy.c4, occupancy.c5, occupancy.c6),
    *(occupancy.c7, occupancy.c8, occupancy.c9, c10, c11, c12),
)
COUNT = len(CONDITIONS)
assert COUNT == 13


def any_condition_holds(S: View, thread: int, conditions: int) -> int:
    """True if any of these conditions of STALLWAIT holds."""
    for i in range(COUNT):
        if (conditions >> i) & 1 and CONDITIONS[i](S, thread):
            return 1
    return 0


def semaphores_wait(S: View, thread: int) -> int:
    """SEMWAIT.md: is a selected semaphore zero (C0) or full (C1)?"""
    for i in range(SEMAPHORES):
        if (S.latch.semaphores[thread] >> i) & 1:
            if S.latch.conditions[thread] & 1 and S.semaphore.value[i] == 0:
                return 1
            if S.latch.conditions[thread] & 2 and S.semaphore.value[i] >= S.semaphore.max[i]:
                return 1
    return 0


def stream_waits(S: View, thread: int) -> int:
    """True if the stream has not reached its target (STREAMWAIT.md)."""
    register = PHASE if S.latch.conditions[thread] & 1 else MESSAGES
    stream = stream_of(S, thread, S.latch.stream[thread])
    addr = overlay.OVERLAY_BASE + (stream << 12) + register * 4
    # UNSPECIFIED(NoC/Overlay): a stream that nothing was sent to has received 0 messages.
    return 1 if max(overlay.peek(S, 0, addr), 0) < S.latch.target[thread] else 0


def waits(S: View, thread: int) -> int:
    """True if the latched wait is not over."""
    kind = S.latch.kind[thread]
    if kind == STALLWAIT:
        conditions = S.latch.conditions[thread]
        # Wormhole's packers 1 to 3 (core/tensix/wormhole.py).
        if conditions >> COUNT and at_work.any_of(S, thread, conditions >> COUNT << 1):
            return 1
        return any_condition_holds(S, thread, conditions)
    if kind == SEMWAIT:
        return semaphores_wait(S, thread)
    return stream_waits(S, thread)


def evaluate(S: View, thread: int) -> int:
    """Start of a cycle: are all conditions of the latched wait met?"""
    S.gate.met[thread] = 0
    if S.latch.kind[thread] != NONE and not waits(S, thread):
        S.gate.met[thread] = 1
    return S.gate.met[thread]


def blocked_by_mask(S: View, thread: int, number: int) -> int:
    """True if the block mask of the latched wait catches the instruction."""
    return catches(S.latch.block[thread], number)


def catches(block: int, number: int) -> int:
    """True if a block mask catches instructions of this number."""
    if ONLY_ALL[number]:
        return 1 if block == ALL_BLOCKED else 0
    return 1 if BLOCKS[number] & block else 0


def why_held(S: View, thread: int, number: int, word: int) -> int:
    """Held: what keeps the instruction from passing in this cycle."""
    if S.pause.threads and pauses.holds(S, thread):
        return Held.PAUSED
    if S.latch.kind[thread] != NONE and blocked_by_mask(S, thread, number):
        return Held.LATCHED_WAIT
    unit = UNITS[number]
    if thcon.executing(S, thread) and (unit == SCALAR or thcon.keeps(S, thread)):
        return Held.OWN_SCALAR
    if unpack_queue.holds(S, thread):
        return Held.OWN_UNPACKER
    if S.tile.chip and config_pipe.reads(S, thread):
        return Held.CONFIG_PIPE
    if unit == SYNC:
        if number == ATGETM:
            index = field(word, number, 0)
            if sync.must_wait_for_mutex(S, thread, index, contenders(S, thread, word)):
                return Held.MUTEX
        elif number == ATRELM:
            if not sync.is_mutex(S, field(word, number, 0)):
                return Held.MUTEX
        elif (S.gate.taken >> SYNC) & 1:
            return Held.UNIT
        if S.pause.earliest and pauses.at_gate(S, thread):
            return Held.PAUSED
    elif unit == SCALAR:
        if S.thcon.state or not thcon.request_room(S) or (S.gate.taken >> SCALAR) & 1:
            return Held.UNIT
        if RESETS[number] & S.tile_control.soft_reset:
            return Held.UNIT
    elif unit == CONFIG:
        if ENTRY[number] >= 0 and not config_pipe.may_enter(S, ENTRY[number]):
            if number != RDCFG:
                return Held.CONFIG_PIPE
            if not DROPS_READ[S.tile.chip](S):
                return Held.CONFIG_PIPE
    elif not data_unit_takes(S, thread, number, word):
        return Held.UNIT
    elif unit == VECTOR:
        if pipe.stalls(S, word):
            return Held.UNIT
    elif unit == MATRIX:
        if WAITS_FOR[number] and source_bank_unavailable(S, WAITS_FOR[number]):
            return Held.SOURCE_BANK
        if S.fpu_pipe.busy and matrix_pipe.stalls(S, thread, number, word):
            return Held.UNIT
    slot = slot_at_gate(S, thread)
    if slot != NO_SLOT and tracker.gate_must_wait(S, thread, slot):
        return Held.AUTO_TTSYNC
    return Held.NOT


def data_unit_takes(S: View, thread: int, number: int, word: int) -> int:
    """True if an instruction of the other units may issue: one of a unit in a cycle, Misc one per
    thread."""
    unit = UNITS[number]
    if unit == MISC:
        return 1
    taken = S.gate.taken | S.gate.taken >> KEPT
    if (taken >> unit) & 1 or RESETS[number] & S.tile_control.soft_reset:
        return 0
    if unit == MOVER:
        return 0 if S.busy.mover else 1
    if unit == UNPACKER:
        return unpack_queue.takes(S, word)
    if unit == PACKER:
        if S.fpu_pipe.busy and READS_WHAT_WAS_WRITTEN[S.tile.chip](S, thread, word):
            return 0
        return PACKER_TAKES[S.tile.chip](S, word)
    return 1


def source_bank_unavailable(S: View, sources: int) -> int:
    """True if one of these banks (1 SrcA, 2 SrcB) is not the Matrix Unit's."""
    if sources & 1 and occupancy.matrix_lacks(S, 0):
        return 1
    return 1 if sources & 2 and occupancy.matrix_lacks(S, 1) else 0


def contenders(S: View, thread: int, word: int) -> int:
    """Return the threads, a bit each, that have the same ATGETM at their gate and may issue it."""
    threads = 0
    for other in range(THREADS):
        if other != thread and S.fifo.count[other, C]:
            same = S.fifo.word[other, C, S.fifo.head[other, C]] == word
            if S.latch.kind[other] != NONE and blocked_by_mask(S, other, ATGETM):
                continue
            if same and not thcon.keeps(S, other):
                threads |= 1 << other
    return threads


INLINED = (evaluate, why_held, data_unit_takes)
