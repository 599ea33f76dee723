# SPDX-License-Identifier: Apache-2.0
"""From L1 through unpackers, Matrix Unit and packer back to L1, with three threads as LLK has them.

T0 unpacks, T1 computes, T2 packs. Banks of SrcA and SrcB hold T1 back until they are handed over;
semaphore 1 says that Dst is full, so T2 waits for it, and T1 for T2 to have packed.
"""

from __future__ import annotations

import random
import struct

import pytest

from tensix_gdb.core.arch.blackhole import T0, T1, T2
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stop import StopKind
from tests.core.tensix.drive import run
from tests.core.tensix.packer.packer import BF16, BFP8, FIELDS, FP32, formats, l1
from tests.core.tensix.programs import push_all
from tests.core.tensix.unpacker.unpack_model import Unpack, arrange

A, B_TILE, OUT = 0x10000, 0x14000, 0x20000
FACE = 256


def bf16(x: float) -> int:
    """Exact for the numbers used here."""
    bits = int(struct.unpack("<I", struct.pack("<f", x))[0])
    assert bits & 0xFFFF == 0
    return bits >> 16


def real(bits: int) -> float:
    return float(struct.unpack("<f", struct.pack("<I", bits << 16))[0])


def put(tile: Machine, addr: int, datums: list[int]) -> None:
    """BF16 behind a tile header of 16 bytes."""
    for i, datum in enumerate(datums):
        tile.record.S.l1.half[(addr + 16) // 2 + i] = datum


def unpacker(tile: Machine, which: int, addr: int) -> str:
    """UNPACR of a face of BF16, which the Matrix Unit has then; the text."""
    # The first four rows that an unpacker counts are not rows of SrcA.
    dest = 0 if which else 64
    unpack = Unpack(unpacker=which, base=addr // 16, dims=(FACE, 1, 1, 1), dest=dest)
    arrange(tile.record.S, unpack)
    return unpack.text()


def packer(tile: Machine, out: int = BF16) -> list[str]:
    """A face of Dst to OUT."""
    formats(
        tile,
        BF16,
        out,
        THCON_SEC0_REG1_Exp_section_size=1,
        PCK0_ADDR_CTRL_XY_REG_0_Ystride=32,
        ADDR_MOD_PACK_SEC0_YsrcIncr=4,
        ADDR_MOD_PACK_SEC1_YsrcClear=1,
    )
    return ["PACR", "PACR", "PACR", "PACR addr_mod=1, last=1"]


FULL = "SEMPOST sem=S1"
WAIT_FULL = "SEMWAIT block=B0|B2, wait=C0, sem=S1"
PACKED = ["STALLWAIT block=B1, wait=C3", "SEMGET sem=S1"]
MATH_DONE = "STALLWAIT block=B1, wait=C4"


def go(tile: Machine, unpack: list[str], math: list[str], pack: list[str]) -> None:
    """Run the three threads to their end."""
    tile.record.S.semaphore.max[1] = 1
    stop = run(tile, {T0: push_all(unpack), T1: push_all(math), T2: push_all(pack)})
    assert stop is not None, "somebody waits forever"
    assert stop.kind is StopKind.ALL_PAUSED, stop.text


@pytest.mark.parametrize("out", [BF16, FP32, BFP8])
def test_copy_of_a_face(tile: Machine, out: int) -> None:
    dice = random.Random(3)
    face = [bf16(dice.randrange(-127, 128) / 64) for _ in range(FACE)]
    put(tile, A, face)
    unpack = [
        unpacker(tile, 0, A),
        "UNPACR_NOP.ClearSrc which_unpacker=UNP1, src_clr_val_ctrl=ZERO, set_dvalid=1",
    ]
    math = [f"MOVA2D src_row={row}, dst_row={row}, move_8_rows=1" for row in (0, 8)]
    math += ["CLEARDVALID flip_src_a=1, flip_src_b=1", MATH_DONE, FULL]
    go(tile, unpack, math, [WAIT_FULL, *packer(tile, out), *PACKED])
    if out == BF16:
        assert l1(tile, 2, FACE) == face
    elif out == FP32:
        assert l1(tile, 4, FACE) == [datum << 16 for datum in face]
    else:
        exponents = l1(tile, 1, 16)
        assert exponents == [
            max((datum >> 7) & 0xFF for datum in face[16 * row : 16 * row + 16])
            for row in range(16)
        ]
        # All are multiples of 1/64 below 2, so nothing is lost.
        for i, byte in enumerate(l1(tile, 1, FACE, OUT + 16)):
            value = (byte & 0x7F) * 2.0 ** (exponents[i // 16] - 127 - 6)
            assert (-value if byte & 0x80 else value) == real(face[i])


def test_product_of_two_faces(tile: Machine) -> None:
    dice = random.Random(4)
    left = [[dice.randrange(-4, 5) for _ in range(16)] for _ in range(16)]
    right = [[dice.randrange(-4, 5) for _ in range(16)] for _ in range(16)]
    put(tile, A, [bf16(float(x)) for row in right for x in row])
    put(tile, B_TILE, [bf16(float(x)) for row in left for x in row])
    unpack = [unpacker(tile, 0, A), unpacker(tile, 1, B_TILE)]
    # Rows of SrcB and Dst advance by 8.
    S = tile.record.S
    for name in ("ADDR_MOD_AB_SEC0_SrcBIncr", "ADDR_MOD_DST_SEC0_DestIncr"):
        S.config.thread[1, FIELDS[name].word] |= 8 << FIELDS[name].low
    math = ["ZEROACC clear_mode=ALL_OF_DST"]
    math += ["MVMUL", "MVMUL", "CLEARDVALID flip_src_a=1, flip_src_b=1", MATH_DONE, FULL]
    go(tile, unpack, math, [WAIT_FULL, *packer(tile), *PACKED])
    expected = [
        [sum(left[i][k] * right[k][j] for k in range(16)) for j in range(16)] for i in range(16)
    ]
    found = l1(tile, 2, FACE)
    assert [real(datum) for datum in found] == [float(x) for row in expected for x in row]
