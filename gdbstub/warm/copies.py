# SPDX-License-Identifier: Apache-2.0
"""The warm process: a copy of it for each command that is handed to it.

It has one thread and waits for four things: its own end (standard input is closed, as an editor's
end does), a request, a signal that is passed on, and the end of a copy. Its socket is in a folder
that only its user may enter.
"""

from __future__ import annotations

import atexit
import logging
import os
import select
import shutil
import signal
import socket
import sys
import tempfile
import threading
import traceback
from collections.abc import Iterator
from contextlib import suppress
from typing import NoReturn

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.signals import ENDING
from tensix_gdb.gdbstub.warm.client import STREAMS, TAKEN, VARIABLE, WORD, settings
from tensix_gdb.gdbstub.warm.loaded import EARLY, Loaded

STDIN = 0
DONE = object()
EARLY_WORDS = [(name,) for name in EARLY]
PATIENCE = 5.0  # seconds in which a client sends its request


@dataclass(frozen=True)
class Request:
    """A command that was typed elsewhere."""

    settings: bytes
    folder: bytes
    mask: int
    words: tuple[str, ...]
    variables: dict[bytes, bytes]
    streams: tuple[int, ...]


def keep_warm() -> int:
    """Say where commands may be handed to, load everything, and do them until standard input is
    closed, or a file that is loaded has changed."""
    folder = tempfile.mkdtemp(prefix="tensix-gdb-warm-")
    path = os.path.join(folder, "socket")
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
            listener.bind(path)
            listener.listen()
            print(path, flush=True)
            Copies(listener).serve()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


class Copies:
    """The copies that are at work, each with the connection of its client."""

    def __init__(self, listener: socket.socket) -> None:
        self._listener = listener
        self._settings = settings()
        self._ended, self._wake = os.pipe()  # a byte for each copy that has ended, or more
        os.set_blocking(self._wake, False)
        self._clients: dict[int, tuple[int, socket.socket]] = {}  # by number of the connection
        self._poll = select.poll()
        self._loaded = Loaded()
        self._waiting: list[tuple[Request, socket.socket]] | None = []  # None: all is loaded

    def serve(self) -> None:
        """Carry out what is asked until the end. With this process the copies end."""
        signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for number in (STDIN, self._listener.fileno(), self._ended):
            self._poll.register(number, select.POLLIN)
        pieces = self._loaded.pieces()
        try:
            while self._listener.fileno() >= 0 or self._clients:
                came = self._turn(0 if self._waiting is not None else None)
                if any(number == STDIN and _is_over() for number in came):
                    return
                if self._waiting is not None:
                    self._load(pieces)
        finally:
            for pid, _ in self._clients.values():
                os.kill(pid, signal.SIGTERM)

    def _load(self, pieces: Iterator[None]) -> None:
        """Load another piece; when it was the last one, do what has waited for it."""
        assert self._waiting is not None
        if next(pieces, DONE) is DONE:
            waited, self._waiting = self._waiting, None
            for request, connection in waited:
                self._begin(request, connection)
        self._wait()  # a piece may have missed the signal of one that has ended

    def _turn(self, longest: int | None) -> list[int]:
        """Wait for something, and see to it; the numbers of what has come."""
        came = [number for number, _ in self._poll.poll(longest)]
        for number in came:
            if number == self._listener.fileno():
                self._accept()
            elif number == self._ended:
                os.read(self._ended, 512)
                self._wait()
            elif number in self._clients:
                self._pass_on(number)
        return came

    def _accept(self) -> None:
        connection, _ = self._listener.accept()
        connection.settimeout(PATIENCE)
        try:
            request = _read(connection)
        except (OSError, ValueError):
            connection.close()
            return
        if request.settings != self._settings:
            _refuse(request, connection)
        elif self._waiting is not None and request.words[:1] not in EARLY_WORDS:
            self._waiting.append((request, connection))
        else:
            self._begin(request, connection)

    def _retire(self) -> None:
        """Take no more commands: what is loaded is not what is there. The editor, which hears the
        end of the output, starts another one."""
        self._poll.unregister(self._listener)
        self._listener.close()
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)

    def _begin(self, request: Request, connection: socket.socket) -> None:
        if not self._loaded.is_current():
            if self._listener.fileno() >= 0:
                self._retire()
            return _refuse(request, connection)
        try:
            pid = os.fork()
        except OSError:
            return _refuse(request, connection)
        if not pid:
            signal.set_wakeup_fd(-1)
            theirs = (connection, *(other for _, other in self._clients.values()))
            for socket_of in (self._listener, *theirs):
                socket_of.close()
            for number in (self._ended, self._wake):
                os.close(number)
            _become(request)
        self._clients[connection.fileno()] = pid, connection
        self._poll.register(connection, select.POLLIN)
        with suppress(OSError):
            connection.sendall(TAKEN)
        _close(request)

    def _pass_on(self, number: int) -> None:
        """A signal for a copy; or its client has gone, as by SIGKILL."""
        pid, connection = self._clients[number]
        try:
            numbers = connection.recv(64)
        except OSError:
            numbers = b""
        for each in numbers or bytes([signal.SIGTERM]):
            os.kill(pid, each)
        if not numbers:
            self._poll.unregister(number)

    def _wait(self) -> None:
        """Tell the clients of copies that have ended."""
        for number, (pid, connection) in list(self._clients.items()):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if not ended:
                continue
            code = os.waitstatus_to_exitcode(status)
            with suppress(KeyError):  # its client has gone
                self._poll.unregister(number)
            del self._clients[number]
            with connection, suppress(OSError):
                connection.sendall((code if code >= 0 else 128 - code).to_bytes(WORD, "little"))
        if self._waiting is None:
            self._loaded.load_code()


def _refuse(request: Request, connection: socket.socket) -> None:
    """Let the client do it itself: an answer without TAKEN says so."""
    connection.close()
    _close(request)


def _close(request: Request) -> None:
    for stream in request.streams:
        os.close(stream)


def _is_over() -> bool:
    return not os.read(STDIN, 512)


def _read(connection: socket.socket) -> Request:
    """Read a request. OSError or ValueError if it is none."""
    content, streams, _, _ = socket.recv_fds(connection, 1 << 16, len(STREAMS))
    try:
        while len(content) < WORD or len(content) < WORD + int.from_bytes(content[:WORD], "little"):
            more = connection.recv(1 << 16)
            if not more:
                raise ValueError("the client has gone")
            content += more
        chosen, folder, mask, count, *rest = content[WORD:].split(b"\0")
        words = tuple(map(os.fsdecode, rest[: int(count)]))
        pairs = (each.partition(b"=") for each in rest[int(count) :])
        variables = {name: text for name, _, text in pairs if name != VARIABLE.encode()}
        if len(streams) != len(STREAMS) or _is_closed(connection):
            raise ValueError("the client has gone")
        return Request(chosen, folder, int(mask), words, variables, tuple(streams))
    except (OSError, ValueError):
        for stream in streams:
            os.close(stream)
        raise


def _is_closed(connection: socket.socket) -> bool:
    """True if a client does not wait for an answer: it may do the command itself by now."""
    readable, _, _ = select.select([connection], [], [], 0)
    return bool(readable) and not connection.recv(1, socket.MSG_PEEK)


def _become(request: Request) -> NoReturn:
    """Be the command that was typed, and end with its exit status."""
    status = 1
    try:
        for number in (*ENDING, signal.SIGINT, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        for stream, standard in zip(request.streams, STREAMS, strict=True):
            os.dup2(stream, standard)
            os.close(stream)
        sys.stdout.reconfigure(line_buffering=os.isatty(1))  # type: ignore[union-attr]
        os.umask(request.mask)
        os.environb.clear()
        os.environb.update(request.variables)
        os.chdir(request.folder)
        sys.argv[1:] = request.words
        logging.getLogger().handlers.clear()  # the command says how much is logged
        status = main()
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        _finish(status)


def _finish(status: int) -> NoReturn:
    """End as Python does, without taking apart what the other process still has."""
    try:
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
    except BaseException:
        status = status or 1
    finally:
        os._exit(status)
