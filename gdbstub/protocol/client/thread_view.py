# SPDX-License-Identifier: Apache-2.0
"""The target as far as one client sees it: all of its threads, or some.

A client sees some threads for one of two reasons: it connected to a port for one hart
(gdbstub.protocol.sharing.hart_port), or it debugs processes (gdbstub.protocol.client.attachment).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.protocol.capabilities import XferObjects
from tensix_gdb.gdbstub.protocol.target import Signal, Stopped, Target, Threads


class SomeThreads:
    """The `Threads` capability, of some of them."""

    def __init__(self, threads: Threads, ids: Sequence[int]) -> None:
        self._threads = threads
        self._ids = tuple(ids)

    def thread_ids(self) -> Sequence[int]:
        return self._ids

    def thread_name(self, thread: int) -> str:
        return self._threads.thread_name(thread)

    def thread_state(self, thread: int) -> str:
        return self._threads.thread_state(thread)

    def first_thread(self) -> int:
        first = self._threads.first_thread()
        return first if first in self._ids else self._ids[0]


@dataclass(frozen=True, slots=True)
class ThreadView:
    """A target with the threads that the client sees.

    `is_subset` is False where these are all. `own_hart` is the hart of a port for one, otherwise 0:
    its client knows no processes and no non-stop mode.
    """

    target: Target
    is_subset: bool = False
    own_hart: int = 0

    @classmethod
    def of_threads(cls, whole: Target, ids: Sequence[int], *, is_subset: bool) -> ThreadView:
        """Show these threads of the target."""
        return cls(replace(whole, threads=SomeThreads(whole.threads, ids)), is_subset)

    @classmethod
    def of_hart(cls, whole: Target, ids: Sequence[int], xfer: XferObjects | None) -> ThreadView:
        """Show one hart, the first of these threads, and the threads that it feeds."""
        target = replace(
            whole,
            threads=SomeThreads(whole.threads, ids),
            xfer=xfer or whole.xfer,
            processes=None,
        )
        return cls(target, is_subset=True, own_hart=ids[0])

    def stop_elsewhere(self, current: int) -> Stopped:
        """Make the stop for a client that does not see the thread that stopped the target: for no
        reason of its own."""
        return Stopped(self.own_hart) if self.own_hart else Stopped(current, Signal.NONE)
