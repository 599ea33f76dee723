# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb mcp`, asked by the client of the package mcp."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import trio

from tensix_gdb.gdbstub.manual import TOPICS, text_of
from tensix_gdb.gdbstub.mcp import server
from tensix_gdb.gdbstub.mcp.server import MAX_OUTPUT, TOOLS, bounded
from tests.gdbstub.mcp.conversation import DEMO, assistant
from tests.layers.style import ROOT
from tests.patience import HANG
from tests.programs.build import build

FOUR = [f"{hart}={hart}.elf" for hart in ("b", "t0", "t1", "nc")]
COMMAND = [sys.executable, "-m", "tensix_gdb.gdbstub", "mcp"]
STORE_BUFFERING = """
litmus  store buffering
init    X = 0, Y = 0
T0          | T1
sw 1, X     | sw 1, Y
lw a0, Y    | lw a0, X
final       T0:a0  T1:a0
"""


async def test_programs_are_run_and_looked_at() -> None:
    async with assistant([DEMO]) as one:
        ran = await one.ask("run", elf=FOUR, until="publish")
        assert "publish at t0.c:37: breakpoint after" in ran
        assert "2 T0  ready, pc" in ran
        assert "T0: runs" in await one.ask("why")
        assert "T0: runs" in await one.ask("why", who="T0")
        hart = await one.ask("hart", hart="T0")
        assert "#0 publish (sum=7) at t0.c:37" in hart
        assert "a0=0x00000007" in hart
        source = await one.ask("source", hart="T0", around=1)
        assert "->    37      pipeline.sum = sum;" in source
        assert "main at t0.c:" in await one.ask("source", hart="T0", frame=1)
        for what in ("sem", "order", "cfg ALU_FORMAT", "dst 0", "fifo T0", "gpr T1", "src a"):
            assert await one.ask("look", what=what)
        assert await one.ask("memory", address="0x1000", length=20) == (
            "0x00001000  00000000  00000000  00000000  00000000\n0x00001010  00000000"
        )
        ended = await one.ask("resume", max_cycles=100_000)
        assert "T0 paused at ebreak" in ended
        assert "still running after" in ended


async def test_races(tmp_path: Path, tool: Callable[[str], str]) -> None:
    tool("riscv64-unknown-elf-gcc")
    kernel = ROOT / "scripts/examples/c10/kernel.c"
    build(kernel, "T0", tmp_path / "t0.elf", defines=("WAIT=0",))
    build(kernel, "T0", tmp_path / "fixed.elf", defines=("WAIT=1",))
    async with assistant([tmp_path]) as one:
        await one.ask("run", elf=["t0=t0.elf"])
        assert "run the programs with races=default" in await one.refused("races")
        await one.ask("run", elf=["t0=t0.elf"], races="default")
        assert (await one.ask("races")).endswith("not observed: the host's memory\n1 race\n")
        assert "Would order them: TTI_STALLWAIT(" in await one.ask("races", what="1")
        assert "no promise" in await one.ask("races", what="promises")
        assert "there is no report 2" in await one.refused("races", what="2")
        assert "a number, or promises" in await one.refused("races", what="on")
        said = await one.ask("witness", report=1)
        assert re.search(r" from cycle \d+ on", said)
        assert "RDCFG finds 0x1000, and 0x2000 in the observed run" in said
        assert "there is no report 2: 1 report" in await one.refused("witness", report=2)
        said = await one.ask("confirm")
        assert ": 2 outcomes; with TTI_STALLWAIT(" in said
        assert await one.ask("confirm", elf=["t0=fixed.elf"]) == (
            "The pair is not reported any more; 0 reports of these programs."
        )
        said = await one.ask("confirm", elf=["t0=t0.elf"])
        assert said.startswith("The pair is still reported; 1 report of these programs.")
        assert "is in none of the folders" in await one.refused("confirm", elf=["t0=/bin/ls"])
        said = await one.refused("run", elf=["t0=t0.elf"], races="strict", schedule="sc")
        assert "cannot be observed in schedule sc" in said


async def test_nothing_is_changed() -> None:
    async with assistant([DEMO]) as one:
        await one.ask("run", elf=FOUR, until="publish")
        for what in ("sem 1=3", "gpr T0 3=7", "cfg ALU_FORMAT=1", "vector 0.0 = 1"):
            assert "changes nothing" in await one.refused("look", what=what)
        for what in (
            "pause none",
            "reset",
            "dst-load 0 bf16 1",
            "break gate NOP",
            "",
            "delete all",
        ):
            assert (await one.refused("look", what=what)).startswith("what begins with one of why")


async def test_files_outside_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "t0.elf").symlink_to(DEMO / "t0.elf")
    async with assistant([tmp_path]) as one:
        assert "is in none of the folders" in await one.refused("run", elf=["t0=/etc/passwd"])
        assert "symbolic link" in await one.refused("run", elf=["t0=t0.elf"])
        assert "`..` is refused" in await one.refused("run", elf=["t0=../t0.elf"])
    async with assistant() as one:
        assert "--root DIR" in await one.refused("run", elf=[f"t0={DEMO / 't0.elf'}"])


async def test_sources_outside_are_not_read(tmp_path: Path) -> None:
    """The debug information of a program may name any file."""
    (tmp_path / "t0.elf").write_bytes((DEMO / "t0.elf").read_bytes())
    async with assistant([tmp_path]) as one:
        await one.ask("run", elf=["t0=t0.elf"], until="publish")
        said = await one.refused("source", hart="T0")
        assert "none of the folders" in said or "is not found" in said


async def test_explanations_and_outcomes() -> None:
    async with assistant() as one:
        said = await one.ask("explain", instruction="STALLWAIT(B7, C0)")
        assert said.startswith("STALLWAIT block=B7, wait=C0\n")
        assert "is it STALLWAIT?" in await one.refused("explain", instruction="STALLWEIGHT")
        outcomes = await one.ask("litmus", text=STORE_BUFFERING)
        assert outcomes.startswith("store buffering: 4 outcomes in ")
        assert "T0:a0=0 T1:a0=0" in outcomes
        assert (await one.refused("litmus", text="sw 1, X")).startswith("text:1: ")
        assert "C10" in await one.ask("manual", text="C10")
        assert "no line of the manual" in await one.refused("manual", text="xyzzy plugh")


async def test_the_manual_is_there() -> None:
    async with assistant() as one:
        found = await one.client.list_resources()
        assert [str(each.uri) for each in found.resources] == [f"manual://{one}" for one in TOPICS]
        read = await one.client.read_resource("manual://ordering")
        assert getattr(read.contents[0], "text", "") == text_of("ordering")
        with pytest.raises(Exception, match="is no chapter of the manual"):
            await one.client.read_resource("manual://../mcp/server.py")


WRONG: list[tuple[str, dict[str, object], str]] = [
    ("why", {}, "there is no tile yet; run programs first"),
    ("resume", {}, "there is no tile yet; run programs first"),
    ("run", {}, "run needs elf: programs, each HART=FILE"),
    ("run", {"elf": 3}, "elf is a list of texts"),
    ("run", {"elf": []}, "elf names nothing"),
    ("run", {"elf": ["t7=x"]}, "elf: 't7=x' does not say HART=FILE"),
    ("run", {"elf": ["t0=t0.c"]}, "t0.c: "),
    ("run", {"elf": ["t0=t0.elf"], "max_cycles": 0}, "max_cycles is a number from 1 to"),
    ("run", {"elf": ["t0=t0.elf"], "max_cycles": True}, "max_cycles is a number"),
    ("run", {"elf": ["t0=t0.elf"], "schedule": "x"}, "type sc, latency, or random:SEED"),
    ("run", {"elf": ["t0=t0.elf"], "until": "nowhere"}, "--until nowhere: no such symbol"),
    ("run", {"elf": ["t0=t0.elf", "t0=t1.elf"]}, "two files for t0"),
    ("run", {"elf": ["t0=t0.elf"], "faults": "x"}, "run has no argument faults; it has check,"),
    ("hart", {"hart": "T9"}, "hart is one of B, T0, T1, T2, NC"),
    ("memory", {"address": "here"}, "'here' is no address"),
    ("memory", {"address": "0x100000000"}, "0x100000000 is no address of 32 bits"),
    ("dance", {}, "there is no tool dance; there are run, run_kept"),
]


async def test_wrong_arguments_are_one_sentence() -> None:
    """Of one server, which is asked all of it."""
    async with assistant([DEMO]) as one:
        for tool, arguments, said in WRONG:
            assert said in await one.refused(tool, **arguments)


async def test_a_client_cancels_a_long_run() -> None:
    """The tile is stopped afterwards, between two cycles, and the next call is answered."""
    async with assistant([DEMO]) as one:
        await one.ask("run", elf=FOUR, until="publish")
        with trio.move_on_after(2):
            await one.ask("resume", max_cycles=1_000_000_000)
        assert "interrupted after" in await one.ask("why")
        assert "still running after" in await one.ask("resume", max_cycles=1_000)


async def test_a_call_ends_after_its_seconds() -> None:
    async with assistant([DEMO], "--seconds", "1") as one:
        said = await one.ask("run", elf=FOUR, max_cycles=1_000_000_000)
        assert "interrupted after" in said


async def test_a_search_ends_after_its_seconds() -> None:
    lines = "".join(f"sw {i}, X | sw {i}, Y | sw {i}, Z\n" for i in range(1, 5))
    text = f"litmus many\ninit X = 0, Y = 0, Z = 0\nT0|T1|T2\n{lines}final X\n"
    async with assistant([], "--seconds", "1") as one:
        said = await one.refused("litmus", text=text)
        assert "the search was interrupted" in said or "states" in said


def _messages(*lines: object) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_while_the_client_is_silent(number: int) -> None:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(_messages({"jsonrpc": "2.0", "id": 1, "method": "ping"}))
        process.stdin.flush()
        assert b'"id":1' in process.stdout.readline()
        process.send_signal(number)
        status = process.wait(HANG)
    assert status == (143 if number == signal.SIGTERM else 0)


def test_messages_that_are_none(tmp_path: Path) -> None:
    """From a file, too: it is never waited for."""
    file = tmp_path / "messages"
    file.write_bytes(b"\xff\xfe\n{}\n[]\nhello\n\n")
    with open(file, "rb") as source:
        done = subprocess.run(COMMAND, stdin=source, capture_output=True, timeout=HANG, check=False)
    assert done.returncode == 0
    assert (done.stdout, done.stderr) == (b"", b"")


def test_a_line_without_an_end() -> None:
    done = subprocess.run(
        COMMAND, input=b" " * (5 << 20), capture_output=True, timeout=HANG, check=False
    )
    assert done.returncode == 2
    assert done.stderr == b"tensix-gdb: the client's message has more than 4 MiB\n"


def test_what_is_missing_is_one_sentence() -> None:
    code = (
        "import sys; sys.modules['mcp_types'] = None; sys.argv[1:] = ['mcp'];"
        "from tensix_gdb.gdbstub.cli.main import main; sys.exit(main())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == (
        "tensix-gdb: tensix-gdb mcp needs mcp_types: type `pip install '.[mcp]'` in the folder of "
        "tensix-gdb\n"
    )


def test_an_answer_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    assert bounded("x" * MAX_OUTPUT) == "x" * MAX_OUTPUT
    monkeypatch.setattr(server, "MAX_OUTPUT", 10)
    assert bounded("abc\ndef\nghi\njkl") == "abc\ndef\n... 15 characters; ask for less"
    assert bounded("x" * 11) == "x" * 10 + "... 11 characters; ask for less"


def test_every_tool_says_what_it_takes() -> None:
    for tool in TOOLS.values():
        assert tool.about.endswith(".") or ":" in tool.about
        assert all(one.about for one in tool.arguments)
        assert tool.schema()["additionalProperties"] is False
