# SPDX-License-Identifier: Apache-2.0
"""Names in a frame, and paths: `pipeline.ring.slot[2].value`, `*where`, `p->next`, `*window@4`.

A path is a name, followed by `.member`, `->member` and `[index]`, with `*`s or one `&` in front
and `@count` after it. That is the part of C that names things; it computes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.dwarf.blocks import Variable
from tensix_gdb.core.dwarf.expression import Piece, Where, locate
from tensix_gdb.core.dwarf.frames import Frame
from tensix_gdb.core.dwarf.typereader import array_of
from tensix_gdb.core.dwarf.types import Kind, Member, Type, WrongType, decode, decode_member, encode

WriteMemory = Callable[[int, bytes], None]
WriteRegister = Callable[[int, int], None]


class NoSuchName(LookupError):
    """A name is not known here, or cannot be read now; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Object:
    """Something with a type and a place."""

    name: str
    type: Type
    frame: Frame
    pieces: tuple[Piece, ...]
    bits: tuple[int, int] | None = None

    @property
    def addr(self) -> int:
        """Its address; NoSuchName when it is not in memory."""
        if len(self.pieces) == 1 and self.pieces[0].where is Where.MEMORY:
            return self.pieces[0].at
        raise NoSuchName(f"{self.name} is not in memory here but in {self._where()}")

    def _where(self) -> str:
        return " and ".join(dict.fromkeys(piece.where.value for piece in self.pieces)) or "nothing"

    def data(self) -> bytes:
        """Return its bytes; NoSuchName when they are not known here."""
        size = self.type.size if self.bits is None else (sum(self.bits) + 7) // 8
        out = b""
        for piece in self.pieces:
            wanted = size - len(out) if piece.size is None else piece.size
            out += self._piece(piece, wanted)
        return out[:size].ljust(size, b"\0")

    def _piece(self, piece: Piece, size: int) -> bytes:
        match piece.where:
            case Where.MEMORY:
                data = self.frame.memory(piece.at, size)
                if data is None or len(data) < size:
                    raise NoSuchName(f"{self.name} is at {piece.at:#010x}, which cannot be read")
                return data
            case Where.REGISTER:
                value = self.frame.registers.get(piece.at)
                if value is not None:
                    return (value & ((1 << 8 * max(size, 4)) - 1)).to_bytes(max(size, 4), "little")[
                        :size
                    ]
            case Where.VALUE:
                return (piece.at & ((1 << 8 * size) - 1)).to_bytes(size, "little")
        raise NoSuchName(f"{self.name} is optimized out here; stop elsewhere, or build with -Og")

    def value(self) -> Any:
        """Return its value as Python has it."""
        if self.bits is not None:
            return decode_member(Member("", self.type, 0, self.bits), self.data())
        return decode(self.type, self.data())

    def assign(self, value: Any, memory: WriteMemory, register: WriteRegister) -> None:
        """Give it a value."""
        piece = self.pieces[0]
        if len(self.pieces) != 1 or piece.where not in (Where.MEMORY, Where.REGISTER):
            raise NoSuchName(f"{self.name} cannot be set here: it is in {self._where()}")
        if self.bits is not None:
            memory(piece.at, self._with_bits(value))
            return
        data = encode(self.type, value)
        if piece.where is Where.MEMORY:
            memory(piece.at, data)
        else:
            number = int.from_bytes(data, "little", signed=self.type.signed)
            register(piece.at, number & 0xFFFFFFFF)

    def _with_bits(self, value: Any) -> bytes:
        assert self.bits is not None
        first, count = self.bits
        if not isinstance(value, int) or not -(1 << count - 1) <= value < 1 << count:
            raise WrongType(f"{value!r} does not fit {self.name}, which has {count} bits")
        data = self.data()
        mask = ((1 << count) - 1) << first
        kept = int.from_bytes(data, "little") & ~mask
        return (kept | (value << first & mask)).to_bytes(len(data), "little")

    # Parts

    def member(self, name: str) -> Object:
        """Return a member."""
        if self.type.kind not in (Kind.STRUCTURE, Kind.UNION):
            raise NoSuchName(f"{self.name} is {self.type.kind.value}: it has no member {name}")
        try:
            member = self.type.member(name)
        except WrongType as problem:
            raise NoSuchName(str(problem)) from None
        return self._part(f"{self.name}.{name}", member.type, member.offset, member.bits)

    def element(self, index: int) -> Object:
        """Return an element of an array, or what a pointer points to, `index` elements on."""
        if self.type.kind is Kind.POINTER:
            return self.target(index)
        if self.type.kind is not Kind.ARRAY or self.type.target is None:
            raise NoSuchName(f"{self.name} is {self.type.kind.value}: it has no element [{index}]")
        if self.type.count and not 0 <= index < self.type.count:
            raise NoSuchName(f"{self.name} has {self.type.count} elements, none is [{index}]")
        part = self.type.target
        return self._part(f"{self.name}[{index}]", part, index * part.size, None)

    def target(self, index: int = 0) -> Object:
        """Return the object that a pointer points to, `index` elements on; NoSuchName if this is no
        pointer."""
        kind = self.type
        if kind.kind is Kind.ARRAY:
            return self.element(index)
        if kind.kind is not Kind.POINTER or kind.target is None or not kind.target.size:
            raise NoSuchName(f"{self.name} is {kind.kind.value}, no pointer to anything known")
        addr = (int(self.value()) + index * kind.target.size) & 0xFFFFFFFF
        name = f"{self.name}[{index}]" if index else f"*{self.name}"
        return Object(name, kind.target, self.frame, (Piece(Where.MEMORY, addr),))

    def array(self, count: int) -> Object:
        """`count` objects from this one on, GDB's `@`."""
        place = Piece(Where.MEMORY, self.addr)
        return Object(f"{self.name}@{count}", array_of(self.type, count), self.frame, (place,))

    def _part(self, name: str, kind: Type, offset: int, bits: tuple[int, int] | None) -> Object:
        if len(self.pieces) == 1 and self.pieces[0].where is Where.MEMORY:
            places: tuple[Piece, ...] = (Piece(Where.MEMORY, self.pieces[0].at + offset),)
        else:
            size = kind.size if bits is None else (sum(bits) + 7) // 8
            data = self.data()[offset : offset + size]
            places = (Piece(Where.VALUE, int.from_bytes(data, "little"), size),)
        return Object(name, kind, self.frame, places, bits)


def variables(frame: Frame) -> Iterator[Variable]:
    """Variables of a frame: those of the innermost block first, each name once."""
    seen: set[str] = set()
    for block in reversed(frame.blocks):
        for variable in frame.info.variables(block):
            if variable.name and variable.name not in seen:
                seen.add(variable.name)
                yield variable


def find(frame: Frame, name: str) -> Object:
    """Return the object that a name means in a frame; NoSuchName when there is none."""
    variable = next((local for local in variables(frame) if local.name == name), None)
    variable = variable or frame.info.globals.get(name) or _static(frame, name)
    if variable is None:
        raise NoSuchName(f"there is no variable {name} in {frame.function}, and no global one")
    return object_of(frame, variable)


def _static(frame: Frame, name: str) -> Variable | None:
    """Return a static variable of a function that is not running: `twice::calls`."""
    prefix, _, last = name.rpartition("::")
    function = frame.info.function(prefix) if prefix else None
    if function is None:
        return None
    return next(
        (variable for variable in frame.info.variables(function) if variable.name == last), None
    )


def object_of(frame: Frame, variable: Variable) -> Object:
    """Return a variable in a frame, with the place where it is now."""
    kind = frame.info.type_of(variable)
    if variable.constant is not None and not variable.places:
        constant = variable.constant
        value = constant if isinstance(constant, int) else int.from_bytes(constant, "little")
        return Object(variable.name, kind, frame, (Piece(Where.VALUE, value, kind.size),))
    pieces = locate(variable.at(frame.look), frame.context())
    return Object(variable.name, kind, frame, tuple(pieces))


_PATH = re.compile(r"(?P<front>[*&]*)(?P<name>[A-Za-z_][\w:]*)(?P<steps>.*?)(?:@(?P<count>\d+))?")
_STEP = re.compile(r"\.(?P<dot>\w+)|->(?P<arrow>\w+)|\[(?P<index>-?\d+)\]")


def look_up(frame: Frame, path: str) -> Object:
    """Return the object that a path means in a frame; NoSuchName says what is wrong with it."""
    parts = _PATH.fullmatch(path.replace(" ", ""))
    if parts is None:
        raise NoSuchName(f"{path!r} is not a path such as pipeline.ring.slot[2].value")
    selected = find(frame, parts["name"])
    at, steps = 0, parts["steps"]
    while at < len(steps):
        step = _STEP.match(steps, at)
        if step is None:
            raise NoSuchName(f"{path!r}: {steps[at:]!r} is not .member, ->member or [number]")
        if step["index"] is not None:
            selected = selected.element(int(step["index"]))
        elif step["arrow"] is not None:
            selected = selected.target().member(step["arrow"])
        else:
            selected = selected.member(step["dot"])
        at = step.end()
    for sign in reversed(parts["front"]):
        selected = selected.target() if sign == "*" else _address(selected)
    return selected if parts["count"] is None else selected.array(int(parts["count"]))


def _address(pointee: Object) -> Object:
    kind = Type(Kind.POINTER, f"{pointee.type.name} *", 4, target=pointee.type)
    return Object(f"&{pointee.name}", kind, pointee.frame, (Piece(Where.VALUE, pointee.addr, 4),))
