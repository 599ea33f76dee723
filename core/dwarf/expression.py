# SPDX-License-Identifier: Apache-2.0
"""Location expressions: where a variable of a frame is, or what it is (DWARF 5, section 2.5, 2.6).

An expression is a list of operations (name, arguments), as `core.dwarf.info` parses them. The
result is a list of pieces: in memory, in a register, a value that is nowhere, or nothing at all.
Registers are those of the frame that is asked about, by DWARF's numbers (RISC-V psABI: x0 to x31
are 0 to 31).
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from typing import Any

from tensix_gdb.core.dataclass import dataclass

MASK32 = 0xFFFFFFFF
MAX_OPERATIONS = 4096
PARAMETER = "DW_OP_GNU_parameter_ref"  # of a parameter that the compiler dropped


class Where(enum.Enum):
    """The kind of place of a piece."""

    MEMORY = "memory"
    REGISTER = "register"
    VALUE = "a value"
    NOWHERE = "optimized out"


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of an object: `at` is its address, register number or value; `size` in bytes or
    None for all of it."""

    where: Where
    at: int = 0
    size: int | None = None


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation, by its name in the standard."""

    name: str
    args: tuple[Any, ...]


Expression = Sequence[Operation]


@dataclass(frozen=True, slots=True)
class Context:
    """The machine state that an expression may refer to. None from a function means that it is not
    known."""

    register: Callable[[int], int | None]
    memory: Callable[[int, int], bytes | None]
    frame_base: Callable[[], int | None]
    cfa: Callable[[], int | None]
    entry_value: Callable[[Expression], int | None]


class Unknown(Exception):
    """The expression needs something that cannot be known any more: optimized out."""


def locate(expression: Expression, context: Context) -> list[Piece]:
    """Return where the object is, in pieces; one piece of NOWHERE when it cannot be known."""
    try:
        return _Run(context).locate(expression)
    except Unknown:
        return [Piece(Where.NOWHERE)]


def evaluate(expression: Expression, context: Context, first: Sequence[int] = ()) -> int | None:
    """Return the number an expression computes: a frame base, a saved register's address."""
    run = _Run(context)
    run.stack += first
    try:
        pieces = run.locate(expression)
    except Unknown:
        return None
    if len(pieces) != 1 or pieces[0].where is Where.NOWHERE:
        return None
    if pieces[0].where is Where.REGISTER:
        return context.register(pieces[0].at)
    return pieces[0].at


_BINARY: dict[str, Callable[[int, int], int]] = {
    "DW_OP_plus": lambda a, b: a + b,
    "DW_OP_minus": lambda a, b: a - b,
    "DW_OP_mul": lambda a, b: a * b,
    "DW_OP_div": lambda a, b: _divided(_signed(a), _signed(b)),
    "DW_OP_mod": lambda a, b: (a & MASK32) % (b & MASK32) if b & MASK32 else 0,
    "DW_OP_and": lambda a, b: a & b,
    "DW_OP_or": lambda a, b: a | b,
    "DW_OP_xor": lambda a, b: a ^ b,
    "DW_OP_shl": lambda a, b: a << b if b < 64 else 0,
    "DW_OP_shr": lambda a, b: (a & MASK32) >> b if b < 64 else 0,
    "DW_OP_shra": lambda a, b: _signed(a) >> min(b, 63),
    "DW_OP_eq": lambda a, b: int(_signed(a) == _signed(b)),
    "DW_OP_ne": lambda a, b: int(_signed(a) != _signed(b)),
    "DW_OP_lt": lambda a, b: int(_signed(a) < _signed(b)),
    "DW_OP_le": lambda a, b: int(_signed(a) <= _signed(b)),
    "DW_OP_gt": lambda a, b: int(_signed(a) > _signed(b)),
    "DW_OP_ge": lambda a, b: int(_signed(a) >= _signed(b)),
}
_UNARY: dict[str, Callable[[int], int]] = {
    "DW_OP_neg": lambda a: -a,
    "DW_OP_not": lambda a: ~a,
    "DW_OP_abs": lambda a: abs(_signed(a)),
}
_CONSTANTS = {
    *("DW_OP_addr", "DW_OP_constu", "DW_OP_consts"),
    *(f"DW_OP_const{size}{sign}" for size in (1, 2, 4, 8) for sign in "us"),
}


def _signed(value: int) -> int:
    value &= MASK32
    return value - (1 << 32) if value >> 31 else value


def _divided(a: int, b: int) -> int:
    """Towards zero; what divides by zero has no value worth showing."""
    if b == 0:
        return 0
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


class _Run:
    """One evaluation."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.stack: list[int] = []
        self.pieces: list[Piece] = []
        self.place: Piece | None = None

    def locate(self, expression: Expression) -> list[Piece]:
        if not expression:
            raise Unknown
        for operation in expression[:MAX_OPERATIONS]:
            self.execute(operation.name, operation.args)
        if not self.pieces:
            self.pieces.append(self._take_operand(None))
        return self.pieces

    def _take_operand(self, size: int | None) -> Piece:
        if self.place is not None:
            piece = Piece(self.place.where, self.place.at, size)
        elif self.stack:
            piece = Piece(Where.MEMORY, self.stack.pop() & MASK32, size)
        else:
            piece = Piece(Where.NOWHERE, 0, size)
        self.place = None
        return piece

    def _pop(self) -> int:
        if not self.stack:
            raise Unknown
        return self.stack.pop()

    def _known(self, value: int | None) -> int:
        if value is None:
            raise Unknown
        return value

    def execute(self, name: str, args: Sequence[Any]) -> None:
        push = self.stack.append
        if name in _CONSTANTS:
            push(args[0])
        elif name.startswith("DW_OP_lit"):
            push(int(name[9:]))
        elif name.startswith("DW_OP_breg"):
            push(self._known(self.context.register(int(name[10:]))) + args[0])
        elif name == "DW_OP_bregx":
            push(self._known(self.context.register(args[0])) + args[1])
        elif name.startswith("DW_OP_reg"):
            self.place = Piece(Where.REGISTER, args[0] if name == "DW_OP_regx" else int(name[9:]))
        elif name in _BINARY:
            right, left = self._pop(), self._pop()
            push(_BINARY[name](left, right))
        elif name in _UNARY:
            push(_UNARY[name](self._pop()))
        else:
            self._other(name, args)

    def _other(self, name: str, args: Sequence[Any]) -> None:
        push = self.stack.append
        match name:
            case "DW_OP_fbreg":
                push(self._known(self.context.frame_base()) + args[0])
            case "DW_OP_call_frame_cfa":
                push(self._known(self.context.cfa()))
            case "DW_OP_plus_uconst":
                push(self._pop() + args[0])
            case "DW_OP_deref":
                push(self._read(self._pop(), 4))
            case "DW_OP_deref_size":
                push(self._read(self._pop(), args[0]))
            case "DW_OP_dup":
                push(self.stack[-1] if self.stack else self._pop())
            case "DW_OP_drop":
                self._pop()
            case "DW_OP_over" | "DW_OP_pick":
                at = 1 if name == "DW_OP_over" else args[0]
                if at >= len(self.stack):
                    raise Unknown
                push(self.stack[-1 - at])
            case "DW_OP_swap":
                right, left = self._pop(), self._pop()
                self.stack += [right, left]
            case "DW_OP_piece":
                self.pieces.append(self._take_operand(args[0]))
            case "DW_OP_stack_value":
                self.place = Piece(Where.VALUE, self._pop())
            case "DW_OP_implicit_value":
                self.place = Piece(Where.VALUE, int.from_bytes(bytes(args[0]), "little"))
            case "DW_OP_entry_value" | "DW_OP_GNU_entry_value":
                push(self._known(self.context.entry_value(args[0])))
            case name if name == PARAMETER:
                push(self._known(self.context.entry_value((Operation(name, tuple(args)),))))
            case "DW_OP_nop":
                pass
            case _:
                raise Unknown

    def _read(self, addr: int, size: int) -> int:
        data = self.context.memory(addr & MASK32, size)
        if data is None or len(data) < size:
            raise Unknown
        return int.from_bytes(data, "little")
