# SPDX-License-Identifier: Apache-2.0
"""Runs inside GDB: `hart-break`, for what GDB's `break` does not take in a kernel; and `step`
goes past the functions of SFPI's values, each of which is a piece of a line of the kernel.

`break FILE:kernel_main` of an inlined function stays pending in GDB 13, which looks for FILE:NAME
among functions with code of their own only. Such a breakpoint gets those that it stands for."""

import re
from collections.abc import Collection
from pathlib import PurePath

import gdb

from gdbstub.inside.query import ask, in_gdbs_words

VALUES = "^sfpi::"
_FILE_FUNCTION = re.compile(r"[^:\s]+:[A-Za-z_]\w*")
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
        self.wanted, self.function = condition, ""

    def stop(self) -> bool:
        """True if the condition holds, or cannot be computed: then the tile stops, as in GDB."""
        if self.function and not _is_in(self.function):
            return False
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


class Pending:
    """The breakpoints that GDB keeps pending, each with those that it stands for: they are
    deleted, enabled and disabled together. A kernel that is loaded later adds its own.

    GDB must not lose a breakpoint while it says that another one is deleted: it may be about to
    look at it. So what is to go stops nothing any more, and goes before the next prompt."""

    def __init__(self) -> None:
        self.places: dict[int, dict[tuple[int, int], int]] = {}
        self.gone: set[int] = set()

    def created(self, pending: gdb.Breakpoint) -> None:
        """Set breakpoints where harts come to FILE:FUNCTION, if GDB has found nothing."""
        place = _function(pending)
        if place is None or isinstance(pending, _Place):
            return
        try:
            answers = [answer.split() for answer in ask(f"places {place}").splitlines()]
        except (gdb.GdbError, gdb.error):
            return  # no program that is loaded has it; GDB waits for one
        known = self.places.setdefault(pending.number, {})
        inferior, name = gdb.selected_inferior().num, place.rpartition(":")[2]
        for hart, addr in ((answer[0], int(answer[1])) for answer in answers):
            if (inferior, addr) in known or _has_own_code(name, addr):
                continue
            made = _Place(addr, _condition(pending, place), pending.temporary)
            made.function, made.enabled = name, pending.enabled
            known[inferior, addr] = made.number
            gdb.write(f"{place} is inlined: {hart} comes there, at breakpoint {made.number}.\n")

    def loaded(self, event: gdb.NewObjFileEvent) -> None:
        """Look again when a program has come."""
        for each in gdb.breakpoints():
            self.created(each)

    def modified(self, pending: gdb.Breakpoint) -> None:
        """Enable or disable what a pending breakpoint stands for."""
        for place in _numbered(self.places.get(pending.number, {}).values()):
            if place.enabled != pending.enabled:
                place.enabled = pending.enabled

    def deleted(self, gone: gdb.Breakpoint) -> None:
        """Delete what a pending breakpoint stands for; a temporary one goes with its place."""
        for number, known in list(self.places.items()):
            places = set(known.values())
            if number == gone.number or (gone.temporary and gone.number in places):
                del self.places[number]
                self.gone.update({number, *places} - {gone.number})
                for place in _numbered(places):
                    place.wanted = "0"

    def before_prompt(self) -> None:
        """Delete what is to go."""
        for one in _numbered(self.gone):
            one.delete()
        self.gone.clear()


def _has_own_code(function: str, addr: int) -> bool:
    """True if a function begins there that is not inlined: GDB finds it."""
    return gdb.execute(f"info symbol {addr}", to_string=True).partition(" in ")[0] in (
        function,
        f"{function}()",
    )


def _is_in(function: str) -> bool:
    """True if the pc is in a function, inlined or not. Another kernel may be there by now."""
    block = gdb.block_for_pc(gdb.newest_frame().pc())
    while block is not None and not block.is_static:
        if block.function is not None and block.function.name.partition("(")[0] == function:
            return True
        block = block.superblock
    return False


def _function(pending: gdb.Breakpoint) -> "str | None":
    """Return FILE:FUNCTION of a breakpoint that GDB keeps pending."""
    if not pending.pending or pending.location is None:
        return None
    return pending.location if _FILE_FUNCTION.fullmatch(pending.location) else None


def _condition(pending: gdb.Breakpoint, place: str) -> str:
    """Return its condition, which GDB keeps unread until it has a place, for nothing but this."""
    shown = gdb.execute(f"with width 0 -- info breakpoints {pending.number}", to_string=True)
    found = re.search(rf"{re.escape(place)} if (.*)$", shown, re.MULTILINE)
    return found[1].strip() if found else pending.condition or ""


def _numbered(numbers: "Collection[int]") -> "list[gdb.Breakpoint]":
    return [one for one in gdb.breakpoints() if one.number in numbers]


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
    pending = Pending()
    gdb.events.breakpoint_created.connect(pending.created)
    gdb.events.breakpoint_modified.connect(pending.modified)
    gdb.events.breakpoint_deleted.connect(pending.deleted)
    gdb.events.before_prompt.connect(pending.before_prompt)
    gdb.events.new_objfile.connect(pending.loaded)
    gdb.execute(f"skip -rfunction {VALUES}", to_string=True)
