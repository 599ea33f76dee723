# SPDX-License-Identifier: Apache-2.0
"""Runs inside GDB: `hart-break` and `hart-next`, for lines of a kernel that GDB does not see.

Where each instruction of a line belongs to a header, as arithmetic of SFPI's values does, GDB has
no breakpoint at the line, and `next` goes through the lines of the header
(gdbstub/tensix/documents/kernel_lines.py).
"""

import re
from pathlib import PurePath

import gdb

from gdbstub.inside.commands import selected_thread
from gdbstub.inside.query import ask, in_gdbs_words

_CONDITION = re.compile(r"\bif\b(.*)", re.DOTALL)


class HartBreak(gdb.Command):
    """Stop when a hart comes to a line of a kernel, or to a function that was inlined.

    hart-break [-t] [FILE:]LINE|[FILE:]FUNCTION [if CONDITION]

    It sets GDB's own breakpoints at the addresses where the place begins, also for a line of which
    each instruction belongs to a header (arithmetic of a vFloat), and for FILE:kernel_main: GDB 13
    finds neither. With -t they are temporary. The condition may name what is known in the
    innermost function or in one that it was inlined into. `tensix-break` stops what a line has
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


class HartNext(gdb.Command):
    """Go to the next line of the kernel, whatever headers its instructions belong to.

    hart-next [N]

    `next` stops at each line of sfpi.h or of LLK that an instruction belongs to; this stops where
    the line outside of these headers is another one, or in the caller. It sets breakpoints at the
    other lines of the function and continues, so it stops early where something else does."""

    def __init__(self) -> None:
        super().__init__("hart-next", gdb.COMMAND_RUNNING)

    def invoke(self, argument: str, from_tty: bool) -> None:
        with in_gdbs_words():
            for _ in range(int(gdb.parse_and_eval(argument)) if argument else 1):
                if not _next_line():
                    return  # GDB has said why
            _show()


def _next_line() -> bool:
    """Continue to another line; False if something else has stopped the tile."""
    thread = gdb.selected_thread()
    ends = {int(addr) for addr in ask(f"next {selected_thread()}").split()}
    caller = _caller()
    made = []
    for addr in ends if caller is None else ends | {caller}:
        one = gdb.Breakpoint(f"*{addr:#x}", internal=True)
        one.silent, one.thread = True, thread.num
        made.append(one)
    stops: list[gdb.Event] = []
    gdb.events.stop.connect(stops.append)
    try:
        gdb.execute("continue")
    finally:
        gdb.events.stop.disconnect(stops.append)
        hits = [one for stop in stops for one in getattr(stop, "breakpoints", ())]
        numbers = [one.number for one in hits]
        for one in made:
            one.delete()
    return bool(numbers) and all(number < 0 for number in numbers)


def _caller() -> int | None:
    """Return where the function returns to that the hart is in; None where that is not known."""
    frame = gdb.newest_frame()
    while frame is not None and frame.type() == gdb.INLINE_FRAME:
        frame = frame.older()
    older = None if frame is None else frame.older()
    return None if older is None else int(older.pc())


def _show() -> None:
    """Select the frame of the kernel's line, which may have inlined ones in it, and print it."""
    file, line, _ = (ask(f"line {selected_thread()}").split("\t") + [""] * 3)[:3]
    frame = gdb.newest_frame()
    wanted = PurePath(file).name, line
    while frame is not None:
        sal = frame.find_sal()
        if sal.symtab and (PurePath(sal.symtab.filename).name, str(sal.line)) == wanted:
            frame.select()
            break
        if frame.type() != gdb.INLINE_FRAME:
            break
        frame = frame.older()
    gdb.execute("frame")


def _place(text: str) -> str:
    """Return a line as the server knows it: with the name of its file."""
    if not text.isdecimal():
        return text
    sal = gdb.selected_frame().find_sal()
    if sal.symtab is None:
        raise gdb.GdbError("There is no current line; type hart-break FILE:LINE.")
    return f"{PurePath(sal.symtab.filename).name}:{text}"


def define() -> None:
    """Make GDB know them."""
    HartBreak()
    HartNext()
