# SPDX-License-Identifier: Apache-2.0
"""The history of a word, against the tile itself cycle by cycle; which cells of L1 have changed."""

from __future__ import annotations

import contextlib
import json

import pytest

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.history import begin_history
from tensix_gdb.core.history.copy import Replay
from tensix_gdb.core.history.machine import ReplayableMachine
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.pages.web.past import word
from tensix_gdb.gdbstub.pages.web.past.word import INPUT, Walk
from tensix_gdb.gdbstub.pages.web.touched import Touched
from tests.assembler import asm, image, li
from tests.gdbstub.pages.web.conftest import Open

WORD = 0x8000
COUNTS = [
    *li(10, WORD),
    asm("addi", rd=11, rs1=11, imm=1),
    asm("sw", rs1=10, rs2=11),
    asm("jal", imm=-8),
]
CYCLES = 240
PUT = b"abcd"


@pytest.mark.parametrize("schedule", ["sc", "latency"])
@pytest.mark.parametrize("looks", [1 << 16, 50])
def test_it_is_what_the_tile_had(
    monkeypatch: pytest.MonkeyPatch, looks: int, schedule: str
) -> None:
    """With few looks it goes through a part again where the word has changed."""
    monkeypatch.setattr(word, "MOST_LOOKS", looks)
    execution = Execution.parse(schedule)
    machine = Machine(engine="reference", schedule=execution)
    copy = Machine(engine="reference", schedule=execution)
    with contextlib.closing(machine), contextlib.closing(copy):
        machine.load(B, image(COUNTS, 0))
        history = begin_history(machine)
        history.resume()
        machine.run(CYCLES // 2)
        history.suspend()
        stored = value_of(machine)
        machine.poke(B, WORD, PUT)  # an input, as by a client
        history.resume()
        machine.run(CYCLES // 2)
        history.suspend()
        found = Walk(ReplayableMachine(copy), 0, B, WORD).through(Replay(history, 0, CYCLES))
        wanted = [(0, 0)]
        for cycle in range(CYCLES + 1):
            assert history.to_cycle(cycle)
            values = [value_of(machine)]
            if cycle == CYCLES // 2:
                values.insert(0, stored)  # by a store that ends in this very cycle
            wanted += [(cycle, value) for value in values if value != wanted[-1][1]]
        shown = [(change.cycle, change.value) for change in found.changes]
        assert [(0, found.before), *shown] == wanted
        assert found.dropped == max(len(wanted) - 1 - len(shown), 0)
        inputs = [change for change in found.changes if change.by == INPUT]
        assert [change.value for change in inputs] == [int.from_bytes(PUT, "little")]
        stores = [change.by for change in found.changes if change.by != INPUT]
        assert all(by.startswith("B ") and "store" in by for by in stores)


def value_of(machine: Machine) -> int:
    """The word now."""
    return int.from_bytes(machine.peek(B, WORD, 4), "little")


async def test_the_page_tells_it(open_page: Open, demo: list[str]) -> None:
    with open_page(*demo, "--record") as page:
        async with page.viewer() as viewer:
            await viewer.run(do="until", file=f"{demo[1]}/t0.c", line=39)
            touched = sorted(map(int, viewer.frame["touched"]))
            assert touched
            await viewer.say(look=f"l1-{touched[0]}")
            await viewer.until(lambda viewer: "words" in viewer.details)
        answer, body = page.get(f"/word.json?addr={touched[0] * 1024}&hart=0", Cookie=page.cookie)
        assert answer.status == 200
        assert json.loads(body)["first"] == 0
        for query in ("addr=3&hart=0", "addr=0&hart=9", "addr=x&hart=0", ""):
            answer, body = page.get(f"/word.json?{query}", Cookie=page.cookie)
            assert (answer.status, b"multiple of 4" in body) == (400, True)


def test_without_a_history(open_page: Open, demo: list[str]) -> None:
    with open_page(*demo) as page:
        answer, body = page.get("/word.json?addr=0&hart=0", Cookie=page.cookie)
        assert answer.status == 409
        assert b"nothing is recorded" in body


def test_touched() -> None:
    touched, memory = Touched(), bytearray(8 * 1024)
    touched.compare_memory(bytes(memory), 10)
    assert touched.cycles == {}
    memory[3 * 1024] = memory[5 * 1024 + 7] = 1
    touched.compare_memory(bytes(memory), 20)
    memory[5 * 1024 + 7] = 2
    touched.compare_memory(bytes(memory), 30)
    assert list(touched.cycles.items()) == [(3, 20), (5, 30)]
    touched.compare_memory(bytes(memory), 25)  # back in time
    assert touched.cycles == {3: 20}
