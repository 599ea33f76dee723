# SPDX-License-Identifier: Apache-2.0
"""The output of a command in a terminal: in its width, with signs, quoted lines and colours."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from tensix_gdb.gdbstub.cli.terminal.colours import coloured, signed
from tensix_gdb.gdbstub.cli.terminal.fitted import fitted
from tensix_gdb.gdbstub.cli.terminal.quoted import Role, Shown, quoted

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.cli.terminal.files_of import FilesOf

WIDE = 100  # of source lines, where nothing says another width


def show(lines: Iterable[str], files: FilesOf | None, width: int | None) -> None:
    """Print lines, and the lines of `files` that they name."""
    read = (lambda name: None) if files is None else files.read
    parts = [
        (part, one.text)
        for one in quoted(lines, read, width or WIDE)
        for part in ([one] if one.role is not Role.SENTENCE else _parts(one.text, width))
    ]
    if os.environ.get("NO_COLOR"):
        sys.stdout.writelines(f"{part.text}\n" for part, _ in parts)
    else:
        sys.stdout.write(coloured(parts))


def _parts(sentence: str, width: int | None) -> Iterator[Shown]:
    text = signed(sentence)
    return map(Shown, [text] if width is None else fitted(text, width))
