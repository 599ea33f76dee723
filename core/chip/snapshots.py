# SPDX-License-Identifier: Apache-2.0
"""All state of a chip at one moment, in pages that the states of a history share.

At a stop of one tile the others may be up to a quantum ahead of it: `ChipPosition` has where each
is.
"""

from __future__ import annotations

from tensix_gdb.core.chip.broadcast import Copy
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.history.checkpoints import TileState
from tensix_gdb.core.history.replayable import Position


@dataclass(frozen=True, slots=True)
class ChipPosition:
    """The position of a chip in its execution: its cycle, and the position of each tile."""

    cycle: int
    tiles: tuple[Position, ...]

    def of(self, tile: int) -> Position:
        """Return the position of one tile."""
        return self.tiles[tile]

    def before(self, other: ChipPosition) -> bool:
        """True if a tile is earlier in the same execution."""
        return any(map(Position.before, self.tiles, other.tiles))


@dataclass(frozen=True, slots=True)
class ChipState:
    """All state of a chip between two runs, and what clients hold and resume."""

    cycle: int
    goal: int  # to which some tiles may have run already
    tiles: tuple[TileState, ...]
    outside: tuple[dict[int, bytes], ...]
    traffic: dict[tuple[int, int, int], tuple[Copy, ...]]
    stopped: tuple[int, ...]  # tiles that have not run to the goal yet
    links: bytes  # and channels of DRAM (core/links), if the schedule has them

    @property
    def at(self) -> ChipPosition:
        """When it was."""
        return ChipPosition(self.cycle, tuple(tile.at for tile in self.tiles))

    def differs(self, other: ChipState) -> bool:
        """True if a run from one continues differently than a run from the other."""
        return (self.tiles, self.outside, self.traffic, self.links) != (
            *(other.tiles, other.outside, other.traffic, other.links),
        )
