# SPDX-License-Identifier: Apache-2.0
"""A tile from L1 through unpacker, Matrix Unit and the four packers, all of it by instructions.

As LLK's datacopy has it: T0 unpacks a face at a time and hands the bank over, T1 moves it to Dst,
T2 packs the four faces with the four packers. Fields are written by Wormhole's names, with WRCFG,
REG2FLOP, RMWCIB and SETC16.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensix_gdb.core.arch.blackhole import T0, T1, T2, B
from tensix_gdb.core.arch.wormhole import THCON_WORD
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import config_fields
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind
from tests.core.tensix.drive import run
from tests.core.tensix.packer.packer import BF16
from tests.core.tensix.programs import ttinsn
from tests.core.wormhole.programs import words_of
from tests.core.wormhole.test_pack import LIMITS, SETS
from tests.machines import machine_on

FIELDS = config_fields(Arch.WORMHOLE)
IN, OUT = 0x10000, 0x20000
FACES, FACE, ROWS = 4, 256, 16
GPR = 12  # and the three after it
MAX_WORD = 0xFFFFFFFF


@pytest.fixture(
    params=[
        (engine, schedule)
        for engine in ("reference", "compiled")
        for schedule in (Schedule.SC, Schedule.LATENCY, Schedule.RANDOM)
    ],
    ids=str,
)
def tile(request: pytest.FixtureRequest) -> Iterator[Machine]:
    machine = machine_on(*request.param, arch=Arch.WORMHOLE)
    yield machine
    machine.close()


def gpr(number: int, value: int) -> list[str]:
    return [
        f"SETDMAREG.Immediate new_value={value >> 16 * half & 0xFFFF}, "
        f"result_half_reg={2 * number + half}"
        for half in range(2)
    ]


def config(**values: int) -> list[str]:
    """WRCFG of whole words, each with all the fields that are named."""
    words: dict[int, int] = {}
    for name, value in values.items():
        field = FIELDS[name]
        words[field.word] = words.get(field.word, 0) | value << field.low
    texts: list[str] = []
    for word, value in words.items():
        texts += [*gpr(GPR, value), "STALLWAIT block=B7, wait=C0"]
        texts += [f"WRCFG cfg_index={word}, input_reg={GPR}", "NOP"]
    return texts


def thread_config(**values: int) -> list[str]:
    """SETC16 of whole words."""
    words: dict[int, int] = {}
    for name, value in values.items():
        field = FIELDS[name]
        words[field.word] = words.get(field.word, 0) | value << field.low
    return [f"SETC16 cfg_index={word}, new_value={value}" for word, value in words.items()]


def descriptor() -> list[str]:
    """REG2FLOP of all 128 bits: BF16, uncompressed, four faces of 256 datums."""
    at = FIELDS["THCON_SEC0_REG0_TileDescriptor"].word - THCON_WORD
    bits = BF16 | 1 << 4 | FACE << 16 | 1 << 32 | FACES << 48 | 1 << 64
    texts = [line for i in range(4) for line in gpr(GPR + i, bits >> 32 * i & MAX_WORD)]
    return [*texts, f"REG2FLOP.Configuration thcon_cfg_index={at}, input_reg={GPR}"]


def unpack() -> list[str]:
    """Faces to SrcA from row 0 of the bank, which an unpacker counts as row 4."""
    field = FIELDS["THCON_SEC0_REG2_Out_data_format"]
    assert field.low == 0
    texts = [
        *descriptor(),
        *config(
            THCON_SEC0_REG3_Base_address=IN // 16 - 1,
            UNP0_ADDR_BASE_REG_1_Base=4 * 16 * 2,
            THCON_SEC0_REG2_Unpack_limit_address=0x1FFFF,
        ),
        f"RMWCIB0 mask=0xf, new_value={BF16}, index4={field.word}",
        *thread_config(SRCA_SET_SetOvrdWithAddr=1),
        "SETADCXX u0=1, x1_val=255, x0_val=0",
    ]
    return [*texts, *["UNPACR.Regular which_unpacker=UNP0, flip_src=1, ch0_z_inc=1"] * FACES]


def math() -> list[str]:
    """MOVA2D of eight rows at a time."""
    texts = [
        # One word has the packers' format, too.
        *config(
            ALU_FORMAT_SPEC_REG0_SrcA=BF16,
            ALU_FORMAT_SPEC_REG1_SrcB=BF16,
            ALU_FORMAT_SPEC_REG2_Dstacc=BF16,
        ),
        *thread_config(ADDR_MOD_DST_SEC0_DestIncr=8, ADDR_MOD_AB_SEC0_SrcAIncr=8),
        *thread_config(ADDR_MOD_DST_SEC1_DestIncr=8, ADDR_MOD_AB_SEC1_SrcAClear=1),
    ]
    for _ in range(FACES):
        texts += ["MOVA2D move_8_rows=1, addr_mod=0", "MOVA2D move_8_rows=1, addr_mod=1"]
        texts += ["CLEARDVALID flip_src_a=1"]
    return [*texts, "STALLWAIT block=B1, wait=C7", "SEMPOST sem=S1"]


def pack() -> list[str]:
    """Row by row, a face for each packer."""
    values = {"PCK0_ADDR_CTRL_XY_REG_0_Ystride": 32}
    for i, section in enumerate(SETS):
        values |= {
            f"{section}_In_data_format": BF16,
            f"{section}_Out_data_format": BF16,
            f"{section}_Disable_zero_compress": 1,
            f"{section}_L1_Dest_addr": (OUT + 2 * FACE * i) // 16 - 1,
            f"THCON_{LIMITS[i]}_limit_address": 0x1FFFF,
            f"PCK_EDGE_OFFSET_SEC{i}_mask": 0xFFFF,
            f"PACK_COUNTERS_SEC{i}_pack_reads_per_xy_plane": ROWS,
            f"DEST_TARGET_REG_CFG_PACK_SEC{i}_Offset": ROWS * i,
        }
    texts = [
        *config(**values),
        *thread_config(ADDR_MOD_PACK_SEC0_YsrcIncr=1),
        "SETADCXX pk=1, x1_val=15, x0_val=0",
        "SEMWAIT block=B0|B2, wait=C0, sem=S1",
    ]
    texts += ["PACR packer_mask=0xf"] * (ROWS - 1)
    return [*texts, "PACR packer_mask=0xf, last=1"]


def test_datacopy(tile: Machine) -> None:
    datums = [0x3F80 + i for i in range(FACES * FACE)]
    S = tile.record.S
    for i, datum in enumerate(datums):
        S.l1.half[IN // 2 + i] = datum
    S.semaphore.max[1] = 1
    programs = {T0: unpack(), T1: math(), T2: pack()}
    stop = run(tile, {hart: list(map(ttinsn, words_of(texts))) for hart, texts in programs.items()})
    assert stop is not None, "an instruction waits for ever"
    assert stop.kind is StopKind.ALL_PAUSED, stop.text
    out = tile.peek(B, OUT, 2 * FACES * FACE)
    assert [int.from_bytes(out[i : i + 2], "little") for i in range(0, len(out), 2)] == datums


def test_xmov(tile: Machine) -> None:
    """The mover has its parameters by Wormhole's words; C12 waits for it."""
    S = tile.record.S
    for i in range(8):
        S.l1.word[IN // 4 + i] = 0x1000 + i
    texts = [
        *config(
            THCON_SEC0_REG6_Source_address=IN // 16,
            THCON_SEC0_REG6_Destination_address=OUT // 16,
            THCON_SEC0_REG6_Buffer_size=2,
            THCON_SEC0_REG6_Transfer_direction=3,
        ),
        "XMOV",
        "STALLWAIT block=B1, wait=C12",
        "SEMPOST sem=S1",
    ]
    S.semaphore.max[1] = 1
    stop = run(tile, {T0: list(map(ttinsn, words_of(texts)))})
    assert stop is not None
    assert stop.kind is StopKind.ALL_PAUSED, stop.text
    assert S.semaphore.value[1] == 1
    assert [int(S.l1.word[OUT // 4 + i]) for i in range(8)] == [0x1000 + i for i in range(8)]
