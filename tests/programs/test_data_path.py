# SPDX-License-Identifier: Apache-2.0
"""Whole tiles through unpackers, Matrix Unit and packer, by C programs on T0, T1 and T2.

The results are compared with ordinary arithmetic on lists, exactly where it is exact.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from core.arch.blackhole import T0, B
from core.isa.text import parse
from core.loader import read_elf
from core.machine import Machine
from core.schedule import Schedule
from core.state import Record
from core.stop import StopKind
from core.tensix.rwc import AB_WORD, DST_WORD
from tests.conftest import Build
from tests.machines import machine_on
from tests.tensix.packer import BF16, FP32, THREAD, formats
from tests.tensix.unpack_model import FIELDS, Unpack, arrange

ARGUMENTS = 0x31000  # of T0; the others' follow
LEFT, RIGHT, RESULT = 0x40000, 0x41000, 0x50000
ALU_WORD = FIELDS["ALU_FORMAT_SPEC_REG0_SrcA"].word
STAY, NEXT_FACE, NEXT_COLUMN, NEXT_PHASE, BOTH = range(5)
ALL = "block=B0|B1|B2|B3|B4|B5|B6|B7|B8"
Matrix = list[list[float]]

INSTRUCTIONS = {
    "CONFIG_IS_WRITTEN": f"STALLWAIT {ALL}, wait=C10",
    "UNPACK_A": "UNPACR which_unpacker=UNP0, multi_context_mode=1, flip_src=1",
    "UNPACK_B": "UNPACR which_unpacker=UNP1, multi_context_mode=1, flip_src=1",
    "CLEAR_DST": "ZEROACC clear_mode=ALL_OF_DST",
    "MULTIPLY": "MVMUL",
    "ADD": "ELWADD",
    "GIVE_BANKS": "CLEARDVALID flip_src_b=1, flip_src_a=1",
    "MATH_IS_OVER": "STALLWAIT block=B1, wait=C4",
    "DST_IS_FULL": "SEMPOST sem=1",
    "DST_WANTED": "SEMWAIT block=B2, sem=1, wait=C0",
    "PACK_ROWS": "PACR",
    "PACK_LAST": "PACR last=1",
    "PACKED": "STALLWAIT block=B1, wait=C3",
    "DST_IS_FREE": "SEMGET sem=1",
}
UNPACKING = (
    "SETADCXX u1=1, u0=1, x1_val=1023, x0_val=0",
    "SETADCZW u1=1, u0=1, z0=1, w0=1, z1=1, w1=1",
    f"SETC16 SRCA_SET_Base, {FIELDS['SRCA_SET_SetOvrdWithAddr'].mask}",
)
PACKING = (
    "SETADCXX pk=1, x1_val=15, x0_val=0",
    "SETADCXY pk=1, y0=1, y1=1",
    "SETADCZW pk=1, z0=1, w0=1, z1=1, w1=1",
)


def address_modes() -> Iterator[str]:
    """The sets that data_path.c names: what SrcA, SrcB and the phase go on by."""
    for index, (a, b, phase) in enumerate(
        ((0, 8, 0), (32, 8, 0), (48, 8, 0), (16, 8, 1), (8, 8, 0))
    ):
        yield f"SETC16 {AB_WORD + index}, {a | b << 8}"
        yield f"SETC16 {DST_WORD + index}, {phase << 13}"


def words_of(record: Record) -> dict[int, int]:
    """Words of Config that are not 0."""
    held = record.S.config.word
    return {i: int(held[0, i]) for i in range(224) if held[0, i]}


def thread_words(record: Record, thread: int) -> list[str]:
    """The SETC16 that give a thread its configuration."""
    held = record.S.config.thread
    return [f"SETC16 {i}, {held[thread, i]}" for i in range(1, 68) if held[thread, i]]


def arguments(machine: Machine, hart: int, words: Mapping[int, int], texts: Sequence[str]) -> None:
    """What configure() of data_path.c reads."""
    flat = [part for pair in words.items() for part in pair]
    listed = [len(words), *flat, len(texts), *(parse(text) for text in texts)]
    machine.poke(B, ARGUMENTS + 0x1000 * hart, struct.pack(f"<{len(listed)}I", *listed))


def prepare(machine: Machine, out: int, *, fp32: bool) -> None:
    """Configuration of all three, as the tests of each unit have it."""
    unpacking, packing = Record(), Record()
    tile = {"dims": (1024, 1, 1, 1), "out_counters": (1023, 0, 0, 0)}
    # Data begins 16 bytes behind a tile's address. SrcA's rows are counted from the fourth on.
    arrange(unpacking.S, Unpack(unpacker=0, base=RIGHT // 16 - 1, **tile))  # type: ignore[arg-type]
    arrange(unpacking.S, Unpack(unpacker=1, base=LEFT // 16 - 1, dest=0, **tile))  # type: ignore[arg-type]
    size = 4 if fp32 else 2
    formats(
        SimpleNamespace(record=packing),  # type: ignore[arg-type]
        FP32 if fp32 else BF16,
        out,
        PCK0_ADDR_CTRL_XY_REG_0_Ystride=16 * size,
        ADDR_MOD_PACK_SEC0_YsrcIncr=4,
        THCON_SEC0_REG1_L1_Dest_addr=RESULT // 16 - 1,
        PCK_DEST_RD_CTRL_Read_32b_data=int(fp32),
    )
    unpack_words, pack_words = words_of(unpacking), words_of(packing)
    alu = unpack_words.pop(ALU_WORD, 0) | pack_words.pop(ALU_WORD, 0)
    arguments(machine, 0, unpack_words, UNPACKING)
    arguments(machine, 1, {ALU_WORD: alu | int(fp32) << 29}, list(address_modes()))
    arguments(machine, 2, pack_words, [*PACKING, *thread_words(packing, THREAD)])


@pytest.fixture(params=[("compiled", Schedule.LATENCY), ("compiled", Schedule.RANDOM),
                        ("compiled", Schedule.SC), ("reference", Schedule.LATENCY)],
                ids=lambda p: f"{p[0]}-{p[1].name.lower()}")  # fmt: skip
def tile(request: pytest.FixtureRequest) -> Iterator[Machine]:
    machine = machine_on(*request.param, seed=5)
    yield machine
    machine.close()


def run(machine: Machine, program: Build, *, multiplying: bool, phases: int) -> None:
    """Build and run the three programs to their ends."""
    for hart, name in enumerate(("T0", "T1", "T2")):
        names = dict(INSTRUCTIONS)
        defines = [f"{key}={parse(text):#x}u" for key, text in names.items()]
        defines += [f"HART={hart + 1}", f"PHASES={phases}", f"MULTIPLYING={int(multiplying)}"]
        defines += [
            f"{key}={value}"
            for key, value in (("STAY", STAY), ("NEXT_FACE", NEXT_FACE), ("BOTH", BOTH),
                               ("NEXT_COLUMN", NEXT_COLUMN), ("NEXT_PHASE", NEXT_PHASE))
        ]  # fmt: skip
        elf: Path = program("data_path", name, defines=tuple(defines))
        machine.load(T0 + hart, read_elf(elf))
    for _ in range(8):
        stop = machine.run(50_000)
        if stop is not None and stop.kind is not StopKind.EBREAK:
            break
    assert stop is not None
    assert stop.kind is StopKind.ALL_PAUSED, stop.text
    S = machine.record.S
    assert not S.tensix.active
    assert [S.busy.matrix[i] + S.busy.packer[i] for i in range(3)] == [0, 0, 0]


def faces(rows: Sequence[Sequence[Any]]) -> list[Any]:
    """A matrix of 32x32 in the order of a tile."""
    return [
        rows[16 * r + i][16 * c + j]
        for r in (0, 1) for c in (0, 1) for i in range(16) for j in range(16)
    ]  # fmt: skip


def from_faces(flat: Sequence[float]) -> Matrix:
    return [
        [flat[((i // 16) * 2 + j // 16) * 256 + i % 16 * 16 + j % 16] for j in range(32)]
        for i in range(32)
    ]


def bf16(value: float) -> int:
    """Exact numbers only."""
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    assert bits & 0xFFFF == 0
    return int(bits >> 16)


def put(machine: Machine, addr: int, rows: Matrix) -> None:
    machine.poke(B, addr, struct.pack("<1024H", *(bf16(value) for value in faces(rows))))


def result(machine: Machine, *, fp32: bool) -> Matrix:
    if fp32:
        return from_faces(struct.unpack("<1024f", machine.peek(B, RESULT, 4096)))
    halves = struct.unpack("<1024H", machine.peek(B, RESULT, 2048))
    return from_faces([struct.unpack("<f", struct.pack("<I", h << 16))[0] for h in halves])


def product(left: Matrix, right: Matrix) -> Matrix:
    columns = list(zip(*right, strict=True))
    return [
        [sum(x * y for x, y in zip(row, column, strict=True)) for column in columns] for row in left
    ]


def drawn(seed: int, draw: Callable[[random.Random], float]) -> Matrix:
    source = random.Random(seed)
    return [[draw(source) for _ in range(32)] for _ in range(32)]


def test_small_integers_multiply_exactly(tile: Machine, program: Build) -> None:
    left = drawn(1, lambda r: float(r.randrange(-1, 2)))
    right = drawn(2, lambda r: float(r.randrange(-3, 4)))
    prepare(tile, BF16, fp32=False)
    put(tile, LEFT, left)
    put(tile, RIGHT, right)
    run(tile, program, multiplying=True, phases=1)
    assert result(tile, fp32=False) == product(left, right)


def test_four_phases_use_all_of_a_mantissa(program: Build) -> None:
    # All 8 bits of a mantissa, and one exponent: nothing is lost when products are aligned, and a
    # sum of 32 products has 21 bits, which FP32 holds.
    left = drawn(3, lambda r: float(r.choice((-1, 1)) * r.randrange(128, 256)))
    right = drawn(4, lambda r: float(r.choice((-1, 1)) * r.randrange(128, 256)))
    machine = machine_on("compiled", Schedule.LATENCY)
    prepare(machine, FP32, fp32=True)
    put(machine, LEFT, left)
    put(machine, RIGHT, right)
    run(machine, program, multiplying=True, phases=4)
    assert result(machine, fp32=True) == product(left, right)
    machine.close()


def test_one_phase_is_less_precise_and_not_far_off(program: Build) -> None:
    left = drawn(5, lambda r: float(r.randrange(1, 256)))
    right = drawn(6, lambda r: float(r.randrange(1, 256)))
    machine = machine_on("compiled", Schedule.LATENCY)
    prepare(machine, FP32, fp32=True)
    put(machine, LEFT, left)
    put(machine, RIGHT, right)
    run(machine, program, multiplying=True, phases=1)
    wanted, found = product(left, right), result(machine, fp32=True)
    errors = [
        abs(x - y) / x
        for wanted_row, found_row in zip(wanted, found, strict=True)
        for x, y in zip(wanted_row, found_row, strict=True)
    ]
    # 4 bits of SrcA's mantissa below the leading one, 6 of SrcB's: cut off, not rounded.
    assert 0 < max(errors) < 1 / 16 + 1 / 64
    machine.close()


def test_element_wise_sums(tile: Machine, program: Build) -> None:
    left = drawn(7, lambda r: r.randrange(-64, 65) / 4)
    right = drawn(8, lambda r: r.randrange(-64, 65) / 4)
    prepare(tile, BF16, fp32=False)
    put(tile, LEFT, left)
    put(tile, RIGHT, right)
    run(tile, program, multiplying=False, phases=1)
    wanted = [[x + y for x, y in zip(*rows, strict=True)] for rows in zip(left, right, strict=True)]
    assert result(tile, fp32=False) == wanted
