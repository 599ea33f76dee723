# SPDX-License-Identifier: Apache-2.0
"""The page "additional scalar unit instructions" on the machine (its text: test_scalar.py).

The functional models are the document's, in the language in which it writes them: Python.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.stop import StopKind
from tensix_gdb.core.tensix.gate.wait_gate import Held
from tests.documents.on_the_machine import LATER, after, gpr, held

Model = Callable[[int, int, int], int]


class UndefinedBehaviour(Exception):
    """The document's word for what nobody defines."""


def shiftdmareg(mode: int, left_val: int, right_val: int) -> int:
    right_val &= 0x1F
    if mode == 0:  # LEFT
        return (left_val << right_val) & 0xFFFFFFFF
    if mode == 1:  # RIGHT
        return left_val >> right_val
    raise UndefinedBehaviour


def bitwopdmareg(mode: int, left_val: int, right_val: int) -> int:
    if mode == 0:
        return left_val & right_val
    if mode == 1:
        return left_val | right_val
    if mode == 2:
        return left_val ^ right_val
    raise UndefinedBehaviour


def cmpdmareg(mode: int, left_val: int, right_val: int) -> int:
    if mode == 0:
        return 1 if left_val > right_val else 0
    if mode == 1:
        return 1 if left_val < right_val else 0
    if mode == 2:
        return 1 if left_val == right_val else 0
    raise UndefinedBehaviour


# Opcode, functional model, bits of the immediate.
MODELS = {
    "SHIFTDMAREG": (0x5C, shiftdmareg, 5),
    "BITWOPDMAREG": (0x5B, bitwopdmareg, 6),
    "CMPDMAREG": (0x5D, cmpdmareg, 6),
}
EDGES = (0, 1, 31, 32, 63, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x12345678)


def encoded(opcode: int, const: int, mode: int, result: int, right: int, left: int) -> int:
    """As the document's TT_OP macros do it."""
    return opcode << 24 | const << 23 | mode << 18 | result << 12 | right << 6 | left


@pytest.mark.parametrize("name", MODELS)
def test_functional_model(name: str) -> None:
    """Registers, edges and random numbers; eight instructions in a run."""
    opcode, model, _ = MODELS[name]
    draw = random.Random(name)
    operands = [(a, b) for a in EDGES for b in EDGES]
    operands += [(draw.getrandbits(32), draw.getrandbits(32)) for _ in range(79)]
    for mode in range(8):
        for at in range(0, len(operands), 16):
            chosen = operands[at : at + 16]
            try:
                expected = [model(mode, *pair) for pair in chosen]
            except UndefinedBehaviour:
                record = after(20, [(0, encoded(opcode, 0, mode, 5, 4, 3))])
                assert record.S.stop.kind == StopKind.FAULT
                assert record.S.stop.code == Fault.TENSIX_MODE
                break
            state = {f"gpr.word[{i}]": left for i, (left, _) in enumerate(chosen)}
            state |= {f"gpr.word[{16 + i}]": right for i, (_, right) in enumerate(chosen)}
            program = [(0, encoded(opcode, 0, mode, 32 + i, 16 + i, i)) for i in range(len(chosen))]
            record = after(100, program, state)
            assert [gpr(record, 32 + i) for i in range(len(chosen))] == expected


@pytest.mark.parametrize("name", MODELS)
def test_immediate(name: str) -> None:
    """OpBisConst: every constant there is; the document's `& 0x1F` and `& 0x3F`."""
    opcode, model, bits = MODELS[name]
    left = 0x89ABCDEF
    for mode in range(2 if name == "SHIFTDMAREG" else 3):
        for at in range(0, 1 << bits, 16):
            program = [(1, encoded(opcode, 1, mode, 16 + i, at + i, 3)) for i in range(16)]
            record = after(100, program, {"gpr.word[67]": left})
            found = [gpr(record, 16 + i, thread=1) for i in range(16)]
            assert found == [model(mode, left, at + i) for i in range(16)]


@pytest.mark.parametrize("left", [0, 2, 1 << 31, 0xFFFFFFFF])
def test_subdmareg(left: int) -> None:
    """Of the title only: as ADDDMAREG and MULDMAREG, with a difference."""
    record = after(20, [(0, encoded(0x59, 0, 0, 5, 4, 3)), (0, encoded(0x59, 1, 0, 6, 63, 3))],
                   {"gpr.word[3]": left, "gpr.word[4]": 5})  # fmt: skip
    assert [gpr(record, 5), gpr(record, 6)] == [(left - 5) % (1 << 32), (left - 63) % (1 << 32)]


def cycles_of(word: int) -> int:
    """Return for how many cycles the unit takes nothing else. Instructions of another unit pass one
    cycle earlier, as on a card (tests/core/tensix/scalar)."""
    program = [(0, word), (0, "SETDMAREG new_value=1, result_half_reg=20")]
    seen = [gpr(after(n, program), 10) for n in range(1, 14)]
    plain = [gpr(after(n, [(0, "NOP"), program[1]]), 10) for n in range(1, 14)]
    return 1 + seen.index(1) - plain.index(1)


@pytest.mark.parametrize("opcode", [0x58, 0x59, 0x5A, 0x5B, 0x5C, 0x5D])
def test_performance(opcode: int) -> None:
    """Three cycles with an immediate or both registers in an aligned group of four, four if not."""
    assert cycles_of(encoded(opcode, 1, 0, 60, 9, 3)) == 3
    assert cycles_of(encoded(opcode, 0, 0, 60, 5, 6)) == 3
    assert cycles_of(encoded(opcode, 0, 0, 60, 3, 4)) == 4


@pytest.mark.parametrize("opcode", [0x5B, 0x5C, 0x5D])
def test_fully_serialised(opcode: int) -> None:
    """They execute on the Scalar Unit: while one is there, no other thread's gets in."""
    program = [
        (0, encoded(opcode, 0, 0, 60, 3, 4)),
        (1, "NOP"),
        (1, encoded(opcode, 1, 0, 1, 1, 1)),
    ]
    record = after(4, program)
    assert record.S.thcon.thread == 0
    assert held(record, 1) is Held.UNIT


@pytest.mark.parametrize("opcode", [0x5B, 0x5C, 0x5D, 0x46])
def test_stalled_by(opcode: int) -> None:
    """The document: B5. By STALLWAIT.md B0, too."""
    for bit in range(9):
        stall = 0xA2000000 | 1 << 15 + bit | 2
        record = after(6, [(0, stall), (0, opcode << 24)], {"busy.unpacker[0,0]": 1})
        assert (held(record) is Held.LATCHED_WAIT) is (bit in (0, 5))


# "Condition mask": bit, and "keep waiting if" as state of the machine.
FLUSHDMA = [
    ("C0", {"thcon.requests": 1, "thcon.kind[0]": 1, "thcon.size[0]": 4, "thcon.when[0]": LATER}),
    ("C1", {"busy.unpacker[0,0]": 1}),
    ("C2", {"busy.unpacker[1,0]": 1}),
    ("C3", {"busy.packer[0]": 1}),
]


@pytest.mark.parametrize("bit", range(4))
def test_flushdma(bit: int) -> None:
    _, state = FLUSHDMA[bit]
    for mask in range(16):
        record = after(12, [(0, 0x46000000 | mask), (0, "SETADC u0=1, new_value=1")], state)
        # "If ConditionMask == 0, it defaults to 0xF".
        waits = (mask or 0xF) >> bit & 1
        assert record.S.adc.value[0, 0, 0, 0] == 1 - waits
        assert bool(record.S.thcon.state) is bool(waits)


def test_flushdma_is_no_stallwait_with_block_mask_0x20() -> None:
    """The document's "emulator note" says so. What differs is not timing only: a semaphore is
    posted by one and never by the other."""
    busy = {"busy.unpacker[0,0]": 1}
    post = (0, "SEMPOST sem=S0")
    stall = after(30, [(0, "STALLWAIT block=B5, wait=C1"), post], busy)
    flush = after(30, [(0, "FLUSHDMA wait=C1"), post], busy)
    assert (stall.S.semaphore.value[0], flush.S.semaphore.value[0]) == (1, 0)
