# SPDX-License-Identifier: Apache-2.0
"""Runs many instructions in one call on both engines: requests and results are in L1.

A request is a block of words: the instruction, three masks of lanes, then LReg 0 to 7. What was
there is replaced by what is there afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tensix_gdb.core.record.layout import View
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix.dispatch import EXECUTE
from tensix_gdb.core.tensix.frontend.fifo import C
from tensix_gdb.core.tensix.instruction import Arch, Unit
from tensix_gdb.core.tensix.table import FIRST, ROWS
from tensix_gdb.core.tensix.vector.state import power_up
from tests.vectors import both_engines

MASKS = 3  # flags, use_flags, and the fault code after the run
BLOCK = 1 + MASKS + 8 * 32 + 32
SWEEP_TO = 0x10000  # words


def _rows() -> list[int]:
    return [
        number
        for number, row in enumerate(ROWS, FIRST)
        if row.unit is Unit.SFPU and Arch.BLACKHOLE in row.arch
    ]


NUMBERS = _rows()
FUNCTIONS = tuple(EXECUTE[number] for number in NUMBERS)
_INDEX = {(ROWS[number - FIRST].opcode, ROWS[number - FIRST].form): i
          for i, number in enumerate(NUMBERS)}  # fmt: skip


def index_of(word: int) -> int:
    """Which of FUNCTIONS executes a word."""
    opcode = word >> 24
    if opcode == 0x94:
        return _INDEX[opcode, "Imm" if word & 15 == 6 else "Reg"]
    return _INDEX[opcode, ""]


def run_one(S: View, word: int, index: int) -> int:
    """Execute a word as it is at the gate of thread 0."""
    S.fifo.word[0, C, 0] = word
    S.stop.code = 0
    FUNCTIONS[index](S, 0, word)
    return 0


def run_blocks(S: View, count: int, index: int) -> int:
    """Execute the requests from the start of L1 on."""
    for i in range(count):
        at = i * BLOCK
        S.vector.flags = S.l1.word[at + 1]
        S.vector.use_flags = S.l1.word[at + 2]
        for k in range(256):
            S.vector.lreg[k >> 5, k & 31] = S.l1.word[at + 4 + k]
        for lane in range(32):
            S.vector.prng[lane] = S.l1.word[at + 260 + lane]
        run_one(S, S.l1.word[at], index)
        S.l1.word[at + 1] = S.vector.flags
        S.l1.word[at + 2] = S.vector.use_flags
        S.l1.word[at + 3] = S.stop.code
        for k in range(256):
            S.l1.word[at + 4 + k] = S.vector.lreg[k >> 5, k & 31]
        for lane in range(32):
            S.l1.word[at + 260 + lane] = S.vector.prng[lane]
    return 0


def sweep(S: View, word: int, index: int, step: int, offset: int) -> int:
    """LReg[1] has all of 2**16 operands, one after the other; LReg[0] goes to L1."""
    for first in range(0, 0x10000, 32):
        for lane in range(32):
            S.vector.lreg[1, lane] = ((first + lane) * step + offset) & 0xFFFFFFFF
        run_one(S, word, index)
        for lane in range(32):
            S.l1.word[SWEEP_TO + first + lane] = S.vector.lreg[0, lane]
    return 0


@dataclass
class Request:
    """An instruction with everything that it may read."""

    word: int
    lregs: list[list[int]]
    flags: int = 0
    use: int = 0
    prng: list[int] = field(default_factory=lambda: [0] * 32)
    fault: int = 0


def fresh() -> Record:
    """A record in the schedule `sc`, where results of the MAD sub-unit do not wait."""
    record = Record()
    record.S.schedule.kind = Schedule.SC
    power_up(record.S)
    return record


def run(record: Record, requests: list[Request]) -> list[Request]:
    """What the requests have become."""
    words = record.S.l1.word
    for i, one in enumerate(requests):
        flat = [value for lreg in one.lregs[:8] for value in lreg]
        for k, value in enumerate([one.word, one.flags, one.use, 0, *flat, *one.prng]):
            words[i * BLOCK + k] = value
    index = index_of(requests[0].word)
    both_engines(run_blocks, record, len(requests), index)
    found = []
    for i, one in enumerate(requests):
        block = [int(words[i * BLOCK + k]) for k in range(BLOCK)]
        lregs = [block[4 + 32 * n : 36 + 32 * n] for n in range(8)]
        found.append(Request(one.word, lregs, block[1], block[2], block[260:], block[3]))
    return found
