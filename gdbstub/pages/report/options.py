# SPDX-License-Identifier: Apache-2.0
"""The options of `tensix-gdb report`."""

from __future__ import annotations

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.cli.options.declare import option


@dataclass(frozen=True)
class ReportOptions:
    """Say in sentences which thread waited for what and for how long, where what it waited for
    comes from, what each hart ran, and how long each unit was idle. FILE is what `run --trace` or
    `run --profile` has written, as .txt or .json, or the table of `ttnn --operations`."""

    file: str = option(metavar="FILE", help="the timeline, profile or table")
    source: tuple[str, ...] = option(
        "--source",
        action="append",
        metavar="FILE",
        help="show lines of this source instead, each with the Tensix instructions that come from "
        "it, how often they passed their gate, and what they waited for; may be repeated",
    )
