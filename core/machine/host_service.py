# SPDX-License-Identifier: Apache-2.0
"""Services between engine calls: NoC requests that leave the tile, semihosting, and observers that
see the tile at fixed cycles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tensix_gdb.core.debug.memory import Access
from tensix_gdb.core.engine import Engine
from tensix_gdb.core.noc.outside import Outside
from tensix_gdb.core.program.elf import Image
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.semihosting.asked import Asked
from tensix_gdb.core.semihosting.calls import Calls


class Observer(Protocol):
    """A part of the host that sees the tile every `period` cycles, always at the same ones, and may
    change it."""

    period: int

    def has_work(self) -> bool:
        """True if it would change anything now."""

    def observe(self) -> None:
        """The tile is at the start of such a cycle."""

    def fork(self, cycle: int) -> None:
        """From this cycle on everything is another future."""


class Host:
    """The outside of the tile that takes part in its runs.

    `calls` answers semihosting calls. `is_present` says that a host may write to the tile between
    two runs, without a word to the debugger.
    """

    def __init__(self, record: Record, memory: Access, images: Sequence[Image]) -> None:
        self._record, self._memory, self._images = record, memory, images
        self.outside = Outside()
        self.calls: Calls | None = None
        self.observer: Observer | None = None
        self.is_present = False

    def answer(self) -> bool:
        """Answer the semihosting call that the run has stopped at; True if the run can continue."""
        return self.calls is not None and self.calls.serve(self.call())

    def call(self) -> Asked:
        """Return the semihosting call that the run has stopped at."""
        return Asked.now(self._record.S, self._memory, self._images)

    def move_data(self, engine: Engine) -> bool:
        """Move the data of the NoC request that the run has stopped at; True if the run can go
        on."""
        return self.outside.serve(self._record, self._memory, engine)

    def fork(self) -> None:
        """Forget what the host did after this moment: a client has changed the past."""
        S = self._record.S
        if self.calls is not None:
            self.calls.fork(S.semihosting.calls)
        if self.observer is not None:
            self.observer.fork(S.tile.cycle)
