# SPDX-License-Identifier: Apache-2.0
"""A defect of ours: who asked and who waits is told in a sentence, and the others continue."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from tensix_gdb.gdbstub.protocol.commands import HANDLERS
from tensix_gdb.gdbstub.protocol.commands.handler import handles
from tensix_gdb.gdbstub.protocol.rsp.packets import general as packets
from tensix_gdb.gdbstub.protocol.session import Session
from tensix_gdb.gdbstub.protocol.target import Stopped
from tests.gdbstub import wire
from tests.gdbstub.tiles import Client, new_tile


@pytest.fixture
def clients() -> Iterator[list[Client]]:
    """Three, of one tile."""
    tile = new_tile("compiled")
    clients = [Client(tile, name) for name in ("one", "two", "three")]
    for client in clients:
        client.defects_expected = True
        client.ask("qSupported:swbreak+;error-message+")
        client.ask("QStartNoAckMode")
    logging.disable(logging.CRITICAL)
    yield clients
    logging.disable(logging.NOTSET)


def monitor(client: Client, line: str) -> bytes:
    return client.ask("qRcmd," + line.encode().hex())


def broken(*arguments: object) -> Stopped | None:
    raise AssertionError("not so")


def test_in_a_run(clients: list[Client], monkeypatch: pytest.MonkeyPatch) -> None:
    one, two, three = clients
    tile = one.tile
    for client in (one, two):
        client.send_only("vCont;c")
    assert tile.running
    with monkeypatch.context() as patched:
        patched.setattr(tile.target.execution, "advance", broken)
        tile.advance()
    assert not tile.running
    for client in (one, two):
        text, stop = client.read()[-2:]
        assert b"A defect of tensix-gdb while the tile ran" in bytes.fromhex(text[1:].decode())
        assert stop.startswith(b"T06")
    # All can look, and none can run until a reset.
    for client in clients:
        assert client.ask("m0,4") == b"37030100"
    refused = three.ask("vCont;c")
    assert refused.startswith(b"E.a defect of tensix-gdb"), refused
    assert b"monitor reset" in refused
    monitor(two, "reset")
    assert three.ask("vCont;s:1").startswith(b"T05")


def test_in_a_run_in_non_stop_mode(clients: list[Client], monkeypatch: pytest.MonkeyPatch) -> None:
    one, _, three = clients
    tile = one.tile
    for packet in ("QNonStop:1", "?", *["vStopped"] * 9, "vCont;c"):
        one.send_only(packet)
    assert tile.running
    with monkeypatch.context() as patched:
        patched.setattr(tile.target.execution, "advance", broken)
        tile.advance()
    assert any(b"Stop:T06" in answer for answer in one.read())
    assert three.send_only("m0,4") == [b"37030100"]
    assert one.send_only("vCont;c")[0].startswith(b"E.a defect of tensix-gdb")


def test_in_an_answer(clients: list[Client], monkeypatch: pytest.MonkeyPatch) -> None:
    def handler(session: Session, packet: packets.ThreadAlive) -> bytes:
        raise KeyError(packet.thread)

    one, two, _ = clients
    with monkeypatch.context() as patched:
        patched.setitem(HANDLERS, packets.ThreadAlive, handles(packets.ThreadAlive, handler))
        assert one.ask("T1").startswith(b"E.a defect of tensix-gdb at the packet 'T1'")
    assert one.ask("T1") == b"OK", "it stays"
    assert two.ask("vCont;s:1").startswith(b"E.a defect")
    monitor(two, "reset")
    assert two.ask("vCont;s:1").startswith(b"T05")


def test_when_it_is_let_run(clients: list[Client], monkeypatch: pytest.MonkeyPatch) -> None:
    one = clients[0]
    with monkeypatch.context() as patched:
        patched.setattr(one.tile.target.execution, "resume", broken)
        assert one.ask("vCont;c").startswith(b"E.a defect of tensix-gdb at the packet 'vCont;c'")
    assert not one.tile.running
    assert one.send(wire.frame(b"qC")) == [b"QC1"]


def test_want_of_memory_is_none(clients: list[Client], monkeypatch: pytest.MonkeyPatch) -> None:
    def poor(*arguments: object) -> None:
        raise MemoryError

    one = clients[0]
    one.send_only("vCont;c")
    monkeypatch.setattr(one.tile.target.execution, "advance", poor)
    with pytest.raises(MemoryError):
        one.tile.advance()
