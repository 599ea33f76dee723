# SPDX-License-Identifier: Apache-2.0
"""The timeline of the page is that of `run --trace`; a copy goes through the history as it was."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tensix_gdb.core.arch.blackhole import HARTS, THREADS
from tensix_gdb.core.counting.fields import MOVER
from tensix_gdb.core.history.copy import Replay
from tensix_gdb.core.history.machine import ReplayableMachine
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.timeline.tracer import Change
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.pages.report.beside import beside
from tensix_gdb.gdbstub.pages.report.command import summary_of
from tensix_gdb.gdbstub.pages.web.past.timeline import Timelines
from tensix_gdb.gdbstub.tensix.blocked.instructions import place
from tensix_gdb.gdbstub.tensix.capabilities.reverse import TileHistory
from tensix_gdb.gdbstub.tensix.output.timeline_chrome import HART_ROWS, UNIT_ROWS
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tests.gdbstub.pages.picture.conftest import Recorded, recorded
from tests.gdbstub.pages.web.conftest import Open

__all__ = ["recorded"]


def slices(file: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Return what the rows show, without open ends."""
    return [
        (event["pid"], event["tid"], event["ts"], event["dur"], event["name"])
        for event in file["traceEvents"]
        if event["ph"] == "X"
    ]


async def test_as_run_writes_it(open_page: Open, programs: list[str], tmp_path: Path) -> None:
    trace = tmp_path / "trace.json"
    with open_page(*programs, "--record") as page:
        async with page.viewer() as viewer:
            await viewer.run(do="continue")
            before = page.state()
            last = before["cycle"]
            query = f"/timeline.json?first=0&last={last}"
            answer, body = page.get(query, Cookie=page.cookie)
            assert answer.status == 200
            assert page.state() == before
    main(["run", *programs, "--trace", str(trace), "--max-cycles", str(last)])
    wanted = slices(json.loads(trace.read_text("utf-8")))
    assert len(wanted) > 20
    assert sorted(slices(json.loads(body))) == sorted(wanted)


async def test_lines_of_each_cycle(recorded: Recorded) -> None:
    """A hart is where the tile has it in that cycle; a unit has what its instruction comes from."""
    history, machine = recorded.history, recorded.machine
    kept = tensix_target(machine, history=history).reverse
    assert isinstance(kept, TileHistory)
    timelines = Timelines(machine, kept)
    file = json.loads(await timelines.of(200, 500, places=True))
    plain = json.loads(await timelines.of(200, 500))
    assert "places" not in plain
    assert plain["traceEvents"] == file["traceEvents"]
    texts, rows = file["places"]["texts"], file["places"]["rows"]

    def at(row: str, cycle: int) -> str:
        return str(texts[[text for since, text in rows[row] if since <= cycle][-1]])

    seen = set()
    for cycle in range(200, 500, 7):
        history.to_cycle(cycle + 1)  # what a cycle leads to is there in the next one
        for hart in range(HARTS):
            pc = int(machine.S.hart.pc[hart])
            assert at(f"{HART_ROWS}-{hart}", cycle) == place(machine, hart, pc)
            seen.add((hart, pc))
    assert len(seen) > 20
    slices = [event for event in file["traceEvents"] if event["ph"] == "X"]
    units = [e for e in slices if e["pid"] == UNIT_ROWS and e["tid"] < MOVER * THREADS]
    assert len(units) > 5
    for event in units:
        assert ":" in at(f"{UNIT_ROWS}-{event['tid']}", event["ts"])


async def test_what_lines_wait_for(recorded: Recorded, tmp_path: Path) -> None:
    """Beside each line stands what `report --source` says of the same cycles."""
    kept = tensix_target(recorded.machine, history=recorded.history).reverse
    assert isinstance(kept, TileHistory)
    trace = tmp_path / "trace.json"
    trace.write_text(
        await Timelines(recorded.machine, kept).of(0, 1000, places=True), encoding="utf-8"
    )
    files = json.loads(trace.read_text("utf-8"))["waits"]
    assert files
    for name, lines in files.items():
        (tmp_path / name).touch()
        shown = beside(summary_of(trace), tmp_path / name)
        for number, sentences in lines.items():
            after = shown.partition(f"\n{number.rjust(6)}\n")[2]
            here = re.split(r"^ *\d+$", after, maxsplit=1, flags=re.MULTILINE)[0]
            assert [one.strip() for one in here.splitlines() if " waits " in one] == sentences


@pytest.mark.parametrize(
    ("query", "status", "why"),
    [
        ("first=0&last=9", 409, "nothing is recorded"),
        ("first=0&last=99999999", 409, "nothing is recorded"),
        ("first=0", 400, "first and last are cycles"),
        ("first=x&last=9", 400, "first and last are cycles"),
    ],
)
def test_refusals(open_page: Open, demo: list[str], query: str, status: int, why: str) -> None:
    with open_page(*demo) as page:
        answer, body = page.get(f"/timeline.json?{query}", Cookie=page.cookie)
        assert answer.status == status
        assert why in body.decode()


def test_a_copy_comes_to_the_same_state(recorded: Recorded) -> None:
    history = recorded.history
    history.to_cycle(500)
    wanted = recorded.machine.hash()
    history.to_cycle(100)
    here = recorded.machine.hash()
    copy = Machine(engine="reference")
    seen: list[Change] = []
    Replay(history, 200, 500).run(ReplayableMachine(copy), seen.extend)
    assert copy.hash() == wanted
    assert recorded.machine.hash() == here
    assert min(change.cycle for change in seen) == 200
    assert not Replay(history, 10**9, 10**9 + 1)
    copy.close()
