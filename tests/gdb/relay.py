# SPDX-License-Identifier: Apache-2.0
"""A relay between a debugger and a server that records the debugger's packets. The server's own
packet log cannot be combined with --record."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator

from tensix_gdb.gdbstub.protocol.rsp.framing import PACKET_SIZE, Decoder, Interrupt, Packet
from tests.gdbstub import demo_tile
from tests.gdbstub.protocol.session.transcript import Step

CLIENT = "gdb"


class Relay:
    """One connection. The debugger connects to `port`; `steps` are its packets."""

    def __init__(self, server: int) -> None:
        self.steps: list[Step] = []
        self._server = server
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._connect, daemon=True)
        self._thread.start()

    def _connect(self) -> None:
        with (
            contextlib.suppress(OSError),
            self._listener.accept()[0] as debugger,
            socket.create_connection(("127.0.0.1", self._server)) as server,
        ):
            for end in (debugger, server):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            back = threading.Thread(target=self._answers, args=(server, debugger), daemon=True)
            back.start()
            self._requests(debugger, server)
            server.shutdown(socket.SHUT_WR)
            back.join()

    def _requests(self, debugger: socket.socket, server: socket.socket) -> None:
        decoder = Decoder(PACKET_SIZE)
        while data := debugger.recv(1 << 16):
            decoder.feed(data)
            while (event := decoder.event()) is not None:
                if isinstance(event, Packet):
                    self.steps.append(Step(CLIENT, demo_tile.elsewhere(event.payload)))
                elif isinstance(event, Interrupt):
                    self.steps.append(Step(CLIENT, b"\x03"))
            server.sendall(data)
        self.steps.append(Step(CLIENT, None))

    def _answers(self, server: socket.socket, debugger: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := server.recv(1 << 16):
                debugger.sendall(data)

    def close(self) -> None:
        """Wait for the debugger's end, and close the port."""
        self._thread.join(10)
        self._listener.close()


@contextlib.contextmanager
def relay(server: int) -> Iterator[Relay]:
    """Run a relay to the server at this port."""
    made = Relay(server)
    try:
        yield made
    finally:
        made.close()
