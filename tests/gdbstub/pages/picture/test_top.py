# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb top` and the screen of `monitor status`."""

from __future__ import annotations

import contextlib
import os
import pty
import select
import signal
import subprocess
import sys
import time

import pyte
import pytest

from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.pages.picture.top import shown
from tensix_gdb.gdbstub.tensix.glance.lines import coprocessor_lines
from tests.gdb.harness import ROOT, serve
from tests.gdbstub.pages.picture.conftest import Recorded
from tests.patience import HANG

SIZE = 120, 40


def test_once(recorded: Recorded, capsys: pytest.CaptureFixture[str]) -> None:
    with serve({}, *recorded.programs) as server:
        assert main(["top", "--port", str(server.port), "--once"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("cycle 0, ")
    assert not any(line.startswith("units") for line in lines)  # nothing was pushed


def test_of_a_tile_at_work(recorded: Recorded) -> None:
    """At the first cycle with an unpacker at work."""
    for cycle in range(1, recorded.history.end.cycle):
        assert recorded.history.to_cycle(cycle)
        lines = list(coprocessor_lines(recorded.machine))
        if lines[:1] and lines[0].startswith("units       unpacker 0: "):
            break
    else:
        pytest.fail("unpacker 0 was never at work")
    assert any(line.startswith("semaphores  0: 0 of 0, T2 pack waits") for line in lines)
    assert any(line.startswith("SrcA        bank 0 of the ") for line in lines)
    assert lines[-1].startswith("Dst         rows of bf16: ")


def test_in_a_terminal(recorded: Recorded) -> None:
    """It draws the screen again and again, and Ctrl-C ends it in order."""
    with serve({}, *recorded.programs) as server:
        ours, theirs = pty.openpty()
        command = [sys.executable, "-m", "tensix_gdb.gdbstub", "top", "--port", str(server.port)]
        with subprocess.Popen(
            [*command, "--interval", "0.05"],
            cwd=ROOT,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**os.environ, "TERM": "xterm", "COLUMNS": str(SIZE[0]), "LINES": str(SIZE[1])},
        ) as process:
            os.close(theirs)
            screen = pyte.Screen(*SIZE)
            stream = pyte.ByteStream(screen)
            end = time.monotonic() + HANG
            while not any("1 B " in line for line in screen.display):
                assert time.monotonic() < end, screen.display
                if select.select([ours], [], [], 1)[0]:
                    stream.feed(os.read(ours, 1 << 16))
            bold = screen.buffer[0][0].bold  # of `cycle`
            process.send_signal(signal.SIGINT)
            assert process.wait(HANG) == 0
        os.close(ours)
        assert bold


def test_colours() -> None:
    """Red is what holds something, green what is at work."""
    lines = ("units       unpacker 0: busy for T0", "  4 T2  in reset")
    text = shown("\n".join((*lines, "semaphores  0: 0 of 0, T2 pack waits")), 80)
    styles = {text.plain[span.start : span.end]: span.style for span in text.spans}
    assert styles["busy for T0"] == "green"
    assert styles["in reset"] == "dim"
    assert styles["waits"] == "red"
    assert styles["units"] == styles["semaphores"] == "bold blue"


def test_a_reason_is_whole_in_a_narrow_terminal() -> None:
    said = "  8 T2 pack  SETDMAREG held at the gate by SEMWAIT since cycle 90: semaphore 1 is 0"
    lines = shown(f"{said}\n", 40).plain.split("\n")
    assert all(len(line) <= 40 for line in lines)
    assert " ".join(line.strip() for line in lines) == said.strip()


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--interval", "0"], "no number from 0.05"),
        (["--interval", "soon"], "no number from 0.05"),
        (["--port", "1"], "no server listens"),
    ],
)
def test_refusals(arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    # argparse ends the process by itself.
    with contextlib.suppress(SystemExit):
        main(["top", *arguments])
    assert why in capsys.readouterr().err
