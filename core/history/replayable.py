# SPDX-License-Identifier: Apache-2.0
"""The machines that a history can be kept of: a Machine, or a Chip of several of them.

`Replayable` is all that `History` knows of the two. `machine.py` here and `core/chip/replayable.py`
serve it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeVar

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stop import Stop


@dataclass(frozen=True, slots=True)
class Position:
    """The position of a tile in its execution: the cycle, and the instructions that each hart and
    Tensix thread has executed. Without inputs, each position occurs once in an execution."""

    cycle: int
    retired: tuple[int, ...]
    passed: tuple[int, ...]

    def of(self, tile: int) -> Position:
        """Return the position of a tile alone."""
        return self

    def before(self, other: Position) -> bool:
        """True if it is earlier in the same execution."""
        return self._key() < other._key()

    def _key(self) -> tuple[int, int, int]:
        return self.cycle, sum(self.passed), sum(self.retired)


class WholePosition(Protocol):
    """The position of a tile, or of a chip, in its execution."""

    @property
    def cycle(self) -> int:
        """The cycle that begins, or has begun."""

    def of(self, tile: int) -> Position:
        """Return the position of one of its tiles, by number."""

    def before(self, other: Any) -> bool:
        """True if it is earlier in the same execution."""


class State(Protocol):
    """All state of one moment."""

    @property
    def at(self) -> WholePosition:
        """When it was."""


@dataclass(frozen=True, slots=True)
class Goal:
    """Where a hart of a tile, or a Tensix thread of it, has executed so many instructions."""

    hart: int
    tensix: int | None
    tile: int
    count: int

    def executed(self, at: WholePosition) -> int:
        """Count the instructions that it has executed at a position."""
        tile = at.of(self.tile)
        return tile.retired[self.hart] if self.tensix is None else tile.passed[self.tensix]

    def left(self, at: WholePosition) -> int:
        """Count the instructions from a position to here."""
        return self.count - self.executed(at)


StateT = TypeVar("StateT", bound=State)
StopT = TypeVar("StopT")


class Replayable(Protocol[StateT, StopT]):
    """A Machine or a Chip: its states are of type StateT, its stops of type StopT."""

    @property
    def machines(self) -> Sequence[Machine]:
        """Its tiles."""

    @property
    def cycle(self) -> int:
        """The cycle that it is in."""

    def position(self) -> WholePosition:
        """Return how far it is."""

    def has_reached(self, at: Any) -> bool:
        """True if an input that was made at this position is to be made now."""

    def capture(self, like: StateT | None = None) -> StateT:
        """Copy all state. What is as in `like` is shared with it."""

    def changed_since(self, state: StateT) -> StateT | None:
        """Copy all state if it differs from this one."""

    def restore(self, state: StateT) -> None:
        """Go to a state; what is armed stays, but no step."""

    def steps_kept(self) -> AbstractContextManager[None]:
        """Keep steps that are armed, whatever is restored meanwhile."""

    def hash(self) -> str:
        """Hash all state; "" where a tile has stopped in the middle of a quantum."""

    def run(self, cycles: int) -> StopT | None:
        """Run for so many cycles, or up to a stop."""

    def run_again(self, cycles: int) -> StopT | None:
        """The same through what was seen before, in which stops take no words."""

    def run_on(self, cycles: int) -> StopT | None:
        """Run for so many cycles, or up to a stop that is no matter of what is armed, if it can."""

    def is_still(self) -> bool:
        """True if it is proved that nothing in it can move any more."""

    def run_to(self, cycle: int, *, traced: bool = False) -> None:
        """Run to the start of a cycle, whatever is armed; `traced` for what looks at it again."""

    def forward(
        self, goal: Goal, start: StateT, limit: Any, keep: Callable[[StateT], None]
    ) -> Iterator[bool]:
        """Run from the state `start` to the goal, which comes before `limit`; True now and then.
        `keep` is given a state on the way, from which the next search may begin."""

    def stop_of(self, stop: StopT) -> tuple[int, Stop]:
        """Return the number of the tile that has stopped, and its stop."""

    def finish_access(self, stop: StopT) -> None:
        """Go to after the access for which a hart has stopped."""
