# SPDX-License-Identifier: Apache-2.0
"""The child process that translates, as this one sees it: one for all tiles of a process.

Nothing waits for it. A child that ends early, for whatever reason, is not started again: what it
was asked for stays interpreted.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import subprocess
import threading
import time
from functools import cache

from tensix_gdb.core.engine import child
from tensix_gdb.core.engine.plan import Built
from tensix_gdb.core.translate.blocks import Blocks

LENGTH = 8  # bytes before a request or an answer (child.py)
PIPE_BYTES = 1 << 16
MOST_WAITING = 2  # more would not fit into the pipe, and `ask` never waits


class Translator:
    """Sends what is to be translated, and collects what has been."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._is_over = False
        self._waiting: list[str] = []  # keys, in the order of the answers
        self._heard = bytearray()
        self._made: dict[str, Built | None] = {}
        self._lock = threading.Lock()

    def ask(self, key: str, hart: int, blocks: Blocks) -> bool:
        """Let this be translated; False if that cannot be now."""
        with self._lock:
            if key in self._waiting or key in self._made:
                return True
            if self._is_over or len(self._waiting) >= MOST_WAITING:
                return False
            kept = self._read_kept(key)
            if kept is not None:
                self._made[key] = kept
                return True
            content = json.dumps(request(key, hart, blocks)).encode()
            try:
                process = self._started()
                assert process.stdin is not None
                process.stdin.write(len(content).to_bytes(LENGTH, "little") + content)
                process.stdin.flush()
            except (OSError, MemoryError):
                self._is_over = True
                return False
            self._waiting.append(key)
            return True

    def _read_kept(self, key: str) -> Built | None:
        """Return what another process has translated; None if there is nothing."""
        from tensix_gdb.core.translate.files import find  # it knows the machine, which knows this

        return find(key)

    def find_translation(self, key: str) -> Built | None:
        """Return the translation for this key; None if it is not there (yet). Does not wait."""
        with self._lock:
            self._listen()
            return self._made.get(key)

    def has_answered(self, key: str) -> bool:
        """True if there is nothing to wait for any more."""
        with self._lock:
            self._listen()
            return key in self._made or self._is_over

    def wait(self, key: str, seconds: float) -> None:
        """Wait for an answer; for tests and measurements."""
        end = time.monotonic() + seconds
        while not self.has_answered(key) and time.monotonic() < end:
            time.sleep(0.01)

    def close(self) -> None:
        """End the child."""
        with self._lock:
            self._is_over = True
            process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for file in (process.stdin, process.stdout):
                if file is not None:
                    with contextlib.suppress(OSError):
                        file.close()

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._process = child.start(
                "tensix_gdb.core.translate.child", stderr=subprocess.DEVNULL
            )
            assert self._process.stdout is not None
            os.set_blocking(self._process.stdout.fileno(), False)
        return self._process

    def _listen(self) -> None:
        if self._process is None or not self._waiting:
            return
        assert self._process.stdout is not None
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self._process.stdout.fileno(), PIPE_BYTES):
                self._heard += data
            self._is_over = True
        while len(self._heard) >= LENGTH:
            size = int.from_bytes(self._heard[:LENGTH], "little")
            if len(self._heard) < LENGTH + size:
                return
            content = bytes(self._heard[LENGTH : LENGTH + size])
            del self._heard[: LENGTH + size]
            self._made[self._waiting.pop(0)] = Built.from_bytes(content) if content else None


def request(key: str, hart: int, blocks: Blocks) -> dict[str, object]:
    """Return the request that the child gets."""
    return {
        "key": key,
        "hart": hart,
        "code": list(blocks.code.items()),
        "leaders": sorted(blocks.leaders),
        "heads": blocks.heads,
    }


@cache
def translator() -> Translator:
    """Return the one of this process."""
    one = Translator()
    atexit.register(one.close)
    return one
