# SPDX-License-Identifier: Apache-2.0
"""The reason why a tile has stopped, for clients that come later or ask again."""

from __future__ import annotations

from dataclasses import replace

from tensix_gdb.gdbstub.protocol.target import Signal, Stopped, Target


class LastStop:
    """The last stop. Where nothing has stopped since the target was loaded, clients are shown the
    thread `first`, or the target's own first thread."""

    def __init__(self, target: Target, first: int | None) -> None:
        self._target = target
        self._first = first
        self._stop: Stopped | None = None
        self._resets = self._count_resets()

    def note(self, stop: Stopped) -> None:
        """Note why the target has stopped. A client that comes later finds it there."""
        self._stop = stop if stop.exited is None else replace(stop, exited=None)

    def reason(self, *, running: bool) -> Stopped:
        """Return the last stop. While the target runs for another client there is no reason: signal
        0."""
        if self._resets != self._count_resets():
            self._resets = self._count_resets()
            self._stop = None
        stop = self._stop or Stopped(self._first or self._target.threads.first_thread())
        return Stopped(stop.thread, Signal.NONE) if running else stop

    def _count_resets(self) -> int:
        return 0 if self._target.restart is None else self._target.restart.resets()
