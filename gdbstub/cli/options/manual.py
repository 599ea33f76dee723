# SPDX-License-Identifier: Apache-2.0
"""The options of `tensix-gdb manual`."""

from __future__ import annotations

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.cli.options.declare import option


@dataclass(frozen=True)
class ManualOptions:
    """Without an argument: list the chapters. With the name of a chapter: show it. With an
    instruction: explain it. With any text: list the lines of the manual that have it, such as a
    fault, a register, a packet, a `monitor` command."""

    topic: tuple[str, ...] = option(nargs="*", metavar="TOPIC|WORD", help="a chapter, or a text")
