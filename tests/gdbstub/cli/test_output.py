# SPDX-License-Identifier: Apache-2.0
"""A command whose output nobody can read, or that is interrupted, ends without a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from tests.gdbstub.cli.terminal import TENSIX_GDB, finish, start
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
        "tensix-gdb: the output cannot be written: No space left on device\n",
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
            _, err = server.communicate(timeout=120)
        finally:
            server.kill()
    assert lines[0].startswith("listening on 127.0.0.1 port ")
    assert "target remote" in lines[1]
    assert lines[2:] == ["stopped\n"]
    assert (server.returncode, err) == (0, "")


@pytest.mark.parametrize("arguments", [RUN, SERVE, ["demo"]], ids=lambda words: words[0])
@pytest.mark.parametrize("seconds", [0.02, 0.1, 0.2, 0.4, 0.8])
def test_ctrl_c_at_any_moment(arguments: list[str], seconds: float) -> None:
    code = (
        "import sys; from tensix_gdb.gdbstub.cli.main import main; print(flush=True); "
        "sys.exit(main(sys.argv[1:]))"
    )
    with start(
        arguments,
        command=(sys.executable, "-c", code),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        try:
            # From here on it is ours; what Python does before has Python's answer to Ctrl-C.
            process.stdout.readline()
            time.sleep(seconds)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=120)
        finally:
            process.kill()
    # 0: a server, or at its end already. By the signal: Python was about to end.
    assert process.returncode in (0, 130, -signal.SIGINT)
    assert err == ""


def test_the_demo_leaves_nothing_behind() -> None:
    """Killed, it takes its server with it, which is the same process, and GDB then gives up."""
    with start(["demo"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as demo:
        assert demo.stdout is not None
        assert any("1. Five harts" in line for line in demo.stdout)
        demo.kill()
        killed = time.monotonic()
        # GDB has the other end of the pipe too: this is over when it has ended.
        demo.communicate(timeout=120)
    assert time.monotonic() - killed < 30
