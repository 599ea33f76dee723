# SPDX-License-Identifier: Apache-2.0
"""Runs inside GDB: forget registers after a `monitor` command that changes them. GDB learns of no
change between two stops, and `monitor reset` changes all of them.

After a reset the place where the selected thread is now is shown, as after a stop.
"""

import gdb

from gdbstub.inside.query import ask

_known = ["0", "0"]  # changes and resets, as the tile counts them


def flush() -> None:
    """Forget registers if a command has changed any since the last time."""
    try:
        changes, resets = ask("changes").split()
    except (gdb.error, gdb.GdbError, ValueError):
        return  # not attached to a tile
    started_over = resets != _known[1]
    if started_over or changes != _known[0]:
        _known[:] = changes, resets
        gdb.execute("maintenance flush register-cache", to_string=True)
    if started_over:
        gdb.execute("frame")


def define() -> None:
    """Make GDB do it after each `monitor`."""
    gdb.execute(
        f"define hookpost-monitor\npython __import__('sys').modules['{__name__}'].flush()\nend"
    )
