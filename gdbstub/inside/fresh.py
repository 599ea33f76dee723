# SPDX-License-Identifier: Apache-2.0
"""Runs inside GDB: forget registers after a `monitor` command that changes them. GDB learns of no
change between two stops, and `monitor reset` changes all of them. Before a `monitor` command the
tile is told which thread is selected.

After a reset the place where the selected thread is now is shown, as after a stop. One that is
nowhere then gives way to the first that is somewhere, which is the one that an attach selects.
"""

import gdb

from gdbstub.inside.nowhere import is_nowhere
from gdbstub.inside.query import ask

_known = ["0", "0"]  # changes and resets, as the tile counts them


def tell_thread() -> None:
    """Let the tile know the selected thread. GDB names a thread only before it reads of it, not
    before a `monitor` command: after `info threads` the tile knows the last one that was listed."""
    try:
        gdb.selected_inferior().read_memory(0, 1)
    except gdb.error:
        return  # not attached, or running


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
        show(gdb.selected_thread())


def show(selected: "gdb.InferiorThread | None") -> None:
    """Show the place of the selected thread, or of one that is somewhere; GDB says which if it is
    another one than `selected`."""
    _go_somewhere()
    now = gdb.selected_thread()
    if now is None or selected is None or now.num == selected.num:
        gdb.execute("frame")
    else:
        gdb.execute(f"thread {now.num}")


def _go_somewhere() -> None:
    """Select the first thread of the process that is somewhere, if the selected one is nowhere."""
    before = gdb.selected_thread()
    if before is None or not before.is_stopped() or not is_nowhere(gdb.newest_frame().pc()):
        return
    for thread in sorted(gdb.selected_inferior().threads(), key=lambda one: one.num):
        if thread.is_stopped():
            thread.switch()
            if not is_nowhere(gdb.newest_frame().pc()):
                return
    before.switch()


def define() -> None:
    """Make GDB do it before and after each `monitor`."""
    for hook, function in (("hook", "tell_thread"), ("hookpost", "flush")):
        gdb.execute(
            f"define {hook}-monitor\n"
            f"python __import__('sys').modules['{__name__}'].{function}()\n"
            "end"
        )
