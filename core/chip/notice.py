# SPDX-License-Identifier: Apache-2.0
"""Writes between tiles that a host wants to know of, such as the signal with which a dispatcher
starts kernels.

A lazy run of the chip ends in the cycle in which there is one, when its target has it and has not
executed anything after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from tensix_gdb.core.chip.ends import End
from tensix_gdb.core.chip.places import Place


class Notices:
    """Which addresses are watched in which tile, and the tiles in which there was a write."""

    def __init__(self, places: Sequence[Place], ends: Sequence[End]) -> None:
        self._ends = dict(zip(places, ends, strict=True))
        self._written: list[Place] = []

    def watch(self, place: Place, addresses: range) -> None:
        """Notice from now on what other tiles write to these addresses of a tile's L1."""
        end = self._ends[place]
        end.S.noc.notice, end.S.noc.notice_end = addresses.start, addresses.stop
        end.watched, end.on_write = addresses, partial(self._note, place)

    def _note(self, place: Place) -> None:
        if place not in self._written:
            self._written.append(place)

    def __bool__(self) -> bool:
        return bool(self._written)

    def take_tiles(self) -> list[Place]:
        """Return the tiles with a write, in the order of writes, since the last call."""
        written, self._written = self._written, []
        return written
