# SPDX-License-Identifier: Apache-2.0
"""Explanations of every row, what they warn about, and the same wait elsewhere."""

from __future__ import annotations

import json
import random

import pytest

from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.explain.instruction.any_machine import (
    MACHINES,
    ExplainError,
    explain,
    explain_forms,
    show_forms,
)
from tensix_gdb.core.explain.instruction.explanation import WIDTH
from tensix_gdb.core.isa.architecture import DIALECTS, Arch
from tensix_gdb.core.tensix.instruction import Catch, Status
from tensix_gdb.core.tensix.table import rows_of
from tensix_gdb.core.waits import gfx9, visa
from tensix_gdb.core.waits import tensix as waits


@pytest.mark.parametrize("machine", DIALECTS)
def test_every_row_is_explained(machine: str) -> None:
    """Words of every row: all fields there, their bits and values those of the word."""
    dice = random.Random(1)
    arch = DIALECTS[machine].arch
    for row in rows_of(arch):
        for _ in range(5):
            bits = sum(f.word_mask for f in row.encoding.fields.values()) & dice.getrandbits(24)
            word = row.encoding.match | bits
            if not row.encoding.matches(word):
                continue
            found = explain(hex(word), machine)
            assert found.word == word
            assert {f.name: f.value for f in found.fields} == row.encoding.decode(word)
            assert all(f.meaning for f in found.fields), row.name
            assert parse(found.text, DIALECTS[machine]) == word
            facts = {line.name: line.sentence for line in found.facts}
            assert facts["Page"].split("/")[-1] == row.page.split("/")[-1]
            assert arch is Arch.BLACKHOLE or "Blackhole" not in facts["Page"]
            assert facts["Unit"] == row.unit.value
            assert facts["Latency"][0] in {row.latency[:1] or "n", row.latency[2:] or "n"}
            assert ("Auto TTSync" in facts) is (arch is Arch.BLACKHOLE)
            assert bool(found.waits_while or row.mnemonic == "SEMWAIT") is (
                row.mnemonic in waits.WAITS
            )
            undocumented = any("no page documents" in one for one in found.warnings)
            assert undocumented is (row.status is Status.UNDOCUMENTED)
            assert json.loads(json.dumps(found.as_json()))["hex"] == f"{word:#010x}"
            # Nothing is cut: each name and value is in the text.
            shown = found.show()
            assert all(f.name in shown and f.text in shown for f in found.fields)


def test_lines_fit() -> None:
    for row in rows_of(Arch.BLACKHOLE):
        for line in explain(hex(row.encoding.match)).show().splitlines()[1:]:
            assert len(line) <= WIDTH, line


def test_stallwait_of_the_unpack_kernels() -> None:
    found = explain("STALLWAIT(B3, C10)")
    assert found.hex == "0xa2040400"
    assert [(f.name, f.bits, f.text) for f in found.fields] == [
        ("block_mask", "23:15", "B3"),
        ("condition_mask", "12:0", "C10"),
    ]
    assert [line.name for line in found.holds] == ["Unpacker", "Sync Unit"]
    (condition,) = found.waits_while
    assert "request to Tensix GPRs, configuration or TDMA-RISC" in condition.sentence
    elsewhere = {one.machine: one for one in found.elsewhere}
    assert elsewhere["Wormhole"].text == "STALLWAIT block=B3, wait=C13"
    assert elsewhere["gfx9"].text == elsewhere["vISA"].text == ""
    assert not any("UNPACR" in warning for warning in found.warnings)


# fmt: off
WARNINGS = [
    ("STALLWAIT block=B6, wait=C10",    "block mask does not catch UNPACR, which takes B0 or B3"),
    ("STALLWAIT block=B6, wait=C1|C2",  "C1 and C2: this block mask does not catch UNPACR"),
    ("STALLWAIT block=B6, wait=C3",     "does not catch PACR, which takes B0 or B2"),
    ("STALLWAIT block=B5, wait=C4",     "does not catch Matrix Unit instructions, which takes B6"),
    ("STALLWAIT block=B4, wait=C9",     "other threads and for TDMA-RISC keeps it waiting too"),
    ("STALLWAIT block=B7, wait=C12",    "other threads' instructions in the Configuration Unit"),
    ("STALLWAIT wait=C4",               "a block mask of 0 acts as B6"),
    ("STALLWAIT block=B0",              "a condition mask of 0 acts as C0|C1|C2|C3"),
    ("0xa2006000",                      "bits 0x6000 set, which mean nothing"),
    ("SEMWAIT block=B1, sem=S0",        "undefined on the newest page"),
    ("SEMWAIT block=B1, wait=C0",       "no semaphore is selected"),
    ("FLUSHDMA",                        "acts as C0|C1|C2|C3"),
    ("MOP template=1, count1=1",        "template 1 takes its counts from the configuration"),
    ("REPLAY count=0",                  "pages disagree on a count of 0"),
    ("ATGETM index=1",                  "there is no mutex 1 on Blackhole"),
    ("SETC16 cfg_index=68",             "ThreadConfig has 68 words"),
    ("WRCFG cfg_index=224",             "a bank of Config has 224 words"),
    ("WRCFG cfg_index=0",               "put a NOP between"),
    ("WRCFG cfg_index=21, is_128_bit=1", "the low two bits of both indexes do not count"),
    ("RAREB",                           "no page documents this instruction"),
    ("CMPDMAREG.Reg mode=3",            "mode=3 is none of the values"),
    ("s_waitcnt 0x80",                  "bits 0x0080 of the operand belong to no counter"),
    ("s_waitcnt 0xcf7f",                "every counter is at its largest value"),
    ("WAIT 0xff",                       "every dependency is cleared"),
]
QUIET = [
    "STALLWAIT block=B3, wait=C1|C2", "STALLWAIT block=B0, wait=C1|C2|C3",
    "STALLWAIT block=B6, wait=C4",
    "SEMWAIT block=B1, sem=S0, wait=C0", "MOP template=0, count1=3, mask_lo=1", "ATGETM index=2",
    "REPLAY index=0, count=32", "SETC16 cfg_index=0", "NOP", "s_waitcnt vmcnt(0)",
]
# fmt: on


@pytest.mark.parametrize(("text", "sentence"), WARNINGS)
def test_warnings(text: str, sentence: str) -> None:
    assert any(sentence in warning for warning in explain(text).warnings)


@pytest.mark.parametrize("text", QUIET)
def test_no_warnings(text: str) -> None:
    assert explain(text).warnings == []


# An instruction of one chip, and what is said of the other one.
ON_THE_OTHER = [
    ("blackhole", "WRCFG input_reg=1, cfg_index=THCON_SEC0_REG3_Base_address", "keep a NOP"),
    ("blackhole", "WRCFG input_reg=1, cfg_index=THCON_SEC0_REG3_Base_address", "0xb0010040"),
    ("wormhole", "WRCFG input_reg=1, cfg_index=THCON_SEC0_REG3_Base_address", "0xb001004c"),
    ("blackhole", "SFPARECIP", "there is no such instruction"),
    ("blackhole", "SETDMAREG new_value=1, result_half_reg=2", "the same word"),
    ("blackhole", "SFPMAD va=1, vb=2, vc=9, vd=0", "keep an SFPNOP"),
    ("wormhole", "PACR packer_mask=0xf", "it takes other operands"),
]


@pytest.mark.parametrize(("machine", "text", "sentence"), ON_THE_OTHER)
def test_what_it_is_on_the_other_chip(machine: str, text: str, sentence: str) -> None:
    there = "Wormhole" if machine == "blackhole" else "Blackhole"
    facts = {line.name: line.sentence for line in explain(text, machine).facts}
    assert sentence in facts[f"On {there}"]


def test_wormhole_differs() -> None:
    # C9 waits for the Mover here, for SrcB there.
    assert "the Mover" in explain("STALLWAIT block=B4, wait=C9").waits_while[0].sentence
    assert "SrcB" in explain("STALLWAIT block=B4, wait=C9", "wormhole").waits_while[0].sentence
    assert len(explain("STALLWAIT", "wormhole").waits_while) == 7
    found = explain("SEMWAIT block=B6, sem=S0, wait=C0", "wormhole")
    assert any("without B1 a later SEMWAIT passes" in warning for warning in found.warnings)


def test_what_is_held_and_what_passes_are_all_instructions() -> None:
    """Both lists together are the instructions that reach the gate, each once."""
    found = explain("STALLWAIT block=B2|B8, wait=C3|C11")
    texts = " ".join(line.sentence for line in (*found.holds, *found.lets_pass))
    assert "PACR, PACR_SETREG" in texts
    known = {
        r.mnemonic for r in rows_of(Arch.BLACKHOLE) if r.gate in (Catch.MASKED, Catch.ONLY_ALL)
    }
    count = 0
    for line in (*found.holds, *found.lets_pass):
        whole = line.sentence.split()
        if whole[0] == "its":
            count += int(whole[1])
        else:
            names = line.sentence.split(", ")
            assert set(names) <= known
            count += len(names)
    assert count == len(known)


# fmt: off
ELSEWHERE = [
    ("STALLWAIT block=B2, wait=C3", "blackhole", "Wormhole",
     "STALLWAIT block=B2, wait=C3|C4|C5|C6"),
    ("STALLWAIT block=B2, wait=C5", "wormhole",  "Blackhole", "STALLWAIT block=B2, wait=C3"),
    ("STALLWAIT block=B6, wait=C12", "blackhole", "Wormhole", ""),  # CFGEXU is new in Blackhole
    ("STALLWAIT block=B6, wait=C0|C1", "blackhole", "gfx9",   "s_waitcnt vmcnt(0) lgkmcnt(0)"),
    ("SEMWAIT block=ALL, sem=S0|S1, wait=C0", "blackhole", "vISA", "WAIT 0xfc:ub"),
    ("SEMWAIT block=ALL, sem=S0, wait=C1", "blackhole", "vISA", ""),
    ("STREAMWAIT block=B3", "blackhole", "Wormhole", ""),
    ("s_waitcnt vmcnt(0)", "gfx9", "Blackhole", "STALLWAIT block=ALL, wait=C1|C2|C3"),
    ("s_waitcnt vmcnt(0)", "gfx9", "Wormhole",  "STALLWAIT block=ALL, wait=C1|C2|C3|C4|C5|C6"),
    ("s_waitcnt lgkmcnt(0)", "gfx9", "Blackhole", "STALLWAIT block=ALL, wait=C0"),
    ("s_waitcnt expcnt(0)", "gfx9", "Blackhole", ""),
    ("WAIT 0xfe", "visa", "Blackhole", "SEMWAIT block=ALL, sem=S0, wait=C0"),
    ("WAIT 0xff", "visa", "Blackhole", ""),
]
# fmt: on


@pytest.mark.parametrize(("text", "machine", "other", "there"), ELSEWHERE)
def test_the_same_wait_elsewhere(text: str, machine: str, other: str, there: str) -> None:
    one = {one.machine: one for one in explain(text, machine).elsewhere}[other]
    assert one.text == there
    assert one.remark or there
    if not there:
        return
    encoded = {
        "gfx9": lambda: gfx9.parse(there).encode(),
        "vISA": lambda: visa.parse(there).encode(),
    }.get(other, lambda: parse(there, DIALECTS[other.lower()]))()
    assert one.word == encoded


def test_conditions_keep_their_name_between_architectures() -> None:
    """Translated there and back again, what has a bit on both sides is what it was."""
    for bit in range(12):
        here = explain(f"STALLWAIT block=B6, wait=C{bit}").elsewhere[0]
        back = explain(here.text, "wormhole").elsewhere[0]
        assert back.text == f"STALLWAIT block=B6, wait=C{bit}"


def test_words_of_harts() -> None:
    assert explain("0x88101002", "riscv").text == "STALLWAIT block=B3, wait=C10"
    assert explain(".ttinsn STALLWAIT block=B3", "riscv").text == "STALLWAIT block=B3"
    assert explain(".ttinsn STALLWAIT block=B3").text == "STALLWAIT block=B3"
    assert explain("sw a0,4(sp)").arch == "RISC-V"
    assert explain("nop").arch == "Blackhole"  # Tensix has one too
    found = explain("0x00c58533", "riscv")
    assert found.text == "add a0,a1,a2"
    assert explain("add a0,a1,a2", "riscv").word == found.word
    assert [(f.name, f.text) for f in found.fields] == [
        ("rs2", "x12"),
        ("rs1", "x11"),
        ("rd", "x10"),
    ]
    assert explain("0xffffffff", "riscv").summary.startswith("No instruction")


# fmt: off
REFUSED = [
    ("STALLWAT",        "",          "is no Blackhole instruction; is it STALLWAIT"),
    ("1 << 32",         "",          "does not fit 32 bits; 0xffffffff is the largest"),
    ("-1",              "",          "does not fit 32 bits"),
    ("s_waitcnt foo(1)", "",         "invalid counter name foo"),
    ("WAIT 256",        "",          "eight bits"),
    ("0xbf8d0000",      "gfx9",      "is no s_waitcnt"),
    ("addd a0,a1,a2",   "riscv",     "'addd' is no instruction of the harts"),
    ("STREAMWAIT",      "wormhole",  "no Wormhole instruction"),
    ("SHIFTDMAREG",     "",          "say which is meant: SHIFTDMAREG.Reg or SHIFTDMAREG.Imm"),
    ("RMWCIX",          "",          "is it RMWCIB"),
    ("s_waitcn 0",      "",          "is it s_waitcnt of gfx9"),
    ("ad a0,a0,a1",     "riscv",     "is it add or addi"),
    ("lw a0",           "",          "lw takes 2 operands, not 1"),
    ("vadd.vi v1,v2,x", "",          "'x' is no number"),
    ("addi a0,a0,5000", "",          "imm=5000 is outside -2048..2047"),
    ("s_waitcnt vmcnt(99)", "",      "too large value for vmcnt: 99 is outside 0..63$"),
    ("STALLWAIT block=512", "",      "block_mask=512 is outside 0..511"),
    ("STALLWAIT block=B9", "",       "'B9' is no known name; block takes ALL, B0, B1.* 0 to 511$"),
    ("STALLWAIT B3, C99", "",        "'C99' is no known name; wait takes C0, C1.* 0 to 8191$"),
    ("SETDMAREG.Immediate result_half_reg=G9", "", "takes G0_lo to G63_hi, or a number"),
    ("SFPMAD va=M1",    "",          "takes L0 to L15, or a number from 0 to 15"),
    ("SETDMAREG 1",     "",          "not NAME=VALUE with one of the names new_value, result_half"),
]
# fmt: on


@pytest.mark.parametrize(("text", "machine", "sentence"), REFUSED)
def test_refused(text: str, machine: str, sentence: str) -> None:
    with pytest.raises(ExplainError, match=sentence):
        explain(text, machine)


def test_a_word_without_an_instruction() -> None:
    for machine in ("blackhole", "wormhole"):
        found = explain("0x06000000", machine)
        assert found.text == ".word 0x06000000"
        assert "opcode 0x06 is no" in found.summary
    (hint,) = explain("0xbf8c0f70").warnings
    assert hint == "on gfx9 it is s_waitcnt vmcnt(0); say --arch gfx9"
    assert explain("0xc8000006").warnings == [
        "in a hart's program it pushes SETC16 cfg_index=CFG_STATE_ID_StateID, new_value=0x1; "
        "say --arch riscv"
    ]
    assert set(MACHINES) == {"blackhole", "wormhole", "gfx9", "visa", "riscv"}


# fmt: off
MODES = [
    ("SFPMAD mod1=NEGATE_VB|INDIRECT_VD",   "VB is negated; LReg[7] says which LReg is VD"),
    ("SFPSETCC mod1=LREG_LT0",              "VC < 0"),
    ("SFPIADD mod1=ARG_IMM|CC_NONE",        "VC + constant; lane flags stay as they are"),
    ("SFPSHFT2.Reg mod1=SUBVEC_SHFLSHR1",   "shift each group of eight lanes by one lane"),
    ("SFPLOAD mod0=FP16",                   "FP16 in Dst, FP32 in the LReg"),
    ("SFPCONFIG vd=12, mod1=BITWISE_XOR",   "old ^ value"),
]
# fmt: on


@pytest.mark.parametrize(("text", "meaning"), MODES)
def test_modes_of_the_vector_unit_in_words(text: str, meaning: str) -> None:
    fields = {field.name: field.meaning for field in explain(text).fields}
    assert meaning in fields.get("mod1", fields.get("mod0", ""))


def test_every_form_is_explained_where_the_text_does_not_say_which() -> None:
    found = explain_forms("SHIFTDMAREG mode=RIGHT")
    assert [one.text.split()[0] for one in found] == ["SHIFTDMAREG.Reg", "SHIFTDMAREG.Imm"]
    assert all(one.fields[0].text == "RIGHT" for one in found)
    shown = show_forms(found)
    assert shown.startswith("This text has 2 forms: SHIFTDMAREG.Reg, SHIFTDMAREG.Imm.\n\n")
    assert all(one.show() in shown for one in found)
    (only,) = explain_forms("SHIFTDMAREG right_imm6=3")
    assert only.text.startswith("SHIFTDMAREG.Imm")
    assert show_forms([only]) == only.show()


def test_names_of_pages() -> None:
    """RMWCIB.md is about four opcodes; SFPSTOCHRND.md about one that LLK spells otherwise."""
    names = [one.text.split()[0] for one in explain_forms("RMWCIB index4=3")]
    assert names == ["RMWCIB0", "RMWCIB1", "RMWCIB2", "RMWCIB3"]
    assert explain("SFPSTOCHRND").text.startswith("SFP_STOCH_RND")


# fmt: off
LATENCIES = [
    ("ADDDMAREG left_reg=G4, right_reg=G7",     "3 cycles: its operands are in one aligned group"),
    ("ADDDMAREG left_reg=G4, right_reg=G8",     "4 cycles: its operands are in two aligned groups"),
    ("SHIFTDMAREG right_imm6=9, left_reg=G4",   "3 cycles"),
    ("STALLWAIT",                               "1 cycle"),
]
# fmt: on


@pytest.mark.parametrize(("text", "latency"), LATENCIES)
def test_operands_decide_the_latency(text: str, latency: str) -> None:
    facts = {line.name: line.sentence for line in explain(text).facts}
    assert facts["Latency"].startswith(latency)
