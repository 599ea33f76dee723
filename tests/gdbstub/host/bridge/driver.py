# SPDX-License-Identifier: Apache-2.0
"""The driver's side, as tt-umd does it: listen, start run.sh, wait for its sign of life, ask."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pynng

from tensix_gdb.gdbstub.host.bridge.grid import TILE
from tensix_gdb.gdbstub.host.bridge.messages import Command, Message, decode, encode
from tests.patience import HANG_MS

PATIENCE = HANG_MS
ADDRESS = "ipc://{folder}/driver"


@dataclass
class Driver:
    """A connection to a simulator that was started by its directory; `said` is its output."""

    socket: pynng.Pair1
    process: subprocess.Popen[str]
    core: tuple[int, int] = TILE

    def write(self, addr: int, data: bytes) -> None:
        self.send(Message(Command.WRITE, self.core, addr, len(data), data))

    def send(self, message: Message) -> None:
        self.socket.send(encode(message))

    def ask(self, addr: int, size: int = 4) -> None:
        """Send a READ; the answer is still to come."""
        self.send(Message(Command.READ, self.core, addr, size))

    def answer(self) -> bytes:
        return decode(self.socket.recv()).data

    def is_answered(self) -> bool:
        """True if an answer is there already, which is then taken."""
        try:
            self.socket.recv(block=False)
        except pynng.TryAgain:
            return False
        return True

    def read(self, addr: int, size: int = 4) -> bytes:
        self.ask(addr, size)
        return self.answer()[:size]

    def word(self, addr: int) -> int:
        return int.from_bytes(self.read(addr), "little")

    def port(self) -> int:
        """The port for debuggers, of the first line that it says."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"at port (\d+)", line)
        assert found, line
        return int(found[1])

    def end(self) -> str:
        """Say EXIT; everything that the simulator has said."""
        self.send(Message(Command.EXIT))
        said, _ = self.process.communicate(timeout=PATIENCE / 1000)
        assert self.process.returncode == 0, said
        return said


@contextmanager
def started(folder: Path) -> Iterator[Driver]:
    """The simulator in `folder`, alive."""
    address = ADDRESS.format(folder=folder)
    with pynng.Pair1(listen=address, recv_timeout=PATIENCE, send_timeout=PATIENCE) as socket:
        process = subprocess.Popen(
            [folder / "run.sh"],
            env={**os.environ, "NNG_SOCKET_ADDR": address},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        try:
            assert decode(socket.recv()).command is Command.EXIT
            yield Driver(socket, process)
        finally:
            process.kill()
            process.wait()
            if process.stdout:
                process.stdout.close()
