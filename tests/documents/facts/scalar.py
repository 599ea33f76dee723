# SPDX-License-Identifier: Apache-2.0
"""Additional Scalar Unit instructions: what they share, their encodings, classes and sources."""

from __future__ import annotations

import re
from collections import Counter

from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.assembly.tensix_text import ignored, show
from tensix_gdb.core.explain.instruction.table import block_bits
from tensix_gdb.core.record.layout import Tag
from tensix_gdb.core.stop import StopKind
from tensix_gdb.core.tensix.gate.wait_gate import Held
from tensix_gdb.core.tensix.table import by_mnemonic, rows_of
from tests.core.isa.wheel import assembler_table, macros, uses
from tests.documents.facts.fact import Fact
from tests.documents.facts.runs import UNPACKER_0
from tests.documents.facts.texts import BH, fact_of, place_of
from tests.documents.on_the_machine import after, held

OPCODES = {"SHIFTDMAREG": 0x5C, "BITWOPDMAREG": 0x5B, "CMPDMAREG": 0x5D}
OF_TITLE = (*OPCODES, "SUBDMAREG")
REGISTER, IMMEDIATE = 0, 1  # forms
STATE = {"gpr.word[3]": 9, "gpr.word[4]": 1}
# Rows that any instruction changes on its way.
ON_THE_WAY = ("fifo.", "gate.", "tensix.", "tracker.", "tile.", "thcon.", "schedule.", "stop.")
NO_USE = "LLK has no use of any of them; the report that is cited has them among those never seen"


def word(mnemonic: str, right: int = 4, left: int = 3) -> int:
    """The form with two GPRs, G5 getting the result."""
    return by_mnemonic(BH)[mnemonic][0].encoding.match | 5 << 12 | right << 6 | left


def written(mnemonic: str) -> set[str]:
    """Return what an instruction has changed that a NOP has not."""
    record, plain = after(20, [(0, word(mnemonic))], STATE), after(20, [(0, "NOP")], STATE)
    found = record.diff(plain, Tag.ARCHITECTURAL)
    return {one.path for one in found if not one.path.startswith(ON_THE_WAY)}


def uses_in_llk() -> dict[str, bool]:
    """Does LLK write an instruction anywhere? ADDDMAREG shows that it is looked for."""
    found = Counter(re.sub(r"^T(TI|T_OP)_(\w+).*", r"\2", use) for use in uses(BH))
    return {name: found[name] > 0 for name in ("ADDDMAREG", *OF_TITLE)}


def shared(mnemonic: str) -> list[tuple[object, ...]]:
    """Unit, latency, gate and class of the two forms of an instruction."""
    rows = by_mnemonic(BH)[mnemonic]
    return [(row.unit, row.latency, row.gate, row.blocked_by, row.ttsync) for row in rows]


def second_thread_waits(mnemonic: str) -> bool:
    """While T0's instruction is in the unit, does T1's wait at its gate?"""
    program = [(0, word(mnemonic)), (1, "NOP"), (1, word("ADDDMAREG"))]
    return held(after(4, program), 1) is Held.UNIT


def stalled_by(mnemonic: str) -> list[int]:
    """The block bits that hold an instruction, each alone."""
    found = []
    for bit in range(9):
        program = [(0, 0xA2000000 | 1 << 15 + bit | 2), (0, word(mnemonic))]
        if held(after(6, program, UNPACKER_0)) is Held.LATCHED_WAIT:
            found.append(bit)
    return found


TOGETHER = [
    Fact(
        "Four more instructions of the Scalar Unit are known: SHIFTDMAREG, BITWOPDMAREG, CMPDMAREG "
        "and SUBDMAREG.",
        lambda: [name for name in OF_TITLE if name in by_mnemonic(BH)],
        list(OF_TITLE),
    ),
    Fact(
        "They work on GPRs and change nothing but the one that gets the result.",
        lambda: [written(name) for name in ("SHIFTDMAREG", "BITWOPDMAREG", "SUBDMAREG")],
        [{"gpr.word[5]"}] * 3,
    ),
    Fact(
        "The Scalar Unit, which is also called ThCon, executes them.",
        lambda: {fact_of(hex(word(name)), "Unit") for name in OF_TITLE},
        {"Scalar Unit (ThCon)"},
    ),
    Fact(
        "747 kernels have 400 to 450 of them.",
        uses_in_llk,
        {"ADDDMAREG": True, **dict.fromkeys(OF_TITLE, False)},
        NO_USE,
    ),
    Fact(
        "A matrix product and an addition of 1 do without them: LLK, of which they are made, "
        "writes none.",
        lambda: any(uses_in_llk()[name] for name in OF_TITLE),
        False,
    ),
    Fact(
        "Block masks of STALLWAIT have bits for them.",
        lambda: {block_bits(row) for name in OF_TITLE for row in by_mnemonic(BH)[name]},
        {"B0 B5"},
    ),
    Fact(
        "They are modeled: none of them stops the machine.",
        lambda: {after(20, [(0, word(name))]).S.stop.kind for name in OF_TITLE},
        {StopKind.NONE},
    ),
    *(
        Fact(
            f"{name} shares unit, latency, gate and class with ADDDMAREG and MULDMAREG.",
            lambda name=name: shared(name) == shared("ADDDMAREG") == shared("MULDMAREG"),  # type: ignore[misc]
        )
        for name in OF_TITLE
    ),
    *(
        Fact(
            f"While {name} is in the Scalar Unit no other thread's instruction gets in.",
            lambda name=name: second_thread_waits(name),  # type: ignore[misc]
        )
        for name in OF_TITLE
    ),
    *(
        Fact(
            f"B5 of a STALLWAIT holds {name}; by STALLWAIT.md B0 does, too.",
            lambda name=name: stalled_by(name),  # type: ignore[misc]
            [0, 5],
        )
        for name in OF_TITLE
    ),
]


def encoding_of(name: str) -> list[Fact]:
    """The section on the encoding of an instruction, its macro included."""
    opcode = OPCODES[name]
    bits = 5 if name == "SHIFTDMAREG" else 6
    other_bit = ", of which the lowest five count" if bits == 5 else ""
    return [
        Fact(f"The opcode of {name} is {opcode:#x}.", lambda: word(name) >> 24, opcode),
        Fact(
            f"{name} has its opcode in bits 31 to 24.",
            lambda: place_of(name, "opcode"),
            "31:24",
        ),
        Fact(
            f"With bit 23 clear both operands of {name} are GPRs.",
            lambda: (place_of(name, "=0"), place_of(name, "right_reg", REGISTER)),
            ("23", "11:6"),
        ),
        Fact(
            f"With bit 23 set the second operand of {name} is in the word.",
            lambda: (place_of(name, "=1", IMMEDIATE), place_of(name, "right_imm6", IMMEDIATE)),
            ("23", "11:6"),
        ),
        Fact(
            f"Bits 20 to 18 of {name} choose what it does.",
            lambda: [place_of(name, "mode", form) for form in (REGISTER, IMMEDIATE)],
            ["20:18"] * 2,
        ),
        Fact(
            f"Bits 17 to 12 of {name} name the GPR for the result.",
            lambda: [place_of(name, "result_reg", form) for form in (REGISTER, IMMEDIATE)],
            ["17:12"] * 2,
        ),
        Fact(
            f"Bits 11 to 6 of {name} name the GPR that is its second operand.",
            lambda: show(word(name, right=41)),
            show(parse(f"{name}.Reg result_reg=5, right_reg=41, left_reg=3")),
        ),
        Fact(
            f"Bits 11 to 6 of {name} have its constant{other_bit}.",
            lambda: parse(f"{name}.Imm right_imm6={(1 << bits) - 1}") >> 6 & 0x3F,
            (1 << bits) - 1,
        ),
        Fact(
            f"Bits 5 to 0 of {name} name the GPR that is its first operand.",
            lambda: [place_of(name, "left_reg", form) for form in (REGISTER, IMMEDIATE)],
            ["5:0"] * 2,
        ),
        Fact(
            f"TT_OP_{name} takes form, mode, result, second and first operand, in that order.",
            lambda: parse(f"TT_OP_{name}(1, 1, 63, 17, 5)"),
            opcode << 24 | 1 << 23 | 1 << 18 | 63 << 12 | 17 << 6 | 5,
        ),
        Fact(
            f"LLK's own macro of {name} gives the same word.",
            lambda: macros(BH)[name](1, 1, 63, 17, 5),
            opcode << 24 | 1 << 23 | 1 << 18 | 63 << 12 | 17 << 6 | 5,
        ),
    ]


ENCODINGS = {name: encoding_of(name) for name in OPCODES}
CLASS_0 = (
    *("ADDDMAREG", "SUBDMAREG", "MULDMAREG", "BITWOPDMAREG", "SHIFTDMAREG", "CMPDMAREG"),
    "SETDMAREG",
)
CLASSES = [
    *(
        Fact(
            f"Auto TTSync has {name} in its class 0.",
            lambda name=name: {row.ttsync for row in by_mnemonic(BH)[name]},  # type: ignore[misc]
            {0},
        )
        for name in CLASS_0
    ),
    Fact(
        "No other instruction is in class 0.",
        lambda: {row.mnemonic for row in rows_of(BH) if row.ttsync == 0},
        set(CLASS_0),
    ),
    Fact(
        "Auto TTSync takes class 0 to read GPRs and to write them.",
        lambda: fact_of("CMPDMAREG.Reg", "Auto TTSync").partition("): ")[2],
        "reads GPRs; writes GPRs",
    ),
    Fact(
        "Auto TTSync has FLUSHDMA in its class 7.",
        lambda: by_mnemonic(BH)["FLUSHDMA"][0].ttsync,
        7,
    ),
    Fact(
        "Auto TTSync takes class 7 to write TDMA-RISC.",
        lambda: fact_of("FLUSHDMA", "Auto TTSync").partition("): ")[2],
        "writes TDMA-RISC",
    ),
    Fact(
        "To STALLWAIT the three instructions and FLUSHDMA are alike.",
        lambda: {block_bits(by_mnemonic(BH)[name][0]) for name in (*OPCODES, "FLUSHDMA")},
        {"B0 B5"},
    ),
    *(
        Fact(
            f"A short table repeats opcode and fields of {name}.",
            lambda name=name: (  # type: ignore[misc]
                word(name) >> 24,
                [place_of(name, f) for f in ("mode", "result_reg", "right_reg", "left_reg")],
            ),
            (opcode, ["20:18", "17:12", "11:6", "5:0"]),
        )
        for name, opcode in OPCODES.items()
    ),
    Fact(
        "Of the three only SHIFTDMAREG has a constant of five bits.",
        lambda: [bool(ignored(parse(f"{name}.Imm right_imm6=63"), BH)) for name in OPCODES],
        [True, False, False],
    ),
    Fact(
        "The short table repeats opcode and field of FLUSHDMA.",
        lambda: (parse("FLUSHDMA") >> 24, place_of("FLUSHDMA", "condition_mask")),
        (0x46, "3:0"),
    ),
]
PAGES = "WormholeB0/TensixTile/TensixCoprocessor/"
SOURCES = [
    Fact(
        "The models are those of four pages of Wormhole.",
        lambda: (
            [fact_of(hex(word(name)), "Page") for name in OPCODES] + [fact_of("FLUSHDMA", "Page")]
        ),
        [f"{PAGES}{name}.md" for name in (*OPCODES, "FLUSHDMA")],
    ),
    Fact(
        "LLK's ckernel_ops.h for Blackhole has the macros.",
        lambda: {name: macros(BH)[name].opcode for name in (*OPCODES, "FLUSHDMA")},
        {**OPCODES, "FLUSHDMA": 0x46},
    ),
    Fact(
        "LLK's assembly.yaml for Blackhole has the opcodes.",
        lambda: {name: assembler_table(BH)[name] for name in (*OPCODES, "FLUSHDMA")},
        {**OPCODES, "FLUSHDMA": 0x46},
    ),
    Fact(
        "tt-exalens has encoders of the instructions in Python.",
        reason="a place in another program; the words are compared with LLK's macros",
    ),
    Fact(
        "A report of another project has the number of occurrences.",
        reason="a place in a repository that is no part of the documents",
    ),
    Fact(
        "The classes are those of Blackhole's page on Auto TTSync.",
        lambda: [name in fact_of("FLUSHDMA", "Auto TTSync") for name in ("class 7", "FLUSHDMA")],
        [True, True],
    ),
]
