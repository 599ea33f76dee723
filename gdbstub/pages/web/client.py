# SPDX-License-Identifier: Apache-2.0
"""The page as a client of the protocol: what it controls, it controls as a GDB would.

So another client is told of what it does, only one of them drives, and nothing is possible here
that is not possible there. Packets go through a pair of sockets to the same server.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Callable

import trio

from tensix_gdb.gdbstub.protocol.rsp.answers import FRAME, TEXT, expanded, sentence, text_of
from tensix_gdb.gdbstub.protocol.rsp.framing import encode, unescape
from tensix_gdb.gdbstub.protocol.server.server import Server

STOP = re.compile(rb"[TSWX][0-9a-fA-F]{2}")
CHUNK = 1 << 16
NAME = "the page"
GONE = "the server has no room for one more client: let one leave"


class Refused(Exception):
    """The server says no; the message is its sentence."""


class PageClient:
    """A client of the tile. `show` is given text of programs and answers of `monitor`."""

    def __init__(self, server: Server, show: Callable[[str], None], name: str = NAME) -> None:
        self._name = name
        self._server = server
        self._show = show
        ours, theirs = socket.socketpair()
        self._stream = trio.SocketStream(trio.socket.from_stdlib_socket(ours))
        self._theirs = trio.SocketStream(trio.socket.from_stdlib_socket(theirs))
        self._came = b""
        self._answers, self._answered = trio.open_memory_channel[bytes](64)
        self._turn = trio.Lock()  # one request at a time
        self.waits = False  # it has the tile running, or waits for another one's stop
        self._stood = trio.Event()

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Be a client until cancelled."""
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._server.handle, self._theirs, None, self._name)
                nursery.start_soon(self._read)
                await self.ask(b"QStartNoAckMode")
                await self.ask(b"qSupported:swbreak+;hwbreak+;vContSupported+")
                task_status.started()
                await trio.sleep_forever()
        finally:
            for stream in (self._stream, self._theirs):
                stream.socket.close()

    async def ask(self, payload: bytes) -> bytes:
        """Send a packet; return the answer. Refused if that is an error."""
        async with self._turn:
            try:
                await self._stream.send_all(encode(payload, run_lengths=False))
                answer = await self._answered.receive()
            except (trio.BrokenResourceError, trio.EndOfChannel):
                raise Refused(GONE) from None
        if answer.startswith(b"E"):
            raise Refused(sentence(answer))
        return answer

    async def resume(self, payload: bytes) -> None:
        """Send a packet that lets the tile run. Its stop comes some time later."""
        async with self._turn:
            self.waits = True
            await self._stream.send_all(encode(payload, run_lengths=False))

    async def interrupt(self) -> None:
        """Stop the tile. For a client that waits it is an interrupt; another one waits first."""
        if not self.waits:
            await self.resume(b"vCont;c")
        await self._stream.send_all(b"\x03")

    async def stopped(self) -> None:
        """Wait until the run is over."""
        if self.waits:
            await self._stood.wait()

    async def monitor(self, text: str) -> str:
        """Carry out a command of `monitor`; return what it says."""
        said: list[str] = []
        show, self._show = self._show, said.append
        try:
            await self.ask(b"qRcmd," + text.encode().hex().encode())
        finally:
            self._show = show
        return "".join(said)

    async def _read(self) -> None:
        while True:
            data = await self._received()
            if not data:
                self._answers.close()
                self._stand()
                return
            self._came += data
            while (match := FRAME.search(self._came)) is not None:
                self._came = self._came[match.end() :]
                if match[1] == b"$":
                    self._handle_packet(unescape(expanded(match[2])))

    def _stand(self) -> None:
        self.waits = False
        self._stood.set()
        self._stood = trio.Event()

    async def _received(self) -> bytes:
        try:
            return bytes(await self._stream.receive_some(CHUNK))
        except trio.BrokenResourceError:
            return b""

    def _handle_packet(self, packet: bytes) -> None:
        if TEXT.fullmatch(packet):
            self._show(text_of(packet))
        elif self.waits and (STOP.match(packet) or packet.startswith(b"E")):
            self._stand()
            if packet.startswith(b"E"):
                self._show(sentence(packet) + "\n")
        else:
            self._answers.send_nowait(packet)
