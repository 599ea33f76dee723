# SPDX-License-Identifier: Apache-2.0
"""The bytes of one client: from its stream into its session, and out again, within limits."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable

import trio

from gdbstub.session import Session
from gdbstub.session.states import State
from gdbstub.wires import Wire

log = logging.getLogger(__name__)

READ_BYTES = 1 << 16
SEND_SECONDS = 20  # a client that takes nothing for so long is gone
PACKET_SECONDS = 20  # so is one that does not end its packet, or begin its first one


class Connection:
    """A session and its stream."""

    def __init__(self, session: Session, stream: trio.abc.Stream, wire: Wire | None = None) -> None:
        self.session = session
        self._wire = wire
        self._stream = stream
        self._sending = trio.Lock()
        self._output = trio.Event()

    async def serve(self, settle: Callable[[], None]) -> None:
        """Serve the client until it or its session ends; `settle` is called after each step."""
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._send_when_woken)
                await self._receive(settle)
                nursery.cancel_scope.cancel()
        finally:
            self._release()

    def wake(self) -> None:
        """Something may have to be sent, or the session has ended."""
        if self.session.outgoing or self.session.ended:
            self._output.set()

    async def _receive(self, settle: Callable[[], None]) -> None:
        session = self.session
        while not session.ended:
            data = self._at_hand() or await self._received()
            if not data:
                return
            more = self._handle(session.receive, data)
            # Sent from here and not by the other task: one task switch less for each packet.
            if not self._sent():
                await self._send()
            settle()
            while more:
                more = self._handle(session.proceed)
                await self._send()
                settle()

    def _at_hand(self) -> bytes:
        """Bytes that come at once; not while the client waits for the tile, which has to run."""
        if self._wire is None or self.session.state is not State.IDLE:
            return b""
        return self._wire.receive(READ_BYTES)

    async def _received(self) -> bytes:
        """The next bytes; empty at the end, also when they do not come in time."""
        patience = PACKET_SECONDS if self.session.unfinished else math.inf
        with trio.move_on_after(patience):
            try:
                return bytes(await self._stream.receive_some(READ_BYTES))
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                return b""
        log.warning("%s: does not end its packet; dropped it", self.session.name)
        return b""

    def _handle(self, work: Callable[..., bool], *data: bytes) -> bool:
        """Let the session work; True when it has more to do. A defect of ours ends this client and
        nobody else."""
        try:
            return work(*data) and not self.session.ended
        except Exception:
            packet = self.session.current[:200]
            log.exception("%s: a defect of ours at the packet %r", self.session.name, packet)
            self.session.end()
            return False

    async def _send_when_woken(self) -> None:
        """Send what comes up between the client's packets: stop replies, console text."""
        while True:
            await self._output.wait()
            self._output = trio.Event()
            await self._send()
            if self.session.ended:
                # Wakes the receiving task, which may wait for a client that says no more.
                self._release()
                await trio.aclose_forcefully(self._stream)
                return

    def _release(self) -> None:
        if self._wire is not None:
            self._wire.release()

    def _sent(self) -> bool:
        """Send what the system takes at once; was that all?"""
        outgoing = self.session.outgoing
        if outgoing and self._wire is not None and not self._sending.locked():
            del outgoing[: self._wire.send(outgoing)]
        return not outgoing

    async def _send(self) -> None:
        if self._sent():
            return
        async with self._sending:
            while self.session.outgoing:
                with trio.move_on_after(SEND_SECONDS) as limit:
                    try:
                        await self._stream.send_all(self.session.take_outgoing())
                    except (trio.BrokenResourceError, trio.ClosedResourceError):
                        self.session.end()
                        return
                if limit.cancelled_caught:
                    log.warning("%s: takes nothing any more; dropped it", self.session.name)
                    self.session.end()
                    return
