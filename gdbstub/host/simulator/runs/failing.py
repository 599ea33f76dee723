# SPDX-License-Identifier: Apache-2.0
"""The launch of kernels that fails, kept as a run that can be run again without its host.

One run is kept of a program: that of a fault or a hang; of a tile alone else the first with a
report; else, where a page is wanted, the last one, as a host may find a result wrong. It begins
where the tiles run for the first time after a go signal: by then all tiles that the host launches
together have theirs, and no access of the host has to be played. beginning.py has what a copy of a
tile alone is, and its files, beginning_chip.py those of several. A host that writes to tiles while
their kernels run makes another run of it; a replay says so, by a hash of its end.

capture.py writes all runs of a program that asks for it (`--keep`); this keeps one without being
asked, so a launch costs a copy of the tiles: a millisecond for each. A small operation of ttnn on
one tile takes ten times that. So kernels that have been launched before are copied only as long as
copies take less than `share` of all time. Of more than MOST_TILES this is so of new kernels, and
nothing is copied as long as what the host has done can be done again (`Inputs`): then a launch is
a mark in it.
"""

from __future__ import annotations

import enum
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Protocol

from tensix_gdb.gdbstub.host.simulator.grid import Core
from tensix_gdb.gdbstub.host.simulator.messages import Command, Message

if TYPE_CHECKING:
    from tensix_gdb.core.chip.chip import Chip

log = logging.getLogger(__name__)
CORE, JSON, REC = "run-1.core", "run-1.json", "run.rec"  # of a tile, and of several
NOT_KEPT = "not-kept"  # a file with the reason, in a sentence
MOST_TILES = 16  # of which each launch of new kernels is copied
SHARE_OF_MANY = 0.1  # of the time of a program, for copies of more tiles
TOO_OFTEN = (
    "its kernels had run before, or launches came too fast to copy the tiles at each: `tensix-gdb "
    "diagnose -- PROGRAM` does"
)


class Why(enum.IntEnum):
    """The reason why a run is kept; a higher one replaces a lower one."""

    NOT = 0
    LAST = 1
    REPORT = 2
    STUCK = 3


class NotKept(Exception):
    """A run that is not kept; the message is a sentence that says why."""


class Beginning(Protocol):
    """The beginning of a run of tiles, copied, and as files."""

    files: Sequence[str]  # their names

    def copy(self) -> None:
        """Copy the tiles as they are now."""
        ...

    def end(self) -> None:
        """Note that a host changes the tiles now: a run that is not stuck ends here."""
        ...

    def write(self, folder: Path, why: Why, reads: Mapping[int, bytes]) -> None:
        """Write the run from the copy to here; `reads` are the host's, of a tile. OSError,
        NotKept."""
        ...


class Inputs(Protocol):
    """The requests of a host since the tiles were made or copied (host/library/inputs.py)."""

    @property
    def is_long(self) -> bool:
        """True if to do it again may take long."""
        ...

    @property
    def is_marked(self) -> bool:
        """True if a moment is marked since `restart`."""
        ...

    def note(self) -> None:
        """Note in which cycle the last of it was; call before time passes."""
        ...

    def mark(self) -> bool:
        """Mark this moment; False if other tiles cannot be brought to it. Call `note` before."""
        ...

    def restart(self) -> None:
        """Forget all: the tiles are copied."""
        ...

    def stop(self) -> None:
        """Keep nothing any more."""
        ...

    def play(self, tiles: Chip) -> None:
        """Bring other tiles, that are as these were at first, to the moment. NotKept."""
        ...


class FailingRun:
    """Keeps one run in `folder`, for a reason of at least `least`; without a folder it does
    nothing. What the host reads of `core` is noted, if there is one. `beginning` makes what copies
    the tiles, when they are copied first: a server that copies none does not load it. `share` is
    that of the time which copies may take, of few tiles without those of new kernels. `repeats`
    counts launches that were not noted. `plays` says that what a host does may be done again in
    other tiles: the owner of its `inputs` sets them, and a launch costs next to nothing."""

    def __init__(
        self,
        beginning: Callable[[], Beginning],
        folder: Path | None,
        core: Core | None = None,
        least: Why = Why.STUCK,
        share: float = 1.0,
        *,
        are_many: bool = False,
        plays: bool = False,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        self._make, self._folder, self._core = beginning, folder, core
        self._least, self._share, self._clock = least, share, clock
        self._are_many = are_many
        self.plays = plays and folder is not None
        self.inputs: Inputs | None = None
        self.repeats: Callable[[], int] = lambda: 0
        self._repeats = 0  # when the tiles were copied
        self._since, self._spent = clock(), 0.0
        self._seen: set[tuple[str, ...]] = set()  # kernels that were launched together
        self._is_new = False
        self._is_due = False  # kernels were launched since the tiles last ran
        self._has_begun = False  # the run that is under way has been copied
        self._is_left_out = False
        self._has_ended = False  # the host has changed the tiles since
        self._reads: dict[int, bytes] = {}
        self._kept = Why.NOT

    @cached_property
    def _beginning(self) -> Beginning:
        return self._make()

    @property
    def is_wanted(self) -> bool:
        """True if single accesses of the host are to be noted."""
        return self._folder is not None and self._core is not None

    @property
    def notes_launches(self) -> bool:
        """True if `on_launch` has to be called for each, also for one that repeats another."""
        return self._folder is not None and not self._are_many

    def on_launch(self, kernels: Sequence[str] = ()) -> None:
        """Note that these kernels are launched by the next message."""
        self._is_due = self._folder is not None
        self._is_new |= tuple(kernels) not in self._seen
        self._seen.add(tuple(kernels))

    def before_run(self) -> None:
        """Copy the tiles if kernels were launched since they last ran, or mark the moment."""
        inputs = self.inputs
        if inputs is not None:
            inputs.note()
        if not self._is_due and (inputs is None or self._repeats == self.repeats()):
            return
        began = self._clock()
        is_new = self._is_new and not self._are_many
        may_copy = is_new or self._spent <= self._share * (began - self._since)
        is_marked = inputs is not None and not (may_copy and inputs.is_long) and inputs.mark()
        is_wanted = is_marked or may_copy
        self._is_due = self._is_new = False
        self._has_begun, self._is_left_out = is_wanted, not is_wanted
        self._has_ended = False
        self._repeats = self.repeats()
        self._reads.clear()
        if is_wanted and not is_marked:
            self._beginning.copy()
            self._spent += self._clock() - began

    def before_message(self, message: Message) -> None:
        """Note where the host first changes the tiles after a run that may be kept as the last."""
        if (
            message.command is Command.READ
            or self._has_ended
            or self._is_due
            or not self._has_begun
        ):
            return
        if self._least <= Why.LAST:
            self._has_ended = True
            self._beginning.end()

    def after_message(self, message: Message, answer: bytes | None) -> None:
        """Note what the host has read of the tile."""
        if answer is not None and self._has_begun and message.core == self._core:
            self._reads[message.addr] = answer

    def keep(self, why: Why) -> None:
        """Write the current run, if no other is as good. Where that fails nothing is kept."""
        if self._folder is None or why <= self._kept or why < self._least:
            return
        is_left_out = self._is_left_out
        if self.inputs is None:
            is_left_out |= self._repeats != self.repeats()
        if is_left_out:
            _note(self._folder, TOO_OFTEN)
        if is_left_out or not self._has_begun:
            return
        try:
            self._beginning.write(self._folder, why, self._reads)
        except (OSError, NotKept) as problem:
            text = problem.strerror if isinstance(problem, OSError) else str(problem)
            log.info("%s: the run is not kept: %s", self._folder, text)
            for name in self._beginning.files:
                with suppress(OSError):
                    (self._folder / name).unlink()
            _note(self._folder, f"{text}")
        else:
            self._kept = why
            if why is Why.STUCK and self.inputs is not None:
                self.inputs.stop()  # no other one replaces it
                self.inputs = None


def _note(folder: Path, reason: str) -> None:
    with suppress(OSError):
        (folder / NOT_KEPT).write_text(reason, encoding="utf-8")


def reason_not_kept(folder: Path) -> str:
    """Return why no run is kept in a folder, in a sentence; "" if that is not known."""
    try:
        return (folder / NOT_KEPT).read_text(encoding="utf-8")
    except OSError:
        return ""
