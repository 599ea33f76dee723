# SPDX-License-Identifier: Apache-2.0
"""The options of `tensix-gdb doctor`."""

from __future__ import annotations

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.cli.options.declare import option
from tensix_gdb.gdbstub.cli.options.tile import json


@dataclass(frozen=True)
class DoctorOptions:
    """Look at what commands need: the compiler of the tile (llvmlite) and what it has compiled, the
    cache, GDB, a compiler for kernels, LLK's headers, optional packages. Exit status 0 if
    everything is there that most commands need, 1 if something is missing."""

    compile: str | None = option(
        "--compile",
        nargs="?",
        const="",
        metavar="NAME",
        help="compile for this processor what is not in the cache, so that no command waits for "
        "it: everything, or builds with such a name, as `--compile origin`",
    )
    json: bool = json("write what was found as JSON")
