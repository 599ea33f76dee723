# SPDX-License-Identifier: Apache-2.0
"""A card's NoCs and DRAM beside ours: how many points are within 2 % and 10 % of a run of the card.

`scripts/silicon chip` (some minutes; the measurements are downloaded once). `--only TEXT`: points
with this in their name. `--all` lists every point, else those that are off by more than 10 %.
`--arch wormhole`: of a Wormhole card there are Tenstorrent's own figures of flows alone, of which
one is fitted to (a read of DRAM of 64 bytes).
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from scripts.chiptime import everyone
from scripts.chiptime.data import ARCHES, CannotCompare
from scripts.chiptime.flows import measure
from scripts.chiptime.points import COLUMNS, Point, points
from tensix_gdb.gdbstub.usage import UsageError

LIMITS = (0.02, 0.1)
WANTED = 0.9  # of the points that are kept out, within the second limit


@dataclass(frozen=True, slots=True)
class Beside:
    """Ours, and the nearest of the card's runs."""

    point: Point
    flow: int
    ours: float

    @property
    def nearest(self) -> float:
        return min(self.point.cards[self.flow], key=lambda run: abs(run - self.ours))

    @property
    def error(self) -> float:
        """The error of ours, as a part of the card's."""
        return abs(self.ours / self.nearest - 1)

    def text(self) -> str:
        flow = f" flow {self.flow}" if len(self.point.cards) > 1 else ""
        return (
            f"{self.point.dataset} {self.point.name}{flow}: {self.ours:.1f} for {self.nearest:.1f}"
        )


def run(point: Point, engine: str = "compiled") -> list[Beside]:
    """Measure a point."""
    if point.kind == "slope":
        few, many = (measure([flow], engine)[0] for flow in point.flows)
        requests = point.flows[1].count - point.flows[0].count
        return [Beside(point, 0, (many - few) / requests)]
    if point.kind in ("everyone", "one"):
        (flow,) = point.flows
        corner = flow.last or flow.to
        columns = COLUMNS[COLUMNS.index(flow.to[0]) : COLUMNS.index(corner[0]) + 1]
        places = [(x, y) for x in columns for y in range(flow.to[1], corner[1] + 1)]
        senders = places[:1] if point.kind == "one" else places
        to = places[1:] if point.kind == "one" else places
        cycles = everyone.measure(senders, to, flow.size, flow.count, engine)
        return [Beside(point, 0, median(cycles))]
    cycles = measure(point.flows, engine)
    if point.kind == "rate":
        moved = sum(flow.size * flow.count for flow in point.flows)
        return [Beside(point, 0, moved / max(cycles))]
    return [Beside(point, flow, each) for flow, each in enumerate(cycles)]


def summary(name: str, rows: Sequence[Beside]) -> str:
    """A line for a group of points."""
    within = [sum(row.error <= limit for row in rows) for limit in LIMITS]
    ratio = median(row.ours / row.nearest for row in rows)
    return f"{name:44} {len(rows):4} {within[0]:4} {within[1]:4}  {ratio:.3f}"


def main(argv: Sequence[str] | None = None) -> int:
    """Run what the command line says. Status 1 if fewer of the points that were kept out are within
    10 % than wanted."""
    parser = argparse.ArgumentParser(prog="silicon chip", description=__doc__.split("\n\n")[0])
    parser.add_argument("--only", default="", metavar="TEXT", help="points with this in their name")
    parser.add_argument("--arch", choices=ARCHES, default="blackhole", help="the card")
    parser.add_argument("--all", action="store_true", help="list every point")
    arguments = parser.parse_args(argv)
    groups: dict[str, list[Beside]] = defaultdict(list)
    try:
        for point in points(arguments.arch):
            name = f"{point.dataset} {point.name}"
            if arguments.only not in name:
                continue
            for row in run(point):
                words = name.split()[: 3 if point.dataset == "noc_estimator" else 2]
                if point.dataset == "noc_estimator" and point.kind not in ("everyone", "one"):
                    words.append(name.split()[-1])
                groups[" ".join(words)].append(row)
                groups["kept out" if point.is_kept else "not kept out"].append(row)
                if arguments.all or row.error > LIMITS[-1]:
                    print(f"{row.error:7.1%}  {row.text()}", flush=True)
    except (CannotCompare, UsageError) as problem:
        print(f"silicon: {problem}", file=sys.stderr)
        return 2
    print(f"{'':44}  all  2 %  10 %  median ours/card")
    ends = [groups.pop(name) for name in ("not kept out", "kept out") if name in groups]
    for name, rows in groups.items():
        print(summary(name, rows))
    for rows in ends:
        print(summary("kept out" if rows[0].point.is_kept else "not kept out", rows))
    bad = [rows for rows in ends if rows[0].point.is_kept and _too_few(rows)]
    return 1 if bad else 0


def _too_few(rows: Sequence[Beside]) -> bool:
    return sum(row.error <= LIMITS[-1] for row in rows) < WANTED * len(rows)


if __name__ == "__main__":
    sys.exit(main())
