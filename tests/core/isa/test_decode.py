# SPDX-License-Identifier: Apache-2.0
"""RV32 decode: each word to its row and operands, everything else illegal, as objdump has it."""

from __future__ import annotations

import random
import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tensix_gdb.core.engine.fields import ENGINE
from tensix_gdb.core.record.layout import Layout
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.riscv.decode import decode
from tensix_gdb.core.riscv.encoding import no_operation
from tensix_gdb.core.riscv.table import (
    FIRST,
    FORMS,
    ILLEGAL,
    OPERATIONS,
    OPS,
    ROWS,
    SIGNED,
    SIZES,
    Form,
)
from tests.core.isa.oracles import NAMED_ROWS, disassemble_words
from tests.vectors import both_engines

# What objdump knows under -march=MARCH and the harts do not have, and the other way round.
NOT_HERE = {
    "packh",
    "zip",
    "unzip",
    "lr.w",
    "sc.w",
    "uret",
    "hret",
    "sret",
    "dret",
    "wfi",
    "sfence.vma",
    "fdiv.s",
    "fsqrt.s",
    "fdiv.h",
    "fsqrt.h",
}
NOT_THERE = {"grevi"}
RECORD = Record(Layout((ENGINE,)))
IGNORED_FIELDS = {"fence", "fence.i"}
# objdump prints these with a shift amount of 32 and more, which RV32 reserves.
SHIFTS = {"slli", "srli", "srai", "rori"}
RENAMED = {"rev8": "grevi", "brev8": "grevi", "zext.h": "pack", "fence.tso": "fence"}


@given(st.one_of(st.integers(0, 0xFFFFFFFF), st.sampled_from(ROWS).map(lambda r: r.encoding.match)))
def test_decode_on_both_engines(word: int) -> None:
    assert both_engines(decode, RECORD, word) == decode(word)


def unpack(packed: int) -> tuple[int, int, int, int, int]:
    return packed & 0xFF, packed >> 8 & 0xFF, packed >> 16 & 0xFF, packed >> 24 & 0xFF, packed >> 32


def name_of(word: int) -> str:
    op = decode(word) & 0xFF
    return "" if op == ILLEGAL else ROWS[op - FIRST].name


def sample(count: int) -> list[int]:
    """Random words, half of them one or two bits away from an instruction."""
    dice = random.Random(0x15A)
    words: list[int] = []
    while len(words) < count:
        word = dice.getrandbits(32)
        if dice.random() < 0.9:
            encoding = dice.choice(NAMED_ROWS).encoding
            word = word & ~encoding.mask | encoding.match
            for _ in range(dice.choice((0, 0, 1, 2))):
                word ^= 1 << dice.randrange(2, 32)
        word |= 3
        if word & 0x1F != 0x1F:  # the manual keeps these for longer instructions; as(1) refuses
            words.append(word)
    return words


def test_as_objdump(tmp_path: Path) -> None:
    words = [0x0FF0000F, 0x8330000F, 0x0000100F, *sample(20_000)]
    seen = set()
    for word, text in zip(words, disassemble_words(words, tmp_path), strict=True):
        theirs = text.split("\t")[0].strip()
        theirs = re.sub(r"^(amo\w+\.w)\.(aq|rl|aqrl)$", r"\1", theirs)
        theirs = "" if theirs.startswith(".4byte") else RENAMED.get(theirs, theirs)
        if re.sub(r"\.(aq|rl|aqrl)$", "", theirs) in NOT_HERE:
            theirs = ""
        if theirs in SHIFTS and word >> 25 & 1:
            theirs = ""
        ours = name_of(word)
        if ours.startswith("v"):
            continue  # tests/core/assembly/test_rvv.py
        if ours in NOT_THERE | IGNORED_FIELDS and not theirs:
            continue
        if ours == "fcvt.s.h" and not theirs and word >> 12 & 7:
            continue  # binutils knows it with the rounding mode 0 alone
        assert ours == theirs, f"{word:#010x} is {text!r} for objdump"
        seen.add(ours)
    assert seen >= {row.name for row in NAMED_ROWS}


def test_packed_fields() -> None:
    """Hand-encoded from the manual's figures, one word of each format."""
    # fmt: off
    vectors = {
        0x00C58533: ("add",     10, 11, 12, 0),           # add a0, a1, a2
        0xFFF58513: ("addi",    10, 11, 0, -1),           # addi a0, a1, -1
        0x80050513: ("addi",    10, 10, 0, -2048),
        0x01F59513: ("slli",    10, 11, 0, 31),
        0x41F5D513: ("srai",    10, 11, 0, 31),
        0x6875D513: ("grevi",   10, 11, 0, 7),            # brev8
        0x69055513: ("grevi",   10, 10, 0, 16),
        0xFEB52E23: ("sw",      0, 10, 11, -4),           # sw a1, -4(a0)
        0xFFC52583: ("lw",      11, 10, 0, -4),
        0xFEB50EE3: ("beq",     0, 10, 11, -4),
        0x7EB51FE3: ("bne",     0, 10, 11, 4094),
        0x80000537: ("lui",     10, 0, 0, -0x80000000),
        0x12345517: ("auipc",   10, 0, 0, 0x12345000),
        0x800000EF: ("jal",     1, 0, 0, -0x100000),
        0x7FFFF0EF: ("jal",     1, 0, 0, 0xFFFFE),
        0xFFF080E7: ("jalr",    1, 1, 0, -1),
        0xBC0F9573: ("csrrw",   10, 31, 0, 0xBC0),
        0x7C0F6573: ("csrrsi",  10, 30, 0, 0x7C0),
        0x00B5252F: ("amoadd.w", 10, 10, 11, 0),
        0x0EB5252F: ("amoswap.w", 10, 10, 11, 0),         # aq and rl set
        0x60059513: ("clz",     10, 11, 0, 0),
        0x0FF0000F: ("fence",   0, 0, 0, 0),
        0x8330000F: ("fence",   0, 0, 0, 0),              # fence.tso
        0x00100073: ("ebreak",  0, 0, 0, 0),
        0x30200073: ("mret",    0, 0, 0, 0),
    }
    # fmt: on
    for word, (name, *operands) in vectors.items():
        assert unpack(decode(word)) == (OPS[name], *operands), f"{word:#010x} {name}"


def test_illegal() -> None:
    # fmt: off
    words = {
        "lr.w": 0x1005202F, "sc.w": 0x18B5252F, "wfi": 0x10500073, "sret": 0x10200073,
        "packh": 0x08C5F533, "zip": 0x08F59513, "bset": 0x28C59533, "clmul": 0x0AC59533,
        "fdiv.s": 0x18C5F553, "fsqrt.h": 0x5C05F553, "all ones": 0xFFFFFFFF,
        "shift by 32": 0x02059513,
        "grevi 32": 0x6A055513, "gorci 8": 0x28855513, "ebreak with rd": 0x001000F3,
        "48-bit length": 0x0000001F,
    }
    # fmt: on
    for name, word in words.items():
        assert decode(word) == ILLEGAL, name


@given(st.integers(0, 0xBFFFFFFF))
def test_ttinsn_is_the_tensix_word_rotated(tensix: int) -> None:
    word = (tensix << 2 | tensix >> 30) & 0xFFFFFFFF
    packed = decode(word)
    assert packed & 0xFFFFFFFF == OPS[".ttinsn"]
    assert packed >> 32 & 0xFFFFFFFF == tensix


def test_tables_are_aligned_with_op_numbers() -> None:
    assert len(FORMS) == len(OPERATIONS) == len(SIZES) == len(SIGNED) == FIRST + len(ROWS) < 256
    assert FORMS[OPS["lb"]] is Form.LOAD
    assert (SIZES[OPS["lb"]], SIGNED[OPS["lb"]]) == (1, 1)
    for row in ROWS:
        by_form = row.form in (Form.ALU_RR, Form.ALU_RI, Form.ALU_R1, Form.BRANCH, Form.AMO)
        by_form = by_form or row.form in (Form.CSR_R, Form.CSR_I, Form.ALU_RRR)
        by_form = by_form or row.form in (Form.HALF_R1, Form.HALF_RR, Form.HALF_RRR)
        assert (row.operation is not no_operation) == by_form, row.name
        sized = (Form.LOAD, Form.STORE, Form.AMO, Form.VECTOR_LOAD, Form.VECTOR_STORE)
        assert (row.size > 0) == (row.form in sized), row.name
