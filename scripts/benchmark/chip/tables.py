# SPDX-License-Identifier: Apache-2.0
"""The rows of `scripts/bench ttnn`, what is wanted of each, and the tables of the manual."""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scripts.benchmark.chip.run import OPEN, Row
from scripts.benchmark.chip.sampled import CAUSES
from scripts.benchmark.chip.shares import Share
from scripts.benchmark.report import compiled_for
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated

MAKER = "scripts/bench ttnn --readme"
OURS, OTHER = ("latency", "sc"), "ttsim"
MOST = 3  # functions that a row names
LEAST = 0.01  # of a row's time, for a function to be named
DIES = "dies"


@dataclass(frozen=True, slots=True)
class Chip:
    """The grid that is measured, and where its tables go."""

    tiles: str
    block: Generated
    wanted: bool = False  # has ratios and seconds that it should keep to

    @property
    def count(self) -> int:
        """The number of its tiles."""
        width, height = map(int, self.tiles.split("x"))
        return width * height


CHIPS = {
    "blackhole": Chip("14x10", Generated("ttnn-speed", MAKER, MANUAL / "ttnn-speed.md"), True),
    "wormhole": Chip(
        "8x8",
        Generated(
            "ttnn-speed on Wormhole", f"{MAKER} --arch wormhole", MANUAL / "wormhole-ttnn.md"
        ),
    ),
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """The largest ratio to ttsim's time that a row may have, by schedule; or else seconds."""

    name: str
    ratio: float = 0.0
    in_sc: float = 0.0
    seconds: float = 0.0

    def told(self) -> str:
        """As the table has it."""
        if self.seconds:
            return f"{self.seconds:g} s"
        if self.in_sc:
            return f"{self.ratio:g}, {self.in_sc:g}"
        return f"{self.ratio:g}"


ROWS = (
    Wanted(OPEN, 4),
    *(Wanted("add 64", 4), Wanted("add 256", 4), Wanted("add 1024", 3)),
    *(Wanted("exp 64", 4), Wanted("gelu 64", 4), Wanted("clone 64", 4)),
    *(Wanted("matmul 64", 3), Wanted("matmul 256", 3), Wanted("matmul 512", 2)),
    Wanted("matmul 1024", 2, in_sc=1),
    *(Wanted(f"{name} 64", seconds=0.3) for name in ("softmax", "layer_norm", "sdpa")),
)


def table(columns: Mapping[str, Mapping[str, Row]], chip: Chip = CHIPS["blackhole"]) -> str:
    """Make the table of seconds, with the date and the processor."""
    ours = [name for name in OURS if name in columns]
    has_other = OTHER in columns
    heads = [f"{name}: host + server" for name in ours]
    heads += [OTHER] if has_other else []
    heads += [f"{name}, of {OTHER}" for name in ours] if has_other else []
    heads += ["wanted"] if chip.wanted else []
    lines = [
        f"{datetime.date.today():%d.%m.%Y}, {os.cpu_count()} cores, load {os.getloadavg()[1]:.0f}, "
        f"compiled for {compiled_for()}. {chip.count} tiles, slow dispatch;\nseconds of the "
        "processor, the best run of each row.",
        "",
        f"| | {' | '.join(heads)} |",
        f"|---|{'--:|' * len(heads)}",
    ]
    for wanted in ROWS:
        found = [columns[name].get(wanted.name) for name in columns]
        if any(found):
            cells = _cells(wanted, columns, ours, has_other)
            lines.append(f"| {' | '.join(cells if chip.wanted else cells[:-1])} |")
    died = [
        f"{name}: {row.name}: {row.why}"
        for name, rows in columns.items()
        for row in rows.values()
        if row.why
    ]
    if died:
        lines += ["", "What a simulator says where it dies:", "", "```", *died, "```"]
    return "\n".join(lines) + "\n"


def _cells(
    wanted: Wanted, columns: Mapping[str, Mapping[str, Row]], ours: list[str], has_other: bool
) -> list[str]:
    cells = [wanted.name]
    for name in ours:
        row = columns[name].get(wanted.name)
        best = None if row is None else row.best()
        cells.append(DIES if best is None else f"{best.host:.3f} + {best.server:.3f}")
    if not has_other:
        return [*cells, wanted.told()]
    other = columns[OTHER].get(wanted.name)
    theirs = None if other is None else other.best()
    cells.append(DIES if theirs is None else f"{theirs.host + theirs.server:.3f}")
    for name in ours:
        row = columns[name].get(wanted.name)
        best = None if row is None else row.best()
        if best is None or theirs is None:
            cells.append("")
        else:
            cells.append(f"{(best.host + best.server) / (theirs.host + theirs.server):.1f}")
    return [*cells, wanted.told()]


def profile_table(shares: Iterable[Share]) -> str:
    """Make the table of what the server does in each row, in percent."""
    lines = [
        "Of the server's time in `latency`, in percent, with a sampler in it:",
        "",
        f"| | {' | '.join(CAUSES)} | most of Python |",
        f"|---|{'--:|' * len(CAUSES)}---|",
    ]
    for share in shares:
        all_of_it = sum(share.causes.values())
        most = [
            f"{function} {100 * used / all_of_it:.0f}"
            for function, used in share.functions.most_common(MOST)
            if used > LEAST * all_of_it
        ]
        cells = [f"{100 * share.of_all(cause):.0f}" for cause in CAUSES]
        lines.append(f"| {' | '.join([share.row, *cells, ', '.join(most)])} |")
    return "\n".join(lines) + "\n"
