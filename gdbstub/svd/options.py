# SPDX-License-Identifier: Apache-2.0
"""The options of `tensix-gdb svd`."""

from __future__ import annotations

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.cli.options.declare import option


@dataclass(frozen=True)
class SvdOptions:
    """Write the registers of the devices and the configuration of the coprocessor with their fields
    as CMSIS-SVD, which cortex-debug and other editors show while the tile is stopped."""

    output: str | None = option(
        *("-o", "--output"), metavar="FILE", help="write it there (default: the terminal)"
    )
