# SPDX-License-Identifier: Apache-2.0
"""A host of the library of `tensix-gdb simulator`, as tt-umd is one: what tests let it do."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tensix_gdb.core.arch.blackhole import SOFT_RESET_BIT, SOFT_RESET_HARTS, B
from tensix_gdb.gdbstub.host.library.build import LIBRARY
from tensix_gdb.gdbstub.host.simulator.chip import SOFT_RESET_0
from tensix_gdb.gdbstub.host.simulator.grid import TILE
from tests.gdbstub.host.simulator.host import HEADER, SIZE
from tests.patience import HANG

HOST = Path(__file__).with_name("host.py")
B_RUNS = SOFT_RESET_HARTS & ~(1 << SOFT_RESET_BIT[B])


@dataclass
class Driver:
    """A host and its server, whose outputs `process` has; `server` is the server's process."""

    process: subprocess.Popen[str]
    commands: int
    answers: int
    server: int = 0
    core: tuple[int, int] = TILE

    def send(self, kind: bytes, addr: int = 0, size: int = 0, data: bytes = b"") -> None:
        """Have the host do something (host.py)."""
        os.write(self.commands, HEADER.pack(kind, *self.core, addr, size or len(data)) + data)

    def write(self, addr: int, data: bytes) -> None:
        self.send(b"w", addr, data=data)

    def reset(self, value: int = SOFT_RESET_HARTS) -> None:
        """Put harts into reset, and let the others go."""
        self.write(SOFT_RESET_0, value.to_bytes(4, "little"))

    def ask(self, addr: int, size: int = 4) -> None:
        """Begin to read; the answer is still to come."""
        self.send(b"r", addr, size)

    def answer(self) -> bytes:
        (size,) = SIZE.unpack(self._receive(SIZE.size))
        return self._receive(size)

    def is_answered(self) -> bool:
        """True if there is an answer to come that has come."""
        return bool(select.select([self.answers], [], [], 0)[0])

    def _receive(self, size: int) -> bytes:
        found = b""
        while len(found) < size:
            assert select.select([self.answers], [], [], HANG)[0], "the host does not answer"
            came = os.read(self.answers, size - len(found))
            assert came, "the host has ended"
            found += came
        return found

    def read(self, addr: int, size: int = 4) -> bytes:
        self.ask(addr, size)
        return self.answer()

    def word(self, addr: int) -> int:
        return int.from_bytes(self.read(addr), "little")

    def clock(self, count: int) -> None:
        """Let time pass, as the host says it."""
        self.send(b"c", size=count)
        assert self.answer() == b""

    def wait(self, addr: int) -> int:
        """Poll a word as a host does that waits for it to change, once."""
        self.word(addr)
        return self.word(addr)

    def set_memory(self, addr: int, data: bytes) -> None:
        """Put bytes into the host's memory, for tiles to read."""
        self.send(b"m", addr, data=data)

    def memory(self, addr: int) -> bytes:
        """Return what a tile has written there."""
        self.send(b"h", addr, 0)
        return self.answer()

    def port(self) -> int:
        """The port for debuggers, of the first line that it says."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"at port (\d+)", line)
        assert found, line
        return int(found[1])

    def close(self) -> None:
        """Close the device. The server, and with it the host, ends when no client is there."""
        self.send(b"e")

    def end(self) -> str:
        """Close the device; return everything that both have said."""
        self.close()
        said, _ = self.process.communicate(timeout=HANG)
        assert self.process.returncode == 0, said
        return said

    def end_server(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """End the server by a signal; return its exit status, and everything that was said."""
        self.send(b"g")
        os.kill(self.server, number)
        said, _ = self.process.communicate(timeout=HANG)
        return self.process.returncode, said

    def vanish(self) -> str:
        """Kill the host; return everything that was said, at the end of the server."""
        self.process.kill()
        said, _ = self.process.communicate(timeout=HANG)
        return said


@contextmanager
def started(folder: Path) -> Iterator[Driver]:
    """A host with the simulator in `folder`, open."""
    (from_us, commands), (answers, to_us) = os.pipe(), os.pipe()
    process = subprocess.Popen(
        [sys.executable, HOST, folder / LIBRARY, str(from_us), str(to_us)],
        pass_fds=(from_us, to_us),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    driver = Driver(process, commands, answers)
    try:
        os.close(from_us)
        os.close(to_us)
        driver.server = int(driver.answer())
        yield driver
    finally:
        process.kill()
        with suppress(ProcessLookupError):
            os.kill(driver.server, signal.SIGKILL) if driver.server else None
        process.wait()
        for end in (commands, answers):
            os.close(end)
        if process.stdout:
            process.stdout.close()
