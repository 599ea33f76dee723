# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb` in processes of its own, also in a terminal, as a person starts it."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.patience import HANG

ROOT = Path(__file__).resolve().parents[3]
TENSIX_GDB = (sys.executable, "-m", "tensix_gdb.gdbstub")
SECONDS = HANG  # until something is taken to hang, on a machine that does other things too
CTRL_C = b"\x03"


def start(
    arguments: Sequence[object], *, command: Sequence[str] = TENSIX_GDB, **options: Any
) -> subprocess.Popen[str]:
    """Start a command. Ctrl-C reaches it even if whoever runs the tests ignores it."""
    return subprocess.Popen(
        [*command, *map(str, arguments)],
        cwd=ROOT,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        **options,
    )


def finish(arguments: Sequence[object], **options: Any) -> tuple[int, str, str]:
    """Run a command to its end: exit status, output, errors."""
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    with start(arguments, **options) as process:
        try:
            out, err = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    return process.returncode, out or "", err or ""


class Terminal:
    """The terminal in which a command runs, with somebody at its keyboard."""

    def __init__(self, process: int, keyboard: int) -> None:
        self._process = process
        self._keyboard = keyboard
        self.shown = b""

    def type(self, text: bytes) -> None:
        """Press keys."""
        os.write(self._keyboard, text)

    def signal(self, number: int) -> None:
        """Send the command a signal."""
        os.kill(self._process, number)

    def wait_for(self, text: bytes, *, seconds: float = SECONDS) -> bytes:
        """Wait until the command shows this, after what was waited for before; what came between
        the two."""
        end = time.monotonic() + seconds
        while text not in self.shown:
            assert self._read(end), f"waited for {text!r}, and saw {self.shown.decode()}"
        before, _, self.shown = self.shown.partition(text)
        return before

    def wait_for_end(self) -> int:
        """The exit status."""
        while self._read(time.monotonic() + SECONDS):
            pass
        _, status = os.waitpid(self._process, 0)
        return os.waitstatus_to_exitcode(status)

    def _read(self, end: float) -> bool:
        ready, _, _ = select.select([self._keyboard], [], [], max(end - time.monotonic(), 0))
        try:
            more = os.read(self._keyboard, 4096) if ready else b""
        except OSError:  # Linux's way to say that nobody has this terminal any more
            more = b""
        self.shown += more
        return more != b""


@contextmanager
def in_terminal(
    arguments: Sequence[object],
    *,
    inherits: bool = True,
    size: tuple[int, int] = (0, 0),
    command: Sequence[str] = TENSIX_GDB,
    **environment: str,
) -> Iterator[Terminal]:
    """Run a command in a terminal of its own of this size (lines, columns), with these variables
    beside those of the tests, or with no others."""
    process, keyboard = pty.fork()
    if process == 0:
        if any(size):
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
        os.chdir(ROOT)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        variables = os.environ | environment if inherits else environment
        os.execve(sys.executable, [*command, *map(str, arguments)], variables)
    try:
        yield Terminal(process, keyboard)
    finally:
        os.close(keyboard)  # hangs up, which ends whatever still runs in it
