# SPDX-License-Identifier: Apache-2.0
"""RV32 from text: what we print, what objdump prints, and what GNU's assembler takes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tensix_gdb.core.assembly.rv32 import EXACT, Style, show
from tensix_gdb.core.assembly.rv32_read import ALIASES, OPERANDS, assemble, parse
from tensix_gdb.core.assembly.tensix_read import TextError
from tensix_gdb.core.riscv.decode import decode
from tensix_gdb.core.riscv.table import FIRST, ROWS, Form
from tests.core.assembly.test_rv32 import words
from tests.core.isa.oracles import NAMED_ROWS, objdump
from tests.core.isa.oracles import assemble as gnu_assemble

PC = 0x10000
FENCE = 0x0F
# In no version of binutils that Debian has.
NOT_IN_BINUTILS = {"grevi"}


def has_a_text(word: int) -> bool:
    """Not fences with fields that their text leaves out, nor rounding modes without a name."""
    if word & 0x7F == FENCE:
        return word >> 28 in (0, 8) and not word & 0xF8F80
    row = ROWS[(decode(word) & 0xFF) - FIRST]
    return "rm" not in row.encoding.fields or word >> 12 & 7 not in (5, 6)


@pytest.mark.parametrize("style", [Style(), Style(aliases=False), Style(numeric=True)], ids=str)
def test_word_to_text_to_word(style: Style) -> None:
    checked = 0
    for word in filter(has_a_text, words()):
        text = show(word, PC, style=style)
        if text.startswith("fence") and word >> 28 and "tso" not in text:
            continue
        assert f"{parse(text, PC):#010x}" == f"{word:#010x}", text
        checked += 1
    assert checked > 5000


def test_text_of_objdump_to_word(tmp_path: Path) -> None:
    """All of its spellings, `add a0,a0,4` and symbols behind targets among them."""
    source = "start:\n" + "\n".join(f".insn {word:#010x}" for word in words())
    checked = 0
    for addr, word, text in objdump(gnu_assemble(source, tmp_path, link=True)):
        if not text.startswith((".4byte", "fence")) and has_a_text(word):
            assert f"{parse(text, addr):#010x}" == f"{word:#010x}", text
            checked += 1
    assert checked > 5000


class Texts:
    """Random instructions for both assemblers."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)

    def operand(self, kind: str) -> str:
        dice = self.dice
        registers = ["zero", "ra", "sp", "fp", "s0", "a5", "t6", "x0", "x17", "x31"]
        match kind:
            case "rd" | "rs1" | "rs2":
                return dice.choice(registers)
            case "frd" | "frs1" | "frs2" | "rs3":
                return dice.choice(["ft0", "fs1", "fa5", "fs11", "ft11", "f0", "f17", "f31"])
            case "imm":
                return dice.choice(["-2048", "2047", "0", "-1", "0x7f", "1 << 3", "(4 + 3)*5"])
            case "constant":
                return dice.choice(["0", "31", "0x10"])
            case "csr":
                return dice.choice(["mstatus", "cycle", "0x7c0", "fcsr", "mhartid"])
            case "upper":
                return dice.choice(["0", "0xfffff", "1", "0x12345"])
            case "target":
                return dice.choice(["start", "middle", "end"])
            case "base":
                return dice.choice(["a0", "4(a0)", "-2048(ra)", "(t0)", "0(x5)"])
            case "memory":
                return dice.choice(["0(sp)", "-4(x8)", "2047(zero)", "(a0)", "4*4(s0)"])
        return dice.choice(["(a0)", "0(sp)"])

    def of_rows(self) -> list[str]:
        found = []
        for row in NAMED_ROWS:
            if row.name in NOT_IN_BINUTILS or row.form is Form.FENCE:
                continue
            for _ in range(5):
                kinds = OPERANDS[row.form]
                floats = [
                    "f" + kind if "f" + kind in row.encoding.fields else kind for kind in kinds
                ]
                operands = [self.operand(kind) for kind in floats]
                if "rm" in row.encoding.fields and row.name not in EXACT:
                    operands += self.dice.choice([[], ["rne"], ["rtz"], ["dyn"]])
                if row.form is Form.ALU_RI and ("sl" in row.name or "sr" in row.name):
                    operands[2] = self.operand("constant") if "lt" not in row.name else operands[2]
                if row.name == "rori":
                    operands[2] = self.operand("constant")
                suffix = self.dice.choice(["", ".aq", ".rl", ".aqrl"])
                name = row.name + (suffix if row.form is Form.AMO else "")
                found.append(f"{name} {self.dice.choice([',', ', ']).join(operands)}")
        return found

    def of_aliases(self) -> list[str]:
        """Each alias, its operands replaced by one of their kind."""
        kinds = {
            "b": ("rs1", "rs1", "target"), "csrw": ("csr", "rs1"), "csrs": ("csr", "rs1"),
            "csrc": ("csr", "rs1"), "csrr": ("rd", "csr"), "csrwi": ("csr", "constant"),
            "csrsi": ("csr", "constant"), "csrci": ("csr", "constant"), "j": ("target",),
            **{f"{n}.{fmt}": ("frd", "frs1") for n in ("fmv", "fneg", "fabs") for fmt in "sh"},
            "fsflagsi": ("rd", "constant"), "fsrmi": ("rd", "constant"),
            "jal": ("target",), "jr": ("base",), "jalr": ("base",), "brev8": ("rd", "rs1"),
        }  # fmt: skip
        found = []
        for name, count in ALIASES:
            wanted = kinds.get(name)
            if wanted is None and name.startswith("b"):
                wanted = ("rs1", "rs1", "target")[3 - count :]
            if name == "jalr" and count == 3:
                wanted = ("rd", "rs1", "imm")
            if wanted == ("rd", "constant"):
                wanted = wanted[2 - count :]
            for _ in range(4):
                operands = [self.operand(kind) for kind in wanted or ("rd", "rs1")[:count]]
                found.append(f"{name} {','.join(operands[:count])}")
        return found


MORE = [
    "li a0,-2048", "li a0,2047", "li t6,0x12345000", "li a0,-4096", "li a0,0", "li a0,0xffffffff",
    "fence", "fence rw,w", "fence iorw,r", "fence.tso", "fence.i", "add a0,a1,5", "sltu a0,a1,7",
    "ror a0,a1,3", "and x1,x2,-1", "csrw mstatus,5",
    "csrrs a0,cycle,3", "sll a0,a0,31", "nop", "ret", "unimp", "ebreak", "ecall", "mret",
    ".word 0x12345678", ".4byte 1 << 31", "ADDI a0,a0,1", "j .", "beqz a0,. + 8",
]  # fmt: skip


@pytest.mark.parametrize("seed", range(3))
def test_as_gnu_assembles(seed: int, tmp_path: Path) -> None:
    maker = Texts(seed)
    texts = [*maker.of_rows(), *maker.of_aliases(), *MORE]
    half = len(texts) // 2
    lines = ["start:", *texts[:half], "middle:", *texts[half:], "end:", "nop"]
    theirs = objdump(gnu_assemble("\n".join(lines), tmp_path, link=True))
    ours = assemble("\n".join(lines), base=PC)
    assert len(ours) == len(theirs) == len(texts) + 1
    for one, (addr, word, _) in zip(ours, theirs, strict=True):
        assert (one.addr, f"{one.word:#010x}") == (addr, f"{word:#010x}"), lines[one.line - 1]


def test_mixed_with_tensix() -> None:
    source = """
    loop:   lw      a0, 4(sp)           # a comment
            .ttinsn STALLWAIT block=B3, wait=C10
            .ttinsn TTI_SEMPOST(2); .ttinsn 0x02000000
            bnez    a0, loop            // back
    """
    found = assemble(source, base=0x6000)
    assert [f"{one.word:08x}" for one in found] == [
        *("00412503", "88101002", "90000022", "08000000", "fe0518e3"),
    ]
    assert [one.line for one in found] == [2, 3, 4, 4, 5]


# fmt: off
REFUSED = [
    ("addi a0,a1,2048",     "imm=2048 is outside -2048..2047"),
    ("addi a0,a1",          "addi takes 3 operands, not 2"),
    ("addi a0,a32,1",       "'a32' is no register"),
    ("slli a0,a0,32",       "imm=32 is outside 0..31"),
    ("lui a0,0x100000",     "outside 0..0xfffff"),
    ("lw a0,sp",            "'sp' is not OFFSET(REGISTER)"),
    ("amoadd.w a0,a1,4(a2)", "amoadd.w has no offset"),
    ("li a0,0x12345",       "takes two instructions"),
    ("beq a0,a1,nowhere",   "'nowhere' is no known name"),
    ("beq a0,a1,1002",      "is outside"),
    ("j 10001",             "is not a multiple of 2"),
    ("csrwi mstatus,32",    "outside 0..31"),
    ("fence x,w",           "two sets of the letters iorw"),
    ("lr.w a0,(a1)",        "'lr.w' is no instruction of the harts"),
    ("c.nop",               "is no instruction"),
    (".ttinsn 0xc0000000",  "above 0xbfffffff"),
    (".word 1 << 32",       "does not fit 32 bits"),
    ("",                    "is no instruction"),
]
# fmt: on


@pytest.mark.parametrize(("text", "sentence"), REFUSED)
def test_refused(text: str, sentence: str) -> None:
    with pytest.raises(TextError) as error:
        parse(text, PC)
    assert sentence in str(error.value)


def test_every_error_of_a_program_is_told() -> None:
    with pytest.raises(TextError) as error:
        assemble("a: nop\na: addi\nnope", name="x.s")
    assert str(error.value).splitlines() == [
        "x.s:2: a is defined twice",
        "x.s:2: addi takes 3 operands, not 0",
        "x.s:3: 'nope' is no instruction of the harts; is it nop?",
    ]
