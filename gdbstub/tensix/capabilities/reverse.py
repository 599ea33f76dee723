# SPDX-License-Identifier: Apache-2.0
"""The `Reverse` capability: a history of the tile, or of a chip, and going back in it for a client.

In the past each tile does what it did: harts frozen by a client, or resumed after an ebreak, count
only in the present. What a client changes in the past makes a new future from there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Generic

from tensix_gdb.core.history import History, MachineHistory, begin_history
from tensix_gdb.core.history.checkpoints import Checkpoint
from tensix_gdb.core.history.replayable import StateT, StopT
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stop import Stop
from tensix_gdb.gdbstub.protocol.target import NOTHING_RECORDED, Stopped, TargetError
from tensix_gdb.gdbstub.tensix.capabilities.stops import stopped
from tensix_gdb.gdbstub.tensix.capabilities.threads import hart_of, tensix_of

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.tensix.capabilities.breakpoints import HartBreakpoints

BEGIN = "begin"
COUNTED_AGAIN = (
    "what is gone through again would be counted again: start without --coverage, "
    "--tensix-coverage and --profile"
)


class RecordedPast(Generic[StateT, StopT]):
    """The past of a tile or a chip, if it is recorded; going back in it for a client."""

    def __init__(self, machines: Sequence[Machine]) -> None:
        self._machines = machines
        self._history: History[StateT, StopT] | None = None
        self.bookmarks: dict[str, int] = {}

    @property
    def history(self) -> History[StateT, StopT] | None:
        """The history."""
        return self._history

    def adopt(self, history: History[StateT, StopT]) -> None:
        """Go back in one that was made before."""
        self._history = history

    def record(self, on: bool) -> None:
        if on and any(machine.runner.counts is not None for machine in self._machines):
            raise TargetError(COUNTED_AGAIN)
        self._begin_history(on)

    def _begin_history(self, on: bool) -> None:
        self.bookmarks.clear()
        self._history = self._new() if on else None
        for machine in self._machines:
            if machine.host.calls is not None:
                machine.host.calls.keep_answers(on)

    def _new(self) -> History[StateT, StopT]:
        raise NotImplementedError

    def recording(self) -> bool:
        return self.history is not None

    @property
    def past(self) -> bool:
        """True if it is in the past."""
        return self.history is not None and self.history.past

    def to_present(self) -> None:
        """Return to the present: no client looks at the past any more."""
        if self.history is not None:
            self.history.to_present()

    def enter(self) -> bool:
        """Before a client's run: make the inputs again that the past has here, or forget what
        followed a new one. True if the run is one in the past, where everything goes as it went."""
        history = self.history
        if history is None:
            return self.past
        history.suspend()
        history.truncate_future()
        while history.replay_input():
            pass
        if history.past:
            history.suspend()  # in case it is refused
            self._check_variables()
        return history.past

    def back(self, thread: int, *, step: bool) -> Iterator[Stopped | None]:
        """Go back; the last answer says why it ends, and None comes before it now and then."""
        history = self.history
        if history is None:
            raise TargetError(NOTHING_RECORDED)
        if not step:
            self._check_variables()
        return self._step(history, thread) if step else self._to_stop(history, thread)

    def _step(self, history: History[StateT, StopT], thread: int) -> Iterator[Stopped | None]:
        outcome = True
        for outcome in history.step_back(*self._of(thread)):
            if not outcome:
                break
            yield None
        yield Stopped(thread) if outcome else Stopped(thread, replaylog=BEGIN)

    def _to_stop(self, history: History[StateT, StopT], thread: int) -> Iterator[Stopped | None]:
        for stop in history.last_stop(self._wanted):
            if stop is not None:
                yield self._stopped(stop)
                return
            yield None
        yield Stopped(thread, replaylog=BEGIN)

    def _check_variables(self) -> None:
        """TargetError where breakpoints set variables, which cannot be in the past."""
        raise NotImplementedError

    def _of(self, thread: int) -> tuple[int, int | None, int]:
        """Return the hart or Tensix thread, and the number of its tile."""
        raise NotImplementedError

    def _wanted(self, stop: StopT) -> bool:
        raise NotImplementedError

    def _stopped(self, stop: StopT) -> Stopped:
        raise NotImplementedError


class TileHistory(RecordedPast[Checkpoint, Stop]):
    """The history of a tile, if there is one."""

    def __init__(self, machine: Machine, breakpoints: HartBreakpoints) -> None:
        super().__init__((machine,))
        self._machine = machine
        self._breakpoints = breakpoints
        self._resets = machine.resets
        self.expected: tuple[str, ...] = ()  # what the run was compared with, as for --expect

    def adopt(self, history: MachineHistory) -> None:
        """Go back in one that was made before."""
        super().adopt(history)
        self._resets = self._machine.resets

    def _begin_history(self, on: bool) -> None:
        self._resets = self._machine.resets
        super()._begin_history(on)

    def _new(self) -> MachineHistory:
        return begin_history(self._machine)

    @property
    def history(self) -> MachineHistory | None:
        """The history. Nothing leads from before a reset to after it: it begins anew."""
        if self._history is not None and self._resets != self._machine.resets:
            self._begin_history(True)
        return self._history

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
        """Return to the present, where the tile continues at once."""
        if self.past:
            super().to_present()
            assert self._history is not None
            self._history.resume()

    def _check_variables(self) -> None:
        self._breakpoints.check_no_variable_is_set()

    def _of(self, thread: int) -> tuple[int, int | None, int]:
        return hart_of(thread), tensix_of(thread), 0

    def _wanted(self, stop: Stop) -> bool:
        return self._breakpoints.would_stop(stop)

    def _stopped(self, stop: Stop) -> Stopped:
        return stopped(stop)
