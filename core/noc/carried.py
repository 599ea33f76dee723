# SPDX-License-Identifier: Apache-2.0
"""Data of requests that moves outside the code of a tile: to and from DRAM and the host's memory
(outside.py), between tiles (core/chip/transfer.py), and over cables (core/chip/ethernet).

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

    def carrying(
        self,
        near: Record,
        queue: int,
        hart: int | None,
        pc: int,
        source: int | None,
        to: Spot,
        length: int,
    ) -> None:
        """A packet of the tile `near` is about to be written at the other end of its cable. A hart
        of it has sent it from a queue by the store at `pc`, or the host (None). `source` is in its
        L1; None: the packet has the data of a register."""

    def serving(self, near: Record, hart: int, pc: int, register: int) -> None:
        """The access of a hart to a register that is outside the code of a tile is about to be
        carried out. Of a load `register` gets its value; 0: of a store, or of a load to x0."""

    def moved(self) -> None:
        """It is done."""
