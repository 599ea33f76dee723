# SPDX-License-Identifier: Apache-2.0
"""End with the program that has started this one, also where that is killed and can say nothing.

An editor's adapter starts a server with a pipe, or a socket, as standard input, which the system
closes whatever the adapter's end is. Such a starter sets the variable. Nothing is read from there:
the program on the tile may do that.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading

VARIABLE = "TENSIX_GDB_ENDS_WITH"
STDIN = "stdin"


def end_with_starter() -> None:
    """Let SIGTERM come when standard input is closed at its other end, if the variable asks for
    that. What this process starts does not inherit the variable."""
    if os.environ.pop(VARIABLE, "") != STDIN or not hasattr(select, "poll") or sys.stdin is None:
        return
    threading.Thread(target=_wait_and_end, args=(sys.stdin.fileno(),), daemon=True).start()


def _wait_and_end(stdin: int) -> None:
    waiting = select.poll()
    waiting.register(stdin, 0)  # POLLHUP is told in any case
    waiting.poll()
    os.kill(os.getpid(), signal.SIGTERM)
