# SPDX-License-Identifier: Apache-2.0
"""A client of a GDB server: sends packets and receives answers. UsageError says what went wrong.

It only reads, and never resumes the tile. Other packets of the server (text of programs,
notifications) are ignored.
"""

from __future__ import annotations

import contextlib
import socket
from types import TracebackType

from tensix_gdb.gdbstub.protocol.rsp.answers import FRAME, TEXT, expanded, sentence
from tensix_gdb.gdbstub.protocol.rsp.framing import encode, unescape
from tensix_gdb.gdbstub.usage import UsageError

PATIENCE = 20.0  # seconds for an answer: a running tile answers between two slices
MAX_ANSWER = 1 << 20  # bytes that may come without being a packet
XFER_BYTES = 0x3FFF  # that one qXfer reads: a packet has room for them, all escaped
AHEAD = 16  # pieces


class RspClient:
    """A connection to the server at `host` and `port`. Close it, or use it in `with`."""

    def __init__(self, host: str, port: int, patience: float = PATIENCE) -> None:
        shown = f"[{host}]" if ":" in host else host
        self.name = f"{shown}:{port}"
        try:
            self._socket = socket.create_connection((host, port), patience)
        except ConnectionRefusedError:
            raise UsageError(
                f"no server listens at {self.name}: start `tensix-gdb serve`, or name the --port "
                "that it has printed"
            ) from None
        except (OSError, UnicodeError) as problem:
            why = getattr(problem, "strerror", None) or problem
            raise UsageError(f"{self.name} cannot be reached: {why}") from None
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._came = b""
        self._acks = True

    def __enter__(self) -> RspClient:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._socket.close()

    def features(self) -> set[str]:
        """Return the server's features, and switch acks off. UsageError if it is no GDB server."""
        features = self.ask(b"qSupported:error-message+").decode("ascii", "replace").split(";")
        if "QStartNoAckMode+" in features:
            self._acks = self.ask(b"QStartNoAckMode") != b"OK"
        return set(features)

    def ask(self, payload: bytes) -> bytes:
        """Send a packet; return the answer."""
        self._say(payload)
        return self._answer()

    def read(self, name: str, annex: str = "") -> bytes:
        """Read a document of qXfer. Several parts are requested at a time: a server with a running
        tile reads packets only between slices."""
        document = bytearray()
        asked = 0
        while True:
            ahead = AHEAD if document else 1
            while asked < len(document) + ahead * XFER_BYTES:
                question = f"qXfer:{name}:read:{annex}:{asked:x},{XFER_BYTES:x}"
                self._say(question.encode("utf-8"))
                asked += XFER_BYTES
            answer = self._answer()
            document += answer[1:]
            if answer[:1] == b"l":
                return bytes(document)
            if answer[:1] != b"m" or len(answer) != 1 + XFER_BYTES:
                raise UsageError(f"{self.name} refuses it: {sentence(answer)}")

    def monitor(self, text: str) -> str:
        """Carry out a command of `monitor`; return what it says. UsageError if it is refused."""
        self._say(b"qRcmd," + text.encode().hex().encode("ascii"))
        said = b""
        while True:
            try:
                mark, answer = self._frame()
            except OSError:
                raise UsageError(f"{self.name} has closed the connection") from None
            if mark == b"$" and answer != b"OK" and TEXT.fullmatch(answer):
                said += bytes.fromhex(answer[1:].decode("ascii"))
            elif mark == b"$" and answer[:1] == b"E":
                raise UsageError(f"{self.name} refuses it: {sentence(answer)}")
            elif mark == b"$":
                return said.decode("utf-8", "replace")

    def _say(self, payload: bytes) -> None:
        # A connection that is closed is reported when the answer is read.
        with contextlib.suppress(OSError):
            self._socket.sendall(encode(payload, run_lengths=False))

    def _answer(self) -> bytes:
        try:
            while True:
                mark, answer = self._frame()
                if mark == b"$" and not TEXT.fullmatch(answer):
                    return answer
        except TimeoutError:
            raise UsageError(f"{self.name} does not answer as a GDB server does") from None
        except OSError:
            raise UsageError(f"{self.name} has closed the connection") from None

    def _frame(self) -> tuple[bytes, bytes]:
        while (match := FRAME.search(self._came)) is None:
            if len(self._came) > MAX_ANSWER or self._came.lstrip(b"+")[:1] not in b"$%":
                raise UsageError(f"{self.name} is no GDB server")
            more = self._socket.recv(1 << 16)
            if not more:
                raise UsageError(f"{self.name} has closed the connection")
            self._came += more
        self._came = self._came[match.end() :]
        mark, body, digits = match.groups()
        if sum(body) & 0xFF != int(digits, 16):
            raise UsageError(f"{self.name}: a packet arrived damaged")
        if mark == b"$" and self._acks:
            with contextlib.suppress(OSError):
                self._socket.sendall(b"+")
        return mark, unescape(expanded(body))
