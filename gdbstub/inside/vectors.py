# SPDX-License-Identifier: Apache-2.0
"""Runs inside GDB: variables of SFPI's types in expressions, as arrays of 32 lanes.

For most of them SFPI's compiler has no location, and GDB says `<optimized out>`; where it has one,
it is a register that GDB's tables for RISC-V do not have. The tile finds them
(gdbstub/tensix/vectors). `print` knows them by their names, and any other command by
`$_tensix_lanes("NAME")`.
"""

from typing import Any

import gdb

from gdbstub.inside.commands import selected_thread
from gdbstub.inside.query import ask

TYPES = ("vFloat", "vInt", "vUInt", "vSMag", "vUInt16", "vInt16")
OF_LANES = {"vFloat": "float", "vInt": "int", "vInt16": "int"}  # others are unsigned
BYTES = 4


def found(name: str) -> tuple[Any, Any]:
    """Return the variable that a name means, and its frame. That is the selected one or, as GDB
    stops in a function of a header where a line of a kernel begins with a call that is inlined,
    the first one that it is inlined into and that has the name."""
    frame = gdb.selected_frame()
    while True:
        symbol = gdb.lookup_symbol(name, frame.block())[0]
        if symbol is not None or frame.type() != gdb.INLINE_FRAME or frame.older() is None:
            return symbol, frame
        frame = frame.older()


def value_of(name: str) -> Any:
    """Return the lanes of a variable of such a type, or the value of one that GDB finds in an outer
    frame only; None of all that GDB knows better."""
    try:
        symbol, frame = found(name)
    except (gdb.error, RuntimeError):
        return None  # there is no frame, or no block
    if symbol is None or not (symbol.is_variable or symbol.is_argument):
        return None
    if _is_vector(symbol.type) and _keeps_lregs(frame):
        return lanes(name)
    is_outer = symbol.needs_frame and frame != gdb.selected_frame()
    return frame.read_var(symbol) if is_outer else None


def _is_vector(kind: Any) -> bool:
    kind = kind.strip_typedefs()
    if kind.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        kind = kind.target()
    return (kind.unqualified().name or "").rpartition("::")[2] in TYPES


def _keeps_lregs(frame: Any) -> bool:
    """True of the innermost frame and those that it is inlined into: nothing keeps the LRegs of a
    caller."""
    newest = gdb.newest_frame()
    while newest != frame and newest.type() == gdb.INLINE_FRAME:
        newest = newest.older()
    return bool(newest == frame)


def lanes(name: str) -> Any:
    """Return the lanes; gdb.GdbError with the reason where they are not known."""
    kind, *words = ask(f"lanes {selected_thread()} {name}").split()
    content = b"".join(int(word, 16).to_bytes(BYTES, "little") for word in words)
    element = gdb.lookup_type(OF_LANES.get(kind, "unsigned int"))
    return gdb.Value(content, element.array(len(words) - 1))


class Lanes(gdb.Function):
    """The lanes of a vFloat, vInt or vUInt of the selected thread: $_tensix_lanes("NAME")."""

    def __init__(self) -> None:
        super().__init__("_tensix_lanes")

    def invoke(self, name: Any) -> Any:
        return lanes(name.string())


def define() -> None:
    """Make GDB know it."""
    Lanes()
