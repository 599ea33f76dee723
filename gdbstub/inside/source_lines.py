# SPDX-License-Identifier: Apache-2.0
"""Runs inside GDB: source lines below what `tensix why` and the others say, where GDB writes to a
terminal. The lines are those that GDB's own `list` would show."""

import os

import gdb

from gdbstub.cli.terminal.quoted import quoted

CAUSES = ("why", "races", "check")  # commands that name a cause


def with_source(command: str, said: str) -> str:
    """Return what a command has said, with the lines that it names."""
    if command.partition(" ")[0] not in CAUSES or not _is_terminal():
        return said
    width = gdb.parameter("width") or 1 << 12
    return "".join(f"{line.text}\n" for line in quoted(said.splitlines(), _lines, width))


def _is_terminal() -> bool:
    return os.environ.get("TERM", "dumb") != "dumb" and os.isatty(1)


def _lines(name: str) -> list[str] | None:
    """Return the lines of a file that GDB knows; None if it is not there, or two have the name."""
    try:
        places = gdb.decode_line(f"{name}:1")[1] or ()
        files = {place.symtab.fullname() for place in places if place.symtab is not None}
        if len(files) != 1:
            return None
        with open(files.pop(), encoding="utf-8", errors="replace") as file:
            return file.read().splitlines()
    except (gdb.error, OSError):
        return None
