# SPDX-License-Identifier: Apache-2.0
"""FLUSHDMA of Wormhole. The machine has Wormhole's control units then, with Blackhole's packer."""

from __future__ import annotations

from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.assembly.tensix_text import undefined
from tensix_gdb.core.explain.instruction.any_machine import explain
from tensix_gdb.core.isa.architecture import Dialect
from tensix_gdb.core.isa.masks import CONDITIONS_FLUSHDMA
from tensix_gdb.core.tensix.gate.wait_gate import Held
from tensix_gdb.core.waits import tensix as waits
from tests.documents.facts.fact import Fact
from tests.documents.facts.flushing import (
    CONDITIONS,
    OF_OTHERS,
    all_at_once,
    any_is_enough,
    beside_a_stallwait,
    default,
    is_flushing,
    least_cycles,
    other_thread,
    own_thread,
    same_as_stallwait,
    until_it_is_idle,
    which_wait,
)
from tests.documents.facts.runs import MISC, SCALAR
from tests.documents.facts.texts import WH, fact_of, highest_accepted, place_of, waits_while, warns


def word(text: str) -> int:
    return parse(text, Dialect(WH))


def condition_fact(bit: int) -> Fact:
    """A row of the table of conditions."""
    text, state = CONDITIONS[bit]
    return Fact(
        f"C{bit} waits while {text}.",
        lambda: (waits_while(f"FLUSHDMA wait=C{bit}", "wormhole"), which_wait(state, WH)),
        ({f"C{bit}": text}, [bit]),
    )


def of_others(bit: int) -> Fact:
    """A condition is about the thread of the FLUSHDMA."""
    return Fact(
        f"C{bit} does not wait for work of other threads.",
        lambda: is_flushing(1 << bit, OF_OTHERS[bit], WH),
        False,
    )


def same_bit(bit: int) -> Fact:
    """Each bit is the one that STALLWAIT has there."""
    return Fact(
        f"C{bit} is the same condition in a STALLWAIT.",
        lambda: same_as_stallwait(WH)[bit],
        ([f"C{bit}"], [f"C{bit}"]),
    )


SUMMARY = [
    Fact(
        "A bitmask chooses what it waits for, and there is no other operand.",
        lambda: [field.name for field in explain("FLUSHDMA", "wormhole").fields],
        ["condition_mask"],
    ),
    Fact(
        "Its thread passes nothing until all chosen conditions are met.",
        lambda: own_thread(WH),
        (set(), Held.OWN_SCALAR),
    ),
    Fact(
        "Another thread waits at its next instruction for the Scalar Unit.",
        lambda: other_thread(WH),
        (set(), Held.UNIT),
    ),
    Fact(
        "STALLWAIT is the better choice in nearly every case, as `explain` says.",
        lambda: warns("FLUSHDMA wait=C1", "prefers STALLWAIT", "wormhole"),
    ),
    Fact(
        "That STALLWAIT has the same condition mask and a full block mask, as `explain` says.",
        lambda: warns("FLUSHDMA", "same conditions and all bits of the block mask", "wormhole"),
    ),
    Fact(
        "Such a STALLWAIT stops its thread and leaves the Scalar Unit to the others.",
        lambda: beside_a_stallwait(WH),
        (set(), {SCALAR, MISC}),
    ),
    Fact(
        "The Scalar Unit executes it.",
        lambda: fact_of("FLUSHDMA", "Unit", "wormhole"),
        "Scalar Unit (ThCon)",
    ),
    Fact("TT_FLUSHDMA takes the condition mask.", lambda: word("TT_FLUSHDMA(5)"), 0x46000005),
    Fact(
        "The mask is a number of four bits.", lambda: highest_accepted("FLUSHDMA wait={}", WH), 15
    ),
    Fact(
        "The word has opcode and mask.",
        lambda: (
            place_of("FLUSHDMA", "opcode", 0, WH),
            place_of("FLUSHDMA", "condition_mask", 0, WH),
        ),
        ("31:24", "3:0"),
    ),
    Fact(
        "The bits between belong to nothing.",
        lambda: [bit for bit in range(24) if undefined(0x46000000 | 1 << bit, WH)],
        list(range(4, 24)),
    ),
]
MODEL = [
    Fact("A mask of 0 stands for all four conditions.", lambda: default(WH), (0xF, 0xF)),
    Fact(
        "Another mask stands for itself.",
        lambda: [waits.parse(f"FLUSHDMA wait={n}", WH).condition_mask() for n in range(1, 16)],
        list(range(1, 16)),
    ),
    Fact(
        "One cycle passes before it looks at the conditions, also when they are met.",
        lambda: least_cycles(WH),
        2,
    ),
    Fact(
        "It looks at them in every cycle until none says to wait.",
        lambda: {until_it_is_idle(WH, busy) for busy in (10, 11, 12, 13)},
        {1},
    ),
]
MASK = [
    Fact(
        "The condition mask has four bits with a name.",
        lambda: [name.text for name in CONDITIONS_FLUSHDMA.names],
        ["C0", "C1", "C2", "C3"],
    ),
    Fact("C0 is its lowest bit.", lambda: word("FLUSHDMA wait=C0") & 0xF, 1),
    Fact("C3 is its highest bit.", lambda: word("FLUSHDMA wait=C3") & 0xF, 8),
    *(condition_fact(bit) for bit in range(4)),
    *(of_others(bit) for bit in range(4)),
    Fact(
        "C3 is about Packer 0 alone, not about the three others of Wormhole.",
        lambda: waits.parse("FLUSHDMA", WH).blocked(waits.Activity(packers=[0, 1, 1, 1])),
        (),
    ),
    Fact(
        "With several bits set one that is not met is enough to keep waiting.",
        lambda: any_is_enough(WH),
        [True] * 4,
    ),
    Fact(
        "It is over when all of them are met at once.",
        lambda: all_at_once(WH),
        [True] * 4 + [False],
    ),
    *(same_bit(bit) for bit in range(4)),
]
PERFORMANCE = [
    Fact(
        "It is in the Scalar Unit for two cycles or more.",
        lambda: (least_cycles(WH), fact_of("FLUSHDMA", "Latency", "wormhole")),
        (2, "2 cycles or more"),
    ),
    Fact(
        "It is there for as many more as the conditions take.",
        lambda: {until_it_is_idle(WH, busy) for busy in (30, 100)},
        {1},
    ),
]
