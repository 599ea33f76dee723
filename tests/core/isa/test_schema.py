# SPDX-License-Identifier: Apache-2.0
"""The row language: what it derives, and every way in which a bad row is refused (err_*)."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensix_gdb.core.isa.by_construct import build, parse
from tensix_gdb.core.isa.schema import (
    Bits,
    Encoding,
    EncodingError,
    Field,
    Fixed,
    NotValue,
    Piece,
    Signed,
    Unused,
    check_parameters,
    check_rows,
    word32,
)
from tensix_gdb.core.riscv.table import ROWS

BRANCH = word32(
    *("imm[12|10:5]" / Signed(7), "rs2" / Bits(5), "rs1" / Bits(5)),
    *(Fixed(0, 3), "imm[4:1|11]" / Bits(5), Fixed(0x63, 7)),
)


@dataclass(frozen=True)
class BadRow:
    name: str
    encoding: Encoding
    page: str = "page"


def test_pieces_of_a_split_immediate() -> None:
    assert BRANCH.fields["imm"] == Field(
        "imm", (Piece(31, 1, 12), Piece(25, 6, 5), Piece(8, 4, 1), Piece(7, 1, 11)), signed=True
    )
    assert (BRANCH.mask, BRANCH.match, BRANCH.unused) == (0x707F, 0x63, 0)
    assert BRANCH.encode(imm=-4, rs2=2, rs1=1) == 0xFE208EE3
    assert BRANCH.decode(0xFE208EE3) == {"imm": -4, "rs2": 2, "rs1": 1}


def test_unused_bits_are_not_part_of_the_match() -> None:
    encoding = word32(Fixed(0xA2, 8), "block" / Bits(9), Unused(2), "wait" / Bits(13))
    assert (encoding.mask, encoding.match, encoding.unused) == (0xFF000000, 0xA2000000, 0x6000)
    assert encoding.matches(0xA2006000)


# fmt: off
ERRORS = {
    "gap":             (lambda: word32(Fixed(1, 8), "a" / Bits(5)), "13 bits, not 32"),
    "too_long":        (lambda: word32(Fixed(1, 8), "a" / Bits(25)), "more than 32 bits"),
    "constant":        (lambda: word32(Fixed(256, 8), "a" / Bits(24)), "does not fit 8 bits"),
    "unnamed":         (lambda: word32(Fixed(1, 8), Bits(24)), "is no field name"),
    "bad_name":        (lambda: word32(Fixed(1, 8), "a b" / Bits(24)), "is no field name"),
    "piece_width":     (lambda: word32(Fixed(1, 8), "a[4:0]" / Bits(24)), "another number of bits"),
    "piece_order":     (lambda: word32(Fixed(1, 8), "a[0:23]" / Bits(24)), "no range of bits"),
    "piece_overlap":   (lambda: word32(Fixed(1, 8), "a[11:0]" / Bits(12), "a[11:0]" / Bits(12)),
                        "two pieces hold the same bit"),
    "same_word":       (lambda: check_rows([BadRow("a", word32(Fixed(1, 8), "x" / Bits(24))),
                                            BadRow("b", word32("x" / Bits(8), Fixed(0, 24)))]),
                        "a and b match the same word"),
    "same_name":       (lambda: check_rows([BadRow("a", word32(Fixed(1, 8), "x" / Bits(24))),
                                            BadRow("a", word32(Fixed(2, 8), "x" / Bits(24)))]),
                        "a is declared twice"),
    "no_page":         (lambda: check_rows([BadRow("a", word32(Fixed(1, 32)), page="")]),
                        "a names no page"),
    "parameters":      (lambda: check_parameters("beq", BRANCH, lambda S, rs1, rs2: 0, 1),
                        r"takes \(rs1, rs2\), the word holds \(imm, rs2, rs1\)"),
    "value_too_large": (lambda: BRANCH.encode(imm=4096, rs1=0, rs2=0), "outside -4096..4095"),
    "value_unaligned": (lambda: BRANCH.encode(imm=3, rs1=0, rs2=0), "not a multiple of 2"),
    "field_missing":   (lambda: BRANCH.encode(imm=4, rs1=0), "the fields are"),
    "field_unknown":   (lambda: BRANCH.encode(imm=4, rs1=0, rs2=0, rd=1), "the fields are"),
    "refused_value":   (lambda: word32("a" / Bits(30), "b" / NotValue(3, 2)).encode(a=0, b=3),
                        "belongs to another instruction"),
}
# fmt: on


@pytest.mark.parametrize("case", ERRORS)
def test_err(case: str) -> None:
    provoke, sentence = ERRORS[case]
    with pytest.raises(EncodingError, match=sentence):
        provoke()


def test_rows_kept_apart_by_a_refused_value_do_not_overlap() -> None:
    one = word32("a" / Bits(30), "b" / NotValue(3, 2))
    two = word32("a" / Bits(30), Fixed(3, 2))
    three = word32("a" / Bits(30), Fixed(2, 2))
    assert not one.overlaps(two)
    assert not two.overlaps(one)
    assert one.overlaps(three)


def test_parameters_in_capitals_are_no_operands() -> None:
    check_parameters("beq", BRANCH, lambda S, imm, rs2, rs1, CHECKED: 0, 1)


@given(st.data())
def test_derived_pieces_agree_with_construct(data: st.DataObject) -> None:
    """The masks agree with construct's own build and parse."""
    row = data.draw(st.sampled_from(ROWS))
    values = {}
    for name, field in row.encoding.fields.items():
        bits = data.draw(st.integers(0, (1 << field.width) - 1)) & field.coverage
        values[name] = (
            bits - (1 << field.width) if field.signed and bits >> field.width - 1 else bits
        )
    if row.encoding.refused_mask:
        values["imm"] &= 0x3FFFFFFF
    word = row.encoding.encode(**values)
    assert build(row.encoding, values) == word
    assert parse(row.encoding, word) == values == row.encoding.decode(word)
    assert [r.name for r in ROWS if r.encoding.matches(word)] == [row.name]
