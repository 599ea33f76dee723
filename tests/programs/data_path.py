# SPDX-License-Identifier: Apache-2.0
"""The needs of the programs of data_path.c: instructions by name, configuration, tiles in L1."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.tensix.regfiles.rwc import AB_WORD, DST_WORD
from tests.core.tensix.packer.packer import BF16, FP32, THREAD, formats
from tests.core.tensix.unpacker.unpack_model import FIELDS, Unpack, arrange

ARGUMENTS = 0x31000  # of T0; the others' follow
LEFT, RIGHT, RESULT = 0x40000, 0x41000, 0x50000
ALU_WORD = FIELDS["ALU_FORMAT_SPEC_REG0_SrcA"].word
STAY, NEXT_FACE, NEXT_COLUMN, NEXT_PHASE, BOTH = range(5)
ALL = "block=B0|B1|B2|B3|B4|B5|B6|B7|B8"
Matrix = list[list[float]]
Poke = Callable[[int, int, bytes], object]  # Machine.poke

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
    "TILE_IS_PACKED": "SEMPOST sem=2",
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
    """The sets that data_path.c names: by how much SrcA, SrcB and the phase advance."""
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


def arguments(poke: Poke, hart: int, words: Mapping[int, int], texts: Sequence[str]) -> None:
    """Write what configure() of data_path.c reads."""
    flat = [part for pair in words.items() for part in pair]
    listed = [len(words), *flat, len(texts), *(parse(text) for text in texts)]
    poke(B, ARGUMENTS + 0x1000 * hart, struct.pack(f"<{len(listed)}I", *listed))


def prepare(poke: Poke, out: int, *, fp32: bool) -> None:
    """Configuration of all three, as the tests of each unit have it."""
    unpacking, packing = Record(LAYOUT), Record(LAYOUT)
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
    arguments(poke, 0, unpack_words, UNPACKING)
    arguments(poke, 1, {ALU_WORD: alu | int(fp32) << 29}, list(address_modes()))
    arguments(poke, 2, pack_words, [*PACKING, *thread_words(packing, THREAD)])


def defines(hart: int, *, phases: int, multiplying: bool = True) -> tuple[str, ...]:
    """The compiler's command line for T0 (1), T1 (2) or T2 (3)."""
    words = [f"{name}={parse(text):#x}u" for name, text in INSTRUCTIONS.items()]
    sets = {"STAY": STAY, "NEXT_FACE": NEXT_FACE, "NEXT_COLUMN": NEXT_COLUMN}
    sets |= {"NEXT_PHASE": NEXT_PHASE, "BOTH": BOTH}
    numbers = {"HART": hart, "PHASES": phases, "MULTIPLYING": int(multiplying), **sets}
    return (*words, *(f"{name}={value}" for name, value in numbers.items()))


def faces(rows: Sequence[Sequence[Any]]) -> list[Any]:
    """A matrix of 32x32 in the order of a tile."""
    return [
        rows[16 * r + i][16 * c + j]
        for r in (0, 1)
        for c in (0, 1)
        for i in range(16)
        for j in range(16)
    ]


def bf16(value: float) -> int:
    """Exact numbers only."""
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    assert bits & 0xFFFF == 0
    return int(bits >> 16)


def put(poke: Poke, addr: int, rows: Matrix) -> None:
    """A tile into L1."""
    poke(B, addr, struct.pack("<1024H", *(bf16(value) for value in faces(rows))))


def arrange_tiles(poke: Poke) -> None:
    """A tile of ones, and one with an infinity and a NaN at its beginning, then 2, 3, 4."""
    prepare(poke, BF16, fp32=False)
    put(poke, LEFT, [[1.0] * 32 for _ in range(32)])
    right = [[float(column) for column in range(32)] for _ in range(32)]
    halves = [bf16(value) for value in faces(right)]
    halves[:2] = [0x7F80, 0xFF81]
    poke(B, RIGHT, struct.pack("<1024H", *halves))
