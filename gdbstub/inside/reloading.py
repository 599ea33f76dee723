# SPDX-License-Identifier: Apache-2.0
"""Runs inside GDB: `tensix-reload`, for programs that were built again."""

import gdb

from gdbstub.inside.fresh import show


class Reload(gdb.Command):
    """Load programs that were built again, and read their symbols again: `tensix-reload`.

    The tile is as it was loaded then, with the new programs; breakpoints stay, where the new
    programs have the lines or functions."""

    def __init__(self) -> None:
        super().__init__("tensix-reload", gdb.COMMAND_FILES, gdb.COMPLETE_NONE)

    def invoke(self, argument: str, from_tty: bool) -> None:
        before = gdb.selected_thread()
        said = gdb.execute("monitor reload", to_string=True) or ""
        gdb.write(said.partition(" GDB ")[0].strip() + "\n")
        asks = gdb.parameter("confirm")
        selected = gdb.selected_thread()
        gdb.execute("set confirm off")
        try:
            for inferior in gdb.inferiors():
                name = inferior.progspace.filename
                if inferior.pid and name:
                    _as(inferior, f"file {name}", "nosharedlibrary", "sharedlibrary")
        finally:
            gdb.execute(f"set confirm {'on' if asks else 'off'}")
            if selected is not None:
                selected.switch()
        for cache in ("register", "source"):
            gdb.execute(f"maintenance flush {cache}-cache", to_string=True)
        show(before)


def _as(inferior: gdb.Inferior, *commands: str) -> None:
    """Commands, with this inferior selected."""
    if inferior != gdb.selected_inferior():
        inferior.threads()[0].switch()
    for command in commands:
        gdb.execute(command, to_string=True)


def define() -> None:
    """Make GDB know it."""
    Reload()
