# SPDX-License-Identifier: Apache-2.0
"""Bad packets do no harm: a part of what `python -m tests.gdbstub.protocol.server.fuzz` does, more
of it in the long form."""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import pytest

from tensix_gdb.gdbstub.protocol.commands import HANDLERS
from tensix_gdb.gdbstub.protocol.commands.handler import handles
from tensix_gdb.gdbstub.protocol.commands.outcome import NoReply
from tensix_gdb.gdbstub.protocol.rsp.packets import general as packets
from tensix_gdb.gdbstub.protocol.session import Session
from tests.forms import rounds, seed
from tests.gdbstub.protocol.server.fuzz import Failed, Fuzzer, fuzz, kept_blocks

PACKETS = rounds(4_000, 12_000)
SEED = seed(1)
# Of functions for one packet: some 60 ms. `monitor help` takes 15,000. The most is what a watch of
# 64 KiB takes, which looks at each byte (capabilities/breakpoints.py): 131,000.
MAX_CALLS = 150_000
# Of large objects: 4 MB more and less after 5,000 to 80,000 packets.
MAX_GROWN = 8 << 20
# Blocks of memory: a leak of one in each packet is many times as much.
# Caches fill at first, and then no more: 3,300 after 10,000 packets, 3,000 after 60,000.
MAX_KEPT = max(4000, PACKETS // 10)


def test_bad_packets(caplog: pytest.LogCaptureFixture) -> None:
    report = fuzz(PACKETS, SEED)
    assert report.packets >= PACKETS
    assert report.silent == 0
    assert report.opened == []
    assert report.most_calls < MAX_CALLS, report.longest[:100]
    assert report.grown_bytes < MAX_GROWN
    assert report.grown_blocks < MAX_KEPT
    assert "defect" not in caplog.text


def test_caches_that_were_frozen_are_no_leak() -> None:
    """As those of the time in which a command ran in this process are."""

    @lru_cache(10_000)
    def kept(number: int) -> object:
        return object()

    gc.collect()
    freeze = getattr(gc.freeze, "__wrapped__", gc.freeze)  # tests/conftest.py
    freeze()
    before = kept_blocks()
    for number in range(5000):
        kept(number)
    assert kept_blocks() - before < 500


def attacked(monkeypatch: pytest.MonkeyPatch, cls: type, function: Callable[..., Any]) -> None:
    """Fuzz with another handler for a packet."""
    monkeypatch.setitem(HANDLERS, cls, handles(cls, function))
    fuzzer = Fuzzer(SEED)
    for number in range(60):
        fuzzer.stream(number)


def test_a_death_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def handler(session: Session, packet: packets.ThreadAlive) -> bytes:
        raise KeyError(packet.thread)

    with pytest.raises(Failed, match="KeyError"):
        attacked(monkeypatch, packets.ThreadAlive, handler)


def test_silence_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Failed, match=r"\b[1-9]\d* answers are missing"):
        attacked(monkeypatch, packets.Offsets, lambda session, packet: NoReply())


def test_two_answers_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def handler(session: Session, packet: packets.Offsets) -> bytes:
        session.stream.send(b"OK")
        return b"OK"

    with pytest.raises(Failed, match=r"-\d+ answers are missing"):
        attacked(monkeypatch, packets.Offsets, handler)


def test_a_bad_frame_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Failed, match="BadFrame"):
        attacked(monkeypatch, packets.Offsets, lambda session, packet: b"a#b")


def test_a_leak_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    leaked = []

    def handler(session: Session, packet: packets.Offsets) -> bytes:
        leaked.append(object())
        return b"OK"

    monkeypatch.setitem(HANDLERS, packets.Offsets, handles(packets.Offsets, handler))
    report = fuzz(3000, SEED)
    assert report.grown_blocks >= len(leaked) * 0.8 > 0


def test_a_leak_of_large_objects_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    leaked = []

    def handler(session: Session, packet: packets.Offsets) -> bytes:
        leaked.append(bytes(4 << 20))
        return b"OK"

    monkeypatch.setitem(HANDLERS, packets.Offsets, handles(packets.Offsets, handler))
    report = fuzz(1500, SEED)
    assert len(leaked) > 2
    assert report.grown_bytes > MAX_GROWN


def test_much_work_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def handler(session: Session, packet: packets.Offsets) -> bytes:
        return b"%x" % sum([len(str(i)) for i in range(MAX_CALLS)])

    monkeypatch.setitem(HANDLERS, packets.Offsets, handles(packets.Offsets, handler))
    assert fuzz(1000, SEED).most_calls > MAX_CALLS


def test_lasting_damage_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def handler(session: Session, packet: packets.Offsets) -> bytes:
        assert session.target.breakpoints is not None
        session.target.breakpoints.add_breakpoint(8)
        return b"OK"

    with pytest.raises(Failed, match="vCont;c:1 is answered with"):
        attacked(monkeypatch, packets.Offsets, handler)
