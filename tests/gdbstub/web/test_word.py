# SPDX-License-Identifier: Apache-2.0
"""The history of a word, against the tile itself cycle by cycle; which cells of L1 have changed."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest

from scripts.examples.counted import kernel
from tensix_gdb.core.history.copy import Replay
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.tensix.output.recording import history_of
from tensix_gdb.gdbstub.web import word
from tensix_gdb.gdbstub.web.touched import Touched
from tensix_gdb.gdbstub.web.word import Walk
from tests.gdbstub.web.conftest import Open

OUT = 0x21000  # the packed tile of tests/programs/data_path.c is looked for from here on


def values_by_cycle(machine: Machine, history: object, addr: int) -> list[tuple[int, int]]:
    """The changes of a word, as the tile has them when it goes through all cycles."""
    found: list[tuple[int, int]] = []
    last = history.end.cycle  # type: ignore[attr-defined]
    for cycle in range(last + 1):
        assert history.to_cycle(cycle)  # type: ignore[attr-defined]
        value = int.from_bytes(machine.peek(0, addr, 4), "little")
        if not found or value != found[-1][1]:
            found.append((cycle, value))
    return found


@pytest.mark.parametrize("looks", [1 << 16, 20])
def test_it_is_what_the_tile_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, looks: int
) -> None:
    """With few looks it goes through a part again where the word has changed."""
    monkeypatch.setattr(word, "MOST_LOOKS", looks)
    programs, path = kernel(tmp_path), tmp_path / "kernel.rec"
    assert main(["run", *programs, "--record-to", str(path)]) == 0
    machine, history, _ = history_of(str(path), "auto")
    copy = Machine(engine="reference")
    copy.images[:] = machine.images
    with contextlib.closing(machine), contextlib.closing(copy):
        assert history.to_cycle(0)
        before = bytes(machine.peek(0, 0, 0x40000))
        assert history.to_cycle(history.end.cycle)
        after = bytes(machine.peek(0, 0, 0x40000))
        changed = [
            at for at in range(0, len(before), 4) if before[at : at + 4] != after[at : at + 4]
        ]
        assert changed
        addr = changed[0]
        replay = Replay(history, 0, history.end.cycle)
        found = Walk(copy, 0, addr).through(replay)
        wanted = values_by_cycle(machine, history, addr)
        shown = [(change.cycle, change.value) for change in found.changes]
        assert [(0, found.before), *shown] == wanted
        assert all(change.by for change in found.changes)
        assert any("packer" in change.by or "store to" in change.by for change in found.changes)


async def test_the_page_tells_it(open_page: Open, programs: list[str]) -> None:
    with open_page(*programs, "--record") as page:
        async with page.viewer() as viewer:
            await viewer.run(do="continue")
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
    touched.look(bytes(memory), 10)
    assert touched.cycles == {}
    memory[3 * 1024] = memory[5 * 1024 + 7] = 1
    touched.look(bytes(memory), 20)
    memory[5 * 1024 + 7] = 2
    touched.look(bytes(memory), 30)
    assert list(touched.cycles.items()) == [(3, 20), (5, 30)]
    touched.look(bytes(memory), 25)  # back in time
    assert touched.cycles == {3: 20}
