# SPDX-License-Identifier: Apache-2.0
"""Runs inside GDB: `tensix-break LINE`, which stops the instructions that a line pushes."""

from pathlib import PurePath

import gdb

from gdbstub.inside.commands import selected_thread
from gdbstub.inside.query import ask, in_gdbs_words


class TensixBreak(gdb.Command):
    """Stop when an instruction that a line pushes is at the wait gate of its Tensix thread.

    tensix-break [FILE:]LINE [INSTRUCTION...] [thread T1] [if FIELD=VALUE,...] [nth N]

    All instructions that were pushed from the line are meant, also those that a MOP or REPLAY on
    it is expanded to; or those of the instructions that are named. `nth 5` stops at the fifth of
    each push, of a MOP for example: `tensix-break 45 UNPACR nth 5`. It is no count of all hits;
    `tensix ignore 4 gate 1` ignores the next four of gate breakpoint 1. A function or an address
    may stand for the line; without one, that of the selected frame does. `tensix break` lists what
    is there, `tensix delete N` takes it away. With `pending`, or after GDB's `set breakpoint
    pending on`, the line may be of a program that is loaded later."""

    def __init__(self) -> None:
        super().__init__("tensix-break", gdb.COMMAND_BREAKPOINTS, gdb.COMPLETE_LOCATION)

    def invoke(self, argument: str, from_tty: bool) -> None:
        line, *words = argument.split() or [""]
        if line in ("", "if", "thread", "nth"):
            line, words = "", argument.split()
        if gdb.parameter("breakpoint pending"):
            words.append("pending")
        with in_gdbs_words():
            place = _place(line)
        gdb.write(ask(" ".join([f"monitor {selected_thread()} break gate", place, *words])))


def _place(line: str) -> str:
    """Return a line as the server knows it: with the name of its file."""
    if line and not line.isdecimal():
        return line
    if line:
        here = gdb.decode_line()[1]
        sal = here[0] if here else None
    else:
        sal = gdb.selected_frame().find_sal()
    if sal is None or sal.symtab is None:
        raise gdb.GdbError(
            "There is no current line; type tensix-break FILE:LINE, or an instruction as in "
            "tensix-break STALLWAIT."
        )
    return f"{PurePath(sal.symtab.filename).name}:{line or sal.line}"


def define() -> None:
    """Make GDB know it."""
    TensixBreak()
