# SPDX-License-Identifier: Apache-2.0
"""The cost of a launch of kernels on one tile, of the rows that kernels.py fills."""

from __future__ import annotations

from collections.abc import Sequence

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.counting.fields import CHANNELS, KERNELS_ONLY, OFF, PORTS, UNITS
from tensix_gdb.core.counting.kernels import flits_in, flits_out
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.noc.state import NIUS
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.record.record import Record


@dataclass(frozen=True, slots=True)
class Taken:
    """Of one launch on one tile. Of each hart with a kernel the cycles in which it has begun and
    ended it, which is -1 if it has not. Of each unit (fields.py) cycles in which it was busy, of
    each port of the NIUs flits of data, of each channel of DRAM bytes asked for."""

    harts: dict[int, tuple[int, int]]
    busy: list[int]
    flits: list[int]
    dram: list[int]


class LaunchCounts:
    """Counts one launch at a time, from `begin` until the last of its kernels has ended."""

    def __init__(self, record: Record) -> None:
        self._S = record.S
        self._harts: list[int] = []
        self._busy, self._flits = [0] * UNITS, [0] * PORTS

    def begin(self, places: Sequence[tuple[int, int]]) -> None:
        """Begin to count a launch of kernels, each a hart and its address, which have not begun."""
        counted, self._harts = self._S.counted, [hart for hart, _ in places]
        for hart in range(HARTS):
            counted.kernel[hart] = counted.kernel_back[hart] = 0
            counted.kernel_from[hart] = counted.kernel_to[hart] = -1
        for hart, entry in places:
            counted.kernel[hart] = entry
        for channel in range(CHANNELS):
            counted.kernel_dram[channel] = 0
        counted.kernels = len(places)
        self._busy, self._flits = self._now_busy(), flits_of_ports(self._S)
        if counted.on == OFF and places:
            counted.on = KERNELS_ONLY

    def end(self) -> Taken | None:
        """Return what the launch has taken, and count no more of it; None if there was none."""
        counted, harts = self._S.counted, self._harts
        if not harts:
            return None
        is_over = counted.kernels == 0
        flits = [int(n) for n in counted.kernel_flits] if is_over else flits_of_ports(self._S)
        taken = Taken(
            {
                hart: (int(counted.kernel_from[hart]), int(counted.kernel_to[hart]))
                for hart in harts
            },
            [now - before for now, before in zip(self._now_busy(), self._busy, strict=True)],
            [now - before for now, before in zip(flits, self._flits, strict=True)],
            [int(counted.kernel_dram[channel]) for channel in range(CHANNELS)],
        )
        self._harts, counted.kernels = [], 0
        if counted.on == KERNELS_ONLY:
            counted.on = OFF
        return taken

    def _now_busy(self) -> list[int]:
        return [int(self._S.counted.busy[unit]) for unit in range(UNITS)]


def flits_of_ports(S: View) -> list[int]:
    """Return the flits of data that the NIUs have counted: of each what went in, and out."""
    return [int(way(S, niu)) for niu in range(NIUS) for way in (flits_in, flits_out)]
