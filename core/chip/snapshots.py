# SPDX-License-Identifier: Apache-2.0
"""A copy of all state of a chip. Memory outside the tiles is shared until one side changes it."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from tensix_gdb.core.chip.broadcast import Copy
from tensix_gdb.core.history.checkpoints import (
    frozen_now,
    hold,
    pauses_stepped_over,
    position,
)
from tensix_gdb.core.history.replayable import Position
from tensix_gdb.core.machine import Machine

PAGE = 4096


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All state of a chip between two runs."""

    cycle: int
    goal: int  # to which some tiles may have run already
    tiles: tuple[bytearray, ...]
    outside: tuple[dict[int, bytes], ...]
    traffic: dict[tuple[int, int, int], tuple[Copy, ...]]
    stopped: tuple[int, ...]  # tiles that have not run to the goal yet


@dataclass(frozen=True, slots=True)
class Kept:
    """A snapshot in pages, which it shares with others, and what clients hold and resume."""

    cycle: int
    goal: int
    tiles: tuple[tuple[bytes, ...], ...]
    outside: tuple[dict[int, bytes], ...]
    traffic: dict[tuple[int, int, int], tuple[Copy, ...]]
    stopped: tuple[int, ...]
    held: tuple[Held, ...]
    at: tuple[Position, ...]  # how far each tile is

    def snapshot(self) -> Snapshot:
        """The snapshot that it was made of."""
        tiles = tuple(bytearray(b"").join(pages) for pages in self.tiles)
        return Snapshot(self.cycle, self.goal, tiles, self.outside, self.traffic, self.stopped)


@dataclass(frozen=True, slots=True)
class Held:
    """Of one tile: which Tensix threads and harts are frozen, and which harts resume after the
    ebreak that they are at."""

    frozen: bytes
    step_over: tuple[int, ...]


class Restorable(Protocol):
    """A chip, as far as it is put back."""

    tiles: dict[tuple[int, int], Machine]

    def restore(self, snapshot: Snapshot) -> None: ...

    def wake_all(self) -> None: ...


def keep(snapshot: Snapshot, machines: Sequence[Machine], like: Kept | None = None) -> Kept:
    """Cut a snapshot of these tiles, just taken, into pages; those that are as in `like` are shared
    with it."""
    before = like.tiles if like is not None else ((),) * len(snapshot.tiles)
    return Kept(
        snapshot.cycle,
        snapshot.goal,
        tuple(map(_pages, snapshot.tiles, before)),
        snapshot.outside,
        snapshot.traffic,
        snapshot.stopped,
        tuple(Held(frozen_now(machine), pauses_stepped_over(machine)) for machine in machines),
        tuple(map(position, machines)),
    )


def put_back(chip: Restorable, kept: Kept) -> None:
    """Bring a chip to where it was; what is armed stays, but no step."""
    chip.restore(kept.snapshot())
    for machine, held in zip(chip.tiles.values(), kept.held, strict=True):
        hold(machine, held.frozen, held.step_over)
    chip.wake_all()


def differs(one: Kept, other: Kept) -> bool:
    """True if a run goes on otherwise from one than from the other."""
    return (one.tiles, one.outside, one.traffic, one.held) != (
        *(other.tiles, other.outside, other.traffic, other.held),
    )


def _pages(state: bytearray, like: tuple[bytes, ...]) -> tuple[bytes, ...]:
    pages = [bytes(state[at : at + PAGE]) for at in range(0, len(state), PAGE)]
    # One of them may have an observer's clocks, and the other one not.
    for i, (old, new) in enumerate(zip(like, pages, strict=False)):
        if old == new:
            pages[i] = old
    if len(pages) == len(like) and all(map(operator.is_, like, pages)):
        return like
    return tuple(pages)
