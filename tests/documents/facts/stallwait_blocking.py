# SPDX-License-Identifier: Apache-2.0
"""STALLWAIT of Blackhole: what the bits of the block mask mean, and how a gate blocks."""

from __future__ import annotations

from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.isa.masks import BLOCK_MASK
from tensix_gdb.core.tensix.instruction import Catch, Unit
from tensix_gdb.core.tensix.table import rows_of
from tests.documents.facts.fact import Fact
from tests.documents.facts.runs import (
    MATRIX,
    MISC,
    SCALAR,
    SYNC,
    UNPACKER_0,
    marks,
    more,
    passed,
)
from tests.documents.facts.texts import BH, catches, note_of
from tests.documents.on_the_machine import after

NEVER_OVER = "STALLWAIT block=B6, wait=C1"  # while Unpacker 0 is busy


def units_of(block: str) -> set[Unit]:
    """The units of which a block mask holds instructions, except for the latching ones."""
    return {
        row.unit
        for row in rows_of(BH)
        if row.gate is Catch.MASKED
        and row.mnemonic not in ("STALLWAIT", "SEMWAIT", "STREAMWAIT")
        and catches(block, row.encoding.match)
    }


def meaning(block: str) -> str:
    return {name.text: name.meaning for name in BLOCK_MASK.names}[block]


# Bit, the units of which it blocks instructions, the same as `explain` says it.
BLOCKS = [
    (
        {Unit.MISC, Unit.MOVER, Unit.THCON, Unit.PACKER, Unit.UNPACKER},
        "Misc, Mover, ThCon, Packer, Unpackers",
    ),
    ({Unit.SYNC}, "Sync Unit"),
    ({Unit.PACKER}, "Packer"),
    ({Unit.UNPACKER}, "Unpackers"),
    ({Unit.MOVER}, "Mover"),
    ({Unit.THCON}, "Scalar Unit (ThCon)"),
    ({Unit.FPU}, "Matrix Unit (FPU)"),
    ({Unit.CONFIG}, "Configuration Unit"),
    ({Unit.SFPU}, "Vector Unit (SFPU)"),
]


def block_facts() -> list[Fact]:
    """A row for each bit of the block mask."""
    facts = []
    for bit, (units, text) in enumerate(BLOCKS):
        name = f"B{bit}"
        facts.append(
            Fact(
                f"{name} keeps new instructions of these from starting: {text}.",
                lambda name=name: (units_of(name), meaning(name)),  # type: ignore[misc]
                (units, text),
            )
        )
    return facts


BLOCK_MASK_FACTS = [
    Fact(
        "The block mask has nine bits with a name.",
        lambda: [name.text for name in BLOCK_MASK.names if name.value != 0x1FF],
        [f"B{bit}" for bit in range(9)],
    ),
    Fact("B0 is its lowest bit.", lambda: parse("STALLWAIT block=B0") >> 15 & 0x1FF, 1),
    Fact("B8 is its highest bit.", lambda: parse("STALLWAIT block=B8") >> 15 & 0x1FF, 1 << 8),
    *block_facts(),
]

IN_ORDER = [
    Fact(
        "A gate lets the instructions of its thread through in their order, so after the first "
        "blocked one none passes, of whatever unit.",
        lambda: (
            passed([(0, NEVER_OVER), (0, MATRIX), (0, MISC), (0, SYNC), (0, SCALAR)], UNPACKER_0),
            "no later one of this thread passes" in note_of("STALLWAIT", "holds"),
        ),
        (set(), True),
    ),
    Fact(
        "They all pass when the conditions are met.",
        lambda: marks(
            more(
                after(20, [(0, NEVER_OVER), (0, MATRIX), (0, MISC), (0, SYNC)], UNPACKER_0),
                20,
                {"busy.unpacker[0,0]": 0},
            )
        ),
        {MISC, SYNC},
    ),
    Fact(
        "With several bits in the block mask one that fits is enough to block.",
        lambda: [
            passed([(0, f"STALLWAIT block={block}, wait=C1"), (0, MISC)], UNPACKER_0)
            for block in ("B0|B8", "B7|B8", "B0|B1")
        ],
        [set(), {MISC}, set()],
    ),
    Fact(
        "With all bits nothing at all passes the gate.",
        lambda: [
            row.name
            for row in rows_of(BH)
            if row.gate in (Catch.MASKED, Catch.ONLY_ALL) and not catches("ALL", row.encoding.match)
        ],
        [],
    ),
    Fact(
        "With all bits the thread executes nothing after its STALLWAIT until the wait is over.",
        lambda: after(
            20, [(0, "STALLWAIT block=ALL, wait=C1"), (0, "NOP"), (0, MISC)], UNPACKER_0
        ).S.fifo.count[0, 2],
        2,
    ),
]
