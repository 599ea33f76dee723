# SPDX-License-Identifier: Apache-2.0
"""The command line that begins the run of a test again, under GDB."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from tensix_gdb.gdbstub.usage import HARTS

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.testing.tile import Tile


def gdb_command(tile: Tile, inputs: Path) -> str:
    """`tensix-gdb gdb` with the tile's programs, schedule and inputs; empty without a program.

    Arrays that the test wrote before the first cycle are written to files in `inputs`. What else a
    test changes from outside is in no option.
    """
    words = ["tensix-gdb", "gdb"]
    for hart, name in zip(tile.harts, HARTS, strict=True):
        if hart.program is not None:
            words.append(f"--elf={name}={_shown(hart.program.image.path)}")
    if len(words) == 2:
        return ""
    words.append(f"--schedule={tile.machine.execution}")
    if tile.machine.S.tile.chip:
        words.append("--arch=wormhole")
    given = [one for one in tile.l1.inputs if one.cycle == 0]
    if given:
        inputs.mkdir(parents=True, exist_ok=True)
    words += [one.option(_shown(inputs / f"{i}.npy")) for i, one in enumerate(given)]
    return shlex.join(words)


def _shown(path: Path) -> Path:
    """Return a path as a person would type it: from here, if it is below."""
    here = Path.cwd()
    path = Path(os.path.abspath(path))
    return path.relative_to(here) if path.is_relative_to(here) else path
