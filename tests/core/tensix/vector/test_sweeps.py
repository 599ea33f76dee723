# SPDX-License-Identifier: Apache-2.0
"""All 2**16 operands where an operand has 16 bits that matter, on both engines.

golden.json has digests of results that were computed apart from the emulator; where they come from
is written there.
"""

from __future__ import annotations

import hashlib
import json
import struct
from pathlib import Path

import pytest

from tests.core.tensix.vector.batch import SWEEP_TO, fresh, index_of, sweep
from tests.core.tensix.vector.model import Unit
from tests.core.tensix.vector.pages import execute
from tests.vectors import both_engines

GOLDEN = json.loads((Path(__file__).parent / "golden.json").read_text())

# Instructions that read LReg[1] and write LReg[0], by name.
# fmt: off
WORDS = {
    "SFPCAST to FP32":           0x90 << 24 | 1 << 8,
    "SFPCAST integers":          0x90 << 24 | 1 << 8 | 3,
    "SFPEXEXP":                  0x77 << 24 | 1 << 8,
    "SFPEXMAN":                  0x78 << 24 | 1 << 8,
    "SFPLZ":                     0x81 << 24 | 1 << 8 | 4,
    "SFPABS float":              0x7D << 24 | 1 << 8 | 1,
    "SFPARECIP reciprocal":      0x99 << 24 | 1 << 8,
    "SFPARECIP exponential":     0x99 << 24 | 1 << 8 | 2,
    "SFPSTOCHRND FP16A nearest": 0x8E << 24 | 1 << 8,
    "SFPSTOCHRND BF16 zero":     0x8E << 24 | 2 << 21 | 1 << 8 | 1,
    "SFPSTOCHRND UINT8":         0x8E << 24 | 1 << 8 | 2,
    "SFPSTOCHRND INT16":         0x8E << 24 | 1 << 8 | 7,
    "SFPDIVP2 add":              0x76 << 24 | 0x5 << 12 | 1 << 8 | 1,
    "SFPSHFT right":             0x7A << 24 | 0xFF9 << 12 | 1 << 8 | 7,
}
# fmt: on
LOW = 0x8001  # the lower half of floats; integers are the 16 bits times 257


def is_integer(name: str) -> bool:
    return name.split()[0] in ("SFPCAST", "SFPLZ", "SFPSHFT")


def operand(name: str, i: int) -> int:
    return i * 0x10001 if is_integer(name) else i << 16 | LOW


def run(name: str) -> list[int]:
    record = fresh()
    word = WORDS[name]
    step, offset = (0x10001, 0) if is_integer(name) else (0x10000, LOW)
    both_engines(sweep, record, word, index_of(word), step, offset)
    return [int(record.S.l1.word[SWEEP_TO + i]) for i in range(0x10000)]


@pytest.mark.slow
@pytest.mark.parametrize("name", WORDS)
def test_all_operands(name: str) -> None:
    results = run(name)
    digest = hashlib.sha256(struct.pack("<65536I", *results)).hexdigest()
    if name in GOLDEN["digests"]:
        assert digest == GOLDEN["digests"][name]
    unit = Unit()
    for first in range(0, 0x10000, 32):
        unit.L[1] = [operand(name, first + lane) for lane in range(32)]
        execute(unit, WORDS[name])
        assert results[first : first + 32] == unit.L[0], f"{name} from {first:#x}"


@pytest.mark.parametrize("name", GOLDEN["values"])
def test_golden_values(name: str) -> None:
    results = run(name)
    for i, value in GOLDEN["values"][name]:
        assert results[i] == value, f"{name} of {operand(name, i):#010x}"
