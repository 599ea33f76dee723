# SPDX-License-Identifier: Apache-2.0
"""`run --web`: the page of a run, which stays after the end; and what goes with no page."""

from __future__ import annotations

import contextlib
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.cli.main import main
from tests.gdb.harness import Server
from tests.gdbstub.pages.web.page import Page
from tests.patience import HANG


@pytest.mark.parametrize(
    "options", [(), ("--until", "data_path.c:82")], ids=["to the end", "to a line"]
)
async def test_a_run(
    programs: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    options: tuple[str, ...],
) -> None:
    """It ends as without a page; then it can be looked at, and goes back in time."""
    assert main(["run", *programs, *options]) == 0
    length = re.search(r"after \d+ cycles", capsys.readouterr().out)
    assert length is not None
    picture = tmp_path / "end.svg"
    words = ["run", *programs, "--web", "--picture", str(picture), *options]
    with started(words) as process:
        server = Server(process)
        while "the page stays until Ctrl-C" not in "".join(server.output):
            assert process.stdout is not None
            server.output.append(line := process.stdout.readline())
            assert line, server.output
        assert length[0] in server.output[-1]
        page = Page(server)
        async with page.viewer() as viewer:
            await viewer.until(lambda viewer: viewer.frame)
            there = viewer.frame["cycle"]
            assert viewer.frame["history"] == [0, there]
            await viewer.run(do="goto", cycle=there // 2)
            assert viewer.frame["cycle"] == there // 2
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=HANG)
        assert process.returncode == 0, said
        assert length[0] in said
        assert f"picture {picture}" in said
        assert picture.exists()


@contextlib.contextmanager
def started(words: list[str]) -> Iterator[subprocess.Popen[str]]:
    """The command, which is killed at the end."""
    command = [sys.executable, "-m", "tensix_gdb.gdbstub", *words]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def test_too_many_cycles(demo: list[str]) -> None:
    """B of the demo never ends. The limit is looked at now and then."""
    with started(["run", *demo, "--web", "--max-cycles", "1000"]) as process:
        assert process.stdout is not None
        said = []
        while "the page stays until Ctrl-C" not in "".join(said):
            said.append(line := process.stdout.readline())
            assert line, said
        assert said[-1].startswith("stopped after ")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=HANG)
        assert process.returncode == 1


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--seeds", "3"], "--web shows one run: leave out --seeds"),
        (["--until", "nowhere"], "no such symbol"),
    ],
)
def test_refusals(
    programs: list[str], capsys: pytest.CaptureFixture[str], options: list[str], why: str
) -> None:
    assert main(["run", *programs, "--web", *options]) == 2
    assert why in capsys.readouterr().err


def test_a_replay_without_serve(
    programs: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = str(tmp_path / "run.rec")
    assert main(["run", *programs, "--record-to", path]) == 0
    assert main(["replay", path, "--web"]) == 2
    assert "--web shows what is served" in capsys.readouterr().err
