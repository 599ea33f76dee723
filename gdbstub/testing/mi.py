# SPDX-License-Identifier: Apache-2.0
"""The same tests through a real GDB, for users with GDB scripts: GDB/MI by pygdbmi.

with GdbTile({"b": "b.elf", "t0": "t0.elf"}) as tile:
    tile.run("source my-breakpoints.gdb")
    stop = tile.resume("continue")
    assert (stop.reason, stop.function) == ("breakpoint-hit", "filter")
    assert tile.value("sum") == "7"

pygdbmi comes with `pip install '.[mi]'` in the project's folder.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from pygdbmi.gdbcontroller import GdbController

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.cli.attach.find_gdb import find_gdb

SECONDS = 30.0  # that a stop may take
GATHER = 0.005  # seconds that pygdbmi waits for more after what has come
_LISTENING = re.compile(r"^listening on (\S+) port (\d+)")


class GdbError(AssertionError):
    """GDB did not do what it was asked to; the message is what it said."""


@dataclass(frozen=True, slots=True)
class GdbStop:
    """A stop as GDB reports it: `reason` is GDB/MI's, `hart` the name of the thread."""

    reason: str
    hart: str
    function: str
    file: str
    line: int
    pc: int


class GdbTile:
    """A tile with programs in a server, and a GDB that is attached to it."""

    def __init__(
        self, elfs: Mapping[str, str | Path], *, gdb: str | None = None, engine: str = "auto"
    ) -> None:
        command = [
            sys.executable,
            "-m",
            "tensix_gdb.gdbstub",
            "serve",
            "--port",
            "0",
            "--engine",
            engine,
        ]
        for hart, path in elfs.items():
            command += ["--elf", f"{hart}={path}"]
        self._server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            port = self._port()
            self._gdb = GdbController(
                [find_gdb(gdb), "-nx", "-q", "--interpreter=mi3"],
                time_to_check_for_additional_output_sec=GATHER,
            )
        except BaseException:
            self._server.kill()
            raise
        self.console = ""
        # GDB reads the programs from the tile, where it forgets no lines (kept_lines.py).
        for text in ("set pagination off", "set osabi none", f"target remote 127.0.0.1:{port}"):
            self.run(text)

    def _port(self) -> int:
        assert self._server.stdout is not None
        for line in self._server.stdout:
            if match := _LISTENING.match(line):
                return int(match[2])
        raise GdbError("the server did not start; it has said why")

    def close(self) -> None:
        """End GDB and the server."""
        self._gdb.exit()
        self._server.terminate()
        self._server.wait()
        if self._server.stdout is not None:
            self._server.stdout.close()

    def __enter__(self) -> GdbTile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if problem is not None:
            problem.add_note(self.console[-4000:])
        self.close()

    def run(self, command: str) -> str:
        """Execute a GDB command that does not resume; what GDB prints."""
        return self._console(self._until("result", command))

    def resume(self, command: str = "continue", seconds: float = SECONDS) -> GdbStop:
        """Execute a command that resumes, and wait for the stop."""
        for message in self._until("stopped", command, seconds):
            if message["type"] == "notify" and message["message"] == "stopped":
                return self._stop(message["payload"] or {})
        raise GdbError(f"`{command}` did not stop within {seconds} s")

    def value(self, expression: str) -> str:
        """Return what `print` shows of an expression."""
        return self.run(f"print {expression}").partition(" = ")[2].strip()

    def _until(self, wanted: str, command: str, seconds: float = SECONDS) -> list[dict[str, Any]]:
        messages: list[dict[str, Any]] = []
        self._gdb.write(command, read_response=False)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            messages += self._gdb.get_gdb_response(timeout_sec=0.2, raise_error_on_timeout=False)
            for message in messages:
                if message["type"] == "result" and message["message"] == "error":
                    raise GdbError(f"{command}: {message['payload']['msg']}")
            self.console += self._console(messages)
            if any(wanted in (message["type"], message["message"]) for message in messages):
                return messages
        raise GdbError(f"`{command}` is not done after {seconds} s\n{self._console(messages)}")

    def _console(self, messages: list[dict[str, Any]]) -> str:
        return "".join(m["payload"] or "" for m in messages if m["type"] in ("console", "target"))

    def _stop(self, payload: Mapping[str, Any]) -> GdbStop:
        frame = payload.get("frame", {})
        return GdbStop(
            payload.get("reason", ""),
            self._hart(),
            frame.get("func", ""),
            frame.get("file", ""),
            int(frame.get("line", 0)),
            int(frame.get("addr", "0"), 16),
        )

    def _hart(self) -> str:
        return selected_in(self.run("info threads"))


def selected_in(threads: str) -> str:
    """Find the name of the selected thread in the output of `info threads`; empty if none is."""
    match = re.search(r'^\*.*?"([^"]+)"', threads, re.MULTILINE)
    return match[1] if match else ""
