# SPDX-License-Identifier: Apache-2.0
"""Memory as an editor in hexadecimal shows it: by references that variables bring, with the hart
that they are of; and what an adapter leaves when its editor has gone."""

from __future__ import annotations

import base64
import re
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from tests.dap.client import Adapter, Refused
from tests.dap.extension import session
from tests.dap.test_extension import T1, T2, kernel, line_of
from tests.patience import HANG

pytestmark = pytest.mark.gdb
__all__ = ["kernel"]  # the fixture
AT_THE_END = 0x17FFF8  # of L1
LISTENS = re.compile(r"listening on 127\.0\.0\.1 port (\d+)")


def read(made: Adapter, reference: str, count: int, offset: int = 0) -> bytes:
    found = made.ask("readMemory", memoryReference=reference, offset=offset, count=count)
    data = base64.b64decode(found.get("data", ""))
    assert found.get("unreadableBytes", 0) == count - len(data)
    return data


def write(made: Adapter, reference: str, offset: int, content: bytes) -> None:
    data = base64.b64encode(content).decode()
    done = made.ask("writeMemory", memoryReference=reference, offset=offset, data=data)
    assert done["bytesWritten"] == len(content)


def test_memory_of_each_hart(kernel: Path, tmp_path: Path, tool: Callable[[str], str]) -> None:
    line = {"line": line_of(kernel, "SEMWAIT_wait_C0"), "condition": "tile == 1"}
    with session(kernel, tmp_path, tool, line) as made:
        assert made.event("stopped")["threadId"] == T2
        frame = made.frames(T2)[0]["id"]
        known = {
            name: one["memoryReference"]
            for name, one in made.variables(made.scope(frame, "Memory")).items()
        }
        assert list(known) == [
            "L1",
            *(f"Local RAM of {hart}" for hart in ("B", "T0", "T1", "T2", "NC")),
        ]
        # L1 has its input, and ends; what is after the end is said to be unreadable.
        assert read(made, known["L1"], 4, 0x21000) == b"\0\0\x80\x3f"  # 0 and 1 of bf16
        assert len(read(made, known["L1"], 16, AT_THE_END)) == 8
        assert read(made, known["L1"], 16, AT_THE_END + 8) == b""
        # Each hart has a RAM of its own at the same addresses.
        write(made, known["Local RAM of T1"], 16, b"of T1")
        write(made, known["Local RAM of T2"], 16, b"of T2")
        assert read(made, known["Local RAM of T1"], 5, 16) == b"of T1"
        assert read(made, known["Local RAM of T2"], 5, 16) == b"of T2"
        assert len(read(made, known["Local RAM of T2"], 16, 0xFFC)) == 4
        assert {e["event"] for e in made.events} >= {"memory", "invalidated"}
        # It is read again after each stop.
        before = len(made.events)
        made.resume("next", T2)
        made.ask("threads")
        told = [e["body"] for e in made.events[before:] if e["event"] == "memory"]
        assert {one["memoryReference"] for one in told} == {
            *(known[name] for name in ("L1", "Local RAM of T1", "Local RAM of T2"))
        }
        with pytest.raises(Refused, match="no address"):
            read(made, "nothing", 4)


def test_memory_of_a_variable(kernel: Path, tmp_path: Path, tool: Callable[[str], str]) -> None:
    """A pointer's is what it points to; what is in a register has none."""
    line = {"line": line_of(kernel, "SEMWAIT_wait_C0"), "condition": "tile == 1"}
    with session(kernel, tmp_path, tool, line) as made:
        made.event("stopped")
        frame = made.frames(T2)[0]["id"]
        local = made.variables(made.scope(frame, "Local"))
        assert local["tile"]["value"] == "1"
        assert "memoryReference" not in local["tile"]
        for expression in ("*(unsigned(*)[64])0x21000", "(unsigned*)0x21000"):
            shown = made.ask("evaluate", expression=expression, frameId=frame, context="watch")
            assert shown["memoryReference"] == f"0x21000 thread {T2}"
        assert T1 != T2
        assert read(made, shown["memoryReference"], 4) == b"\0\0\x80\x3f"


@pytest.mark.parametrize("end", ["closed", signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_the_server_ends_with_the_editor(
    end: str | signal.Signals, kernel: Path, tmp_path: Path, tool: Callable[[str], str]
) -> None:
    """It is not told, as when the editor is killed."""
    with session(kernel, tmp_path, tool) as made:
        made.event("stopped")
        found = LISTENS.search(made.output())
        assert found, made.output()
        address = ("127.0.0.1", int(found[1]))
        process: subprocess.Popen[bytes] = made._process
        assert process.stdin is not None
        if isinstance(end, signal.Signals):
            process.send_signal(end)
        else:
            process.stdin.close()
        process.wait(HANG)
        until = time.monotonic() + HANG
        with suppress(ConnectionRefusedError):
            while time.monotonic() < until:
                socket.create_connection(address).close()
                time.sleep(0.05)
            pytest.fail("the server is still there")
