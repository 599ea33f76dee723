# SPDX-License-Identifier: Apache-2.0
"""The bytes of one client: from its stream into its session, and out again, within limits."""

from __future__ import annotations

import logging
import math
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import trio

from tensix_gdb.gdbstub.protocol.rsp.framing import encode
from tensix_gdb.gdbstub.protocol.server.fast_path import DirectSocket
from tensix_gdb.gdbstub.protocol.session import Session
from tensix_gdb.gdbstub.protocol.session.states import LOOKING, State
from tensix_gdb.gdbstub.spare_memory import with_spare_memory

log = logging.getLogger(__name__)

READ_BYTES = 1 << 16
ALIVE = encode(b"O")
SEND_SECONDS = 20  # a client that takes nothing for so long is gone
PACKET_SECONDS = 20  # so is one that does not end its packet, or begin its first one


class Connection:
    """A session and its stream; `settle` is called whenever something has happened."""

    def __init__(
        self,
        session: Session,
        peer: str,
        settle: Callable[[], None],
        direct: DirectSocket | None = None,
    ) -> None:
        self.session = session
        self.peer = peer
        self._direct = direct
        self._settle = settle
        self._sending = trio.Lock()
        self._output = trio.Event()
        self._patience = trio.CancelScope()  # of waiting for what the client says
        session.stream.acknowledge_now = self._sent
        if direct is not None:
            session.stream.keep_alive = self._keep_alive

    @property
    def number(self) -> int:
        """Of its socket; -1 where there is none."""
        return -1 if self._direct is None else self._direct.number

    async def serve(self, stream: trio.abc.Stream) -> None:
        """Serve the client until it or its session ends."""
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(with_spare_memory, self._send_when_woken, stream)
                await with_spare_memory(self._receive, stream)
                nursery.cancel_scope.cancel()
        finally:
            self._release()

    def wake(self) -> None:
        """Something may have to be sent or answered, or the session has ended."""
        session = self.session
        if session.unanswered:
            self._patience.cancel()
        if session.ended or (session.stream.outgoing and not self._sent()):
            self._output.set()

    def serve_opening(self) -> None:
        """Answer what a new client says at once, before there is a task for it."""
        while self._may_read():
            data = self._at_hand()
            if not data:
                return
            self._accept_data(data)

    def serve_ready(self) -> bool:
        """Answer what has come, without the event loop; False where that cannot be done."""
        if self._direct is None or not self._may_read():
            return False
        data = self._direct.receive_bytes(READ_BYTES)
        if data:
            self._accept_data(data)
            self._patience.deadline = self._deadline()
        return bool(data)

    def _may_read(self) -> bool:
        """True if everything that came was answered, and sent; what a client that waits for the
        tile says is few packets, or an interrupt, and is always looked at."""
        session = self.session
        if session.unanswered or session.ended:
            return False
        return not session.stream.outgoing or session.state is State.RUNNING

    def _accept_data(self, data: bytes) -> None:
        try:
            self.session.receive(data)
        except Exception:
            self._defect()
        self._sent()
        self._settle()

    async def _receive(self, stream: trio.abc.Stream) -> None:
        """Receive and answer. This task alone gets back to what was not answered at once; nothing
        is received before that is done."""
        while not self.session.ended:
            if not self._may_read():
                await self._go_on(stream)
                continue
            # Sent from here and not by the other task: one task switch less for each packet.
            data = self._at_hand() or await self._received(stream)
            if data is None:
                continue
            if not data:
                return
            self._accept_data(data)
        await self._send(stream)

    async def _go_on(self, stream: trio.abc.Stream) -> None:
        """Send the rest of the answers, then answer another batch. Other clients get their turn
        between."""
        if self.session.state is not State.RUNNING:
            await self._send(stream)
        if self.session.unanswered:
            await trio.lowlevel.checkpoint()
            try:
                self.session.proceed()
            except Exception:
                self._defect()
            self._settle()

    def _at_hand(self) -> bytes:
        """Take bytes that come at once; there is no waiting for them while the tile has to run."""
        session = self.session
        if self._direct is None or session.state not in LOOKING or session.tile.busy(session):
            return b""
        return self._direct.receive(READ_BYTES)

    def _deadline(self) -> float:
        return trio.current_time() + PACKET_SECONDS if self.session.stream.unfinished else math.inf

    async def _received(self, stream: trio.abc.Stream) -> bytes | None:
        """Return the next bytes; empty at the end, also when they do not come in time. None when
        there is something else to do first."""
        self._patience = trio.CancelScope(deadline=self._deadline())
        with self._patience:
            try:
                if self._direct is None:
                    return bytes(await stream.receive_some(READ_BYTES))
                # The stream would take bytes, and others have a turn before it gives them: what
                # comes after them may be served in that turn.
                await trio.lowlevel.wait_readable(self._direct.number)
                return self._direct.read(READ_BYTES)
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                return b""
        if self._patience.deadline > trio.current_time():
            return None
        log.warning("%s: does not end its packet; dropped it", self.session.name)
        return b""

    def _defect(self) -> None:
        """A defect of ours outside the answer to a packet ends this client and no other. Want of
        memory ends the server."""
        if isinstance(sys.exception(), MemoryError):
            raise
        packet = self.session.current[:200]
        log.exception("%s: a defect of ours at the packet %r", self.session.name, packet)
        self.session.end()

    async def _send_when_woken(self, stream: trio.abc.Stream) -> None:
        """Send what comes up between the client's packets: stop replies, console text."""
        while True:
            await self._output.wait()
            self._output = trio.Event()
            await self._send(stream)
            if self.session.ended:
                # Wakes the receiving task, which may wait for a client that says no more.
                self._release()
                await trio.aclose_forcefully(stream)
                return

    def _release(self) -> None:
        if self._direct is not None:
            self._direct.release()

    def _keep_alive(self) -> None:
        """Send an empty console packet, if nothing else is on its way."""
        if self._direct is not None and not self.session.stream.outgoing:
            self._direct.send(ALIVE)

    def _sent(self) -> bool:
        """Send what the system takes at once; was that all?"""
        outgoing = self.session.stream.outgoing
        if outgoing and self._direct is not None and not self._sending.locked():
            del outgoing[: self._direct.send(outgoing)]
        return not outgoing

    async def _send(self, stream: trio.abc.Stream) -> None:
        if self._sent():
            return
        async with self._sending, _waiting(self._direct):
            while self.session.stream.outgoing:
                limit = math.inf if self.session.stream.unasked else SEND_SECONDS
                with trio.move_on_after(limit) as waiting:
                    try:
                        await stream.send_all(self.session.stream.take_outgoing())
                    except (trio.BrokenResourceError, trio.ClosedResourceError):
                        self.session.end()
                        return
                if waiting.cancelled_caught:
                    log.warning("%s: takes nothing any more; dropped it", self.session.name)
                    self.session.end()
                    return


@asynccontextmanager
async def _waiting(direct: DirectSocket | None) -> AsyncIterator[None]:
    """Meanwhile the event loop is wanted, to wait for a client that takes what it gets."""
    if direct is not None:
        direct.poller.senders += 1
    try:
        yield
    finally:
        if direct is not None:
            direct.poller.senders -= 1
