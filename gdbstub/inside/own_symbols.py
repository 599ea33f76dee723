# SPDX-License-Identifier: Apache-2.0
"""Runs inside GDB: names mean the selected thread's ELF when several ELFs define them.

GDB takes a global name from the first symbol file that has it. `print` and `info line` are
replaced here by commands that look in the file of the selected hart first; whatever only one file
defines, and whatever is local to the frame, goes to GDB as it was typed, but for variables of
SFPI's types, of which GDB knows no place, and of a kernel where its line begins in a function of a
header (vectors.py). Other commands reach the same by
`$_tensix_own("NAME")`. A breakpoint at a function that several files have is one of the selected
hart's.
"""

import re
from pathlib import Path
from typing import Any

import gdb

from gdbstub.inside.commands import selected_thread
from gdbstub.inside.query import ask, in_gdbs_words
from gdbstub.inside.vectors import value_of

HARTS = ("B", "T0", "T1", "T2", "NC")
FIRST_TENSIX = 6  # threads 6 to 8 belong to T0 to T2
# What in an expression is a text, a member, a convenience variable, a format, or a name.
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|(?:\.|->|\$|::)\s*\w+|[A-Za-z_]\w*')
_OPTIONS = re.compile(r"\s*(?:(?:-\w[\w-]*(?:\s+(?:on|off|unlimited|\d+))?\s+)*--\s+)?(?:/\w+\s*)?")
FROM_TILE = "target:"  # before the name of a file that GDB has read from the tile
_SYMBOL = re.compile(r"(\S+)(?: \+ (\d+))? in section")  # what `info symbol` says
_NAME = re.compile(r"[A-Za-z_]\w*\Z")


def selected_hart() -> str:
    """Return the hart of the selected thread; of a Tensix thread, its T core."""
    thread = selected_thread()
    return HARTS[thread - FIRST_TENSIX + 1 if thread >= FIRST_TENSIX else thread - 1]


def own_file() -> Any:
    """Return the symbol file of the selected hart; None where there is none, or no tile."""
    try:
        hart, files = selected_hart(), ask("files").splitlines()
    except (gdb.error, gdb.GdbError, IndexError):
        return None
    wanted = set()
    for line in files:
        name, _, path = line.split(" ", 2)
        if name == hart:
            wanted.add(path)
    frame_file = _file_of_pc()
    known = [
        objfile
        for objfile in gdb.objfiles()
        if objfile.is_valid() and objfile.filename.removeprefix(FROM_TILE) in wanted
    ]
    return frame_file if frame_file in known else next(iter(known), None)


def _file_of_pc() -> Any:
    try:
        symtab = gdb.selected_frame().find_sal().symtab
    except gdb.error:
        return None
    return None if symtab is None else symtab.objfile


def own_value(name: str, own: Any) -> Any:
    """Return the variable or function of that name in the file `own`; None when GDB knows better.

    GDB takes ELFs after the first for shared libraries, with variables that may have been copied
    into the program: it looks for the address of a global variable in all files and takes the
    first. So the address comes from the tile, and the type from the file.
    """
    symbol = own.lookup_global_symbol(name)
    try:
        seen = gdb.lookup_symbol(name)[0]
    except gdb.error:
        seen = None
    is_own = seen is not None and seen.symtab is not None and seen.symtab.objfile == own
    if is_own and (symbol is None or (seen.line, seen.type) != (symbol.line, symbol.type)):
        return None  # a local one, or one of the unit
    if symbol is None:
        symbol = own.lookup_static_symbol(name)
        return None if symbol is None or not symbol.is_variable else symbol.value()
    if symbol.is_function:
        return symbol.value()
    addr = ask(f"symbol {selected_hart()} {name}") if symbol.is_variable else ""
    return gdb.Value(int(addr)).cast(symbol.type.pointer()).dereference() if addr else None


def with_own_names(text: str) -> str:
    """Return the expression with names of the selected hart's file in place of those of another
    one."""
    own = own_file()
    if own is None:
        return text
    options = _OPTIONS.match(text)
    start = options.end() if options else 0

    def replaced(match: Any) -> str:
        name = str(match[0])
        if not _NAME.match(name):
            return name
        local = value_of(name)
        if local is not None:
            gdb.set_convenience_variable(f"_tensix_value_{name}", local)
            return f"$_tensix_value_{name}"
        value = own_value(name, own)
        if value is None:
            return name
        gdb.set_convenience_variable(f"_tensix_at_{name}", value.address)
        return f"(*$_tensix_at_{name})"

    return text[:start] + _TOKEN.sub(replaced, text[start:])


class Print(gdb.Command):
    """Print value of expression EXP.
    Usage: print [[OPTION]... --] [/FMT] [EXP]

    As GDB's own command, which `call` still is; but a global name that several ELFs define means
    the one of the selected thread's hart."""

    def __init__(self) -> None:
        super().__init__("print", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument: str, from_tty: bool) -> None:
        with in_gdbs_words():
            own = with_own_names(argument) if argument.strip() else "$"
            gdb.execute(f"call {own}", from_tty)


class InfoLine(gdb.Command):
    """Core addresses of the code for a source line.
    Line can be specified as FUNCTION, LINENUM, FILE:LINENUM, FILE:FUNCTION or *ADDRESS. A function
    that several ELFs define is the one of the selected thread's hart."""

    def __init__(self) -> None:
        super().__init__("info line", gdb.COMMAND_STATUS, gdb.COMPLETE_LOCATION)

    def invoke(self, argument: str, from_tty: bool) -> None:
        with in_gdbs_words():
            for place in _places(argument.strip()):
                gdb.write(_line_in_words(place))


def _places(text: str) -> Any:
    """Return the places of a function or line, those of the selected hart if it has any."""
    here = () if text else (gdb.selected_frame().find_sal(),)
    places = here or gdb.decode_line(text)[1] or ()
    own = own_file()
    mine = [
        candidate
        for candidate in places
        if candidate.symtab is not None and candidate.symtab.objfile == own
    ]
    return mine or places


def _line_in_words(place: Any) -> str:
    if place.symtab is None:
        return f"No line number information available for address {_address(place.pc)}\n"
    head = f'Line {place.line} of "{place.symtab.filename}"'
    table = place.symtab.linetable()
    pcs = sorted({row.pc for row in table.line(place.line) or ()})
    start = place.pc or (pcs[0] if pcs else 0)
    if not start:
        return f"{head} is at a place that has no code.\n"
    sal = gdb.find_pc_line(start)
    if sal.symtab is None or sal.last is None:
        return f"{head} is at address {_address(start)} but contains no code.\n"
    gdb.set_convenience_variable("_", gdb.Value(start))
    ends = _address(sal.last + 1)
    return f"{head} starts at address {_address(start)} and ends at {ends}.\n"


def _address(pc: int) -> str:
    symbol = gdb.execute(f"info symbol {pc:#x}", to_string=True)
    match = _SYMBOL.match(symbol)
    if match is None:
        return f"{pc:#x}"
    return f"{pc:#x} <{match[1]}{'+' + match[2] if match[2] else ''}>"


class Own(gdb.Function):
    """The variable or function of that name in the selected hart's ELF: $_tensix_own("NAME")."""

    def __init__(self) -> None:
        super().__init__("_tensix_own")

    def invoke(self, name: Any) -> Any:
        own = own_file()
        text = name.string()
        value = None if own is None else own_value(text, own)
        if value is None:
            raise gdb.GdbError(f"{selected_hart()} has no {text} of its own.")
        return value


def keep_own_locations(breakpoint: Any) -> None:
    """`break run_kernel` with five ELFs that have one: of its locations, those of the selected
    thread's ELF stay enabled, or of the thread that it names. `enable` brings the others back."""
    locations = getattr(breakpoint, "locations", ())  # GDB 13 and later
    if len(locations) < 2 or not _NAME.match(breakpoint.location or ""):
        return
    if len(gdb.inferiors()) > 1:
        return  # each hart is a process, and GDB knows the variables of each
    own = own_file_of(breakpoint.thread)
    mine = [location for location in locations if _objfile_at(location.address) == own]
    if own is None or not mine or len(mine) == len(locations):
        return
    for location in locations:
        location.enabled = location in mine
    number = breakpoint.number
    kept = [f"{number}.{at}" for at, location in enumerate(locations, 1) if location in mine]
    gdb.write(
        f"Enabled: {', '.join(kept)}, in {Path(own.filename).name}; "
        f"`enable {number}.1-{len(locations)}` enables all.\n"
    )


def own_file_of(thread: int | None) -> Any:
    """Return the symbol file of a thread by GDB's number; None for the selected one."""
    if thread is None or thread == gdb.selected_thread().global_num:
        return own_file()
    before = gdb.selected_thread()
    for other in gdb.selected_inferior().threads():
        if other.global_num == thread:
            other.switch()
            try:
                return own_file()
            finally:
                before.switch()
    return None


def _objfile_at(addr: int) -> Any:
    symtab = gdb.find_pc_line(addr).symtab
    return None if symtab is None else symtab.objfile


def define() -> None:
    """Make GDB know all of it."""
    Print()
    InfoLine()
    Own()
    gdb.events.breakpoint_created.connect(keep_own_locations)
