# SPDX-License-Identifier: Apache-2.0
"""Show long text a screen at a time.

`less` shows escape sequences as text unless it is told `-R`, and has no other way to show colours.
So it is told, whatever LESS says. Any other pager gets plain text, except those of COLOURED.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import PurePath

from tensix_gdb.core.dataclass import dataclass

RAW = "-R"
COLOURED = ("less", "cat", "bat", "batcat")  # they hand colours on


@dataclass(frozen=True, slots=True)
class Pager:
    """The command for the shell, and whether it understands colours."""

    command: str
    colours: bool


def chosen(environment: Mapping[str, str]) -> Pager | None:
    """Return the pager of a terminal with these variables: PAGER, or else less. None where there is
    none, and where the terminal cannot be paged."""
    if environment.get("TERM", "dumb") in ("dumb", "emacs"):
        return None
    wanted = environment.get("PAGER", "").strip()
    if not wanted:
        found = shutil.which("less", path=environment.get("PATH"))
        return Pager(f"less {RAW}", colours=True) if found else None
    name, _, rest = wanted.partition(" ")
    kind = PurePath(name).name
    if kind == "less":
        return Pager(f"{name} {RAW} {rest}".rstrip(), colours=True)
    return Pager(wanted, kind in COLOURED)


def show(text: str, pager: Pager | None) -> None:
    """Show text in the terminal of standard output."""
    sys.stdout.flush()
    if pager is None:
        print(text, end="")
        return
    # Without a locale less takes the text for ASCII; Python writes UTF-8 all the same.
    environment = {"LESSCHARSET": "utf-8", **os.environ}
    process = subprocess.Popen(
        pager.command, shell=True, stdin=subprocess.PIPE, env=environment
    )  # the shell, as PAGER may be any command of it
    try:
        with _ctrl_c_is_the_pagers():
            # It may end before it has read everything.
            with suppress(BrokenPipeError):
                process.communicate(text.encode())
            status = process.wait()
    except BaseException:
        process.terminate()
        process.wait()
        raise
    if status in (126, 127):  # the shell could not start it
        print(text, end="")


@contextmanager
def _ctrl_c_is_the_pagers() -> Iterator[None]:
    """Leave Ctrl-C to the pager: it is pressed to end a search in it."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
