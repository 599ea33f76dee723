# SPDX-License-Identifier: Apache-2.0
"""A command whose output nobody can read, or that is interrupted, ends without a traceback."""

from __future__ import annotations

import os
import signal
import subprocess

import pytest

from tensix_gdb.gdbstub.cli.main import main
from tests.gdbstub.cli.counted import interrupted
from tests.gdbstub.cli.terminal import TENSIX_GDB, finish, start
from tests.patience import HANG
from tests.programs.build import DEMO

B = f"--elf=b={DEMO / 'b.elf'}"
RUN = ["run", B, "--until", "main"]
ISA = ["isa"]
SERVE = ["serve", B, "--port", "0"]


@pytest.mark.parametrize("arguments", [RUN, ISA, SERVE, ["demo"]], ids=lambda words: words[0])
def test_a_full_disk(arguments: list[str]) -> None:
    with open("/dev/full", "w") as full:
        status, _, err = finish(arguments, stdout=full)
    assert (status, err) == (
        2,
        "tensix-gdb: standard output cannot be written: No space left on device\n",
    )


FILES = ["--trace", "--record-to", "--core", "--coverage", "--profile"]


@pytest.mark.parametrize("option", FILES)
def test_a_full_disk_names_the_file(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*RUN, option, "/dev/full"]) == 2
    assert capsys.readouterr().err == (
        "tensix-gdb: /dev/full cannot be written: No space left on device\n"
    )


@pytest.mark.parametrize("arguments", [RUN, ISA, SERVE, ["demo"]], ids=lambda words: words[0])
def test_a_reader_that_has_gone(arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "w") as nobody:
        status, _, err = finish(arguments, stdout=nobody)
    assert (status, err) == (141, "")


def test_no_output_at_all() -> None:
    closed = ("sh", "-c", 'exec "$0" "$@" >&-', *TENSIX_GDB)
    for arguments, status in ((RUN, 0), (ISA, 0), (["demo"], 0)):
        assert finish(arguments, command=closed) == (status, "", "")


def test_ctrl_c_ends_a_server() -> None:
    with start(SERVE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as server:
        assert server.stdout is not None
        try:
            lines = [server.stdout.readline(), server.stdout.readline()]
            server.send_signal(signal.SIGINT)
            lines += server.stdout.readlines()
            _, err = server.communicate(timeout=HANG)
        finally:
            server.kill()
    assert lines[0].startswith("listening on 127.0.0.1 port ")
    assert "target remote" in lines[1]
    assert lines[2:] == ["stopped\n"]
    assert (server.returncode, err) == (0, "")


# Ctrl-C is pressed at the so many-th call of a function: in the first calls that are ours, while
# modules are imported, a tile is made, a program loaded, and in the demo while GDB runs. The tile
# runs after 715,000 calls, the server listens after 890,000, and the demo ends after 1,400,000.
MOMENTS = [10, 1000, 30_000, 200_000, 400_000, 600_000, 700_000, 800_000]


@pytest.mark.parametrize(
    ("arguments", "call"),
    [
        *((["run", B, "--max-cycles", str(10**12)], call) for call in MOMENTS[:-1]),
        *((SERVE, call) for call in MOMENTS),
        *((["demo"], call) for call in (*MOMENTS, 1_000_000, 1_300_000)),
    ],
    ids=lambda value: value if isinstance(value, int) else value[0],
)
def test_ctrl_c_at_any_moment(arguments: list[str], call: int) -> None:
    status, err = interrupted(arguments, call)
    # By the signal: there is nothing to tidy up yet.
    assert status in (130, -signal.SIGINT) or (arguments is SERVE and status == 0)
    assert err == ""


def test_the_demo_leaves_nothing_behind() -> None:
    """Killed, it takes its server with it, which is the same process, and GDB then gives up."""
    with start(["demo"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as demo:
        assert demo.stdout is not None
        assert any("1. Five harts" in line for line in demo.stdout)
        demo.kill()
        # GDB has the other end of the pipe too: this is over when it has ended, or never.
        demo.communicate(timeout=HANG)
    assert demo.returncode == -signal.SIGKILL
