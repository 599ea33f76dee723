# SPDX-License-Identifier: Apache-2.0
"""Hand a command to the process that has loaded everything, and wait for its end.

A request is one message: its length, then fields with a zero byte between them. Standard input,
output and error come along with it. The answer is TAKEN and, when the command has ended, its exit
status; what is sent after a request are numbers of signals.

This runs instead of everything else that `tensix-gdb` loads: it imports what Python has loaded.
"""

from __future__ import annotations

import os
import sys
from _signal import (  # type: ignore[import-not-found]
    SIG_DFL,
    SIG_IGN,
    SIGHUP,
    SIGINT,
    SIGTERM,
    getsignal,
    signal,
)
from _socket import (
    AF_UNIX,
    SCM_RIGHTS,
    SOCK_STREAM,
    SOL_SOCKET,
    socket,
)

VARIABLE = "TENSIX_GDB_WARM"
TAKEN = b"+"
WORD = 4  # bytes of a number
STREAMS = (0, 1, 2)
SIGNALS = (SIGINT, SIGTERM, SIGHUP)
PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PATIENCE = 20.0  # seconds until the command is done here after all: loading may take some
LOST = 2  # the exit status of a command that could not be carried out
# Variables that are read when something is loaded, or decide what is.
LOADING = ("TENSIX_GDB_", "PYTHON", "LD_", "XDG_CACHE_HOME=", "HOME=")
BETWEEN = ("TENSIX_GDB_ENDS_WITH=", f"{VARIABLE}=")  # of one command, and not of what is loaded


def settings() -> bytes:
    """Return what two processes have to agree on if one is to do the other's commands."""
    lines = [f"{name}={text}" for name, text in os.environ.items()]
    chosen = [one for one in lines if one.startswith(LOADING) and not one.startswith(BETWEEN)]
    return os.fsencode("\n".join((sys.version, sys.prefix, PACKAGE, *sorted(chosen))))


def hand_over() -> int | None:
    """Let the process that VARIABLE names do this command; its exit status. None if there is no
    such process, or it is not for this command: then it is to be done here."""
    connection = socket(AF_UNIX, SOCK_STREAM)
    connection.settimeout(PATIENCE)
    try:
        connection.connect(os.environ[VARIABLE])
        _send(connection, _request())
        if connection.recv(1) != TAKEN:
            raise ConnectionRefusedError
    except OSError:
        connection.close()
        return None
    connection.settimeout(None)
    passed = [number for number in SIGNALS if getsignal(number) is not SIG_IGN]
    for number in passed:
        signal(number, lambda number, _: _pass_on(connection, number))
    status = connection.recv(WORD)
    for number in passed:
        signal(number, SIG_DFL)
    connection.close()
    if len(status) < WORD:
        print("tensix-gdb: the process that did this command has ended", file=sys.stderr)
        return LOST
    return int.from_bytes(status, "little")


def _request() -> bytes:
    mask = os.umask(0)
    os.umask(mask)
    variables = [name + b"=" + text for name, text in os.environb.items()]
    words = [os.fsencode(word) for word in sys.argv[1:]]
    counts = [b"%d" % number for number in (mask, len(words))]
    fields = [settings(), os.fsencode(os.getcwd()), *counts, *words, *variables]
    content = b"\0".join(fields)
    return len(content).to_bytes(WORD, "little") + content


def _send(connection: socket, request: bytes) -> None:
    streams = b"".join(number.to_bytes(WORD, sys.byteorder) for number in STREAMS)
    sent = connection.sendmsg([request], [(SOL_SOCKET, SCM_RIGHTS, streams)])
    connection.sendall(request[sent:])


def _pass_on(connection: socket, number: int) -> None:
    """A signal is meant for the command. Once that has ended, nothing is left to be told."""
    try:  # noqa: SIM105 - contextlib is not loaded
        connection.send(bytes([number]))
    except OSError:
        pass
