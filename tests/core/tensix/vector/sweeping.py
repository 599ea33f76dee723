# SPDX-License-Identifier: Apache-2.0
"""All 2**16 operands of an instruction in one call: in an LReg, as a constant, or in Dst.

Results go to L1, a word each, and the lane flags behind them, a word for each 32. Random numbers
are those of `seeds`, whatever has run before.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator

import numpy as np

from tensix_gdb.core.engine import Entry
from tensix_gdb.core.engine.reference import ReferenceEngine
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.record.record import Record
from tests.core.tensix.vector.batch import SWEEP_TO, index_of, run_one
from tests.core.tensix.vector.numpy_pages import Bools, Words, u32
from tests.vectors import on_compiled

ALL = 1 << 16
FLAGS_TO = SWEEP_TO + ALL
D, B, Z = 0xC1A95B3F, 0x8F3702C7, 0x3FC01234  # LReg[0], LReg[2] and LReg[4] before each
X = 0xBFB00000  # -1.375, which is looked up in the tables
IN_LREG, IN_CONSTANT, IN_DST, TO_DST, IN_CONFIG, IN_TABLE = range(6)
LOOKUPS = (0x73, 0x95)
SAMPLE = 64  # operands that the reference engine runs too
FULL = 0xFFFFFFFF
LANE_CONFIG = 15  # as VD of SFPCONFIG


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
        S.vector.lreg[5, lane] = S.vector.lreg[1, lane] if kind == IN_TABLE else Z
        S.vector.prng[lane] = (i * 0x9E3779B1 + 12345) & FULL
        if kind == IN_DST:
            S.dst.bits[lane >> 3, 2 * (lane & 7)] = i
    return 0


def sweep_all(
    S: View, word: int, index: int, kind: int, step: int, offset: int, first: int, count: int
) -> int:
    """Operands `first` to `first + count - 1`; 1 + the fault code when an instruction faults."""
    for base in range(first, first + count, 32):
        prepare(S, base, kind, step, offset)
        if kind == IN_CONFIG:
            for lane in range(32):
                S.vector.config[2] = 0x2A5A5
                S.vector.misc[2] = 0x5A5
                run_one(S, word + (base + lane) * step, index)
                found = S.vector.config[2] if offset == LANE_CONFIG else S.vector.misc[2]
                S.l1.word[SWEEP_TO + base + lane] = found
        elif kind == IN_CONSTANT:
            for lane in range(32):
                prepare(S, base, kind, 0, offset)
                run_one(S, word + (base + lane) * step, index)
                S.l1.word[SWEEP_TO + base + lane] = S.vector.lreg[0, lane]
        else:
            run_one(S, word, index)
            for lane in range(32):
                if kind == TO_DST:
                    S.l1.word[SWEEP_TO + base + lane] = S.dst.bits[lane >> 3, 2 * (lane & 7)]
                else:
                    S.l1.word[SWEEP_TO + base + lane] = S.vector.lreg[0, lane]
        if S.stop.code:
            return 1 + S.stop.code
        S.l1.word[FLAGS_TO + base // 32] = S.vector.flags
    return 0


def run(record: Record, word: int, kind: int, step: int, offset: int) -> tuple[Words, Bools]:
    """What each operand gives, and the lane flags: all by the compiled engine, and some by the
    reference, each word at another place."""
    first = word * 2654435761 >> 7 & (ALL - 1) & ~63
    arguments = (word, index_of(word), kind, step, offset)
    assert on_compiled(sweep_all, record, *arguments, 0, ALL) == 0, f"{word:#010x}"
    found, flags = words(record)
    reference = ReferenceEngine([Entry("sweep", sweep_all)], record)
    assert reference.call("sweep", *arguments, first, SAMPLE) == 0
    again, flags_again = words(record)
    assert (again == found).all(), f"{word:#010x}: the engines differ"
    assert (flags_again == flags).all(), f"{word:#010x}: the engines differ"
    return found, flags


def words(record: Record) -> tuple[Words, Bools]:
    slot = record.layout.slots["l1", "word"]
    at = record.address + slot.offset
    results = np.frombuffer(ctypes.string_at(at + 4 * SWEEP_TO, 4 * ALL), np.uint32)
    flags = np.frombuffer(ctypes.string_at(at + 4 * FLAGS_TO, ALL // 8), np.uint8)
    return results, np.unpackbits(flags, bitorder="little").astype(bool)


def seeds() -> Words:
    return u32(np.arange(ALL) * 0x9E3779B1 + 12345)


def layouts() -> Iterator[tuple[int, int]]:
    """Step and offset: 16 bits as the upper half, as a small integer, as both halves."""
    yield from ((0x10000, 0x8001), (1, 0), (0x10001, 0))
