# SPDX-License-Identifier: Apache-2.0
"""The page "additional scalar unit instructions" (boopdotpng): what it says, and what is so.

Where the document and Tenstorrent's own pages and headers differ, both stand here, side by side:
`SAYS` is the document, `IS` what the pages have and what the rows have to be. Every entry of the
document that is not in `DIFFERS` is so.
"""

from __future__ import annotations

import re
from collections import Counter

from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.assembly.tensix_text import ignored, show, undefined
from tensix_gdb.core.explain.instruction.any_machine import explain
from tensix_gdb.core.explain.instruction.table import block_bits
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.tensix.instruction import Instruction, Unit
from tensix_gdb.core.tensix.table import rows_of
from tensix_gdb.core.waits import tensix as waits
from tests.core.isa.wheel import uses
from tests.documents.encodings import layout, rows

ALU = ("SHIFTDMAREG", "BITWOPDMAREG", "CMPDMAREG")

# fmt: off
# "Encoding": opcode, and fields of the two forms: [23] OpBisConst, [20:18] OpSel or Mode,
# [17:12] ResultRegIndex, [11:6] OpBRegIndex, [5:0] OpARegIndex.
OPCODES = {"SHIFTDMAREG": 0x5C, "BITWOPDMAREG": 0x5B, "CMPDMAREG": 0x5D, "FLUSHDMA": 0x46}
WITH_REGISTER = [
    ("opcode", "31:24"), ("=0", "23"), ("reserved", "22:21"), ("mode", "20:18"),
    ("result_reg", "17:12"), ("right_reg", "11:6"), ("left_reg", "5:0"),
]
WITH_CONSTANT = [
    ("opcode", "31:24"), ("=1", "23"), ("reserved", "22:21"), ("mode", "20:18"),
    ("result_reg", "17:12"), ("right_imm6", "11:6"), ("left_reg", "5:0"),
]
# "Modes": value, name, operation.
MODES = [
    ("SHIFTDMAREG",  0, "LEFT",  "left << right"),
    ("SHIFTDMAREG",  1, "RIGHT", "left >> right, zeros coming in"),
    ("BITWOPDMAREG", 0, "AND",   "left & right"),
    ("BITWOPDMAREG", 1, "OR",    "left | right"),
    ("BITWOPDMAREG", 2, "XOR",   "left ^ right"),
    ("CMPDMAREG",    0, "GT",    "left > right"),
    ("CMPDMAREG",    1, "LT",    "left < right"),
    ("CMPDMAREG",    2, "EQ",    "left == right"),
]
# "Performance" and "AutoTTSync Classification". With a constant or with both registers in one
# aligned group of four it takes three cycles, otherwise four.
LATENCY = {"Reg": "3-4", "Imm": "3"}
CLASSES = {"SHIFTDMAREG": 0, "BITWOPDMAREG": 0, "CMPDMAREG": 0, "FLUSHDMA": 7}
CLASS_0 = ("ADDDMAREG", "SUBDMAREG", "MULDMAREG", "BITWOPDMAREG", "SHIFTDMAREG", "CMPDMAREG",
           "SETDMAREG")
FLUSHDMA = [
    ("C0", "THCON",   "the Scalar Unit has memory requests of this thread outstanding"),
    ("C1", "UNPACK0", "this thread has an instruction in Unpacker 0"),
    ("C2", "UNPACK1", "this thread has an instruction in Unpacker 1"),
    ("C3", "PACK0",   "this thread has an instruction in Packer 0 (on Blackhole, the packer)"),
]
# What differs: what the document SAYS, and what IS so.
DIFFERS = {
    # The title names it, the body and the quick reference do not; FLUSHDMA is there instead.
    "SUBDMAREG":        {"SAYS": None,              "IS": 0x59},
    # "~400-450 occurrences across 747 ELFs" are line numbers in the report that it cites, which has
    # the instructions among those never seen.
    "used":             {"SAYS": range(400, 451),   "IS": 0},
    "held by":          {"SAYS": "B5",              "IS": "B0 B5"},
    "one class":        {"SAYS": {0},               "IS": {0, 7}},  # "all four share"
    "FLUSHDMA holds":   {"SAYS": 0x020,             "IS": 0x1FF},   # "block mask 0x20"
    "C3":               {"SAYS": "Packer 0",        "IS": "the packer"},  # one here
}
# fmt: on


def test_opcodes() -> None:
    assert {name: rows(name)[0].opcode for name in OPCODES} == OPCODES


def test_fields() -> None:
    for name in ALU:
        with_register, with_constant = rows(name)
        assert layout(with_register) == WITH_REGISTER, name
        assert layout(with_constant) == WITH_CONSTANT, name
    assert layout(rows("FLUSHDMA")[0]) == [
        ("opcode", "31:24"),
        ("reserved", "23:4"),
        ("condition_mask", "3:0"),
    ]


def test_macros_of_the_document() -> None:
    """Its TT_OP_ macros give the same words as the fields do."""
    for name, opcode in OPCODES.items():
        if name == "FLUSHDMA":
            assert parse("TT_OP_FLUSHDMA(9)") == 0x46 << 24 | 9
            continue
        for const, sel, result, b, a in ((0, 1, 63, 17, 5), (1, 0, 2, 31, 63)):
            word = opcode << 24 | const << 23 | sel << 18 | result << 12 | b << 6 | a
            assert parse(f"TT_OP_{name}({const}, {sel}, {result}, {b}, {a})") == word
            right = "right_imm6" if const else "right_reg"
            assert (
                parse(f"{name} mode={sel}, result_reg={result}, {right}={b}, left_reg={a}") == word
            )


def test_modes() -> None:
    for name, value, text, meaning in MODES:
        for spelling in (text, f"{name}_MODE_{text}", str(value)):
            word = parse(f"{name}.Reg mode={spelling}")
            assert word >> 18 & 7 == value
        fields = {field.name: field for field in explain(hex(word)).fields}
        assert fields["mode"].meaning == f"the operation: {meaning}"


def test_other_modes_have_no_meaning() -> None:
    for name in ALU:
        known = {value for mnemonic, value, _, _ in MODES if mnemonic == name}
        for value in range(8):
            warnings = explain(f"{name}.Reg mode={value}").warnings
            assert bool(warnings) is (value not in known)


def test_latency() -> None:
    for name in (*ALU, "SUBDMAREG"):
        assert {row.form: row.latency for row in rows(name)} == LATENCY
    assert rows("FLUSHDMA")[0].latency == "2+"


def test_classes() -> None:
    assert {name: rows(name)[0].ttsync for name in CLASSES} == CLASSES
    assert {row.mnemonic for row in rows_of(Arch.BLACKHOLE) if row.ttsync == 0} == set(CLASS_0)
    difference = DIFFERS["one class"]
    assert {rows(name)[0].ttsync for name in CLASSES} == difference["IS"] != difference["SAYS"]


def test_flushdma() -> None:
    kind = rows("FLUSHDMA")[0].operands["condition_mask"].kind
    shown = [(one.text, one.llk[0], one.meaning) for one in kind.names]  # type: ignore[attr-defined]
    assert shown == FLUSHDMA
    # "If ConditionMask == 0, it defaults to 0xF"; the bits are the low four of STALLWAIT.
    assert waits.parse("FLUSHDMA").condition_mask() == 0xF
    for bit in range(4):
        assert parse(f"FLUSHDMA wait=C{bit}") & 0xF == parse(f"STALLWAIT wait=C{bit}") & 0x1FFF


def test_subdmareg_of_the_title() -> None:
    assert DIFFERS["SUBDMAREG"]["SAYS"] is None
    with_register, with_constant = rows("SUBDMAREG")
    for row in (with_register, with_constant):
        assert row.opcode == DIFFERS["SUBDMAREG"]["IS"]
        assert row.ttsync == 0
        assert row.unit is Unit.THCON
    # As ADDDMAREG and MULDMAREG: no mode.
    assert layout(with_register) == [
        *(("opcode", "31:24"), ("=0", "23"), ("reserved", "22:18"), ("result_reg", "17:12")),
        *(("right_reg", "11:6"), ("left_reg", "5:0")),
    ]
    assert layout(with_constant) == [
        *(("opcode", "31:24"), ("=1", "23"), ("reserved", "22:18"), ("result_reg", "17:12")),
        *(("right_imm6", "11:6"), ("left_reg", "5:0")),
    ]
    assert parse("TT_OP_SUBDMAREG(1, 5, 3, 2)") == 0x59 << 24 | 1 << 23 | 5 << 12 | 3 << 6 | 2


def test_nobody_uses_them() -> None:
    """In LLK, of which kernels are made: neither these nor FLUSHDMA, while it uses ADDDMAREG."""
    written = Counter(re.sub(r"^T(TI|T_OP)_(\w+).*", r"\2", use) for use in uses(Arch.BLACKHOLE))
    difference = DIFFERS["used"]
    for name in (*ALU, "SUBDMAREG", "FLUSHDMA"):
        assert written[name] == difference["IS"] != difference["SAYS"]
    assert written["ADDDMAREG"] > 0


def test_what_holds_them() -> None:
    difference = DIFFERS["held by"]
    found: list[Instruction] = [
        row for name in (*ALU, "SUBDMAREG", "FLUSHDMA") for row in rows(name)
    ]
    assert {block_bits(row) for row in found} == {difference["IS"]}
    assert difference["IS"] != difference["SAYS"]


def test_flushdma_is_more_than_a_stallwait_with_one_bit() -> None:
    """The document takes it for STALLWAIT with B5; the page has its thread wait for everything."""
    difference = DIFFERS["FLUSHDMA holds"]
    flush = waits.parse("FLUSHDMA wait=C1")
    assert flush.block_mask == difference["IS"] != difference["SAYS"]
    passes = parse("SEMPOST sem=S0")
    assert not waits.parse("STALLWAIT block=B5, wait=C1").catches(passes)
    assert flush.catches(passes)
    holds = {line.name: line.sentence for line in explain("FLUSHDMA wait=C1").holds}
    assert "of every thread" in holds["Scalar Unit (ThCon)"]


def test_the_third_condition() -> None:
    assert str(DIFFERS["C3"]["IS"]) in FLUSHDMA[3][2]
    assert str(DIFFERS["C3"]["SAYS"]) in FLUSHDMA[3][2]
    # One packer on Blackhole; on Wormhole the three others are not waited for.
    state = waits.Activity()
    state.packers = [0, 1, 1, 1]
    for arch in (Arch.BLACKHOLE, Arch.WORMHOLE):
        assert waits.parse("FLUSHDMA", arch).blocked(state) == ()


def test_constant_of_a_shift() -> None:
    """ "right_reg_or_imm & 0x1F": bit 11, which the page gives to no field, is ignored."""
    for amount in range(64):
        word = parse(f"TT_OP_SHIFTDMAREG(1, 0, 0, {amount}, 0)")
        assert undefined(word, Arch.BLACKHOLE) == ""
        assert parse(show(word)) == word
        told = [line for line in explain(hex(word)).warnings if "bit 11" in line]
        assert told == ([ignored(word, Arch.BLACKHOLE)] if amount > 31 else [])
        assert all(line.endswith(f"is one by {amount & 31}") for line in told)
    assert not ignored(parse("TT_OP_BITWOPDMAREG(1, 0, 0, 63, 0)"), Arch.BLACKHOLE)
