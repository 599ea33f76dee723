# SPDX-License-Identifier: Apache-2.0
"""The controls of the page, over its socket: runs, steps, breakpoints, the way back, refusals."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
import trio

from tensix_gdb.gdbstub.cli.rsp_client import RspClient
from tests.gdbstub.pages.web.conftest import Open
from tests.gdbstub.pages.web.page import Page, Viewer
from tests.patience import HANG


@pytest.fixture(scope="module")
def standing(open_page: Open, demo: list[str]) -> Iterator[Page]:
    """A page of a tile that has stopped."""
    with open_page(*demo) as page:
        yield page


async def test_stop_at_a_gate_and_go_back(open_page: Open, programs: list[str]) -> None:
    with open_page(*programs, "--record") as page:
        async with page.viewer() as viewer:
            await viewer.say(do="monitor", text="break gate UNPACR")
            await viewer.until(lambda viewer: "Gate breakpoint 1" in viewer.text)
            await viewer.run(do="continue")
            assert "UNPACR" in viewer.frame["ending"]
            cell = viewer.frame["cells"]["gate-0"]
            assert any("UNPACR" in line for line in cell["lines"])
            there = viewer.frame["cycle"]
            assert viewer.frame["history"] == [0, there]
            await viewer.run(do="goto", cycle=there // 2)
            assert viewer.frame["cycle"] == there // 2
            await viewer.run(do="continue")
            assert viewer.frame["cycle"] == there
            await viewer.run(do="back")
            assert viewer.frame["cycle"] < there


def registers_of(viewer: Viewer) -> str:
    return str(dict(viewer.details["sections"])["registers"])


async def test_steps(open_page: Open, demo: list[str]) -> None:
    with open_page(*demo, "--schedule", "sc", "--record") as page:
        async with page.viewer() as viewer:
            await viewer.say(look="hart-1")
            await viewer.until(lambda viewer: viewer.details)
            first = registers_of(viewer)
            await viewer.run(do="stepi", thread=2)
            await viewer.until(lambda viewer: registers_of(viewer) != first)
            line = viewer.details["source"]["line"]
            await viewer.run(do="step", thread=2)
            await viewer.until(lambda viewer: viewer.details["source"]["line"] != line)
            await viewer.run(do="stepi back", thread=2)


async def test_breakpoints_and_run_to_a_line(open_page: Open, demo: list[str]) -> None:
    with open_page(*demo) as page:
        async with page.viewer() as viewer:
            file = demo[1] + "/t0.c"
            await viewer.run(do="until", file=file, line=38)
            assert viewer.frame["ending"].startswith("T0: at a breakpoint")
            await viewer.until(lambda viewer: viewer.frame["breaks"] == [])
            await viewer.say(do="break", file=file, line=39, on=True)
            await viewer.until(lambda viewer: viewer.frame["breaks"])
            await viewer.run(do="continue")
            await viewer.say(do="break", file=file, line=39, on=False)
            await viewer.until(lambda viewer: viewer.frame["breaks"] == [])


async def test_stop_while_it_runs(open_page: Open, demo: list[str]) -> None:
    with open_page("--elf", f"t0={demo[1]}/t0.elf", "--elf", f"b={demo[1]}/b.elf") as page:
        async with page.viewer() as viewer, page.viewer() as other:
            await viewer.say(do="continue")
            await other.until(lambda other: other.frame.get("running"))
            assert other.frame["running"] == "the page"
            cycle = other.frame["cycle"]
            await other.until(lambda other: other.frame["cycle"] > cycle)
            # The one that looks may stop what the other one has running.
            await other.say(do="stop")
            for each in (viewer, other):
                await each.until(lambda each: each.frame.get("running") == "")


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ({"do": "explode"}, "nothing that can be done"),
        ({"do": ["step"]}, "nothing that can be done"),
        ({"do": "step"}, "needs a thread"),
        ({"do": "stepi", "thread": 99}, "needs a thread"),
        ({"do": "goto", "cycle": "now"}, "needs a cycle"),
        ({"do": "break", "file": "/etc/passwd", "line": 1}, "has no code"),
        ({"do": "until", "file": 3, "line": 1}, "needs a file and a line"),
        ({"do": "monitor", "text": "x" * 2000}, "at most 1000 characters"),
        ({}, "nothing that can be done"),
        ([1], "this is no request"),
        ("{", "this is no request"),
    ],
)
async def test_refusals(standing: Page, message: object, why: str) -> None:
    async with standing.viewer() as viewer:
        text = message if isinstance(message, str) else json.dumps(message)
        await viewer.socket.send_message(text)
        await viewer.until(lambda viewer: viewer.errors)
        assert why in viewer.errors[0]
        await viewer.say(do="monitor", text="status")
        await viewer.until(lambda viewer: "> monitor status" in viewer.text)


async def test_goto_without_a_history(standing: Page) -> None:
    async with standing.viewer() as viewer:
        await viewer.say(do="goto", cycle=7)
        await viewer.until(lambda viewer: "nothing is recorded" in viewer.text)


async def test_no_file_but_sources(standing: Page, demo: list[str]) -> None:
    async with standing.viewer() as viewer:
        await viewer.say(file="/etc/passwd", line=1)
        await viewer.say(file=demo[1] + "/t0.elf", line=1)
        await viewer.say(do="monitor", text="status")
        said: list[str] = []
        while not any("> monitor status" in text for text in said):
            with trio.fail_after(HANG):
                said.append(await viewer.socket.get_message())
        sources = [json.loads(text)["source"] for text in said if '"source"' in text]
        assert [source["text"] for source in sources] == [[], []]


async def test_a_gdb_is_told_what_the_page_does(open_page: Open, demo: list[str]) -> None:
    with open_page(*demo) as page, RspClient("127.0.0.1", page.server.port) as gdb:
        gdb.features()
        async with page.viewer() as viewer:
            await viewer.until(lambda viewer: len(viewer.frame.get("clients", [])) == 1)
            for _ in range(3):
                await viewer.run(do="stepi", thread=2)
            said = await trio.to_thread.run_sync(gdb.monitor, "status")
            assert said.startswith("While you looked, the tile ran for the page")


async def test_the_page_is_told_what_a_gdb_does(open_page: Open, demo: list[str]) -> None:
    two = ("--elf", f"t0={demo[1]}/t0.elf", "--elf", f"b={demo[1]}/b.elf")
    with open_page(*two) as page, RspClient("127.0.0.1", page.server.port) as gdb:
        gdb.features()
        async with page.viewer() as viewer, trio.open_nursery() as nursery:
            nursery.start_soon(trio.to_thread.run_sync, gdb.ask, b"vCont;c")
            await viewer.until(lambda viewer: viewer.frame.get("running"))
            assert viewer.frame["running"].startswith("127.0.0.1")
            await viewer.say(do="monitor", text="reset")
            await viewer.until(lambda viewer: "is not possible while the tile runs" in viewer.text)
            await viewer.say(do="stop")
            await viewer.until(lambda viewer: viewer.frame.get("running") == "")
