# SPDX-License-Identifier: Apache-2.0
"""The packer's passes that are done several datums at a time: the same numbers as one by one."""

from __future__ import annotations

import random
import re

import pytest

from tensix_gdb.core.engine import Entry, jit
from tensix_gdb.core.engine.lower import lower
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.numeric.block import shared, shared_to_nearest
from tensix_gdb.core.numeric.rounding import NEAREST
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.tensix.packer import early_convert as pack_early
from tensix_gdb.core.tensix.packer import output as pack_output
from tensix_gdb.core.tensix.packer import passes as pack_convert
from tensix_gdb.core.tensix.packer.state import LANES
from tests.vectors import both_engines

SPECIAL = (0, 0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FFFFFFF, 0x007FFFFF, 0x00800000, 0x3F80FFFF)


@pytest.mark.parametrize("drop", sorted(set(pack_early.DROPPED) - {0}))
@pytest.mark.parametrize("count", [1, 16, 37, LANES])
def test_rounding_to_the_nearest(drop: int, count: int) -> None:
    numbers = random.Random(100 * drop + count)
    record = Record(LAYOUT)
    given = [numbers.getrandbits(32) for _ in range(LANES)]
    for i, value in enumerate(SPECIAL):
        given[i], given[i + 8] = value, value | 0x80000000
    given[16] = 0x3F800000 | 1 << (drop - 1)  # a tie
    numbers.shuffle(given)
    for i, value in enumerate(given):
        record.S.pack.datum[i] = value
    both_engines(pack_early.to_nearest, record, count, 1 << drop)
    wanted = [pack_early.rounded(x, drop, NEAREST) for x in given[:count]]
    assert [record.S.pack.datum[i] for i in range(LANES)] == wanted + given[count:]


def test_block_float_to_the_nearest() -> None:
    for distance in range(256):
        own = 255 - distance
        for mantissa in range(128):
            for sign in (0, 1):
                wanted = shared(sign, own, mantissa, 255, NEAREST)
                assert shared_to_nearest(sign, own, mantissa, 255) == wanted
    for mantissa in range(128):  # no implicit 1
        for exponent in range(9):
            wanted = shared(1, 0, mantissa, exponent, NEAREST)
            assert shared_to_nearest(1, 0, mantissa, exponent) == wanted


@pytest.mark.usefixtures("processor")
@pytest.mark.parametrize(
    "function",
    [
        pack_early.early_16,
        pack_early.early_32,
        pack_early.to_nearest,
        pack_convert.cut,
        pack_convert.count,
        pack_output.block_float,
        pack_output.whole_blocks,
    ],
)
def test_the_usual_passes_become_vectors(function: object) -> None:
    entries = [Entry("it", function)]  # type: ignore[arg-type]
    optimised = [
        str(jit.optimise(module.text, jit.level_of(module, jit.FULL)))
        for module in lower(entries, LAYOUT).modules
    ]
    assert re.search(r"<\d+ x i(?:8|16|32|64)>", "".join(optimised))
