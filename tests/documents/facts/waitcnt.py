# SPDX-License-Identifier: Apache-2.0
"""The operand of s_waitcnt on AMD's gfx9, as LLVM's assembler takes it."""

from __future__ import annotations

from tensix_gdb.core.explain.instruction.any_machine import explain
from tensix_gdb.core.waits import gfx9
from tensix_gdb.core.waits.wait import WaitError
from tests.documents.facts.fact import Fact

LARGEST = {"vmcnt": 63, "expcnt": 7, "lgkmcnt": 15}
NAMES = {"vmcnt": "VM_CNT", "expcnt": "EXP_CNT", "lgkmcnt": "LGKM_CNT"}
BITS = {"vmcnt": "15:14|3:0", "expcnt": "6:4", "lgkmcnt": "11:8"}
COUNTS_OF = {
    "vmcnt": "vector memory operations",
    "expcnt": "exports",
    "lgkmcnt": "LDS, GDS, constant and message operations",
}
SYMBOLS = "vm_cnt = 1\nexp_cnt = 2\nlgkm_cnt = 3\ncnt = vm_cnt | (exp_cnt << 4) | (lgkm_cnt << 8)\n"


def counts(text: str) -> tuple[int, ...]:
    """The counters of the last line of a text: vm, exp, lgkm."""
    return tuple(gfx9.assemble(text)[-1][1].counts().values())


def of(operand: str) -> tuple[int, ...]:
    return counts(f"s_waitcnt {operand}")


def refused(operand: str) -> str:
    """The sentence that says what is wrong with an operand, or nothing."""
    try:
        gfx9.parse(f"s_waitcnt {operand}")
    except WaitError as problem:
        return str(problem)
    return ""


def operand(text: str) -> int:
    return gfx9.parse(f"s_waitcnt {text}").operand


def goes_on_at(counter: str, allowed: int) -> list[int]:
    """Return with how many operations outstanding, of 0 to 3, a wave continues."""
    wait = gfx9.parse(f"s_waitcnt {counter}({allowed})")
    found = []
    for outstanding in range(4):
        wave = gfx9.Wave()
        wave.issue(counter, outstanding)
        if not wait.blocked(wave):
            found.append(outstanding)
    return found


def never_waited_for(counter: str) -> bool:
    """True if a wave continues with a counter at its largest value, whatever is outstanding."""
    wave = gfx9.Wave()
    wave.issue(counter, 1000)
    return not gfx9.parse(f"s_waitcnt {counter}({LARGEST[counter]})").blocked(wave)


def places(counter: str) -> list[int]:
    """The bits of the operand that differ between a counter's 0 and its largest value."""
    low, high = (operand(f"{counter}({n})") for n in (0, LARGEST[counter]))
    return [bit for bit in range(16) if (low ^ high) >> bit & 1]


def meaning(counter: str) -> str:
    fields = {field.name: field for field in explain("s_waitcnt 0").fields}
    return fields[gfx9.COUNTERS[counter]].meaning.partition(":")[0]


def field_bits(counter: str) -> str:
    fields = {field.name: field for field in explain("s_waitcnt 0").fields}
    return fields[gfx9.COUNTERS[counter]].bits


def row_of_bits(counter: str, bits: list[int]) -> list[Fact]:
    """A row of the table of bits: place, what is counted, range."""
    name, largest = NAMES[counter], LARGEST[counter]
    return [
        Fact(
            f"{name} is in bits {BITS[counter].replace('|', ' and ')} of the operand.",
            lambda: (places(counter), field_bits(counter)),
            (bits, BITS[counter]),
        ),
        Fact(
            f"{name} counts {COUNTS_OF[counter]}.",
            lambda: meaning(counter),
            COUNTS_OF[counter],
        ),
        Fact(
            f"{name} goes from 0 to {largest}.",
            lambda: [n for n in range(256) if not refused(f"{counter}({n})")],
            list(range(largest + 1)),
        ),
    ]


def row_of_syntax(counter: str) -> list[Fact]:
    """Both rows of a counter in the table of syntax, and what is so if it is left out."""
    name, largest = NAMES[counter], LARGEST[counter]
    at = list(LARGEST).index(counter)
    return [
        Fact(
            f"{counter}(N) sets {name}.",
            lambda: [of(f"{counter}({n})")[at] for n in range(largest + 1)],
            list(range(largest + 1)),
        ),
        Fact(
            f"{counter}(N) with N above {largest} is refused.",
            lambda: refused(f"{counter}({largest + 1})"),
            f"too large value for {counter}: {largest + 1} is outside 0..{largest}",
        ),
        Fact(
            f"{counter}_sat(N) sets {name} as {counter}(N) does, up to {largest}.",
            lambda: [of(f"{counter}_sat({n})")[at] for n in range(largest + 1)],
            list(range(largest + 1)),
        ),
        Fact(
            f"{counter}_sat(N) with a larger N sets {name} to {largest}.",
            lambda: [of(f"{counter}_sat({n})")[at] for n in (largest + 1, 100, 1 << 40)],
            [largest] * 3,
        ),
        Fact(
            f"An operand that does not name {counter} has {name} at {largest}.",
            lambda: {of(f"{other}(0)")[at] for other in LARGEST if other != counter},
            {largest},
        ),
        Fact(
            f"{name} at {largest} is not waited for.",
            lambda: never_waited_for(counter),
        ),
    ]


def example(text: str, *expected: int, says: str) -> Fact:
    """An example of the page, after its symbols."""
    return Fact(says, lambda: counts(f"{SYMBOLS}{text}"), expected)


WAITCNT = [
    Fact(
        "A program makes the page out of LLVM's tables.",
        reason="a notice about the page; LLVM's assembler is compared in tests/core/waits",
    ),
    *(
        Fact(
            f"A wave continues when at most as many {COUNTS_OF[counter]} are outstanding as the "
            "operand says.",
            lambda counter=counter: [goes_on_at(counter, n) for n in (0, 1, 2)],  # type: ignore[misc]
            [[0], [0, 1], [0, 1, 2]],
        )
        for counter in LARGEST
    ),
    *row_of_bits("vmcnt", [0, 1, 2, 3, 14, 15]),
    Fact(
        "The low four bits of VM_CNT are the low bits of the operand, its two high bits the high.",
        lambda: [operand(f"vmcnt({n})") & 0xC00F for n in (1, 8, 16, 32)],
        [1, 8, 1 << 14, 1 << 15],
    ),
    *row_of_bits("expcnt", [4, 5, 6]),
    *row_of_bits("lgkmcnt", [8, 9, 10, 11]),
    Fact(
        "Only VM_CNT is in two places.",
        lambda: [counter for counter in LARGEST if "|" in field_bits(counter)],
        ["vmcnt"],
    ),
    Fact(
        "Bits 7, 12 and 13 belong to no counter.",
        lambda: [bit for bit in range(16) if gfx9.parse(f"s_waitcnt 1 << {bit}").unused_bits],
        [7, 12, 13],
    ),
    Fact(
        "The operand may be a number, decimal, hexadecimal, octal or binary.",
        lambda: {operand(text) for text in ("801", "0x321", "01441", "0b1100100001")},
        {0x321},
    ),
    Fact("It may be an absolute expression.", lambda: operand("1 | (2 << 4) | (3 << 8)"), 0x321),
    Fact("0 is the smallest operand.", lambda: (refused("0"), bool(refused("-1"))), ("", True)),
    Fact(
        "0xFFFF is the largest operand.",
        lambda: (refused("0xffff"), refused("0x10000")),
        ("", "the operand 0x10000 is not in the range from 0 to 0xFFFF"),
    ),
    Fact(
        "The operand may name counters.",
        lambda: of("vmcnt(1) expcnt(2) lgkmcnt(3)"),
        (1, 2, 3),
    ),
    Fact(
        "Counters and counters that saturate may be combined.",
        lambda: of("vmcnt_sat(99) expcnt(2) lgkmcnt_sat(3)"),
        (63, 2, 3),
    ),
    Fact(
        "No other name is a counter.",
        lambda: refused("vscnt(1)"),
        "invalid counter name vscnt; there are vmcnt, expcnt, lgkmcnt",
    ),
    *(fact for counter in LARGEST for fact in row_of_syntax(counter)),
    Fact(
        "The counters may be in any order.",
        lambda: {
            of(text)
            for text in (
                "vmcnt(1) expcnt(2) lgkmcnt(3)",
                "lgkmcnt(3) vmcnt(1) expcnt(2)",
                "expcnt(2) lgkmcnt(3) vmcnt(1)",
            )
        },
        {(1, 2, 3)},
    ),
    Fact("Spaces may separate them.", lambda: of("vmcnt(1)   expcnt(2)"), (1, 2, 15)),
    Fact("Ampersands may separate them.", lambda: of("vmcnt(1)&expcnt(2)"), (1, 2, 15)),
    Fact("Commas may separate them.", lambda: of("vmcnt(1),expcnt(2)"), (1, 2, 15)),
    Fact("They need no separator.", lambda: of("vmcnt(1)expcnt(2)"), (1, 2, 15)),
    Fact("N may be a number.", lambda: of("vmcnt(0x10)"), (16, 7, 15)),
    Fact("N may be an absolute expression.", lambda: of("vmcnt(2 * (3 + 1))"), (8, 7, 15)),
    *(
        example(f"s_waitcnt {name}", *expected, says=f"The example gives {name} a value.")
        for name, expected in (
            ("vm_cnt", (1, 0, 0)),
            ("exp_cnt << 4", (0, 2, 0)),
            ("lgkm_cnt << 8", (0, 0, 3)),
        )
    ),
    example("s_waitcnt cnt", 1, 2, 3, says="The first example is an expression of three symbols."),
    example(
        "s_waitcnt 1 | (2 << 4) | (3 << 8)  // a comment",
        *(1, 2, 3),
        says="The second example, with numbers, is the same, and a comment may follow it.",
    ),
    example(
        "s_waitcnt vmcnt(1) expcnt(2) lgkmcnt(3)",
        *(1, 2, 3),
        says="The third example, with counters, is the same.",
    ),
    example(
        "s_waitcnt vmcnt(vm_cnt) expcnt(exp_cnt) lgkmcnt(lgkm_cnt)",
        *(1, 2, 3),
        says="The fourth example, with counters and symbols, is the same.",
    ),
    example("s_waitcnt vmcnt(1)", 1, 7, 15, says="The fifth example waits for one counter."),
    example(
        "s_waitcnt expcnt(2) lgkmcnt(3)",
        *(63, 2, 3),
        says="The sixth example waits for the two others.",
    ),
    example(
        "s_waitcnt vmcnt(1), expcnt(2), lgkmcnt(3)",
        *(1, 2, 3),
        says="The seventh example has commas.",
    ),
    example(
        "s_waitcnt vmcnt(1) & lgkmcnt_sat(100) & expcnt(2)",
        *(1, 2, 15),
        says="The eighth example has ampersands and a counter that saturates.",
    ),
]
