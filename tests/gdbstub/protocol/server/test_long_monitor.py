# SPDX-License-Identifier: Apache-2.0
"""A `monitor` command that takes long: the client hears of it meanwhile."""

from __future__ import annotations

import socket

import pytest

from tensix_gdb.gdbstub.protocol.commands import monitor
from tensix_gdb.gdbstub.protocol.server.connection import Connection
from tensix_gdb.gdbstub.protocol.server.fast_path import DirectSocket, Poller
from tests.gdbstub import wire
from tests.gdbstub.tiles import new_tile
from tests.patience import turns

ALIVE = wire.frame(b"O")


def test_it_gets_empty_console_packets(monkeypatch: pytest.MonkeyPatch) -> None:
    """GDB gave up waiting for each answer after 2 s, and said "Ignoring packet error"."""
    monkeypatch.setattr(monitor, "ALIVE_SECONDS", 0.0)
    client, server = socket.socketpair()
    with client, server:
        for one in (client, server):
            one.setblocking(False)
        tile = new_tile()
        connection = Connection(
            tile.join("client"), "client", lambda: None, DirectSocket(server, Poller())
        )
        came = bytearray()

        def takes_long(thread: int, line: str, *, running: bool) -> str:
            for _ in turns():
                try:
                    came.extend(client.recv(4096))
                except BlockingIOError:
                    continue
                if came.count(ALIVE) >= 3:
                    return "done\n"
            raise AssertionError

        assert tile.target.monitor is not None
        monkeypatch.setattr(tile.target.monitor, "command", takes_long)
        client.send(wire.frame(b"qRcmd," + b"why".hex().encode()))
        connection.serve_ready()
        while not came.endswith(wire.frame(b"OK")):
            came += client.recv(1 << 16)  # BlockingIOError if it never comes
    assert came.startswith(wire.ACK + ALIVE * 3)
    assert came.endswith(wire.frame(b"O" + b"done\n".hex().encode()) + wire.frame(b"OK"))
