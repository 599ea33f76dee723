# SPDX-License-Identifier: Apache-2.0
"""AMD's s_waitcnt (gfx9_waitcnt.rst) against LLVM, and its model."""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensix_gdb.core.isa.by_construct import build
from tensix_gdb.core.isa.by_construct import parse as parse_schema
from tensix_gdb.core.waits.gfx9 import ENCODING, LARGEST, WaitCount, Wave, decode, parse
from tensix_gdb.core.waits.wait import WaitError

SYMBOLS = {"vm_cnt": 1, "exp_cnt": 2, "lgkm_cnt": 3, "big": 1 << 40, "neg": -5}


def llvm(operands: list[str], tool: Callable[[str], str]) -> list[int | str]:
    """Return what llvm-mc makes of each operand: the 16 bits, or its error."""
    lines = [f".set {name}, {value}" for name, value in SYMBOLS.items()]
    first = len(lines) + 1
    for number, operand in enumerate(operands):
        lines += [f"L{number}:", f"s_waitcnt {operand}"]
    command = [tool("llvm-mc"), "-arch=amdgcn", "-mcpu=gfx900", "-show-encoding"]
    done = subprocess.run(
        command, input="\n".join(lines) + "\n", capture_output=True, text=True, check=False
    )
    results: list[int | str] = ["" for _ in operands]
    number = -1
    for line in done.stdout.splitlines():
        if label := re.match(r"L(\d+):", line):
            number = int(label[1])
        elif found := re.search(r"encoding: \[0x(..),0x(..),0x8c,0xbf\]", line):
            results[number] = int(found[2] + found[1], 16)
    for at, sentence in re.findall(r"^<stdin>:(\d+):\d+: error: (.*)$", done.stderr, re.M):
        number = (int(at) - first) // 2
        results[number] = results[number] or sentence
    return results


def ours(operand: str) -> int | str:
    try:
        return parse(f"s_waitcnt {operand}", SYMBOLS, as_llvm=True).operand
    except WaitError as error:
        return str(error)


class Operands:
    """Random operands: most of them good, many at the edge, some broken."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)

    def number(self) -> str:
        n = self.dice.choice((0, 1, 3, 7, 8, 15, 16, 62, 63, 64, 100, 0xFFFF, 0x10000, 1 << 63))
        form = self.dice.choice(
            ("{}", "{}", "{:#x}", "{:#b}", "0{:o}", "vm_cnt", "lgkm_cnt", "neg")
        )
        return form.format(n)

    def expression(self, depth: int = 0) -> str:
        kind = self.dice.random()
        if depth > 3 or kind < 0.5:
            return self.number()
        if kind < 0.6:
            return self.dice.choice("-~!+") + self.expression(depth + 1)
        if kind < 0.7:
            return f"({self.expression(depth + 1)})"
        operators = ["|", "&", "^", "+", "-", "*", "/", "%", "<<", ">>", "&&", "||", "==", "!="]
        operators += ["<", "<=", ">", ">=", "<>"]
        space = self.dice.choice(("", " "))
        operator = self.dice.choice(operators)
        return f"{self.expression(depth + 1)}{space}{operator}{space} {self.expression(depth + 1)}"

    def counter(self) -> str:
        name = self.dice.choice(("vmcnt", "expcnt", "lgkmcnt")) + self.dice.choice(("", "_sat"))
        inner = self.number() if self.dice.random() < 0.8 else self.expression(2)
        return f"{name}({inner})"

    def operand(self) -> str:
        if self.dice.random() < 0.4:
            text = self.expression()
        else:
            counters = [self.counter() for _ in range(self.dice.randint(1, 4))]
            text = counters[0]
            for counter in counters[1:]:
                text += self.dice.choice((" ", "", " & ", ", ", ",", "&")) + counter
        if self.dice.random() < 0.15:  # break it
            at = self.dice.randrange(len(text) + 1)
            text = (
                text[:at]
                + self.dice.choice(("", "(", ")", ",", "&", "x", " 1", "foo(1)"))
                + (text[at + self.dice.randint(0, 1) :])
            )
        return text


# LLVM reads these as something of its own: a label (1b), a literal in another notation (10h), a
# symbol modifier, a register.
def is_llvms_own(operand: str) -> bool:
    return bool(re.search(r"\b\d+[bfhx]\b|\b\d+x|@|\$", operand))


@pytest.mark.parametrize("seed", range(3))
def test_as_llvm(seed: int, tool: Callable[[str], str]) -> None:
    maker = Operands(seed)
    operands = [o for o in (maker.operand() for _ in range(1500)) if not is_llvms_own(o)]
    accepted = 0
    for operand, theirs in zip(operands, llvm(operands, tool), strict=True):
        mine = ours(operand)
        if isinstance(theirs, int):
            accepted += 1
            assert mine == theirs, f"s_waitcnt {operand}: LLVM has {theirs:#x}"
        else:
            assert isinstance(mine, str), f"s_waitcnt {operand}: LLVM says {theirs!r}, we {mine:#x}"
    assert 300 < accepted < len(operands) - 100


# fmt: off
SENTENCES = [
    ("vmcnt(64)",               "too large value for vmcnt"),
    ("expcnt(8)",               "too large value for expcnt"),
    ("lgkmcnt(16)",             "too large value for lgkmcnt"),
    ("vmcnt(-1)",               "too large value for vmcnt"),
    ("foo(1)",                  "invalid counter name foo"),
    ("vmcnt(1) &",              "expected a counter name"),
    ("vmcnt(1), , expcnt(1)",   "expected a counter name"),
    ("vmcnt(1) lgkmcnt",        "expected a left parenthesis"),
    ("vmcnt(1",                 "expected a closing parenthesis"),
    ("vmcnt(unknown)",          "expected absolute expression"),
    ("1/0",                     "expected absolute expression"),
    ("1 2",                     "invalid operand for instruction"),
    ("(1",                      "expected ')'"),
    ("& vmcnt(1)",              "unknown token in expression"),
    ("",                        "too few operands for instruction"),
]
# The table and the examples of the document.
DOCUMENT = {
    "1 | (2 << 4) | (3 << 8)":                          0x0321,
    "vmcnt(1) expcnt(2) lgkmcnt(3)":                    0x0321,
    "vmcnt(vm_cnt) expcnt(exp_cnt) lgkmcnt(lgkm_cnt)":  0x0321,
    "vmcnt(1)":                                         0x0F71,
    "expcnt(2) lgkmcnt(3)":                             0xC32F,
    "vmcnt(1), expcnt(2), lgkmcnt(3)":                  0x0321,
    "vmcnt(1) & lgkmcnt_sat(100) & expcnt(2)":          0x0F21,
    "vmcnt(63)":                                        0xCF7F,
    "vmcnt(16)":                                        0x4F70,     # bits 15:14 hold its high part
    "vmcnt(15)":                                        0x0F7F,
    "vmcnt_sat(64)":                                    0xCF7F,
    "expcnt_sat(8)":                                    0xCF7F,
    "0xFFFF":                                           0xFFFF,
}
# fmt: on


@pytest.mark.parametrize(("operand", "sentence"), SENTENCES)
def test_errors_are_llvms(operand: str, sentence: str, tool: Callable[[str], str]) -> None:
    """LLVM's sentence, after which ours may say more: a range, the names that there are."""
    assert str(ours(operand)).startswith(sentence)
    assert llvm([operand], tool) == [sentence]


def test_ranges_and_names_are_told() -> None:
    assert ours("vmcnt(64)") == "too large value for vmcnt: 64 is outside 0..63"
    assert ours("expcnt(-1)") == "too large value for expcnt: -1 is outside 0..7"
    assert ours("foo(1)") == "invalid counter name foo; there are vmcnt, expcnt, lgkmcnt"


@pytest.mark.parametrize("operand", ["0x10000", "-1", "1 << 40", "big", "~0", "neg"])
def test_what_is_outside_the_documented_range(operand: str, tool: Callable[[str], str]) -> None:
    with pytest.raises(WaitError, match="is not in the range from 0 to 0xFFFF"):
        parse(f"s_waitcnt {operand}", SYMBOLS)
    kept = parse(f"s_waitcnt {operand}", SYMBOLS, as_llvm=True).operand
    assert llvm([operand], tool) == [kept]
    # Only the value counts, not what it is made of.
    assert parse(f"s_waitcnt ({operand}) & 0xFFFF", SYMBOLS).operand == kept


def test_document(tool: Callable[[str], str]) -> None:
    assert [ours(operand) for operand in DOCUMENT] == list(DOCUMENT.values())
    assert llvm(list(DOCUMENT), tool) == list(DOCUMENT.values())
    assert LARGEST == {"vmcnt": 63, "expcnt": 7, "lgkmcnt": 15}
    fields = {
        name: [(p.word_shift, p.width) for p in f.pieces] for name, f in ENCODING.fields.items()
    }
    assert fields == {"vm_cnt": [(14, 2), (0, 4)], "exp_cnt": [(4, 3)], "lgkm_cnt": [(8, 4)]}
    assert ENCODING.unused == 0x3080  # bits 13:12 and 7 belong to no counter


@given(st.integers(0, 0xFFFF))
def test_every_word_reads_back(operand: int) -> None:
    wait = WaitCount(operand)
    assert decode(wait.encode()) == wait
    assert parse(wait.show()) == wait
    if not wait.unused_bits:
        fields = ENCODING.decode(wait.encode())
        assert parse_schema(ENCODING, wait.encode()) == fields
        assert build(ENCODING, fields) == wait.encode()


def test_no_waitcnt() -> None:
    with pytest.raises(WaitError, match="0xbf8d0000 is no s_waitcnt"):
        decode(0xBF8D0000)
    with pytest.raises(WaitError, match="'s_nop' is not s_waitcnt"):
        parse("s_nop 1")


def test_counters_drain() -> None:
    wave = Wave()
    wave.issue("vmcnt", 3)
    wave.issue("lgkmcnt")
    wait = parse("s_waitcnt vmcnt(1) lgkmcnt(0)")
    wait.begin(wave)
    assert [str(reason) for reason in wait.blocked(wave)] == [
        "vmcnt: 3 vector memory operations are outstanding, 1 are allowed",
        "lgkmcnt: 1 LDS, GDS, constant and message operations are outstanding, 0 are allowed",
    ]
    wave.complete("lgkmcnt")
    wave.complete("vmcnt")
    assert [reason.condition for reason in wait.blocked(wave)] == ["vmcnt"]
    wave.complete("vmcnt")
    assert wait.blocked(wave) == ()


def test_a_counter_at_its_largest_value_is_not_waited_for() -> None:
    wave = Wave()
    wave.issue("vmcnt", 100)
    wave.issue("expcnt", 100)
    assert parse("s_waitcnt lgkmcnt(0)").blocked(wave) == ()
