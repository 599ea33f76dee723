# SPDX-License-Identifier: Apache-2.0
"""Memory of a host that does not answer for it."""

from __future__ import annotations

from typing import Any, cast

import pytest

from tensix_gdb.gdbstub.host.library import host_memory
from tensix_gdb.gdbstub.host.library.host_memory import LOST, CallbackMemory


class Silent:
    """A channel to a host that is stuck in its callback."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, int]] = []

    def ask_to_read(self, addr: int, size: int, chip: int) -> None:
        self.asked.append((addr, size))

    def ask_to_write(self, addr: int, data: bytes, chip: int) -> None:
        self.asked.append((addr, len(data)))

    def is_answered(self, seconds: float) -> bool:
        return False


@pytest.mark.parametrize(("gone", "words"), [(False, "does not answer"), (True, "has gone")])
def test_zeros_are_read_and_a_line_says_so(
    gone: bool, words: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(host_memory, "ANSWER_SECONDS", -1)
    channel = Silent()
    memory = CallbackMemory(cast("Any", channel), lambda: gone)
    assert memory.read_host(0x1000, 8) == bytes(8)
    assert caplog.messages == [f"the host {words}: {LOST}"]
    memory.write_host(0x2000, b"lost")
    # One that answers later is asked again; one that has gone is not.
    assert channel.asked == [(0x1000, 8)] + [(0x2000, 4)] * (not gone)
