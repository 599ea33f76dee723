# SPDX-License-Identifier: Apache-2.0
"""SFPLOAD, SFPLOADMACRO, SFPSTORE and SFPCONFIG with each value of their modes, on both engines.

Here are both halves of a datum and every row that SFPCONFIG writes; test_operations.py has all
2**16 operands of each.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from tensix_gdb.core.record.layout import View
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.tensix.vector.state import power_up
from tests.core.tensix.vector.dst import configured, loaded, stored
from tests.core.tensix.vector.pages import Words, bits, u32
from tests.core.tensix.vector.running import fresh, index_of, l1_words, run_one
from tests.core.tensix.vector.unit import CONSTANTS
from tests.vectors import both_engines

LOAD, STORE, CONFIG, MACRO = 0x70, 0x72, 0x91, 0x93
OLD = 0x1111


@pytest.fixture(scope="module")
def record() -> Record:
    """One for many instructions, each of which sets what it reads."""
    return fresh()


def execute(record: Record, word: int) -> None:
    both_engines(run_one, record, word, index_of(word))
    assert record.S.stop.code == 0, f"{word:#010x}"


# Row and column of each lane; its low half is 8 rows further on.
PLACES = [(lane >> 3, 2 * (lane & 7)) for lane in range(32)]


def halves(S: Any) -> tuple[Words, Words]:
    high = [int(S.dst.bits[row, column]) for row, column in PLACES]
    return u32(high), u32([int(S.dst.bits[row + 8, column]) for row, column in PLACES])


@pytest.mark.parametrize("opcode", [LOAD, MACRO], ids=["SFPLOAD", "SFPLOADMACRO"])
@pytest.mark.parametrize("mode", range(16))
def test_every_format_is_loaded(opcode: int, mode: int, record: Record) -> None:
    """SFPLOADMACRO without a sequence is a load."""
    rng, S = random.Random(mode), record.S
    power_up(S)
    for lane, (row, column) in enumerate(PLACES):
        S.vector.lreg[2, lane] = rng.getrandbits(32)
        S.dst.bits[row, column] = rng.getrandbits(16)
        S.dst.bits[row + 8, column] = rng.getrandbits(16)
    old = u32([int(S.vector.lreg[2, lane]) for lane in range(32)])
    wanted = loaded(mode, *halves(S), old)
    execute(record, opcode << 24 | 2 << 20 | mode << 16)
    assert [int(S.vector.lreg[2, lane]) for lane in range(32)] == wanted.tolist()


@pytest.mark.parametrize("mode", range(16))
def test_every_format_is_stored(mode: int, record: Record) -> None:
    rng, S = random.Random(mode), record.S
    power_up(S)
    values = [
        rng.choice((rng.getrandbits(32), bits(rng.uniform(-9, 9)), rng.getrandbits(23)))
        for _ in PLACES
    ]
    for lane, (row, column) in enumerate(PLACES):
        S.vector.lreg[3, lane] = values[lane]
        S.dst.bits[row + 8, column] = OLD
    execute(record, STORE << 24 | 3 << 20 | mode << 16)
    high, low = stored(mode, u32(values))
    found = halves(S)
    assert found[0].tolist() == high.tolist()
    assert found[1].tolist() == ([OLD] * 32 if low is None else low.tolist())


# -- SFPCONFIG: the word, then LaneConfig, Misc and LReg[0] of eight columns before; then all rows
# that it may write: LaneConfig, Misc, four templates, four sequences, LReg[11] to [14].
BEFORE, AFTER, ROWS = 1, 25, 14
BLOCK = AFTER + 8 * ROWS
CONFIG_INDEX = index_of(CONFIG << 24)
ROW_OF = {15: 0, 8: 1, **{vd: 2 + vd for vd in range(8)}, **{vd: vd - 1 for vd in range(11, 15)}}


def configure(S: View, count: int) -> int:
    """Execute the requests in L1."""
    for i in range(count):
        at = i * BLOCK
        for column in range(8):
            S.vector.config[column] = S.l1.word[at + 1 + column]
            S.vector.misc[column] = S.l1.word[at + 9 + column]
            for k in range(4):
                S.vector.template[k, column] = 0
                S.vector.sequence[k, column] = 0
        for lane in range(32):
            S.vector.lreg[0, lane] = S.l1.word[at + 17 + (lane & 7)]
        run_one(S, S.l1.word[at], CONFIG_INDEX)
        for column in range(8):
            S.l1.word[at + 25 + column] = S.vector.config[column]
            S.l1.word[at + 33 + column] = S.vector.misc[column]
            for k in range(4):
                S.l1.word[at + 41 + 8 * k + column] = S.vector.template[k, column]
                S.l1.word[at + 73 + 8 * k + column] = S.vector.sequence[k, column]
                S.l1.word[at + 105 + 8 * k + column] = S.vector.lreg[11 + k, column]
    return 0


@pytest.mark.parametrize("vd", range(16))
def test_every_sfpconfig(vd: int, record: Record) -> None:
    rng = random.Random(vd)
    power_up(record.S)
    words, asked = [], []
    for mode in range(16):
        words.append(CONFIG << 24 | rng.getrandbits(16) << 8 | vd << 4 | mode)
        before = [rng.getrandbits(18) & ~0xF000 for _ in range(8)]
        misc = [rng.getrandbits(12) for _ in range(8)]
        asked.append(u32([before, misc, [rng.getrandbits(32) for _ in range(8)]]))
    l1 = l1_words(record)
    for i, word in enumerate(words):
        l1[i * BLOCK] = word
        l1[i * BLOCK + BEFORE : i * BLOCK + AFTER] = asked[i].reshape(-1)
    both_engines(configure, record, 16)
    rows = np.zeros((ROWS, 8), np.uint32)
    for number in range(11, 15):
        rows[ROW_OF[number]] = CONSTANTS[number]
    for i, (word, (config, misc, lreg)) in enumerate(zip(words, asked, strict=True)):
        rows[0], rows[1], rows[2:10] = config, misc, 0
        imm = u32(np.full(8, word >> 8 & 0xFFFF))
        chosen = (imm >> u32(2 * np.arange(8)) & 1 == 1) | (word & 8 == 0)
        if vd in ROW_OF:
            at = ROW_OF[vd]
            rows[at] = np.where(chosen, configured(vd, word & 15, imm, lreg, rows[at]), rows[at])
        found = l1[i * BLOCK + AFTER : (i + 1) * BLOCK].reshape(ROWS, 8)
        assert (found == rows).all(), f"{word:#010x}"
