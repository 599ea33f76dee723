# SPDX-License-Identifier: Apache-2.0
"""A client of a GDB server that costs as little as Python allows, for measuring servers."""

from __future__ import annotations

import contextlib
import re
import socket
import time

TIMEOUT = 20


class Remote:
    """One connection: `ask` sends a packet and waits for the answer to it."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), TIMEOUT)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._received = b""
        self.packet_size = 0

    def attach(self) -> None:
        """What GDB asks before it shows a prompt, as far as both servers know it."""
        self.send(frame(b"qSupported:swbreak+;hwbreak+;vContSupported+;error-message+"))
        # QEMU may still have a stop to tell of.
        while not (sizes := re.findall(rb"PacketSize=([0-9a-f]+)", self._answer())):
            pass
        self.packet_size = int(sizes[0], 16)
        self.send(b"+" + frame(b"QStartNoAckMode"))
        self._answer()
        self.send(b"+")
        for payload in (b"vMustReplyEmpty", b"Hg0", b"vCont?", b"qAttached", b"qOffsets", b"?"):
            self.ask(frame(payload))
        self.whole("features", "target.xml")
        for payload in (b"qfThreadInfo", b"qsThreadInfo", b"Hc-1", b"qC", b"g", b"qSymbol::"):
            self.ask(frame(payload))

    def whole(self, kind: str, annex: str) -> bytes:
        """A document of qXfer."""
        out = b""
        while True:
            at = f"qXfer:{kind}:read:{annex}:{len(out):x},ffb".encode("ascii")
            piece = self.ask(frame(at))
            out += piece[1:]
            if piece[:1] != b"m":
                return out

    def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        self._socket.sendall(data)

    def ask(self, framed: bytes) -> bytes:
        """Send a framed packet; the payload of the answer, console output left out."""
        self._socket.sendall(framed)
        return self._answer()

    def _answer(self) -> bytes:
        while True:
            data = self._received or self._socket.recv(1 << 17)
            while (end := data.find(b"#")) < 0 or len(data) < end + 3:
                more = self._socket.recv(1 << 17)
                if not more:
                    raise ConnectionError("the server has closed the connection")
                data += more
            start = data.index(b"$") + 1
            self._received = data[end + 3 :]
            payload = data[start:end]
            if payload[:1] != b"O" or payload[:2] == b"OK":
                return payload

    def wait(self) -> bytes:
        """The next answer, to what was sent before."""
        return self._answer()

    def leave(self) -> None:
        """Detach, and wait until the server has closed the connection: QEMU takes one at a time."""
        self.ask(frame(b"D;1"))
        self._socket.shutdown(socket.SHUT_WR)
        with contextlib.suppress(OSError):
            while self._socket.recv(1 << 16):
                pass
        self._socket.close()

    def close(self) -> None:
        """Leave without a word."""
        self._socket.close()


def frame(payload: bytes) -> bytes:
    """A packet as it is sent; the payload has to be escaped already."""
    return b"$%b#%02x" % (payload, sum(payload) & 0xFF)


def connect(port: int, seconds: float = 10) -> Remote:
    """A connection to a server that is about to listen."""
    end = time.monotonic() + seconds
    while True:
        try:
            return Remote(port)
        except ConnectionRefusedError:
            if time.monotonic() > end:
                raise
            time.sleep(0.01)
