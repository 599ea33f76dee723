# SPDX-License-Identifier: Apache-2.0
"""Every instruction of the Matrix Unit in every mode, on both engines.

Each case of matrix_cases.txt gives the recorded bits; where a second model knows the instruction it
says the same. Cases marked `simulator` gave the same bits in Tenstorrent's simulator, which refuses
the others.
"""

from __future__ import annotations

import pytest

from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.tensix.instruction import Status, Unit
from tensix_gdb.core.tensix.matrix.formats import FORMAT_FP16, FORMAT_LOWS, IMPLIED_WORDS
from tensix_gdb.core.tensix.regfiles.dst import ACCESS_WORD
from tensix_gdb.core.tensix.table import by_mnemonic
from tests.core.tensix.matrix.matrix_cases import (
    HIGHEST,
    Case,
    digest,
    execute,
    fill,
    put,
    read_cases,
)
from tests.core.tensix.matrix.matrix_model_moves import Moves
from tests.vectors import both_engines

CASES = read_cases()
NAMES = sorted({case.text.split()[0] for case in CASES})
WITHOUT_MODEL = {"CLREXPHIST", "GATESRCRST"}


def cases_of(name: str) -> list[Case]:
    return [case for case in CASES if case.text.split()[0] == name]


@pytest.fixture(scope="module")
def record() -> Record:
    return Record(LAYOUT)


@pytest.fixture(scope="module")
def blank() -> object:
    return Record(LAYOUT).snapshot()


@pytest.mark.parametrize("name", NAMES)
def test_cases(name: str, record: Record, blank: object) -> None:
    for case in cases_of(name):
        record.restore(blank)  # type: ignore[arg-type]
        fill(record, case)
        model = Moves(record, case)
        assert both_engines(execute, record, parse(case.text)) == 0, case.line()
        assert digest(record, case) == case.digest, case.line()
        assert model.run() != (name in WITHOUT_MODEL)
        if name not in WITHOUT_MODEL:
            assert not model.differences(record)[:4], case.line()


@pytest.mark.parametrize("flags", ["fp32", "int8"])
def test_gmpool_takes_the_last_of_equal_datums(flags: str, record: Record, blank: object) -> None:
    """In the order 4 to 7, 0 to 3 (GMPOOL.md), so 3, whose index is 1; the others have none."""
    record.restore(blank)  # type: ignore[arg-type]
    kind = 14 if flags == "int8" else 5
    case = Case("GMPOOL dimension=1, arg_max=1", kind, 5, flags, 0, 1)
    fill(record, case)
    put(record, "src", "a", "I", [0x3FF00 | 200] * (2 * 64 * 16))
    put(record, "src", "b", "I", [200] * (2 * 64 * 16))
    put(record, "dst", "bits", "H", [0] * (HIGHEST * 16))
    put(record, "dst", "undefined", "H", [0] * HIGHEST)
    model = Moves(record, case)
    assert both_engines(execute, record, parse(case.text)) == 0
    assert model.run()
    assert not model.differences(record)[:4]
    found = {int(record.S.dst.bits[row, column]) for row in range(HIGHEST) for column in range(16)}
    assert any(low & 0xF == 1 and low & 0xF00 == 0x100 for low in found)


def test_no_instruction_is_left_out() -> None:
    elsewhere = {"SETRWC", "INCRWC", "CLEARDVALID"}  # tensix/test_counters.py, test_source_banks.py
    found = {
        mnemonic
        for mnemonic, rows in by_mnemonic(Arch.BLACKHOLE).items()
        if rows[0].unit is Unit.FPU and rows[0].status is Status.IMPLEMENTED
    }
    assert found == set(NAMES) | elsewhere


@pytest.mark.parametrize(
    ("datum", "half"), [(0x55560, 0xAAA0), (0x55500, 0), (0x55541, 0xAAA1)], ids=hex
)
def test_movb2d_flushes_by_all_eight_bits_of_the_exponent(
    datum: int, half: int, record: Record, blank: object
) -> None:
    """MOVB2D.md looks for an exponent of 0 before FP16 loses the three high bits of it."""
    record.restore(blank)  # type: ignore[arg-type]
    S = record.S
    S.src.format[1, 0] = FORMAT_FP16
    S.src.b[0, 0, 0] = datum
    assert both_engines(execute, record, parse("MOVB2D")) == 0
    assert S.dst.bits[0, 0] == half


OFFSET_WORD, ABSOLUTE = 1, 1 << 3  # DEST_TARGET_REG_CFG_MATH_Offset; a bit of DEST_ACCESS_CFG


def block_cleared(record: Record, blank: object, offset: int, group: int, access: int = 0) -> int:
    """The block of 16 rows of Dst that ZEROACC clears."""
    record.restore(blank)  # type: ignore[arg-type]
    S = record.S
    S.config.thread[0, OFFSET_WORD] = offset
    S.config.word[0, ACCESS_WORD] = access
    text = f"ZEROACC clear_mode=ROWS_16, imm10={group}"
    assert both_engines(execute, record, parse(text)) == 0
    rows = [row for row in range(HIGHEST) if S.dst.undefined[row]]
    assert rows == list(range(rows[0], rows[0] + 16))
    return rows[0] // 16


@pytest.mark.parametrize(
    ("offset", "group", "block"),
    [
        # Measured on p150b (tt-metal#53693).
        *((480, 31, 31), (488, 31, 63), (496, 31, 63)),
        *((496, group, group if group < 16 else group + 32) for group in range(32)),
        # What LLK relies on: any other face of a tile of a bank of 512 rows.
        *((64 * tile + 16 * face, 4 * tile + face, 4 * tile + face)
          for tile in range(8) for face in range(4) if (tile, face) != (7, 3)),
        *((512, 0, 32), (512, 31, 63), (992, 31, 63)),
        # UNSPECIFIED: the sum has ten bits.
        (1008, 31, 31),
    ],
)  # fmt: skip
def test_zeroacc_adds_rows_and_groups(
    offset: int, group: int, block: int, record: Record, blank: object
) -> None:
    assert block_cleared(record, blank, offset, group) == block
    assert block_cleared(record, blank, offset, group, ABSOLUTE) == group


def test_zeroacc_of_32_bits_marks_the_high_halves_alone(record: Record, blank: object) -> None:
    """ZEROACC.md, 98f32c2: DstRowValid[Imm10 * 32 + (i & 8) * 2 + (i & 7)]."""
    record.restore(blank)  # type: ignore[arg-type]
    text = "ZEROACC clear_mode=ROWS_16, use_dst_32b=1, imm10=3"
    assert both_engines(execute, record, parse(text)) == 0
    marked = {row for row in range(HIGHEST) if record.S.dst.undefined[row]}
    assert marked == {96 + (i & 8) * 2 + (i & 7) for i in range(16)}
    assert both_engines(execute, record, parse(text + ", revert=1")) == 0
    assert not any(record.S.dst.undefined[row] for row in range(HIGHEST))


def test_a_move_to_low_halves_unmasks_old_high_ones(record: Record, blank: object) -> None:
    """As LLK found on cards (tt-metal#47311): the datum is defined, and its high half is stale."""
    record.restore(blank)  # type: ignore[arg-type]
    S = record.S
    S.dst.bits[0, 0], S.dst.undefined[0] = 0xBEEF, 0xFFFF
    S.src.format[0, 0] = S.src.format[1, 0] = 5
    S.src.b[0, 0, 0] = 0x7F << 11 | 0x7F
    assert both_engines(execute, record, parse("MOVB2D use_dst_32b_lo=1")) == 0
    assert not S.dst.undefined[0]
    assert (S.dst.bits[0, 0], S.dst.bits[8, 0]) == (0xBEEF, 0x7F7F)


@pytest.mark.parametrize(("data_format", "low"), [(4, 0), (0, 0x7F7F), (5, 0x7F7F)])
def test_movd2b_of_low_halves(data_format: int, low: int, record: Record, blank: object) -> None:
    """Zeros with TF32 (tt-llk#449), the low half with the formats that LLK sets for it."""
    record.restore(blank)  # type: ignore[arg-type]
    S = record.S
    S.config.word[0, 1] = 1 << 29  # ALU_ACC_CTRL_Fp32_enabled
    S.dst.bits[0, 0], S.dst.bits[8, 0] = 0xBEEF, 0x7F7F
    S.src.format[0, 0] = S.src.format[1, 0] = data_format
    S.src.b[0, 0, 0] = 0x12345
    assert both_engines(execute, record, parse("MOVD2B use_dst_32b_lo=1")) == 0
    assert S.src.b[0, 0, 0] == (low & 0xFF00) << 3 | low & 0xFF


def test_movb2d_of_blackhole_drops_no_bits_of_src_b(record: Record, blank: object) -> None:
    """ttsim#14: only Wormhole drops what SrcB's format has not."""
    record.restore(blank)  # type: ignore[arg-type]
    S = record.S
    S.config.thread[0, IMPLIED_WORDS[0]] = 1  # SrcAFmt is the configured one: TF32
    S.config.word[0, 1] = 4 << FORMAT_LOWS[0]
    S.src.format[1, 0] = 5  # BF16
    S.src.b[0, 0, 0] = 7 << 8 | 0x7F
    assert both_engines(execute, record, parse("MOVB2D")) == 0
    assert (S.dst.bits[0, 0], S.dst.bits[8, 0]) == (0x7F, 7 << 13)
