# SPDX-License-Identifier: Apache-2.0
"""The beginning of a run of several tiles, and the run as a file:

    DIR/run.rec   a recording of the chip, of one part: from the launch to where it stands

A copy has the pages that are not zero, and shares those that are as in the copy before, so most
tiles of a large chip need little. What is larger all the same is not kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.chip.recording import NOWHERE, WITHOUT_IDLE, Writer
from tensix_gdb.core.chip.snapshots import ChipState
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.debug.kept_stop import NO_STOP
from tensix_gdb.core.history.checkpoints import PAGE, TileState
from tensix_gdb.gdbstub.host.simulator.runs.failing import REC, Inputs, NotKept, Why
from tensix_gdb.gdbstub.tensix.output.recording import own_version

MOST_PAGES = 1 << 16  # of 4 KiB that are not zero, of the tiles and of DRAM
ENDING = "stands at a fault, or all that its kernels do is to wait"
LAST = "the last launch of a program that has found something wrong, to its end"


@dataclass(frozen=True, slots=True)
class _OnePart:
    """A history of one part, as far as a Writer wants one."""

    start: ChipState
    end: int
    hash: str

    def segments(self) -> list[tuple[ChipState, int, str]]:
        return [(self.start, self.end, self.hash)]


class ChipBeginning:
    """That of all tiles of a chip. With `inputs` of a host, `make` makes tiles as these were at
    first: they come to the moment that is marked, when a run is written."""

    files: Sequence[str] = (REC,)

    def __init__(
        self,
        chip: Chip,
        inputs: Inputs | None = None,
        make: Callable[[], Chip] | None = None,
    ) -> None:
        self._chip, self._inputs, self._make = chip, inputs, make
        self._zero = bytes(PAGE)
        self._start: ChipState | None = None
        self._end: tuple[int, str] | None = (
            None  # the cycle in which the host has changed it, and a hash
        )

    def copy(self) -> None:
        """Copy the chip."""
        self._start = self._chip.capture(self._start or self._of_zeros())
        self._end = None
        if self._inputs is not None:
            self._inputs.restart()

    def _played(self) -> ChipState:
        """Return the state at the moment that is marked, from that of the copy, or from nothing."""
        assert self._inputs is not None
        assert self._make is not None
        with closing(self._make()) as again:
            if self._start is not None:
                again.restore(self._start)
            self._inputs.play(again)
            return again.capture(self._start or self._of_zeros())

    def end(self) -> None:
        """Note that a host changes the tiles now: a run that is not stuck ends here."""
        self._end = self._chip.cycle, WITHOUT_IDLE + self._chip.hash_without_idle()

    def _of_zeros(self) -> ChipState:
        """Return a state of which pages of zeros are shared: of a chip most are."""
        chip = self._chip
        pages = []
        for machine in chip.tiles.values():
            size = machine.record.layout.state_size
            if machine.runner.races is not None:
                size += len(machine.runner.races.clocks())
            whole, rest = divmod(size, PAGE)
            pages.append([self._zero] * whole + [bytes(rest)] * (rest > 0))
        tiles = tuple(TileState(NOWHERE, each, b"", (), NO_STOP) for each in pages)
        return ChipState(chip.cycle, chip.cycle, tiles, (), {}, (), b"")

    def write(self, folder: Path, why: Why, reads: Mapping[int, bytes]) -> None:
        """Write the recording. OSError, NotKept."""
        is_marked = self._inputs is not None and self._inputs.is_marked
        start = self._played() if is_marked else self._start
        assert start is not None
        pages = {id(page) for tile in start.tiles for page in tile.pages}
        count = len(pages) + sum(map(len, start.outside))
        if count > MOST_PAGES:
            raise NotKept(
                f"{len(start.tiles)} tiles and DRAM have {count * PAGE >> 20} MiB at first, "
                f"more than {MOST_PAGES * PAGE >> 20}"
            )
        cycle, digest = self._chip.cycle, ""
        if why is Why.LAST and self._end is not None:
            cycle, digest = self._end
        said = LAST if why is Why.LAST else ENDING
        with (folder / REC).open("wb") as out:
            Writer(out).finish(self._chip, _OnePart(start, cycle, digest), own_version(), said)
