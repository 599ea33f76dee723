# SPDX-License-Identifier: Apache-2.0
"""The last launch of kernels on several tiles, kept if it ends in a fault or a hang.

    DIR/run.rec   a recording of the chip, of one part: from the launch to where it stands

The chip is copied when it runs for the first time after a go signal: by then all tiles that the
host launches together have theirs, and no access of the host has to be played. A host that writes
to tiles while their kernels run makes another run of it; the replay finds that out by its hash.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.chip.recording import Writer
from tensix_gdb.core.chip.snapshots import ChipState
from tensix_gdb.gdbstub.host.simulator.messages import Message
from tensix_gdb.gdbstub.host.simulator.runs.failing import Why
from tensix_gdb.gdbstub.tensix.output.recording import own_version

log = logging.getLogger(__name__)
REC = "run.rec"
MOST_TILES = 16  # a launch costs a copy of what has changed in them
ENDING = "stands at a fault, or all that its kernels do is to wait"


@dataclass(frozen=True, slots=True)
class _OnePart:
    """A history of one part, as far as a Writer wants one."""

    start: ChipState
    end: int

    def segments(self) -> list[tuple[ChipState, int, str]]:
        return [(self.start, self.end, "")]


class FailingChip:
    """Keeps the run in `folder`; without one, or with more tiles, it does nothing."""

    is_wanted = False  # no single access has to be noted

    def __init__(self, chip: Chip, folder: Path | None) -> None:
        self._chip = chip
        self._folder = folder if len(chip.tiles) <= MOST_TILES else None
        self._is_due = False
        self._start: ChipState | None = None

    @property
    def notes_launches(self) -> bool:
        """True if `on_launch` has to be called for each."""
        return self._folder is not None

    def on_launch(self) -> None:
        """Note that kernels are launched by the next message."""
        self._is_due = self._folder is not None

    def before_run(self) -> None:
        """Copy the chip if kernels were launched since it last ran."""
        if self._is_due:
            self._is_due = False
            self._start = self._chip.capture(self._start)

    def before_message(self, message: Message) -> None:
        """Ignore it: the chip is copied when it runs."""

    def after_message(self, message: Message, answer: bytes | None) -> None:
        """Ignore it: what the host reads has no part in the run."""

    def keep(self, why: Why) -> None:
        """Write the run up to here if it is stuck. Where that fails nothing is kept."""
        if self._folder is None or self._start is None or why is not Why.STUCK:
            return
        path, self._folder = self._folder / REC, None  # the first that is stuck
        try:
            with path.open("wb") as out:
                part = _OnePart(self._start, self._chip.cycle)
                Writer(out).finish(self._chip, part, own_version(), ENDING)
        except OSError as problem:
            log.info("%s: the run is not kept: %s", path, problem.strerror)
            with suppress(OSError):
                path.unlink()
