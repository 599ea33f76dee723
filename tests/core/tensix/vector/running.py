# SPDX-License-Identifier: Apache-2.0
"""Run the Vector Unit's instructions without a gate, many in one call, on both engines.

`run` executes requests, each with everything that it reads; they and what they become are in L1.
`sweep` executes one instruction for all 2**16 operands; results go to L1 behind the requests.
"""

from __future__ import annotations

import ctypes
import enum
from dataclasses import dataclass, field

import numpy as np

from tensix_gdb.core.engine import Entry
from tensix_gdb.core.engine.reference import ReferenceEngine
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix.dispatch import EXECUTE
from tensix_gdb.core.tensix.frontend.fifo import C
from tensix_gdb.core.tensix.instruction import Arch, Unit
from tensix_gdb.core.tensix.table import FIRST, ROWS
from tensix_gdb.core.tensix.vector import writeback
from tensix_gdb.core.tensix.vector.operations import swap
from tensix_gdb.core.tensix.vector.state import STACK, power_up
from tests.core.tensix.vector.pages import Bools, Words, u32
from tests.vectors import both_engines, on_compiled

NUMBERS = [number for number, row in enumerate(ROWS, FIRST) if row.unit is Unit.SFPU]
FUNCTIONS = tuple(EXECUTE[number] for number in NUMBERS)
_INDEX = {
    (arch, ROWS[number - FIRST].opcode, ROWS[number - FIRST].form): i
    for i, number in enumerate(NUMBERS)
    for arch in (Arch.BLACKHOLE, Arch.WORMHOLE)
    if arch in ROWS[number - FIRST].arch
}
NAMES = {
    row.opcode: row.mnemonic
    for row in (ROWS[number - FIRST] for number in NUMBERS)
    if Arch.BLACKHOLE in row.arch
}
FULL = 0xFFFFFFFF


def index_of(word: int, arch: Arch = Arch.BLACKHOLE) -> int:
    """Which of FUNCTIONS executes a word."""
    opcode = word >> 24
    if opcode == 0x94:
        return _INDEX[arch, opcode, "Imm" if word & 15 == 6 else "Reg"]
    return _INDEX[arch, opcode, ""]


def fresh(arch: Arch = Arch.BLACKHOLE) -> Record:
    """A record in the schedule `sc`, where results of the MAD sub-unit do not wait."""
    record = Record(LAYOUT)
    record.S.tile.chip = int(arch is Arch.WORMHOLE)
    record.S.schedule.kind = Schedule.SC
    power_up(record.S)
    return record


def run_one(S: View, word: int, index: int) -> int:
    """Execute a word as it is at the gate of thread 0."""
    S.fifo.word[0, C, 0] = word
    S.stop.code = 0
    FUNCTIONS[index](S, 0, word)
    return 0


def next_cycle(S: View) -> int:
    """As the pipeline begins a cycle."""
    if S.vector_late.pending:
        writeback.advance(S)
        if S.vector_late.swaps:
            swap.second_cycle(S)
    return 0


# -- requests: the word, flags, use, fault, LaneConfig, the stack, LReg 0 to 7, random numbers
CONFIG, ON_STACK, LREGS = 4, 12, 12 + 3 * STACK
PRNG = LREGS + 256
BLOCK = PRNG + 32


def run_blocks(S: View, count: int, index: int) -> int:
    """Execute the requests from the start of L1 on."""
    for i in range(count):
        at = i * BLOCK
        S.vector.flags = S.l1.word[at + 1]
        S.vector.use_flags = S.l1.word[at + 2]
        for k in range(8):
            S.vector.config[k] = S.l1.word[at + CONFIG + k]
        for k in range(STACK):
            S.vector.stack_valid[k] = S.l1.word[at + ON_STACK + 3 * k]
            S.vector.stack_flags[k] = S.l1.word[at + ON_STACK + 3 * k + 1]
            S.vector.stack_use[k] = S.l1.word[at + ON_STACK + 3 * k + 2]
        for k in range(256):
            S.vector.lreg[k >> 5, k & 31] = S.l1.word[at + LREGS + k]
        for lane in range(32):
            S.vector.prng[lane] = S.l1.word[at + PRNG + lane]
        run_one(S, S.l1.word[at], index)
        S.l1.word[at + 1] = S.vector.flags
        S.l1.word[at + 2] = S.vector.use_flags
        S.l1.word[at + 3] = S.stop.code
        for k in range(STACK):
            S.l1.word[at + ON_STACK + 3 * k] = S.vector.stack_valid[k]
            S.l1.word[at + ON_STACK + 3 * k + 1] = S.vector.stack_flags[k]
            S.l1.word[at + ON_STACK + 3 * k + 2] = S.vector.stack_use[k]
        for k in range(256):
            S.l1.word[at + LREGS + k] = S.vector.lreg[k >> 5, k & 31]
        for lane in range(32):
            S.l1.word[at + PRNG + lane] = S.vector.prng[lane]
    return 0


@dataclass
class Request:
    """An instruction with everything that it may read; `stack` has flags and use, its top last."""

    word: int
    lregs: Words
    flags: int = 0
    use: int = 0
    stack: list[tuple[int, int]] = field(default_factory=list)
    config: Words = field(default_factory=lambda: np.zeros(8, np.uint32))
    prng: Words = field(default_factory=lambda: np.zeros(32, np.uint32))
    fault: int = 0

    def block(self) -> Words:
        levels = [(FULL, *level) for level in reversed(self.stack)]
        levels += [(0, 0, 0)] * (STACK - len(levels))
        head = np.array([self.word, self.flags, self.use, 0, *self.config, *sum(levels, ())])
        return np.concatenate([u32(head), self.lregs.reshape(-1), self.prng])


def run(record: Record, requests: list[Request], arch: Arch = Arch.BLACKHOLE) -> list[Request]:
    """Return what the requests, all of one instruction, have become."""
    l1 = l1_words(record)
    l1[: BLOCK * len(requests)] = np.concatenate([one.block() for one in requests])
    both_engines(run_blocks, record, len(requests), index_of(requests[0].word, arch))
    return [became(one, block) for one, block in zip(requests, l1.reshape(-1)[
        : BLOCK * len(requests)].reshape(-1, BLOCK).copy(), strict=True)]  # fmt: skip


def became(one: Request, block: Words) -> Request:
    levels = [tuple(map(int, block[ON_STACK + 3 * k :][:3])) for k in range(STACK)]
    stack = [(flags, use) for valid, flags, use in levels if valid][::-1]
    lregs = block[LREGS:PRNG].reshape(8, 32)
    flags, use, fault = map(int, block[1:4])
    return Request(one.word, lregs, flags, use, stack, one.config, block[PRNG:], fault)


def l1_words(record: Record) -> Words:
    """L1 itself, a word each."""
    slot = record.layout.slots["l1", "word"]
    place = (ctypes.c_uint32 * (slot.field.size // 4)).from_address(record.address + slot.offset)
    return np.frombuffer(place, np.uint32)


# -- sweeps
class Kind(enum.IntEnum):
    """Where an operand of 16 bits is; for TO_DST, where the result is."""

    IN_LREG = 0
    IN_CONSTANT = 1
    IN_DST = 2
    TO_DST = 3
    IN_CONFIG = 4
    IN_TABLE = 5


ALL = 1 << 16
SWEEP_TO = 0x10000  # words
FLAGS_TO = SWEEP_TO + ALL
# LReg[0], [2], [3] and [4] before each; tables are looked up with -1.375, in LReg[3].
D, B, X, Z = 0xC1A95B3F, 0x8F3702C7, 0xBFB00000, 0x3FC01234
CONFIG_BEFORE, MISC_BEFORE = 0x2A5A5, 0x5A5
LANE_CONFIG = 15  # as VD of SFPCONFIG
SAMPLE = 64  # operands that the reference engine runs too
STEP, FROM = 0x9E3779B1, 12345  # random numbers of the lanes


def prepare(S: View, base: int, kind: int, step: int, offset: int) -> int:
    """Everything that 32 operands from `base` on read."""
    S.vector.flags = FULL
    S.vector.use_flags = FULL
    S.stop.code = 0
    for lane in range(32):
        i = base + lane
        S.vector.lreg[0, lane] = D
        S.vector.lreg[1, lane] = (i * step + offset) & FULL
        S.vector.lreg[2, lane] = B
        S.vector.lreg[3, lane] = X
        S.vector.lreg[4, lane] = Z
        S.vector.lreg[5, lane] = S.vector.lreg[1, lane] if kind == Kind.IN_TABLE else Z
        S.vector.prng[lane] = (i * STEP + FROM) & FULL
        if kind == Kind.IN_DST:
            S.dst.bits[lane >> 3, 2 * (lane & 7)] = i
    return 0


def sweep_all(
    S: View, word: int, index: int, kind: int, step: int, offset: int, first: int, count: int
) -> int:
    """Operands `first` to `first + count - 1`; 1 + the fault code when an instruction faults."""
    for base in range(first, first + count, 32):
        prepare(S, base, kind, step, offset)
        if kind == Kind.IN_CONFIG:
            for lane in range(32):
                S.vector.config[2] = CONFIG_BEFORE
                S.vector.misc[2] = MISC_BEFORE
                run_one(S, word + (base + lane) * step, index)
                found = S.vector.config[2] if offset == LANE_CONFIG else S.vector.misc[2]
                S.l1.word[SWEEP_TO + base + lane] = found
        elif kind == Kind.IN_CONSTANT:
            for lane in range(32):
                prepare(S, base, kind, 0, offset)
                run_one(S, word + (base + lane) * step, index)
                S.l1.word[SWEEP_TO + base + lane] = S.vector.lreg[0, lane]
        else:
            run_one(S, word, index)
            for lane in range(32):
                if kind == Kind.TO_DST:
                    S.l1.word[SWEEP_TO + base + lane] = S.dst.bits[lane >> 3, 2 * (lane & 7)]
                else:
                    S.l1.word[SWEEP_TO + base + lane] = S.vector.lreg[0, lane]
        if S.stop.code:
            return 1 + S.stop.code
        S.l1.word[FLAGS_TO + base // 32] = S.vector.flags
    return 0


def sweep(
    record: Record, word: int, kind: Kind, step: int, offset: int, *, whole: bool = False
) -> tuple[Words, Bools]:
    """Return what each operand gives, and the lane flags: all by the compiled engine, and by the
    reference `whole` or some, each word at another place."""
    first = 0 if whole else word * 2654435761 >> 7 & (ALL - 1) & ~63
    power_up(record.S)
    arguments = (word, index_of(word), int(kind), step, offset)
    assert on_compiled(sweep_all, record, *arguments, 0, ALL) == 0, f"{word:#010x}"
    found = l1_words(record)[SWEEP_TO : FLAGS_TO + ALL // 32].copy()
    reference = ReferenceEngine([Entry("sweep", sweep_all)], record)
    assert reference.call("sweep", *arguments, first, ALL if whole else SAMPLE) == 0
    again = l1_words(record)[SWEEP_TO : FLAGS_TO + ALL // 32]
    assert (again == found).all(), f"{word:#010x}: the engines differ"
    flags = np.unpackbits(found[ALL:].view(np.uint8), bitorder="little").astype(bool)
    return found[:ALL], flags
