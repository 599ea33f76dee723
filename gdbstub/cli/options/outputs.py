# SPDX-License-Identifier: Apache-2.0
"""Options of what is compared and written when a run has ended."""

from __future__ import annotations

from typing import Any

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.cli.options.declare import option

PICTURES = "an SVG, PNG or JSON file, by the end of its name"


def expected() -> Any:
    """Declare the option that compares output tiles."""
    return option(
        "--expect",
        action="append",
        metavar="ADDR=FILE.npy:FORMAT[,rtol[=X]][,atol=Y][,rows]",
        help="at the end compare L1 with an array; exit status 1 and a map of what differs if it "
        "is another one; rtol alone is two units in the last place of 1.0; may be repeated",
    )


@dataclass(frozen=True)
class TileOptions:
    """Compare and write output tiles."""

    expect: tuple[str, ...] = expected()
    dump: tuple[str, ...] = option(
        "--dump",
        action="append",
        metavar="ADDR=FILE.npy:FORMAT[,32x64][,rows]",
        help="at the end write the tiles at an address as an array of that shape (32x32 without); "
        "may be repeated",
    )


@dataclass(frozen=True)
class HtmlOptions:
    """The page of a whole run."""

    html: str | None = option(
        "--html",
        metavar="FILE",
        help="write the whole run as one page: what it says, pictures, timeline, sources with "
        "how often each line was executed; it needs no other file",
    )
    html_at: tuple[int, ...] = option(
        "--html-at",
        type=int,
        action="append",
        metavar="CYCLE",
        help="draw the tile in this cycle (default: five cycles from the first to the last); may "
        "be repeated",
    )
