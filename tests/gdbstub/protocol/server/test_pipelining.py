# SPDX-License-Identifier: Apache-2.0
"""Clients that do not wait for answers get all of them
(tests.gdbstub.protocol.server.pipelining)."""

from __future__ import annotations

import pytest

from tensix_gdb.gdbstub.protocol.commands import HANDLERS
from tensix_gdb.gdbstub.protocol.commands.handler import handles
from tensix_gdb.gdbstub.protocol.commands.outcome import NoReply
from tensix_gdb.gdbstub.protocol.rsp.packets import registers_memory as packets
from tensix_gdb.gdbstub.protocol.session import Session
from tests.forms import rounds, seed
from tests.gdbstub.protocol.server import pipelining

BURSTS = rounds(80, 500)
SEED = seed(1)


def test_every_packet_is_answered() -> None:
    seen = pipelining.play(BURSTS, SEED)
    assert seen.failures == []
    assert seen.packets["run"] > 0
    assert seen.packets.total() > 500
    assert seen.longest > 64


def test_a_lost_answer_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    left = [50]

    def handler(session: Session, packet: packets.QCrc) -> bytes | NoReply:
        left[0] -= 1
        return b"C0" if left[0] else NoReply()

    monkeypatch.setitem(HANDLERS, packets.QCrc, handles(packets.QCrc, handler))
    monkeypatch.setattr(pipelining, "PATIENCE", 1)
    (failure, *_) = pipelining.play(BURSTS, SEED).failures
    assert "was answered with" in failure or "an answer is lost" in failure


def test_an_answer_too_many_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def handler(session: Session, packet: packets.QCrc) -> bytes:
        session.stream.send(b"C0")
        return b"C0"

    monkeypatch.setitem(HANDLERS, packets.QCrc, handles(packets.QCrc, handler))
    monkeypatch.setattr(pipelining, "PATIENCE", 1)
    (failure, *_) = pipelining.play(BURSTS, SEED).failures
    assert "was answered with b'C0'" in failure
