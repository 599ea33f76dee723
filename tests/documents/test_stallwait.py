# SPDX-License-Identifier: Apache-2.0
"""Blackhole's page STALLWAIT.md: fields, defaults, the bits of both masks, in its order.

The matrix of instructions and block bits is in tests/core/isa/test_tensix_table.py, the behaviour
of each condition in tests/core/waits/test_tensix.py.
"""

from __future__ import annotations

import pytest

from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.assembly.tensix_text import undefined
from tensix_gdb.core.explain.instruction.any_machine import explain
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.masks import BLOCK_MASK, CONDITIONS_BLACKHOLE
from tensix_gdb.core.tensix.instruction import Catch, Unit
from tensix_gdb.core.tensix.table import rows_of
from tensix_gdb.core.waits import tensix as waits
from tests.documents.encodings import layout, rows

# fmt: off
LAYOUT = [
    ("opcode",          "31:24"),   # 0xA2
    ("block_mask",      "23:15"),   # u9
    ("reserved",        "14:13"),
    ("condition_mask",  "12:0"),    # u13
]
# Bit, units whose instructions it blocks ("Approximate meaning").
BLOCK = [
    ("B0", {Unit.MISC, Unit.MOVER, Unit.THCON, Unit.PACKER, Unit.UNPACKER}),
    ("B1", {Unit.SYNC}),
    ("B2", {Unit.PACKER}),
    ("B3", {Unit.UNPACKER}),
    ("B4", {Unit.MOVER}),
    ("B5", {Unit.THCON}),
    ("B6", {Unit.FPU}),
    ("B7", {Unit.CONFIG}),
    ("B8", {Unit.SFPU}),
]
# Bit, what is named in "keep on waiting and blocking if".
CONDITIONS = [
    ("C0",  "the Scalar Unit has memory requests of this thread outstanding"),
    ("C1",  "this thread has an instruction in Unpacker 0"),
    ("C2",  "this thread has an instruction in Unpacker 1"),
    ("C3",  "this thread has an instruction in the Packer"),
    ("C4",  "this thread has an instruction in the Matrix Unit"),
    ("C5",  "Unpacker 0's bank of SrcA does not belong to the unpackers"),
    ("C6",  "Unpacker 1's bank of SrcB does not belong to the unpackers"),
    ("C7",  "the Matrix Unit's bank of SrcA does not belong to it"),
    ("C8",  "the Matrix Unit's bank of SrcB does not belong to it"),
    ("C9",  "the Mover has memory requests of any thread outstanding"),
    ("C10", "the thread's T core has a request to Tensix GPRs, configuration or TDMA-RISC emitted "
            "and not yet processed"),
    ("C11", "this thread has an instruction in the Vector Unit"),
    ("C12", "any thread has an instruction in the Configuration Unit"),
]
# "Notes": conditions, and the block bits of which one should be there.
SHOULD_INCLUDE = [
    ("C1|C2",   "B0", "B3"),
    ("C3",      "B0", "B2"),
    ("C4",      "B6"),
    ("C9",      "B0", "B4"),
    ("C11",     "B8"),
    ("C12",     "B7"),
]
# fmt: on


def test_encoding() -> None:
    (row,) = rows("STALLWAIT")
    assert row.opcode == 0xA2
    assert layout(row) == LAYOUT
    assert row.unit is Unit.SYNC


def test_reserved_bits_are_undefined() -> None:
    for bit in (13, 14):
        assert undefined(0xA2000000 | 1 << bit, Arch.BLACKHOLE)
    for bit in (*range(13), *range(15, 24)):
        assert not undefined(0xA2000000 | 1 << bit, Arch.BLACKHOLE)


def test_defaults() -> None:
    """ConditionMask ? ConditionMask : 0x0F; BlockMask ? BlockMask : 1 << 6."""
    wait = waits.decode(0xA2000000)
    assert (wait.condition_mask(), wait.block_mask) == (0x0F, 1 << 6)
    wait = waits.decode(0xA2000000 | 1 << 15 | 1)
    assert (wait.condition_mask(), wait.block_mask) == (1, 1)


def test_block_mask() -> None:
    assert [one.text for one in BLOCK_MASK.names[1:]] == [name for name, _ in BLOCK]
    for bit, (name, units) in enumerate(BLOCK):
        wait = waits.parse(f"STALLWAIT block={name}, wait=C0")
        assert wait.block_mask == 1 << bit
        caught = {
            row.unit
            for row in rows_of(Arch.BLACKHOLE)
            if row.gate is Catch.MASKED and wait.catches(row.encoding.match)
        }
        # The three latching instructions of the Sync Unit are blocked by every bit.
        assert caught == units | {Unit.SYNC}


def test_all_block_bits_hold_everything_that_reaches_the_gate() -> None:
    wait = waits.parse("STALLWAIT block=ALL, wait=C0")
    for row in rows_of(Arch.BLACKHOLE):
        assert wait.catches(row.encoding.match) is (row.gate in (Catch.MASKED, Catch.ONLY_ALL))


def test_condition_mask() -> None:
    shown = [(one.text, one.meaning) for one in CONDITIONS_BLACKHOLE.names]
    assert shown == CONDITIONS
    for bit, (name, _) in enumerate(CONDITIONS):
        assert parse(f"STALLWAIT wait={name}") == 0xA2000000 | 1 << bit


@pytest.mark.parametrize("case", SHOULD_INCLUDE, ids=lambda case: case[0])
def test_notes_are_warnings(case: tuple[str, ...]) -> None:
    """A block mask without the bits that the notes ask for is warned about, one with them not."""
    condition, *needed = case
    for bit in (f"B{i}" for i in range(9)):
        warnings = explain(f"STALLWAIT block={bit}, wait={condition}").warnings
        found = [one for one in warnings if "does not catch" in one]
        assert bool(found) is (bit not in needed), (bit, found)


# "Notes" again, what is said without a look at the block mask, and the end of C4's and C11's rows.
NOTES = [
    ("C0", "needed after LOADIND, LOADREG or ATINCGET"),
    ("C4", "may wait longer than necessary while several threads use the Matrix Unit"),
    ("C5", "rarely needed: an UNPACR waits by itself"),
    ("C6", "rarely needed: an UNPACR waits by itself"),
    ("C7", "rarely needed: a Matrix Unit instruction that reads SrcA waits by itself"),
    ("C8", "rarely needed: a Matrix Unit instruction that reads SrcB waits by itself"),
    ("C10", "executes after that store is processed. Rarely needed where Auto TTSync is on"),
    ("C11", "may wait longer than necessary while several threads use the Vector Unit"),
]
# "Functional model", "Block mask" and "Condition mask".
HOW = [
    ("begins", "at once: the instruction right after it is the first that its block mask can hold"),
    ("holds", "no later one of this thread passes, of whatever unit"),
    ("ends", "lifted one cycle after the conditions are met"),
]


@pytest.mark.parametrize(("condition", "sentence"), NOTES)
def test_notes_that_need_no_mask(condition: str, sentence: str) -> None:
    notes = explain(f"STALLWAIT block=ALL, wait={condition}").notes
    assert [one.name for one in notes] == [*(name for name, _ in HOW), condition]
    assert sentence in notes[-1].sentence
    assert all(said in one.sentence for (_, said), one in zip(HOW, notes, strict=False))
    others = [one.sentence for one in explain("STALLWAIT block=ALL, wait=C1").notes]
    assert notes[-1].sentence not in others


def test_conditions_are_met_together() -> None:
    (line,) = [one for one in explain("STALLWAIT wait=C1|C2").notes if one.name == "C1|C2"]
    assert line.sentence.startswith("it ends in a cycle in which all of them are met")


def test_wormhole_has_no_auto_ttsync_to_rely_on() -> None:
    (note,) = [n for n in explain("STALLWAIT wait=C13", "wormhole").notes if n.name == "C13"]
    assert note.sentence.endswith("executes after that store is processed")
