# SPDX-License-Identifier: Apache-2.0
"""A GDB that is typed into: one command at a time, each after the last one has ended."""

from __future__ import annotations

import re
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from tests.patience import HANG, turns
from tests.programs.build import DEMO

SECONDS = HANG
END = "the end of command"


@dataclass(frozen=True, slots=True)
class Until:
    """A command, and output to wait for, which may come after the command's end."""

    command: str
    pattern: str


@dataclass(frozen=True, slots=True)
class Interrupted:
    """A command that resumes the tile, and Ctrl-C a moment later."""

    command: str


Typed = str | Until | Interrupted


class Typist:
    """A GDB with pipes for input and output."""

    def __init__(self, gdb: str) -> None:
        settings = ("width 0", "height 0", "confirm off", "sysroot", "osabi none")
        command = [gdb, "-nx", "-nh", "-q", *(f"-iex=set {one}" for one in settings)]
        self._process = subprocess.Popen(
            [*command, "-directory", str(DEMO)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        self._text = ""
        self._number = 0
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        while more := self._process.stdout.read1():
            self._text += more.decode("utf-8", "replace")

    def _wait(self, seen: Callable[[str], object], start: int) -> None:
        for _ in turns():
            if seen(self._text[start:]):
                return
            if self._process.poll() is not None:
                raise AssertionError(f"GDB says nothing more:\n{self._text}")

    def type(self, typed: Typed) -> str:
        """Type it, and wait for its end; what GDB says meanwhile."""
        command = typed if isinstance(typed, str) else typed.command
        start = len(self._text)
        self._number += 1
        end = f"{END} {self._number}\n"
        assert self._process.stdin is not None
        self._process.stdin.write(f"{command}\n".encode())
        self._process.stdin.flush()
        if isinstance(typed, Interrupted):
            self._wait(lambda text: "Continuing." in text, start)
            time.sleep(0.3)  # GDB takes a signal for the tile when it waits for that
            self._process.send_signal(signal.SIGINT)
        self._process.stdin.write(f"echo {END} {self._number}\\n\n".encode())
        self._process.stdin.flush()
        wanted = typed.pattern if isinstance(typed, Until) else ""
        self._wait(lambda text: end in text and re.search(wanted, text), start)
        said = self._text[start:].replace(end, "").replace("(gdb) ", "")
        return f"(gdb) {command}\n{said}"

    def close(self) -> None:
        """The end of it."""
        self._process.kill()
        self._reader.join()
        with self._process:
            pass
