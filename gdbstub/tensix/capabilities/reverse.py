# SPDX-License-Identifier: Apache-2.0
"""The `Reverse` capability: a history of the tile, and going back in it for a client.

In the past the tile does what it did: harts frozen by a client, or resumed after an ebreak, count
only in the present. What a client changes in the past makes a new future from there.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tensix_gdb.core.history import MachineHistory, begin_history
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stop import Stop
from tensix_gdb.gdbstub.target import NOTHING_RECORDED, Stopped, TargetError
from tensix_gdb.gdbstub.tensix.capabilities.breakpoints import HartBreakpoints
from tensix_gdb.gdbstub.tensix.capabilities.stops import stopped
from tensix_gdb.gdbstub.tensix.capabilities.threads import hart_of, tensix_of

BEGIN = "begin"
COUNTED_AGAIN = (
    "what is gone through again would be counted again: start without --coverage, "
    "--tensix-coverage and --profile"
)


class TileHistory:
    """The history of a tile, if there is one."""

    def __init__(self, machine: Machine, breakpoints: HartBreakpoints) -> None:
        self._machine = machine
        self._breakpoints = breakpoints
        self._history: MachineHistory | None = None
        self._resets = machine.resets
        self.bookmarks: dict[str, int] = {}

    def adopt(self, history: MachineHistory) -> None:
        """Go back in one that was made before."""
        self._history = history
        self._resets = self._machine.resets

    def record(self, on: bool) -> None:
        if on and self._machine.runner.counts is not None:
            raise TargetError(COUNTED_AGAIN)
        self._begin(on)

    def _begin(self, on: bool) -> None:
        self.bookmarks.clear()
        self._resets = self._machine.resets
        self._history = begin_history(self._machine) if on else None
        if self._machine.host.calls is not None:
            self._machine.host.calls.keep(on)

    @property
    def history(self) -> MachineHistory | None:
        """The history. Nothing leads from before a reset to after it: it begins anew."""
        if self._history is not None and self._resets != self._machine.resets:
            self._begin(True)
        return self._history

    def recording(self) -> bool:
        return self.history is not None

    @property
    def past(self) -> bool:
        """True if the tile is in the past."""
        return self.history is not None and self.history.past

    @contextmanager
    def host_input(self) -> Iterator[None]:
        """Record as an input what a host does while the tile runs for a client."""
        history = self.history
        if history is not None:
            history.suspend()
        try:
            yield
        finally:
            if history is not None:
                history.resume()

    def ran(self) -> None:
        """Note that the tile has run for no client in particular."""
        if self.history is not None:
            self.history.add_checkpoint_if_due()

    def to_present(self) -> None:
        """Return to the present: no client looks at the past any more."""
        if self.history is not None and self.history.past:
            self.history.to_present()
            self.history.resume()

    # Forward

    def enter(self) -> bool:
        """Before a run: True if it is one in the past, where everything goes as it went."""
        history = self.history
        if history is None:
            return self.past
        history.suspend()
        history.truncate_future()
        while history.replay_input():
            pass
        if history.past:
            history.suspend()  # in case it is refused
            self._breakpoints.check_no_variable_is_set()
        return history.past

    # Back

    def back(self, thread: int, *, step: bool) -> Iterator[Stopped | None]:
        """Go back; the last answer says why it ends, and None comes before it now and then."""
        if self.history is None:
            raise TargetError(NOTHING_RECORDED)
        if not step:
            self._breakpoints.check_no_variable_is_set()
        self.history.note_inputs()
        self._machine.disarm()
        if not step:
            return self._to_stop(self.history, thread)
        return self._step(self.history, thread)

    def _step(self, history: MachineHistory, thread: int) -> Iterator[Stopped | None]:
        outcome = True
        for outcome in history.step_back(hart_of(thread), tensix_of(thread)):
            if not outcome:
                break
            yield None
        yield Stopped(thread) if outcome else Stopped(thread, replaylog=BEGIN)

    def _to_stop(self, history: MachineHistory, thread: int) -> Iterator[Stopped | None]:
        for stop in history.last_stop(self._wanted):
            if stop is not None:
                yield stopped(stop)
                return
            yield None
        yield Stopped(thread, replaylog=BEGIN)

    def _wanted(self, stop: Stop) -> bool:
        return self._breakpoints.would_stop(stop)
