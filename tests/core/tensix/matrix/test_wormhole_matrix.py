# SPDX-License-Identifier: Apache-2.0
"""The Matrix Unit of Wormhole, by its own encodings and configuration, on both engines.

The cases are Blackhole's (matrix_cases.txt). Where the pages are the same for both chips, the bits
are those of Blackhole, counters included: a Blackhole's ADDR_MOD_6 is ADDR_MOD_2 with
ADDR_MOD_SET_Base here. Where they differ, the second model says what comes out.
"""

from __future__ import annotations

import re

import pytest

from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.devices.wormhole import config_words
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.architecture import DIALECTS, Arch
from tensix_gdb.core.isa.config_words import config_fields
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.stop import STOPPED
from tensix_gdb.core.tensix.decode import decode_as
from tensix_gdb.core.tensix.dispatch import EXECUTE
from tensix_gdb.core.tensix.instruction import Status, Unit
from tensix_gdb.core.tensix.matrix.accumulate import normalise
from tensix_gdb.core.tensix.matrix.formats import FORMAT_LOWS
from tensix_gdb.core.tensix.table import by_mnemonic
from tests.core.tensix.matrix.matrix_cases import (
    AB_WORD,
    DST_WORD,
    OFFSET,
    Case,
    digest,
    fill,
    read_cases,
)
from tests.core.tensix.matrix.matrix_model_moves import Moves
from tests.vectors import both_engines

DIALECT = DIALECTS["wormhole"]
FIELDS = config_fields(Arch.WORMHOLE)
# CLREXPHIST is for the packers, whose histograms others test.
CASES = [case for case in read_cases() if "revert" not in case.text and case.text != "CLREXPHIST"]


def execute(S: View, word: int) -> int:
    """One instruction of thread 0, past the gate."""
    return EXECUTE[decode_as(word, 1) & 0xFF](S, 0, word)


def otherwise(case: Case) -> bool:
    """True if Wormhole's page and Blackhole differ in what the case may show."""
    name, low = case.text.split()[0], "use_dst_32b_lo" in case.text
    if name == "MOVB2D":
        return "fp32" in case.flags or "foreign" in case.flags
    if name == "MOVD2B":
        return low and case.b == 4
    return name == "ZEROACC" and "ROWS_16" in case.text


def text_of(case: Case) -> tuple[str, int]:
    """The case's text by Wormhole's encoding, and ADDR_MOD_SET_Base."""
    found = re.search(r"addr_mod=(\d)", case.text)
    if found is None:
        return case.text, 0
    number = int(found[1])
    return case.text.replace(found[0], f"addr_mod={number & 3}"), number >> 2


def fill_wormhole(record: Record, case: Case, base: int) -> None:
    """The case's state, with the configuration where Wormhole has it."""
    fill(record, case)
    S = record.S
    thread = [int(S.config.thread[0, i]) for i in range(40)]
    for i in range(40):
        S.config.thread[0, i] = 0
    config_words.power_up(S)
    words = {FIELDS["DEST_TARGET_REG_CFG_MATH_Offset"].word: thread[OFFSET]}
    for i in range(8):
        words[FIELDS[f"ADDR_MOD_AB_SEC{i}_SrcAIncr"].word] = thread[AB_WORD + i]
        words[FIELDS[f"ADDR_MOD_DST_SEC{i}_DestIncr"].word] = thread[DST_WORD + i]
    words[FIELDS["ADDR_MOD_SET_Base"].word] = base
    for word, value in words.items():
        config_words.set_thread_config(S, 0, word, value)
    # Moves from and to SrcB go by the format of SrcA, too.
    of_a = case.b if case.text.startswith(("MOVB2D", "MOVD2B")) else case.a
    S.config.word[0, 1] |= of_a << FORMAT_LOWS[0] | case.b << FORMAT_LOWS[1]
    for bank in range(2):
        S.src.format[0, bank] = S.src.format[1, bank] = 0
    S.tile.chip = 1


class Wormhole(Moves):
    """The second model, where Blackhole's sentences do not hold."""

    minus_ones = 0  # sums that are normalised as they should not be

    def put_number(self, row: int, j: int, total: int, largest: int, *, fp16: bool) -> None:
        if total != -1:
            super().put_number(row, j, total, largest, fp16=fp16)
            return
        self.minus_ones += 1
        self.write(row, j, 1 << 31 | min(largest + 4, 255) << 16, wide=True)

    def b_to_dst(self) -> None:
        fp32, self.fp32 = self.fp32, False
        if "foreign" in self.case.flags:
            # The low mantissa, or the high exponent, is nothing that the format has.
            bits = {1: 0x7FF1F, 10: 0x7FF1F, 4: 0x7FFFF}.get(self.case.b, 0x7F8FF)
            self.b = [
                [
                    [datum & bits if datum & 0xFF or self.keep else 0 for datum in row]
                    for row in rows
                ]
                for rows in self.b
            ]
            self.keep, keep = True, self.keep
            super().b_to_dst()
            self.keep = keep
        else:
            super().b_to_dst()
        self.fp32 = fp32

    def dst_to_b(self) -> None:
        count = 4 if self.f.get("move_4_rows") else 1
        first = self.to // count * count
        to = (self.rows[1] + self.f.get("src_row", 0)) % 64 // count * count
        for i in range(count):
            for j in range(16):
                if self.allowed[j]:
                    self.b[self.bank_b][to + i][j] = self.taken(first + i, j, self.case.b)

    def zero_dst(self) -> None:
        if "ROWS_16" not in self.case.text:
            super().zero_dst()
            return
        group, wide = self.f.get("imm10", 0) % 256, self.f.get("use_dst_32b", 0)
        if group < (32 if wide else 64):
            self.forget(range(16 * group, 16 * group + 16), wide=wide)


@pytest.fixture(scope="module")
def record() -> Record:
    return Record(LAYOUT)


@pytest.fixture(scope="module")
def blank() -> object:
    return Record(LAYOUT).snapshot()


@pytest.mark.parametrize("name", sorted({case.text.split()[0] for case in CASES}))
def test_cases(name: str, record: Record, blank: object) -> None:
    for case in CASES:
        if case.text.split()[0] != name:
            continue
        record.restore(blank)  # type: ignore[arg-type]
        text, base = text_of(case)
        fill_wormhole(record, case, base)
        sources = [record.S.src.b[1, i, 0] for i in range(64)]
        model = Wormhole(record, case)
        assert both_engines(execute, record, parse(text, DIALECT)) == 0, case.line()
        if not otherwise(case) and digest(record, case) == case.digest:
            continue
        assert model.run(), case.line()
        assert otherwise(case) or model.minus_ones, case.line()
        if name == "MOVB2D":
            assert [record.S.src.b[1, i, 0] for i in range(64)] == sources
            wanted = [line for line in model.differences(record) if not line.startswith("SrcB")]
        else:
            wanted = model.differences(record)
        assert not wanted[:4], case.line()


def test_no_instruction_is_left_out() -> None:
    elsewhere = {"SETRWC", "INCRWC", "CLEARDVALID"}  # control_units.txt, test_source_banks.py
    found = {
        mnemonic
        for mnemonic, rows in by_mnemonic(Arch.WORMHOLE).items()
        if rows[0].unit is Unit.FPU and rows[0].status is Status.IMPLEMENTED
    }
    assert found | {"CLREXPHIST"} == {case.text.split()[0] for case in CASES} | elsewhere | {
        "CLREXPHIST"
    }


def test_the_bank_has_no_format(record: Record, blank: object) -> None:
    """The format that an unpacker leaves with the bank is Blackhole's; ALU_FORMAT_SPEC says it
    here."""
    record.restore(blank)  # type: ignore[arg-type]
    S = record.S
    S.tile.chip = 1
    config_words.power_up(S)
    S.src.format[0, 0] = 1
    S.config.word[0, 1] = 5 << FORMAT_LOWS[0]
    S.src.a[0, 0, 0] = 0x55560
    assert both_engines(execute, record, parse("MOVA2D", DIALECT)) == 0
    assert S.dst.bits[0, 0] == 0xAA60


@pytest.mark.parametrize(("format_b", "low"), [(5, 0), (4, 7 << 13)])
def test_movb2d_drops_bits_of_src_b(format_b: int, low: int, record: Record, blank: object) -> None:
    """ttsim#14: a datum of TF32 in SrcB of BF16, moved as TF32."""
    record.restore(blank)  # type: ignore[arg-type]
    S = record.S
    S.tile.chip = 1
    config_words.power_up(S)
    S.config.word[0, 1] = 4 << FORMAT_LOWS[0] | format_b << FORMAT_LOWS[1]
    S.src.b[0, 0, 0] = 7 << 8 | 0x7F
    assert both_engines(execute, record, parse("MOVB2D", DIALECT)) == 0
    assert (S.dst.bits[0, 0], S.dst.bits[8, 0]) == (0x7F, low)


@pytest.mark.parametrize("name", ["MOVA2D", "MOVDBGA2D", "MOVB2D"])
def test_tf32_to_low_halves_has_a_result(name: str, record: Record, blank: object) -> None:
    """MOVA2D.md, MOVB2D.md: "unlikely to be useful", and corrupted on Blackhole alone."""
    record.restore(blank)  # type: ignore[arg-type]
    S = record.S
    S.tile.chip = 1
    config_words.power_up(S)
    S.config.word[0, 1] = 4 << FORMAT_LOWS[0] | 4 << FORMAT_LOWS[1]
    S.src.a[0, 0, 0] = S.src.b[0, 0, 0] = 0x71F7F
    assert both_engines(execute, record, parse(f"{name} use_dst_32b_lo=1", DIALECT)) == 0
    half = 0x71F7F >> 3 & 0xFF00 | 0x7F
    assert (S.dst.bits[0, 0], S.dst.bits[8, 0]) == (half, half | (0x1F & 7) << 13)


@pytest.mark.parametrize("mode", ["ONE_ROW", "ROWS_16", "HALF_OF_DST", "ALL_OF_DST"])
def test_revert_is_undefined(mode: str, record: Record, blank: object) -> None:
    """ZEROACC.md; on Blackhole LLK uses it for 16 rows."""
    record.restore(blank)  # type: ignore[arg-type]
    record.S.tile.chip = 1
    text = f"ZEROACC clear_mode={mode}, revert=1"
    assert both_engines(execute, record, parse(text, DIALECT)) == STOPPED
    assert record.S.stop.code == Fault.TENSIX_MODE


@pytest.mark.parametrize(("wormhole", "word"), [(0, 1 << 31 | 77 << 23), (1, 1 << 31 | 104 << 23)])
def test_minus_one_in_the_last_place(
    wormhole: int, word: int, record: Record, blank: object
) -> None:
    """Tenstorrent's simulator, of Wormhole: 27 digits too many are counted."""
    record.restore(blank)  # type: ignore[arg-type]
    S = record.S
    S.tile.chip = wormhole
    S.fpu.exp[0, 0, 0], S.fpu.value[0, 0, 0] = 100, 0xFFFFFFFF
    assert both_engines(normalise, record, 1, 0) == 0
    assert S.fpu.new[0, 0] == word
