# SPDX-License-Identifier: Apache-2.0
"""The child process that compiles (build.py), as its parent sees it.

What the child has compiled arrives by its standard output, as messages `WORD SIZE` and a newline,
then SIZE bytes. It is in the cache too, for the next start; but a cache may have no room for it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import signal
import subprocess
from collections.abc import Iterator

from tensix_gdb.core.engine import jit
from tensix_gdb.core.engine.build import NICE, QUICKLY, READY, STAYS, UNKEPT
from tensix_gdb.core.engine.cache import VARIABLE, Cache
from tensix_gdb.core.engine.child import nameless_file, start
from tensix_gdb.core.engine.plan import Built, Plan

ENDING_SECONDS = 1.0
# What the pipe is to hold, as much as a system lets any process have. It is read between two runs
# of the tile: with the 64 KiB that a pipe has otherwise, a user that steps would have the code some
# twenty steps later.
PIPE_BYTES = 1 << 20
_HEAD = re.compile(rb"(\w+) (\d+)")
# Signals from outside: memory is short, or another process was meant. A crash of the compiler is
# none of them, and would come again.
# Children that continue without us. They are kept here until they have ended, and asked for their
# status, or they would stay in the system's table of processes.
_left: list[subprocess.Popen[bytes]] = []
KILLING = {signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT}


class Compiler:
    """A child at work on `plan`, which compiles `quickly` before it compiles well. Where the cache
    is kept it continues after `close` (build.py). OSError when none can be started."""

    def __init__(
        self, plan: Plan, cache: Cache, *, quickly: bool = True, niceness: int = NICE
    ) -> None:
        self.over = False
        self.unkept = ""  # why the cache has not taken what was compiled
        self.killed_by = ""  # the name of a signal, after `close`
        self._complete = False
        self._heard = bytearray()
        # A file, not a pipe, for output without a reader: a pipe that is full would stop the child.
        self._errors = nameless_file()
        self._stays = cache.is_kept
        options = [
            str(niceness),
            *([QUICKLY] if quickly else []),
            *([STAYS] if self._stays else []),
        ]
        try:
            with nameless_file() as request:
                request.write(plan.to_json().encode())
                request.seek(0)
                number = request.fileno()
                self._process = start(
                    "tensix_gdb.core.engine.build",
                    [str(number), plan.key(jit.FULL), *options],
                    {VARIABLE: str(cache.directory)},
                    stderr=self._errors,
                    pass_fds=(number,),
                )
        except BaseException:
            self._errors.close()
            raise
        assert self._process.stdout is not None
        self._output = self._process.stdout
        with contextlib.suppress(OSError, AttributeError):
            fcntl.fcntl(self._output, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        os.set_blocking(self._output.fileno(), False)

    def ready(self) -> list[Built]:
        """Return what has become ready since the last call. Does not wait."""
        try:
            while data := os.read(self._output.fileno(), PIPE_BYTES):
                self._heard += data
            self.over = True
        except BlockingIOError:
            pass
        built = []
        for word, content in self._messages():
            if word == UNKEPT:
                self.unkept = content.decode("utf-8", "replace")
            if word == READY:
                built.append(Built.from_bytes(content))
                self._complete = self._complete or built[-1].level == jit.FULL
        return built

    def _messages(self) -> Iterator[tuple[str, bytes]]:
        """Take those that are whole. Drop other lines: anything may print when Python starts."""
        while (end := self._heard.find(b"\n")) >= 0:
            head = _HEAD.fullmatch(self._heard, 0, end)
            size = 0 if head is None else int(head[2])
            if len(self._heard) < end + 1 + size:
                return
            content = bytes(self._heard[end + 1 : end + 1 + size])
            word = b"" if head is None else bytes(head[1])
            del head  # a bytearray that something looks at keeps its size
            del self._heard[: end + 1 + size]
            yield word.decode(), content

    def close(self) -> str:
        """Leave the child, or end it; what went wrong, or "" when it had done everything."""
        if self._stays and not self.over and not self._complete:
            self._leave()
            return ""
        if self.over:
            # Without its output it is about to end: by itself, which then says how.
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(ENDING_SECONDS)
        status = self._process.poll()
        if not self._complete:
            self._process.kill()
        self._process.wait()
        with contextlib.suppress(OSError):
            self._errors.seek(0)
        said = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        self._close_files()
        if self._complete:
            return ""
        if status is not None and -status in KILLING:
            self.killed_by = signal.Signals(-status).name
        return said[-1] if said else f"exit status {status}"

    def _close_files(self) -> None:
        assert self._process.stdin is not None
        for file in (self._process.stdin, self._output, self._errors):
            file.close()

    def _leave(self) -> None:
        self._close_files()
        _left.append(self._process)
        _left[:] = [each for each in _left if each.poll() is None]
