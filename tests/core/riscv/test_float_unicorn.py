# SPDX-License-Identifier: Apache-2.0
"""F against unicorn and Zfh against NumPy's float16, where the chip agrees with the standard.

That is: round to the nearest even, no denormals in sums and products, and a multiply-add whose
product fits in 24 bits, so that fused, separate and the chip's are the same. unicorn has no Zfh;
sums and products of two float16 are right in float32 up to one rounding that changes nothing
(24 >= 2 * 11 + 2 bits), which NumPy's conversion then does.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from unicorn import UC_ARCH_RISCV, UC_MODE_RISCV32, Uc
from unicorn.riscv_const import (
    UC_RISCV_REG_A0,
    UC_RISCV_REG_A1,
    UC_RISCV_REG_F10,
    UC_RISCV_REG_F11,
    UC_RISCV_REG_F12,
    UC_RISCV_REG_F13,
    UC_RISCV_REG_T0,
)

from tensix_gdb.core.riscv.float16 import FLOAT16
from tensix_gdb.core.riscv.float32 import FLOAT32
from tensix_gdb.core.riscv.table import OPERATIONS, OPS, Form
from tests.core.riscv.test_float import ARITHMETIC, BOX, CORNERS, HALVES, apply, denormal, smallest

BASE = 0x1000
FS_ON, CSRRS_MSTATUS_T0 = 0x6000, 0x3002A073
BOX64 = 0xFFFFFFFF00000000
SOURCES = (UC_RISCV_REG_F11, UC_RISCV_REG_F12, UC_RISCV_REG_F13)
FIELDS = {"rm": 0, "rd": 10, "frd": 10, "rs1": 11, "frs1": 11, "frs2": 12}
THIRD = {"imm": 13}  # rs3, where multiply-add has it
ROWS = [row for row in FLOAT32.rows if row.form not in (Form.LOAD, Form.STORE)]


class Emulator:
    """One instruction that reads fa1, fa2, fa3 or a1 and writes fa0 or a0."""

    def __init__(self, word: int, to_float: bool) -> None:
        self.uc = Uc(UC_ARCH_RISCV, UC_MODE_RISCV32)
        self.uc.mem_map(BASE, 0x1000)
        self.uc.mem_write(BASE, CSRRS_MSTATUS_T0.to_bytes(4, "little") + word.to_bytes(4, "little"))
        self.uc.reg_write(UC_RISCV_REG_T0, FS_ON)
        self.uc.emu_start(BASE, 0, count=1)
        self.result = UC_RISCV_REG_F10 if to_float else UC_RISCV_REG_A0

    def run(self, *values: int) -> int:
        for register, value in zip(SOURCES, values, strict=False):
            self.uc.reg_write(register, BOX64 | value)
        self.uc.reg_write(UC_RISCV_REG_A1, values[0])
        self.uc.emu_start(BASE + 4, 0, count=1)
        return int(self.uc.reg_read(self.result)) & 0xFFFFFFFF


def random_floats(dice: random.Random, count: int) -> Iterator[int]:
    """Of all sizes, and near each other, where sums cancel and round."""
    for _ in range(count):
        exponent = dice.choice((dice.randrange(256), dice.randrange(120, 136)))
        yield dice.getrandbits(1) << 31 | exponent << 23 | dice.getrandbits(23)


def operands(count: int) -> Iterator[tuple[int, int, int]]:
    """Corners with corners, and random ones."""
    dice = random.Random(23)
    yield from ((a, b, dice.choice(CORNERS)) for a in CORNERS for b in CORNERS)
    for a, b, c in zip(*(random_floats(dice, count) for _ in range(3)), strict=True):
        yield a, b, c
        # 12 bits each: their product is exact.
        yield a & 0xFFFFF000, b & 0xFFFFF000, c


def agrees(name: str, values: tuple[int, ...], theirs: int) -> bool:
    """Does the page promise what the standard does?"""
    if name in ("fmin.s", "fmax.s"):
        # unicorn's are of F before 2.2, where a signalling NaN came through.
        return not any(0x7F800000 < x & 0x7FFFFFFF < 0x7FC00000 for x in values)
    if name.split(".")[0] not in ARITHMETIC:
        return True
    if any(denormal(x, 32) for x in (*values, theirs)) or smallest(theirs, 32):
        return False
    if len(values) < 3:
        return True
    # No product that is not exact, or so small that it is denormal by itself.
    exact = not (values[0] | values[1]) & 0xFFF
    exponents = sum(value >> 23 & 0xFF for value in values[:2])
    return exact and (127 < exponents < 380 or not all(x << 1 & 0xFFFFFFFF for x in values[:2]))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_f_as_unicorn(row: object) -> None:
    fields, name = row.encoding.fields, row.name  # type: ignore[attr-defined]
    word = row.encoding.encode(**{one: {**FIELDS, **THIRD}[one] for one in fields})  # type: ignore[attr-defined]
    emulator = Emulator(word, "frd" in fields)
    count = OPERATIONS[OPS[name]].__code__.co_argcount
    compared = 0
    for values in operands(600):
        theirs = emulator.run(*values)
        if agrees(name, values[:count], theirs):
            ours = apply(name, *values[:count])
            assert ours == theirs, f"{name} {[hex(v) for v in values]}: {ours:#x}, {theirs:#x}"
            compared += 1
    assert compared > 700


HALF: dict[str, Callable[[np.float32, np.float32], np.float32]] = {
    "fadd.h": lambda a, b: a + b,
    "fsub.h": lambda a, b: a - b,
    "fmul.h": lambda a, b: a * b,
}


@pytest.mark.parametrize("name", HALF)
def test_zfh_as_numpy(name: str) -> None:
    dice = random.Random(5)
    pairs = [(a, b) for a in HALVES for b in HALVES]
    pairs += [(dice.getrandbits(16), dice.getrandbits(16)) for _ in range(3000)]
    a, b = (np.array(column, np.uint16).view(np.float16) for column in zip(*pairs, strict=True))
    with np.errstate(all="ignore"):
        exact = HALF[name](a.astype(np.float32), b.astype(np.float32))
        results = exact.astype(np.float16)
    compared = 0
    for (x, y), result in zip(pairs, results, strict=True):
        theirs = 0x7E00 if np.isnan(result) else int(result.view(np.uint16))
        if any(denormal(v, 16) for v in (x, y, theirs)) or smallest(theirs, 16):
            continue
        assert apply(name, BOX | x, BOX | y) == BOX | theirs, f"{name} {x:#x}, {y:#x}"
        compared += 1
    assert compared > 2500


def test_every_row_is_compared_with_another_implementation() -> None:
    """Zfh's other rows: against qemu-riscv32 (test_float.py)."""
    assert len(ROWS) == 22
    assert {row.name for row in FLOAT16.rows} >= set(HALF)
