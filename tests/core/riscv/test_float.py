# SPDX-License-Identifier: Apache-2.0
"""F and Zfh: against qemu-riscv32 where the chip agrees with the standard, else by what it says.

qemu runs one word after the other on every pair of operands. Sums, products and multiply-add are
compared where no denormal is involved; `tests/core/numeric/test_fma.py` has what the chip does
there. BF16 has no other implementation: it is compared with exact arithmetic.
"""

from __future__ import annotations

import random
import struct
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest

from tensix_gdb.core.engine.fields import ENGINE
from tensix_gdb.core.numeric import half
from tensix_gdb.core.record.layout import Layout
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.riscv.float16 import FLOAT16
from tensix_gdb.core.riscv.float32 import FLOAT32
from tensix_gdb.core.riscv.table import OPERATIONS, OPS, Form
from tests.core.isa.oracles import assemble, tool
from tests.core.numeric.sweep import sweep
from tests.core.numeric.test_fma import rounded
from tests.core.numeric.test_formats import number
from tests.core.riscv.test_instructions import QEMU_PROGRAM
from tests.patience import HANG
from tests.vectors import both_engines

RECORD = Record(Layout((ENGINE,)))
STREAM = random.Random(11)
# fmt: off
CORNERS = (
    0, 0x80000000, 1, 0x807FFFFF, 0x00800000, 0x80800001, 0x3F800000, 0xBF800000, 0x3F7FFFFF,
    0x3F000000, 0x3F000001, 0xBF000000, 0x3FC00000, 0x40200000, 0x4EFFFFFF, 0x4F000000, 0xCF000000,
    0xCF000001, 0x4F7FFFFF, 0x4F800000, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000,
    0x7F800001, 0xFFFFFFFF, 0x38800000, 0x387FE000, 0x33000000, 0x33000001, 0x477FE000, 0x477FF000,
    0x7FFFFFFF, 0x12345678,
)
HALVES = (
    0, 0x8000, 1, 0x83FF, 0x0400, 0x8401, 0x3C00, 0xBC00, 0x3BFF, 0x3800, 0xB800, 0x3801, 0x3E00,
    0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00, 0x7C01, 0xFFFF, 0x1234, 0x5678, 0x6400, 0x67FF,
)
# fmt: on
BOX = 0xFFFF0000


def operands(corners: tuple[int, ...], above: int, bits: int) -> list[tuple[int, int]]:
    """All corners with all corners, and random ones."""
    found = [(a | above, b | above) for a in corners for b in corners]
    found += [
        (STREAM.getrandbits(bits) | above, STREAM.getrandbits(bits) | above) for _ in range(400)
    ]
    if above:
        found += [(0x00003C00, BOX | 0x3C00), (BOX | 0x3C00, 0xFFFE3C00)]  # not boxed: NaN
    return found


def apply(name: str, *values: int) -> int:
    """The result on both engines; numbers of 16 bits in the mode FP16."""
    operation = OPERATIONS[OPS[name]]
    extra = (0,) if operation.__module__ == half.__name__ else ()
    return both_engines(operation, RECORD, *values, *extra)


def encoded(group: object) -> list[tuple[str, int, int]]:
    """Rows without memory as (name, word that reads a1/fa1, a2/fa2, fa2, how it is stored)."""
    found = []
    for row in group.rows:  # type: ignore[attr-defined]
        if row.form in (Form.LOAD, Form.STORE):
            continue
        values = {"rm": 0, "imm": 12, "rd": 10, "frd": 10, "rs1": 11, "frs1": 11, "frs2": 12}
        word = row.encoding.encode(**{name: values[name] for name in row.encoding.fields})
        store = "fsw fa0" if "frd" in row.encoding.fields else "sw a0"
        found.append((row.name, word, store))
    return found


def run_qemu(group: object, pairs: list[tuple[int, int]], folder: Path) -> list[list[int]]:
    """Of each pair the result of each row."""
    words = encoded(group)
    body = "    flw fa1, -8(s0)\n    flw fa2, -4(s0)\n" + "\n".join(
        f"    .word {word:#x}\n    {store}, 0(s1)\n    addi s1, s1, 4" for _, word, store in words
    )
    source = QEMU_PROGRAM.format(
        body=body,
        operands="\n".join(f"    .word {a:#x}, {b:#x}" for a, b in pairs),
        space=4 * len(words) * len(pairs),
    )
    command = [tool("qemu-riscv32"), "-cpu", "rv32,Zfh=true"]
    done = subprocess.run(
        [*command, str(assemble(source, folder, link=True))], capture_output=True, timeout=HANG
    )
    assert done.returncode == 0, done.stderr
    flat = [value for (value,) in struct.iter_unpack("<I", done.stdout)]
    assert len(flat) == len(words) * len(pairs)
    return [flat[i : i + len(words)] for i in range(0, len(flat), len(words))]


ARITHMETIC = ("fadd", "fsub", "fmul", "fmadd", "fmsub", "fnmadd", "fnmsub")


def denormal(x: int, width: int) -> bool:
    mantissa, exponent = (23, 8) if width == 32 else (10, 5)
    return not x >> mantissa & ((1 << exponent) - 1) and bool(x & ((1 << mantissa) - 1))


def compare(group: object, pairs: list[tuple[int, int]], width: int, folder: Path) -> None:
    checked: dict[str, int] = {}
    for (a, b), results in zip(pairs, run_qemu(group, pairs, folder), strict=True):
        for (name, _, _), theirs in zip(encoded(group), results, strict=True):
            form = OPERATIONS[OPS[name]].__code__.co_argcount - (width == 16)
            ours = apply(name, *(a, b, b)[:form])
            if name.split(".")[0] in ARITHMETIC:
                if any(denormal(x, width) for x in (a, b, theirs)):
                    continue
                # Neither fused nor separate: where the sum cancels, many bits may be others.
                if form == 3 and 0 < abs(ours - theirs) < 1 << (23 if width == 32 else 10):
                    continue
                if smallest(theirs, width):
                    continue
            assert ours == theirs, f"{name} {a:#x}, {b:#x}: {ours:#x}, qemu {theirs:#x}"
            checked[name] = checked.get(name, 0) + 1
    assert checked.keys() == {name for name, _, _ in encoded(group)}
    assert min(checked.values()) > 400


def smallest(x: int, width: int) -> bool:
    """The smallest normal number: IEEE rounds to it what the chip may have made 0."""
    return x & (0x7FFFFFFF if width == 32 else 0x7FFF) == (0x00800000 if width == 32 else 0x0400)


def test_f_as_qemu(tmp_path: Path) -> None:
    compare(FLOAT32, operands(CORNERS, 0, 32), 32, tmp_path)


def test_zfh_as_qemu(tmp_path: Path) -> None:
    pairs = operands(HALVES, BOX, 16)
    compare(FLOAT16, pairs, 16, tmp_path)


MODES = [(half.BF16, True), (half.BF16 | half.NEAREST, False)]


@pytest.mark.parametrize(("mode", "truncated"), MODES)
def test_bf16(mode: int, truncated: bool) -> None:
    """Sums and products of BF16 by exact arithmetic, to the nearest and toward zero."""
    count = 6000
    a = [STREAM.getrandbits(1) << 15 | STREAM.randrange(0x3000, 0x4F80) for _ in range(count)]
    b = [STREAM.getrandbits(1) << 15 | STREAM.randrange(0x3000, 0x4F80) for _ in range(count)]
    boxed_a, boxed_b, modes = [BOX | x for x in a], [BOX | x for x in b], [mode] * count
    sums = sweep(half.add, boxed_a, boxed_b, modes)
    products = sweep(half.multiply, boxed_a, boxed_b, modes)
    for i in range(count):
        x, y = number(a[i], 8, 7), number(b[i], 8, 7)
        # What is far below the larger one leaves no trace, which truncation shows.
        if abs(x) < abs(y) * 2**20 and abs(y) < abs(x) * 2**20:
            assert sums[i] == BOX | nearest(x + y, truncated)
        assert products[i] == BOX | nearest(x * y, truncated)


def nearest(value: Fraction, truncated: bool) -> int:
    if value == 0:
        return 0
    result = rounded(value, 8, 7)
    if truncated and abs(number(result, 8, 7)) > abs(value):
        result -= 1
    return result


def test_bf16_conversions() -> None:
    toward_zero, to_nearest = half.BF16, half.BF16 | half.NEAREST
    for mode, third, minus_two in ((toward_zero, 0x3EAA, 2), (to_nearest, 0x3EAB, 3)):
        assert both_engines(half.narrowed, RECORD, 0x3EAAAAAB, mode) == BOX | third
        # 2.75
        assert both_engines(half.to_signed, RECORD, BOX | 0x4030, mode) == minus_two
    assert both_engines(half.widened, RECORD, BOX | 0x4049, to_nearest) == 0x40490000
    assert both_engines(half.from_signed, RECORD, 0xFFFFFEFF, toward_zero) == BOX | 0xC380
    assert both_engines(half.from_unsigned, RECORD, 0xFFFFFFFF, to_nearest) == BOX | 0x4F80
    assert both_engines(half.classified, RECORD, BOX | 0x8040, to_nearest) == 1 << 2
    assert both_engines(half.add, RECORD, 0x3F80, BOX | 0x3F80, to_nearest) == BOX | 0x7FC0
    assert half.mode_of(0xC0000000) == to_nearest
    assert half.mode_of(0x7FFFFFFF) == toward_zero
    assert half.mode_of(0xBFFFFFFF) == half.NEAREST
