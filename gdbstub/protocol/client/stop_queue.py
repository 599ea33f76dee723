# SPDX-License-Identifier: Apache-2.0
"""Stops that a client in non-stop mode is still to be told of (GDB manual, Notification Packets).

The first one is announced by a notification, which has no acknowledgement; the client asks for the
next ones by `vStopped`, and OK says that there are no more. Until then nothing new is announced.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.protocol.rsp import replies


@dataclass(frozen=True, slots=True)
class PendingStop:
    """A stop reply that waits for `vStopped`, and the thread that it is about."""

    thread: int
    payload: bytes


class StopQueue:
    """The first one has been told, if there is one."""

    def __init__(self) -> None:
        self._queue: deque[PendingStop] = deque()

    def add(self, stop: PendingStop) -> bool:
        """Add one; True if it is to be announced now."""
        self._queue.append(stop)
        return len(self._queue) == 1

    def next(self) -> bytes:
        """`vStopped`: drop the stop that the client was told of last; return the next one, or
        OK."""
        if self._queue:
            self._queue.popleft()
        return self._queue[0].payload if self._queue else replies.OK

    def restart(self, stops: Iterable[PendingStop]) -> bytes:
        """`?`: begin again with all these stops; return the first one, or OK."""
        self._queue = deque(stops)
        return self._queue[0].payload if self._queue else replies.OK

    def forget_threads(self, threads: Collection[int]) -> None:
        """Drop the stops of threads that the client has left. What is announced stays: the client
        will ask on from it."""
        told, *rest = self._queue or [None]
        kept = [stop for stop in rest if stop is not None and stop.thread not in threads]
        self._queue = deque(stop for stop in (told, *kept) if stop is not None)

    def clear(self) -> None:
        """Drop all stops."""
        self._queue.clear()
