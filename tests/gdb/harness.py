# SPDX-License-Identifier: Apache-2.0
"""A server on a free port, and a real gdb-multiarch that runs a script of ours inside it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.patience import HANG

INSIDE = Path(__file__).resolve().parent / "inside"
ROOT = Path(__file__).resolve().parents[2]
ATTACH = re.compile(r"target (?:extended-)?remote \S*:(\d+)")
START_SECONDS = HANG
SCRIPT_SECONDS = HANG


def generation(gdb: str) -> str:
    """Name the generation of a GDB by its major version: `gdb17`."""
    said = subprocess.run([gdb, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"(\d+)\.\d+\S*$", said.splitlines()[0])
    assert found, said
    return f"gdb{found[1]}"


@dataclass
class Server:
    """A running `tensix-gdb serve`."""

    process: subprocess.Popen[str]
    port: int = 0
    output: list[str] = field(default_factory=list)
    listening: threading.Event = field(default_factory=threading.Event)

    def collect(self) -> None:
        """Read what the server prints until it ends, and find the port in it."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.output.append(line)
            if found := ATTACH.search(line):
                self.port = int(found[1])
                self.listening.set()
        self.listening.set()


@contextlib.contextmanager
def serve(elfs: Mapping[str, Path], *options: str) -> Iterator[Server]:
    """Start a server for these ELFs (by hart) on a free loopback port."""
    command = [sys.executable, "-m", "tensix_gdb.gdbstub", "serve", "--port", "0", *options]
    for hart, path in elfs.items():
        command += ["--elf", f"{hart}={path}"]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        server = Server(process)
        reader = threading.Thread(target=server.collect, daemon=True)
        reader.start()
        try:
            listening = server.listening.wait(START_SECONDS) and server.port
            assert listening, "the server does not listen:\n" + "".join(server.output)
            yield server
        finally:
            process.terminate()
            try:
                process.wait(HANG)  # with a recording and a profile to write
            except subprocess.TimeoutExpired:
                process.kill()
            reader.join(10)


def run_inside(gdb: str, script: str, port: int, elfs: Mapping[str, Path]) -> tuple[int, str]:
    """Run inside/SCRIPT.py in GDB against the server at `port`: failed reports, and all output."""
    environment = {
        **os.environ,
        "TENSIX_PORT": str(port),
        "TENSIX_ELFS": json.dumps({hart: str(path) for hart, path in elfs.items()}),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [
        *(gdb, "-nx", "-nh", "-batch"),
        *("-ex", f"python import sys; sys.path.insert(0, {str(INSIDE)!r})"),
        *("-x", str(INSIDE / f"{script}.py")),
    ]
    with subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=SCRIPT_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            output, _ = process.communicate()
            return 1, f"{output}\nFAIL: the script did not end within {SCRIPT_SECONDS} seconds"
    return process.returncode, output
