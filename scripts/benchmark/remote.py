# SPDX-License-Identifier: Apache-2.0
"""A client of a GDB server that costs as little as Python allows, for measuring servers."""

from __future__ import annotations

import contextlib
import re
import socket
import time

TIMEOUT = 20
MAX_AT_ONCE = 0x1000  # bytes of a document that GDB asks for


class Remote:
    """One connection: `ask` sends a packet and waits for the answer to it."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), TIMEOUT)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._received = b""
        self.packet_size = 0

    def attach(self) -> None:
        """Ask what GDB asks before it shows a prompt, as far as both servers know it."""
        supported = self.ask(frame(b"qSupported:swbreak+;hwbreak+;vContSupported+;error-message+"))
        self.packet_size = int(re.findall(rb"PacketSize=([0-9a-f]+)", supported)[0], 16)
        self.send(b"+" + frame(b"QStartNoAckMode"))
        self.wait()
        self.send(b"+")
        for payload in (b"vMustReplyEmpty", b"Hg0", b"vCont?", b"qAttached", b"qOffsets", b"?"):
            self.ask(frame(payload))
        description = self.whole("features", "target.xml")
        # QEMU has its registers in further documents, which GDB reads too.
        for annex in re.findall(rb'<xi:include href="([^"]+)"', description):
            self.whole("features", annex.decode("ascii"))
        for payload in (b"qfThreadInfo", b"qsThreadInfo", b"Hc-1", b"qC", b"g", b"qSymbol::"):
            self.ask(frame(payload))

    def whole(self, kind: str, annex: str) -> bytes:
        """A document of qXfer, in pieces as GDB asks for them."""
        out, size = b"", min(self.packet_size - 5, MAX_AT_ONCE)
        while True:
            at = f"qXfer:{kind}:read:{annex}:{len(out):x},{size:x}".encode("ascii")
            piece = self.ask(frame(at))
            if piece[:1] not in (b"m", b"l"):
                raise ConnectionError(f"{annex} cannot be read: {piece!r}")
            out += piece[1:]
            if piece[:1] == b"l":
                return out

    def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        self._socket.sendall(data)

    def ask(self, framed: bytes) -> bytes:
        """Send a framed packet; the payload of the answer, console output left out."""
        if self._received:
            # Otherwise the next answers would be taken for those to later packets, and latencies
            # would not be seen.
            raise ConnectionError(f"no packet asked for {self._received!r}")
        self._socket.sendall(framed)
        return self.wait()

    def wait(self) -> bytes:
        """The next answer, to what was sent before."""
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

    def leave(self) -> None:
        """Close the connection, and wait until the server has: QEMU takes one at a time.

        Without a detach: QEMU's machine would run from then on, on a processor that the other
        server could use, and tell the next client of a stop that it has not asked for.
        """
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
