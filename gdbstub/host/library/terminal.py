# SPDX-License-Identifier: Apache-2.0
"""A GDB in the terminal of the host's program (`simulator DIR --gdb`).

The program was started by a shell, has the terminal, and knows nothing of GDB. So the server gives
the terminal to a GDB that attaches to it, which gets the keys and Ctrl-C, and takes it back when
GDB has ended. The program may write meanwhile; one that reads is stopped, as any in the background.
When the program ends first GDB is ended, as the shell takes the terminal then.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import termios
import threading
from collections.abc import Sequence

ENDING_SECONDS = 5
NO_TERMINAL = (
    "--gdb: this program has no terminal, so no GDB is opened: attach with the command above"
)


class TerminalDebugger:
    """A GDB that has the terminal from `start` on, until it ends or `end` is called."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._waiting = threading.Thread(target=self._take_back, daemon=True)

    def start(self) -> None:
        """Start it. Without a terminal a line says so."""
        try:
            self._terminal = os.open("/dev/tty", os.O_RDWR | os.O_CLOEXEC)
        except OSError:
            print(f"tensix-gdb: {NO_TERMINAL}", file=sys.stderr, flush=True)
            return
        self._before = os.tcgetpgrp(self._terminal)
        self._settings = termios.tcgetattr(self._terminal)
        end = self._terminal
        self._process = subprocess.Popen(
            self._command, stdin=end, stdout=end, stderr=end, process_group=0
        )
        _give(self._terminal, self._process.pid)
        self._waiting.start()

    def end(self) -> None:
        """End it if it has not ended, and wait until the terminal is taken back; blocks."""
        if self._process is None:
            return
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGHUP)  # it disconnects, and ends
        self._waiting.join(ENDING_SECONDS)
        if self._waiting.is_alive():
            self._process.kill()
            self._waiting.join()

    def _take_back(self) -> None:
        assert self._process is not None
        self._process.wait()
        _give(self._terminal, self._before)
        with contextlib.suppress(termios.error):  # a terminal that is closed
            termios.tcsetattr(self._terminal, termios.TCSADRAIN, self._settings)
        os.close(self._terminal)


def _give(terminal: int, group: int) -> None:
    """Give the terminal to a process group. A process without the terminal is stopped when it does
    that, unless it blocks SIGTTOU."""
    old = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTTOU})
    try:
        with contextlib.suppress(OSError):  # the group has ended already
            os.tcsetpgrp(terminal, group)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, old)
