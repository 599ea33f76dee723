# SPDX-License-Identifier: Apache-2.0
"""A GDB that is driven as front ends do it, by GDB/MI, through pygdbmi."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pygdbmi.gdbcontroller import GdbController

from tests.patience import HANG

SECONDS = HANG
GATHER = 0.005  # seconds that pygdbmi waits for more behind what has come


class Mi:
    """One GDB. `said` is everything between the two, as GDB/MI has it, for who wants to see."""

    def __init__(self, gdb: str) -> None:
        self._gdb = GdbController(
            [gdb, "-nx", "-nh", "-q", "--interpreter=mi2"],
            time_to_check_for_additional_output_sec=GATHER,
        )
        self._tokens = itertools.count(1)
        self._waiting: list[dict[str, Any]] = []
        self.said: list[str] = []

    def close(self) -> None:
        """The end of it."""
        if self._gdb.gdb_process is not None:
            self._gdb.exit()

    def _messages(self) -> Iterator[dict[str, Any]]:
        """Yield what GDB says, as it comes."""
        for _ in range(int(10 * SECONDS)):
            while self._waiting:
                message = self._waiting.pop(0)
                self.said.append(f"{message['type']} {message['message']}: {message['payload']}")
                yield message
            self._waiting += self._gdb.get_gdb_response(0.1, raise_error_on_timeout=False)
        raise AssertionError(f"GDB says nothing more:\n{self.text}")

    @property
    def text(self) -> str:
        """All that was said."""
        return "\n".join(self.said)

    def tell(self, command: str) -> dict[str, Any]:
        """Send one command; what its result has. AssertionError when GDB refuses it."""
        token = next(self._tokens)
        self.said.append(f"> {command}")
        self._gdb.write(f"{token}{command}", read_response=False)
        for message in self._messages():
            if message["type"] == "result" and message["token"] == token:
                assert message["message"] != "error", f"{command}: {message['payload']}"
                payload: dict[str, Any] = message["payload"] or {}
                return payload
        raise AssertionError

    def stopped(self) -> dict[str, Any]:
        """Wait for a stop; what GDB says of it."""
        for message in self._messages():
            if message["type"] == "notify" and message["message"] == "stopped":
                payload: dict[str, Any] = message["payload"]
                return payload
        raise AssertionError

    def resume(self, command: str) -> dict[str, Any]:
        """Send a command that resumes, and wait for the stop."""
        self.tell(command)
        return self.stopped()

    def console(self, command: str) -> str:
        """A command for GDB's console, which goes through GDB/MI too; what it prints."""
        before = len(self.said)
        quoted = command.replace('"', '\\"')
        self.tell(f'-interpreter-exec console "{quoted}"')
        return "".join(
            line.removeprefix("console None: ")
            for line in self.said[before:]
            if line.startswith("console None: ")
        )


@contextmanager
def mi(gdb: str) -> Iterator[Mi]:
    """A GDB that ends with the block; a failure shows what was said."""
    made = Mi(gdb)
    try:
        yield made
    except AssertionError as problem:
        problem.add_note(made.text[-6000:])
        raise
    finally:
        made.close()
