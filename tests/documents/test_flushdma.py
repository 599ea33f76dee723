# SPDX-License-Identifier: Apache-2.0
"""Wormhole's page FLUSHDMA.md: one field, its default, four conditions."""

from __future__ import annotations

from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.assembly.tensix_text import undefined
from tensix_gdb.core.explain.instruction.any_machine import explain
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.tensix.instruction import Unit
from tensix_gdb.core.waits import tensix as waits
from tests.documents.encodings import layout, rows

WH = Arch.WORMHOLE

# fmt: off
LAYOUT = [
    ("opcode",          "31:24"),   # 0x46
    ("reserved",        "23:4"),
    ("condition_mask",  "3:0"),     # u4
]
# Bit, "keep on waiting if".
CONDITIONS = [
    ("C0", "the Scalar Unit has memory requests of this thread outstanding"),
    ("C1", "this thread has an instruction in Unpacker 0"),
    ("C2", "this thread has an instruction in Unpacker 1"),
    ("C3", "this thread has an instruction in Packer 0 (on Blackhole, the packer)"),
]
# fmt: on


def test_encoding() -> None:
    (row,) = rows("FLUSHDMA", WH)
    assert (row.opcode, row.unit, layout(row)) == (0x46, Unit.THCON, LAYOUT)
    assert row.latency == "2+"  # "at least two cycles"


def test_reserved_bits_are_undefined() -> None:
    assert [bit for bit in range(24) if undefined(0x46000000 | 1 << bit, WH)] == list(range(4, 24))


def test_default() -> None:
    assert waits.decode(0x46000000, WH).condition_mask() == 0xF
    assert waits.decode(0x46000002, WH).condition_mask() == 2


def test_conditions() -> None:
    lines = explain("FLUSHDMA", "wormhole").waits_while
    shown = [(line.name, line.sentence.partition(": ")[2]) for line in lines]
    assert shown == CONDITIONS
    # "These condition bits coincide exactly with the low four bits of STALLWAIT's".
    busy = (
        waits.Activity(scalar_requests=1),
        waits.Activity(unpackers=[1, 0]),
        waits.Activity(unpackers=[0, 1]),
        waits.Activity(packers=[1, 0, 0, 0]),
    )
    for bit, state in enumerate(busy):
        flush = waits.parse(f"FLUSHDMA wait=C{bit}", WH).blocked(state)
        stall = waits.parse(f"STALLWAIT block=ALL, wait=C{bit}", WH).blocked(state)
        assert [r.condition for r in flush] == [r.condition for r in stall] == [f"C{bit}"]


def test_all_conditions_at_once() -> None:
    """It continues only when all of them are met simultaneously."""
    state = waits.Activity(scalar_requests=1)
    state.unpackers[1] = 1
    wait = waits.parse("FLUSHDMA", WH)
    assert [r.condition for r in wait.blocked(state)] == ["C0", "C2"]
    state.scalar_requests = 0
    assert [r.condition for r in wait.blocked(state)] == ["C2"]
    state.unpackers[1] = 0
    assert wait.blocked(state) == ()


def test_stallwait_is_preferable() -> None:
    found = explain("FLUSHDMA wait=C1", "wormhole")
    assert any("prefers STALLWAIT" in warning for warning in found.warnings)
    assert parse("STALLWAIT block=ALL, wait=C1") >> 15 & 0x1FF == 0x1FF
