# SPDX-License-Identifier: Apache-2.0
"""`races=` of the marker and `--tile-races`: a test fails if one of its tiles has a race."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.race.checks.rule import NotObservable
from tensix_gdb.core.race.state.table import GROUPS, parse_groups
from tensix_gdb.gdbstub.order.report.known import Suppression, judge, read_suppressions
from tensix_gdb.gdbstub.order.report.located import located
from tensix_gdb.gdbstub.order.report.text import report_lines, summary
from tensix_gdb.gdbstub.testing.tile import Tile
from tensix_gdb.gdbstub.usage import UsageError

STRICT = "strict"


@dataclass(frozen=True, slots=True)
class RaceCheck:
    """The observation of a test's tiles. `is_marked`: the test itself asks for it."""

    strict: bool
    suppressions: tuple[Suppression, ...]
    is_marked: bool
    races: bool = True
    groups: tuple[str, ...] = ()  # of `checks=` and --tile-check

    def observe_tile(self, tile: Tile) -> None:
        """Observe a tile from now on; one in `sc` only if the test does not ask for it."""
        try:
            if self.races:
                tile.observe_races(strict=self.strict)
            if self.groups:
                tile.check(*self.groups, races=self.races)
        except NotObservable as problem:
            if self.is_marked:
                what = "races" if self.races else "checks"
                raise UsageError(f"{what}: {problem}") from None

    def failure(self, tiles: Iterable[Tile]) -> str:
        """Return the reports that count; empty if there are none."""
        lines: list[str] = []
        for tile in tiles:
            if tile.machine.runner.races is None:
                continue
            findings = tile.machine.races()
            reports = located(findings, tile.machine.places)
            judgement = judge(findings, reports, self.suppressions)
            for one in judgement.new:
                lines += report_lines(one.located)
            if judgement.new:
                lines.append(summary(judgement))
        return "\n".join(lines)


def race_check(
    caller: str,
    given: Mapping[str, Any],
    folder: Path,
    option: str | None,
    files: Sequence[str],
    groups: str | None = None,
) -> RaceCheck | None:
    """Build a RaceCheck from the marker and the options; None if nothing is to be observed.
    UsageError with a sentence."""
    races = given.get("races")
    if races not in (None, True, False, STRICT):
        raise UsageError(f"{caller}: races={races!r} is neither True, False nor 'strict'")
    checks = given.get("checks", groups or "")
    try:
        wanted = parse_groups(checks) if checks else ()
    except (ValueError, AttributeError):
        raise UsageError(
            f"{caller}: checks={checks!r} is none of {', '.join(GROUPS)} with commas, or all"
        ) from None
    no_races = races is False or (races is None and option is None)
    if no_races and not wanted:
        return None
    named = given.get("races_suppressions", ())
    named = [named] if isinstance(named, str | Path) else list(named)
    paths = [str(folder / name) for name in named] + list(files)
    rows = tuple(row for path in paths for row in read_suppressions(path))
    is_marked = bool(races) or "checks" in given
    return RaceCheck(STRICT in (races, option), rows, is_marked, not no_races, wanted)
