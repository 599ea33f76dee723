# SPDX-License-Identifier: Apache-2.0
"""Data of requests that moves outside the code of a tile: to and from DRAM and the host's memory
(outside.py), and between tiles (core/chip/transfer.py).

One that follows data is told before it moves and after that (core/origin/moves.py).
"""

from __future__ import annotations

from typing import Protocol

from tensix_gdb.core.record.record import Record

# A tile, by its record, or memory outside the tiles, by its number in `Outside.memories()`; and an
# address there. WORD as the address is the word that the request itself has.
Spot = tuple[Record | int, int]
WORD = -1


class Follower(Protocol):
    """Sees each move of data."""

    def moving(
        self, near: Record, niu: int, slot: int, source: Spot, to: Spot, length: int
    ) -> None:
        """A request of the tile `near` is about to copy bytes."""

    def combining(
        self, near: Record, niu: int, slot: int, to: Spot, length: int, answer: Spot
    ) -> None:
        """An atomic is about to change bytes by the word of the request. It answers with the word
        that is at `answer` now."""

    def answering(self, near: Record, niu: int, slot: int, far: Record, to: Spot) -> None:
        """The answer of an atomic is about to be written."""

    def moved(self) -> None:
        """It is done."""
