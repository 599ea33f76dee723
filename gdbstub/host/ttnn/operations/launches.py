# SPDX-License-Identifier: Apache-2.0
"""The launches of a program, each over all its tiles: of the lines of `--runs` with
`--kernel-times`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import field
from typing import Any

from tensix_gdb.core.arch.chips import BLACKHOLE
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.noc.dram import RATE

TENTHS = 10  # of RATE
NEVER = -1  # a hart has not ended its kernel
DATA_MOVEMENT = ("B", "NC")


@dataclass(slots=True)
class Launch:
    """A program that was launched on some tiles: of each the cycles of its harts; busy cycles and
    flits of the busiest tile, bytes for each channel of DRAM of all tiles together."""

    chip: int
    program: int
    go: int = 0
    kernels: list[str] = field(default_factory=list)
    tiles: dict[str, dict[str, tuple[int, int]]] = field(default_factory=dict)
    busy: Counter[str] = field(default_factory=Counter)
    dram: Counter[int] = field(default_factory=Counter)

    def add(self, line: dict[str, Any]) -> None:
        """Add the line of a tile."""
        go = int(line["go"])
        self.go = min(self.go, go) if self.tiles else go
        self.tiles[line.get("tile", "")] = {
            hart: (int(began), int(ended)) for hart, (began, ended) in line["harts"].items()
        }
        for kernel in line.get("kernels", []):
            if kernel not in self.kernels:
                self.kernels.append(kernel)
        for name, cycles in line["busy"].items():
            self.busy[name] = max(self.busy[name], int(cycles))
        for channel, size in line["dram"].items():
            self.dram[int(channel)] += int(size)

    def _times(self, harts: Iterable[str] | None = None) -> list[tuple[int, int]]:
        """Return when kernels of these harts, or of all, have begun and ended."""
        return [
            times
            for tile in self.tiles.values()
            for hart, times in tile.items()
            if harts is None or hart in harts
        ]

    @property
    def is_over(self) -> bool:
        """True if each hart has ended its kernel."""
        times = self._times()
        return bool(times) and all(NEVER not in both for both in times)

    @property
    def first(self) -> int:
        """The cycle in which the first kernel has begun."""
        return min(began for began, _ in self._times())

    @property
    def last(self) -> int:
        """The cycle in which the last one has ended."""
        return max(ended for _, ended in self._times())

    def cycles(self, *harts: str) -> int | None:
        """Return cycles from the first beginning of a kernel to the last end, of these harts or of
        all; None if none of them has one."""
        times = self._times(harts or None)
        if not times:
            return None
        return max(ended for _, ended in times) - min(began for began, _ in times)

    def of_tiles(self) -> list[int]:
        """Return the cycles of each tile."""
        return [
            max(ended for _, ended in harts.values()) - min(began for began, _ in harts.values())
            for harts in self.tiles.values()
        ]

    def first_to_last_start(self) -> int:
        """Return cycles between the first and the last tile's first kernel."""
        starts = [min(began for began, _ in harts.values()) for harts in self.tiles.values()]
        return max(starts) - min(starts)

    def since_data_movement(self) -> int:
        """Return cycles from the first kernel that moves data to the last end."""
        times = self._times(DATA_MOVEMENT) or self._times()
        return self.last - min(began for began, _ in times)

    def roofline(self, arch: int = BLACKHOLE) -> dict[str, int]:
        """Return cycles for which the launch needs each thing, the most first: a unit or a port of
        a NIU of the busiest tile, the channel of DRAM of which most is asked."""
        needs = Counter({name: n for name, n in self.busy.items() if n})
        if self.dram:
            channel, size = max(self.dram.items(), key=lambda one: one[1])
            needs[f"DRAM channel {channel}"] = size * TENTHS // RATE[arch]
        return dict(needs.most_common())


def launches_of(text: str) -> list[Launch]:
    """Return the launches of a file, in the order of their go signals. A line that was cut off, and
    those of runs that are no launch, are left out."""
    found: dict[tuple[int, int, int], Launch] = {}
    times: Counter[tuple[str, int]] = Counter()
    for row in text.splitlines():
        try:
            line = json.loads(row)
        except ValueError:
            continue
        if "harts" not in line:
            continue
        tile, program = line.get("tile", ""), int(line["program"])
        chip = int(tile[1:].partition(".")[0]) if tile.startswith("c") else 0
        key = chip, program, times[tile, program]  # a trace launches a program again
        times[tile, program] += 1
        found.setdefault(key, Launch(chip, program)).add(line)
    return sorted(found.values(), key=lambda one: one.go)
