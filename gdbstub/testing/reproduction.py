# SPDX-License-Identifier: Apache-2.0
"""The command lines that begin the run of a test again: under GDB, and with a diagnosis."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
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
    return _command("gdb", tile, inputs)


def diagnose_command(tile: Tile, inputs: Path) -> str:
    """`tensix-gdb diagnose` with the same, and the array that the test expected in vain."""
    words = []
    unmet = tile.l1.unmet
    if unmet is not None:
        inputs.mkdir(parents=True, exist_ok=True)
        words.append(unmet.option(_shown(inputs / "expected.npy")))
    elif tile.stop is None:
        words.append(f"--max-cycles={max(int(tile.machine.S.tile.cycle), 1)}")
    return _command("diagnose", tile, inputs, words)


def _command(name: str, tile: Tile, inputs: Path, more: Sequence[str] = ()) -> str:
    words = ["tensix-gdb", name]
    for hart, letters in zip(tile.harts, HARTS, strict=True):
        if hart.program is not None:
            words.append(f"--elf={letters}={_shown(hart.program.image.path)}")
    if len(words) == 2:
        return ""
    words.append(f"--schedule={tile.machine.execution}")
    if tile.machine.S.tile.chip:
        words.append("--arch=wormhole")
    given = [one for one in tile.l1.inputs if one.cycle == 0]
    if given:
        inputs.mkdir(parents=True, exist_ok=True)
    words += [one.option(_shown(inputs / f"{i}.npy")) for i, one in enumerate(given)]
    return shlex.join([*words, *more])


def _shown(path: Path) -> Path:
    """Return a path as a person would type it: from here, if it is below."""
    here = Path.cwd()
    path = Path(os.path.abspath(path))
    return path.relative_to(here) if path.is_relative_to(here) else path
