# SPDX-License-Identifier: Apache-2.0
"""Runs inside GDB: source lines below what `tensix why` and the others say, where GDB writes to a
terminal. The lines are those that GDB's own `list` would show."""

import os
import re

import gdb

from gdbstub.cli.terminal.quoted import Role, Shown, quoted

CAUSES = ("why", "races", "check")  # commands that name a cause
# As commands of the shell colour them (cli/terminal/colours.py): rich is not in GDB's Python.
ROLES = {Role.HEAD: "1;34", Role.SOURCE: "2", Role.CARET: "1;31"}
STUCK = re.compile(r"^[^:]+(?=: .*(held at the gate|waits for |polls ))")
PLACE = re.compile(r"\b[\w.-]+\.\w+:\d+\b")


def with_source(command: str, said: str) -> str:
    """Return what a command has said, with the lines that it names."""
    if command.partition(" ")[0] not in CAUSES or not _is_terminal():
        return said
    width = gdb.parameter("width") or 1 << 12
    shown = quoted(said.splitlines(), _lines, width)
    style = _styled if _has_colours() else (lambda line: line.text)
    return "".join(f"{style(line)}\n" for line in shown)


def _has_colours() -> bool:
    return bool(gdb.parameter("style enabled")) and not os.environ.get("NO_COLOR")


def _styled(line: Shown) -> str:
    """Return a line with the escape sequences of its role; of a sentence the places, and the name
    of what is stuck."""
    if line.role in ROLES:
        return _in(ROLES[line.role], line.text)
    if line.role is not Role.SENTENCE:
        return line.text
    placed = PLACE.sub(lambda found: _in("1", found[0]), line.text)
    return STUCK.sub(lambda found: _in("31", found[0]), placed)


def _in(style: str, text: str) -> str:
    return f"\x1b[{style}m{text}\x1b[m"


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
