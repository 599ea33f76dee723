# SPDX-License-Identifier: Apache-2.0
"""Threaded loops: arms that continue to each other leave the same record as the loop in Python."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from tensix_gdb.core.engine import Entry, SubsetError, jit, open_engine
from tensix_gdb.core.engine.jit import TAIL_CALLED
from tensix_gdb.core.engine.lower import Lowered, lower
from tensix_gdb.core.engine.native import THREADED
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.record.record import Record
from tests.core.engine import interpreter
from tests.core.engine.interpreter import EXECUTE, WORDS


def threaded(S: View, hart: int, budget: int, skip: int) -> int:
    """As `interpreter.run`, with all that such a loop may have."""
    if not 0 <= hart < 2:
        return 0
    pc = S.cpu.pc[hart]
    n = 0
    jumps = 0
    sums = 1 << 40
    while THREADED and n < budget and jumps != skip:
        at = (pc >> 2) & (WORDS - 1)
        d = S.decoded.word[at]
        if d == 0:
            sums += 5
            break
        npc = EXECUTE[d & 15](S, hart, pc, d, 0)
        if npc < 0:
            break
        n += 1
        for i in range(2):
            if at & 1 == i:
                continue
            sums += i
        if npc == pc + 4:
            pc += 4
            continue
        jumps += 1
        pc = npc
    S.cpu.pc[hart] = pc
    S.cpu.retired[hart] += n
    return (sums << 16) + (jumps << 8) + n


def lowered(function: Callable[..., int]) -> Lowered:
    return lower([Entry("it", function)], interpreter.LAYOUT)


@pytest.fixture(scope="module", params=[jit.QUICK, jit.FULL], ids=["quickly", "well"])
def compiled(request: pytest.FixtureRequest) -> Callable[..., int]:
    """The function in machine code, at each level."""
    code = [jit.compile_object(module, request.param) for module in lowered(threaded).modules]
    return jit.load(f"threaded {request.param}", code, ("entry.it",)).function("entry.it", 3)


def test_it_leaves_the_same_record(compiled: Callable[..., int]) -> None:
    draw = random.Random(7)
    for _ in range(40):
        records = [Record(interpreter.LAYOUT) for _ in range(2)]
        words = [*interpreter.PROGRAM[:14], 0][draw.randrange(3) :]
        for record in records:
            for at, word in enumerate(words):
                record.S.decoded.word[at] = word
            record.S.cpu.x[1, 1], record.S.cpu.x[1, 2] = 50, 88675123
        for _ in range(6):
            hart, budget, skip = draw.randrange(3), draw.randrange(120), draw.randrange(-1, 6)
            expected = threaded(records[0].S, hart, budget, skip)
            assert compiled(records[1].address, hart, budget, skip) == expected
            assert records[0].hash() == records[1].hash()


def test_it_is_what_an_engine_runs() -> None:
    record = Record(interpreter.LAYOUT)
    for at, word in enumerate(interpreter.PROGRAM):
        record.S.decoded.word[at] = word
    record.S.cpu.x[0, 1] = 0  # counts down from 2**32
    engine = open_engine("compiled", [Entry("run", threaded)], record)
    assert engine.call("run", 0, 1_000_000, -1) & 0xFF == 1_000_000 & 0xFF
    engine.close()


def test_each_arm_calls_the_next() -> None:
    """One way for each end of an arm; none comes back to a common one."""
    ir = lowered(threaded).ir
    assert ir.count("musttail") > 2 * len(set(EXECUTE))
    assert "switch" not in ir


def test_the_checked_build_has_a_loop() -> None:
    assert TAIL_CALLED not in lower([Entry("it", threaded)], interpreter.LAYOUT, checked=True).ir


def returning(S: View, a: int) -> int:
    while THREADED and a > 0:
        npc = EXECUTE[a & 15](S, 0, 0, 0, 0)
        if npc < 0:
            return 1
        a -= 1
    return 0


def without_dispatch(S: View, a: int) -> int:
    while THREADED and a > 0:
        a -= 1
    return 0


def in_another(S: View, a: int) -> int:
    while a < 5:
        while THREADED and a > 0:
            npc = EXECUTE[a & 15](S, 0, 0, 0, 0)
            a -= 1 if npc < 0 else 2
        a += 1
    return 0


def computed(S: View, a: int) -> int:
    while THREADED and a > 0:
        npc = EXECUTE[a & 15](S, 0, a + 1, 0, 0)
        a -= 1 if npc < 0 else 2
    return a


@pytest.mark.parametrize(
    ("function", "sentence"),
    [
        (returning, "no return in a threaded loop"),
        (without_dispatch, r"has `name = TABLE\[i\]"),
        (in_another, "cannot be in another loop"),
        (computed, "is called with variables and constants"),
    ],
)
def test_what_it_may_not_have(function: Callable[..., int], sentence: str) -> None:
    with pytest.raises(SubsetError, match=sentence):
        lowered(function)
