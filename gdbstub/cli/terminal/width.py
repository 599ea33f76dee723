# SPDX-License-Identifier: Apache-2.0
"""The width of what a command prints.

In a terminal COLUMNS counts, else the width that the terminal has. Elsewhere a table or a chapter
is filled to COLUMNS or 80 characters, and a sentence stays one line: programs search lines.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tensix_gdb.gdbstub.cli.terminal.fitted import fitted

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.cli.terminal.files_of import FilesOf

WIDTH = 80  # characters, where nothing says another width
MIN_WIDTH = 20


def width_of_output() -> int:
    """Return the width of standard output: COLUMNS, or that of its terminal, or 80."""
    return _columns() or _of_terminal() or WIDTH


def width_of_terminal() -> int | None:
    """Return the width of standard output if it is a terminal that says its width."""
    width = _of_terminal()
    return width and (_columns() or width)


def _columns() -> int | None:
    given = os.environ.get("COLUMNS", "")
    return max(int(given), MIN_WIDTH) if given.isdecimal() and int(given) else None


def _of_terminal() -> int | None:
    """None if it is no terminal, or does not know its width."""
    try:
        width = os.get_terminal_size(sys.stdout.fileno()).columns
    except (AttributeError, OSError, ValueError):
        return None
    return max(width, MIN_WIDTH) if width else None


def has_signs() -> bool:
    """True if standard output shows signs and quoted lines: a terminal that is not dumb."""
    if os.environ.get("FORCE_COLOR"):
        return True
    if sys.stdout is None or os.environ.get("TERM", "dumb") in ("", "dumb", "unknown"):
        return False
    return sys.stdout.isatty()


def say(lines: Iterable[str], files: FilesOf | None = None, *, flush: bool = False) -> None:
    """Print lines; in a terminal they are broken between words, have signs and colours, and the
    lines of `files` that they name are quoted."""
    width = width_of_terminal()
    if has_signs():
        # Imported here: where nothing is shown this way, nothing of it is loaded.
        from tensix_gdb.gdbstub.cli.terminal.shown import show

        show(lines, files, width)
        if flush:
            sys.stdout.flush()
        return
    for text in lines:
        print(text if width is None else "\n".join(fitted(text, width)), flush=flush)
