# SPDX-License-Identifier: Apache-2.0
"""Reports of many tiles and runs: those of one pair of lines are one kind, said once.

A program runs on a hundred tiles, and each finds the same. So a kind is printed where it is met
first, and at the end it is said on how many tiles it was. Files for tools have each report.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field, replace

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.order.report.known import Judged, Judgement
from tensix_gdb.gdbstub.order.report.located import Located, Side
from tensix_gdb.gdbstub.order.report.text import plural

SOME = 3  # tiles that are named
TILE = re.compile(r"( of)? tile \(?\d+[-,] ?\d+\)?")
Key = tuple[object, ...]


@dataclass
class Found:
    """One kind: where it was met, on each tile how often."""

    first: Located
    runs: dict[str, set[str]] = field(default_factory=dict)  # by tile

    @property
    def times(self) -> int:
        """Runs that have it, on all tiles."""
        return sum(len(runs) for runs in self.runs.values())


@dataclass
class Kinds:
    """The kinds of all tiles of a chip."""

    found: dict[Key, Found] = field(default_factory=dict)
    promises: set[str] = field(default_factory=set)

    def new_of(self, judgement: Judgement, tile: str, run: str) -> Judgement:
        """Note the reports of a run on a tile; return it with those that are of a new kind."""
        kept = [one for one in judgement.reports if not one.counts or self._note(one, tile, run)]
        findings = judgement.findings
        relied = [one for one in findings.relied if one.promise.name not in self.promises]
        self.promises.update(one.promise.name for one in relied)
        return replace(
            judgement, findings=replace(findings, relied=tuple(relied)), reports=tuple(kept)
        )

    def _note(self, one: Judged, tile: str, run: str) -> bool:
        key = key_of(one.located)
        is_new = key not in self.found
        self.found.setdefault(key, Found(one.located)).runs.setdefault(tile, set()).add(run)
        return is_new

    def lines(self) -> Iterator[str]:
        """Yield a line for each kind that was met more than once, the most frequent first."""
        often = [each for each in self.found.values() if each.times > 1]
        for each in sorted(often, key=lambda found: -found.times):
            report = each.first.report
            name = report.check or report.verdict.name
            places = ", then ".join(side.place for side in each.first.sides)
            where = _tiles(list(each.runs))
            runs = "" if each.times == len(each.runs) else f", in {plural(each.times, 'run')}"
            yield f"{where}{runs}: {name}  {report.words}: {places}"


def key_of(one: Located) -> Key:
    """Return the same for reports of one pair of lines, whatever tiles they are of."""
    report = one.report
    return (report.check or report.verdict, *(_side(side) for side in one.sides))


def _side(side: Side) -> Key:
    access = side.access
    agent, place = TILE.sub("", access.agent), TILE.sub("another tile", side.place)
    return agent, access.kind, side.what, place, *side.lines()


def _tiles(names: Sequence[str]) -> str:
    """`4 tiles (1-2, 2-2, 3-2 and others)`."""
    some = ", ".join(names[:SOME])
    more = " and others" if len(names) > SOME else ""
    return f"{plural(len(names), 'tile')} ({some}{more})"
