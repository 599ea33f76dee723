# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb gdb`: server and GDB in one terminal; and the command that `serve` prints."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.gdbstub.cli.terminal import CTRL_C, finish, in_terminal, start
from tests.patience import HANG
from tests.programs.build import DEMO, DEMO_PROGRAMS

pytestmark = pytest.mark.gdb
ELFS = [f"--elf={hart}={DEMO / name}.elf" for hart, name in DEMO_PROGRAMS.items()]


def test_a_session_at_the_keyboard(tool: Callable[[str], str]) -> None:
    """Ctrl-C is GDB's: it stops the tile, at the prompt it does nothing, and nothing ends."""
    tool("gdb-multiarch")
    with in_terminal(["gdb", *ELFS, "--", "-nx"], TERM="dumb") as terminal:
        terminal.wait_for(b"(gdb) ")
        terminal.type(b"set pagination off\n")
        terminal.wait_for(b"(gdb) ")
        for _ in range(2):
            terminal.type(b"continue\n")
            terminal.wait_for(b"Continuing.")
            # The other programs come to their ends, which stops nothing.
            for _ in range(3):
                terminal.wait_for(b"its program has ended; the others continue")
            terminal.type(CTRL_C)
            terminal.wait_for(b"received signal SIGINT")
            terminal.wait_for(b"(gdb) ")
            terminal.type(CTRL_C)
            terminal.wait_for(b"(gdb) ")
            terminal.type(b"monitor reset\n")
            terminal.wait_for(b"(gdb) ")
        terminal.type(b"print pipeline.go_home\n")
        terminal.wait_for(b"= 0")
        terminal.type(b"set confirm off\nquit\n")
        assert terminal.wait_for_end() == 0


def test_the_symbols_of_every_elf_are_there(tool: Callable[[str], str]) -> None:
    tool("gdb-multiarch")
    commands = ("info sharedlibrary", "info line heartbeat", "info line weigh", "list mix")
    more = [word for command in commands for word in ("-ex", command)]
    status, out, _ = finish(["gdb", *ELFS, "--", "-nx", "-batch", *more])
    assert status == 0
    for name in ("t0", "t1", "nc"):
        assert re.search(rf"Yes +\S+/{name}\.elf", out)
    assert re.search(r'Line \d+ of "./b.c" starts at', out)
    assert re.search(r'Line \d+ of "./t0.c" starts at', out)
    # Sources beside the program are found wherever one is.
    assert re.search(r"^11\s+if \(bits == 0\)$", out, re.MULTILINE)


def test_the_exit_status_is_that_of_gdb(tool: Callable[[str], str]) -> None:
    tool("gdb-multiarch")
    status, _, _ = finish(["gdb", ELFS[0], "--", "-nx", "-batch", "-ex", "quit 7"])
    assert status == 7
    killed = "python import os; os.kill(os.getpid(), 9)"
    status, _, _ = finish(["gdb", ELFS[0], "--", "-nx", "-batch", "-ex", killed])
    assert status == 128 + 9


@pytest.mark.parametrize("elfs", [ELFS[:1], ELFS], ids=["one file", "four files"])
def test_the_command_that_serve_prints_attaches(
    elfs: list[str], tool: Callable[[str], str]
) -> None:
    tool("gdb-multiarch")
    with start(["serve", *elfs, "--port", "0"], stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        try:
            server.stdout.readline()
            command = shlex.split(server.stdout.readline())
            done = subprocess.run(
                [*command, "-nx", "-batch", "-ex", "info threads", "-ex", "info sharedlibrary"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                text=True,
                timeout=HANG,
                check=True,
            )
        finally:
            server.terminate()
    assert '* 1    Thread 1 "B"' in done.stdout
    shown = re.findall(r"Yes +\S+/(\w+)\.elf$", done.stdout, re.MULTILINE)
    # The only one is the one that GDB was started with.
    assert shown == ([Path(elf).stem for elf in elfs] if len(elfs) > 1 else [])


def test_python_m_gdbstub_is_the_same_command() -> None:
    script = subprocess.run(
        [sys.executable, "-m", "tensix_gdb.gdbstub", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert script.stdout.startswith("usage: tensix-gdb ")
