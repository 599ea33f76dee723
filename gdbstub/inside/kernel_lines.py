# SPDX-License-Identifier: Apache-2.0
"""Runs inside GDB: `hart-break`, for what GDB's `break` does not take in a kernel; and `step`
goes past the functions of SFPI's values, each of which is a piece of a line of the kernel."""

import re
from pathlib import PurePath

import gdb

from gdbstub.inside.query import ask, in_gdbs_words

VALUES = "^sfpi::"
_CONDITION = re.compile(r"\bif\b(.*)", re.DOTALL)


class HartBreak(gdb.Command):
    """Stop when a hart comes to a line of a kernel, or to a function that was inlined.

    hart-break [-t] [FILE:]LINE|[FILE:]FUNCTION [if CONDITION]

    It sets GDB's own breakpoints at the addresses where the place begins. The condition may name
    what is known in the innermost function or in one that it was inlined into: GDB's own looks in
    the innermost one alone. FILE:kernel_main may be inlined, which GDB 13 does not find. With -t
    they are temporary. `tensix-break` stops what a line has
    pushed."""

    def __init__(self) -> None:
        super().__init__("hart-break", gdb.COMMAND_BREAKPOINTS, gdb.COMPLETE_LOCATION)

    def invoke(self, argument: str, from_tty: bool) -> None:
        condition = _CONDITION.search(argument)
        words = argument[: condition.start()].split() if condition else argument.split()
        temporary = words[:1] == ["-t"]
        place = words[1:] if temporary else words
        if len(place) != 1:
            raise gdb.GdbError("type hart-break FILE:LINE, or hart-break FILE:FUNCTION")
        with in_gdbs_words():
            for answer in ask(f"places {_place(place[0])}").splitlines():
                hart, addr, line = answer.split()
                _Place(int(addr), condition[1].strip() if condition else "", temporary)
                is_next = line != "0" and line != place[0].rpartition(":")[2]
                which = f" at line {line}, the next one with code" if is_next else ""
                gdb.write(f"{hart} comes there{which}.\n")


class _Place(gdb.Breakpoint):
    """A breakpoint with a condition that sees the variables of the kernel's line. GDB's own looks
    in the innermost function alone, which is one of a header."""

    def __init__(self, addr: int, condition: str, temporary: bool) -> None:
        super().__init__(f"*{addr:#x}", temporary=temporary)
        self.wanted = condition

    def stop(self) -> bool:
        """True if the condition holds, or cannot be computed: then the tile stops, as in GDB."""
        if not self.wanted:
            return True
        frame = gdb.newest_frame()
        while True:
            frame.select()
            try:
                return bool(gdb.parse_and_eval(self.wanted))
            except gdb.error as problem:
                older = frame.older() if frame.type() == gdb.INLINE_FRAME else None
                if older is None:
                    gdb.write(f"Error in testing `if {self.wanted}`: {problem}\n")
                    return True
                frame = older


def _place(text: str) -> str:
    """Return a line as the server knows it: with the name of its file."""
    if not text.isdecimal():
        return text
    sal = gdb.selected_frame().find_sal()
    if sal.symtab is None:
        raise gdb.GdbError("There is no current line; type hart-break FILE:LINE.")
    return f"{PurePath(sal.symtab.filename).name}:{text}"


def define() -> None:
    """Make GDB know it, and what `step` is to go past; `info skip` shows that."""
    HartBreak()
    gdb.execute(f"skip -rfunction {VALUES}", to_string=True)
