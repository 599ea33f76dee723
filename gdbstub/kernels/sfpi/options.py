# SPDX-License-Identifier: Apache-2.0
"""The options of `tensix-gdb sfpi`."""

from __future__ import annotations

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.cli.options.declare import option
from tensix_gdb.gdbstub.cli.options.tile import json


@dataclass(frozen=True)
class SfpiOptions:
    """Say where Tenstorrent's own compiler (SFPI) is, which version it is, and what else is here;
    with --install get it. `build`, `ttnn` and `scripts/ttnn` use what this finds. Exit status 0 if
    there is one, 1 if not."""

    sfpi: str | None = option(
        "--sfpi",
        metavar="DIR",
        help="look there, and nowhere else (default: SFPI in the environment, the PATH, "
        "/opt/tenstorrent/sfpi, a tt-metal in TT_METAL_HOME, an installed ttnn, the user's cache); "
        "none: as if there were none",
    )
    install: bool = option(
        "--install",
        action="store_true",
        help="if the user's cache has none, download the wheel jax-tt-plugin with pip (84 MB), "
        "check its hash, and unpack SFPI from it (308 MB)",
    )
    wheel: str | None = option(
        "--wheel", metavar="FILE", help="for --install: that wheel, which is here already"
    )
    json: bool = json("write what was found as JSON")
