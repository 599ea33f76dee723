# SPDX-License-Identifier: Apache-2.0
"""Additional Scalar Unit instructions: modes, functional models and performance."""

from __future__ import annotations

import operator
from collections.abc import Callable

from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.explain.instruction.any_machine import explain
from tensix_gdb.core.faults.codes import Fault
from tests.documents.facts.fact import Fact
from tests.documents.facts.runs import SCALAR, first_cycle
from tests.documents.facts.texts import fact_of, warns
from tests.documents.on_the_machine import after, gpr

MASK = 0xFFFFFFFF
Model = Callable[[int, int], int]
EDGES = (0, 1, 5, 31, 32, 63, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x12345678)
# Each mode: its name, what it does in the words of `explain`, and its model.
MODES: dict[str, list[tuple[str, str, str, Model]]] = {
    "SHIFTDMAREG": [
        ("LEFT", "left << right", "shifts left", lambda a, b: a << (b & 31) & MASK),
        (
            *("RIGHT", "left >> right, zeros coming in", "shifts right and brings in zeros"),
            lambda a, b: a >> (b & 31),
        ),
    ],
    "BITWOPDMAREG": [
        ("AND", "left & right", "gives the bits that both operands have", operator.and_),
        ("OR", "left | right", "gives the bits that one of them has at least", operator.or_),
        ("XOR", "left ^ right", "gives the bits in which they differ", operator.xor),
    ],
    "CMPDMAREG": [
        ("GT", "left > right", "gives 1 if the first is larger, else 0", lambda a, b: int(a > b)),
        ("LT", "left < right", "gives 1 if the first is smaller, else 0", lambda a, b: int(a < b)),
        ("EQ", "left == right", "gives 1 if both are the same, else 0", lambda a, b: int(a == b)),
    ],
}
SUMMARIES = {
    "SHIFTDMAREG": ("shifts a GPR left or right", "Shift left or right."),
    "BITWOPDMAREG": ("is AND, OR or XOR of two operands", "AND, OR or XOR of two operands."),
    "CMPDMAREG": (
        "compares unsigned numbers and gives 0 or 1",
        "Compare unsigned numbers; the result is 0 or 1.",
    ),
}


def run(mnemonic: str, mode: int, pairs: list[tuple[int, int]], thread: int = 0) -> list[int]:
    """Results of an instruction with two GPRs, for up to 16 pairs of operands."""
    base = 64 * thread
    state = {f"gpr.word[{base + i}]": left for i, (left, _) in enumerate(pairs)}
    state |= {f"gpr.word[{base + 16 + i}]": right for i, (_, right) in enumerate(pairs)}
    texts = [
        f"{mnemonic}.Reg mode={mode}, result_reg={32 + i}, right_reg={16 + i}, left_reg={i}"
        for i in range(len(pairs))
    ]
    record = after(100, [(thread, text) for text in texts], state)
    return [gpr(record, 32 + i, thread) for i in range(len(pairs))]


def run_immediate(mnemonic: str, mode: int, left: int, constants: list[int]) -> list[int]:
    """Results of the form with a constant."""
    texts = [
        f"{mnemonic}.Imm mode={mode}, result_reg={16 + i}, right_imm6={constant}, left_reg=3"
        for i, constant in enumerate(constants)
    ]
    record = after(200, [(0, text) for text in texts], {"gpr.word[3]": left})
    return [gpr(record, 16 + i) for i in range(len(constants))]


def all_edges(mnemonic: str, mode: int) -> tuple[list[int], list[int]]:
    """Return what the machine and the model of a mode make of all pairs of edge values."""
    model = MODES[mnemonic][mode][3]
    pairs = [(a, b) for a in EDGES for b in EDGES]
    found = []
    for at in range(0, len(pairs), 16):
        found += run(mnemonic, mode, pairs[at : at + 16])
    return found, [model(a, b) for a, b in pairs]


def like_its_model(mnemonic: str, mode: int) -> bool:
    found, expected = all_edges(mnemonic, mode)
    return found == expected


def mode_facts(mnemonic: str) -> list[Fact]:
    """A name and an operation for each row of the table of modes."""
    facts = []
    for mode, (name, text, words, _) in enumerate(MODES[mnemonic]):
        full = f"{mnemonic}_MODE_{name}"
        facts += [
            Fact(
                f"Mode {mode} of {mnemonic} has the name {full}.",
                lambda full=full: parse(f"{mnemonic}.Reg mode={full}") >> 18 & 7,  # type: ignore[misc]
                mode,
            ),
            Fact(
                f"In mode {mode} {mnemonic} {words}.",
                lambda mode=mode: (  # type: ignore[misc]
                    {f.name: f.meaning for f in explain(f"{mnemonic}.Reg mode={mode}").fields}[
                        "mode"
                    ],
                    like_its_model(mnemonic, mode),
                ),
                (f"the operation: {text}", True),
            ),
        ]
    return facts


def undefined_modes(mnemonic: str) -> list[int]:
    """The modes at which the machine stops, and of which `explain` warns."""
    stops = [
        mode
        for mode in range(8)
        if after(20, [(0, f"{mnemonic}.Reg mode={mode}")]).S.stop.code == Fault.TENSIX_MODE
    ]
    warned = [m for m in range(8) if warns(f"{mnemonic}.Reg mode={m}", "none of the values")]
    assert stops == warned
    return stops


def own_gprs(mnemonic: str) -> list[list[int]]:
    """Return what T0, T1 and T2 have in G32 and G33 when T1 has executed the instruction."""
    state = {"gpr.word[64]": 6, "gpr.word[80]": 1, "gpr.word[0]": 99, "gpr.word[16]": 3}
    text = f"{mnemonic}.Reg mode=1, result_reg=32, right_reg=16, left_reg=0"
    record = after(20, [(1, text)], state)
    return [[gpr(record, reg, thread) for reg in (32, 33)] for thread in range(3)]


def cycles_of(text: str) -> int:
    """Return how many cycles later than after a NOP the next one of the unit passes, and 1. That of
    another unit passes a cycle earlier (core/tensix/scalar/pipeline.py)."""
    later, plain = ([(0, first), (0, SCALAR)] for first in (text, "NOP"))
    return 1 + first_cycle(later, SCALAR) - first_cycle(plain, SCALAR)


def cost(mnemonic: str, operands: str) -> tuple[int, str]:
    """Cycles on the machine, and the first word of what `explain` says."""
    text = f"{mnemonic}.{operands}"
    return cycles_of(text), fact_of(text, "Latency").partition(":")[0]


def model_of(mnemonic: str) -> list[Fact]:
    """The sections of an instruction, but for its encoding."""
    bits = 5 if mnemonic == "SHIFTDMAREG" else 6
    words, summary = SUMMARIES[mnemonic]
    modes = len(MODES[mnemonic])
    second = MODES[mnemonic][1][3]
    constants = list(range(1 << bits))
    return [
        Fact(f"{mnemonic} {words}.", lambda: explain(f"{mnemonic}.Reg").summary, summary),
        *mode_facts(mnemonic),
        Fact(
            f"{mnemonic} takes its operands from GPRs of the issuing thread.",
            lambda: own_gprs(mnemonic)[1][0],
            second(6, 1),
        ),
        Fact(
            f"{mnemonic} leaves its result in a GPR of the issuing thread, and in no other.",
            lambda: own_gprs(mnemonic),
            [[0, 0], [second(6, 1), 0], [0, 0]],
        ),
        Fact(
            f"The constant of {mnemonic} is a number of {bits} bits without sign.",
            lambda: [
                run_immediate(mnemonic, mode, 0x89ABCDEF, constants[at : at + 32])
                for mode in range(modes)
                for at in range(0, len(constants), 32)
            ],
            [
                [MODES[mnemonic][mode][3](0x89ABCDEF, c) for c in constants[at : at + 32]]
                for mode in range(modes)
                for at in range(0, len(constants), 32)
            ],
        ),
        Fact(
            f"Modes of {mnemonic} from {modes} on are undefined behaviour.",
            lambda: undefined_modes(mnemonic),
            list(range(modes, 8)),
        ),
        Fact(
            f"{mnemonic} with a constant takes three cycles.",
            lambda: cost(mnemonic, "Imm result_reg=60, right_imm6=9, left_reg=3"),
            (3, "3 cycles"),
        ),
        Fact(
            f"{mnemonic} takes three cycles with two GPRs of one aligned group of four.",
            lambda: cost(mnemonic, "Reg result_reg=60, right_reg=5, left_reg=6"),
            (3, "3 cycles"),
        ),
        Fact(
            f"{mnemonic} takes four cycles with GPRs of two groups.",
            lambda: cost(mnemonic, "Reg result_reg=60, right_reg=3, left_reg=4"),
            (4, "4 cycles"),
        ),
    ]


OWN = {
    "SHIFTDMAREG": [
        Fact(
            "Of the GPR that says how far SHIFTDMAREG uses the lowest five bits.",
            lambda: run("SHIFTDMAREG", 0, [(1, 32), (1, 37), (1, 0xFFFFFFE4)]),
            [1, 32, 16],
        ),
        Fact(
            "Of a constant above 31 SHIFTDMAREG uses the lowest five bits; `explain` says so.",
            lambda: (
                run_immediate("SHIFTDMAREG", 0, 1, [32, 37]),
                warns("SHIFTDMAREG.Imm right_imm6=37", "a shift by 37 is one by 5"),
            ),
            ([1, 32], True),
        ),
        Fact(
            "SHIFTDMAREG drops bits that leave 32 bits to the left.",
            lambda: run("SHIFTDMAREG", 0, [(0xFFFFFFFF, 4), (0x80000001, 1)]),
            [0xFFFFFFF0, 2],
        ),
        Fact(
            "SHIFTDMAREG to the right does not copy the sign.",
            lambda: run("SHIFTDMAREG", 1, [(0x80000000, 31), (0xFFFFFFFF, 28)]),
            [1, 15],
        ),
    ],
    "BITWOPDMAREG": [
        Fact(
            "Two GPRs count with all their 32 bits in BITWOPDMAREG.",
            lambda: run("BITWOPDMAREG", 2, [(0xF0F0F0F0, 0xFFFFFFFF)]),
            [0x0F0F0F0F],
        ),
    ],
    "CMPDMAREG": [
        Fact(
            "CMPDMAREG takes numbers without sign: 0xffffffff is larger than 0.",
            lambda: [run("CMPDMAREG", mode, [(MASK, 0), (0, MASK)]) for mode in (0, 1)],
            [[1, 0], [0, 1]],
        ),
        Fact(
            "Nothing but 0 and 1 comes out of CMPDMAREG.",
            lambda: {result for mode in range(3) for result in all_edges("CMPDMAREG", mode)[0]},
            {0, 1},
        ),
        Fact(
            "CMPDMAREG is as fast as the two others.",
            lambda: [
                cycles_of(f"{name}.Reg right_reg={right}, left_reg=4, result_reg=60")
                for right in (3, 5)
                for name in MODES
            ],
            [4, 4, 4, 3, 3, 3],
        ),
    ],
}
MODELS = {name: [*model_of(name), *OWN[name]] for name in MODES}
