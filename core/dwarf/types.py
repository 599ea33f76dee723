# SPDX-License-Identifier: Apache-2.0
"""Types of data, and bytes as Python values.

A number is an int (float, bool), an enumerator an `Enumerator` (an int with a name), a pointer an
int, a structure or union a `Structure` (fields as attributes; equal to a dict of the same values),
an array a list, an array of characters bytes. Everything is little-endian, as the harts are.
"""

from __future__ import annotations

import enum
import struct
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from tensix_gdb.core.dataclass import dataclass

POINTER_BYTES = 4


class Kind(enum.Enum):
    """The kind of a type; the value is the word in messages."""

    SIGNED = "an integer"
    UNSIGNED = "an unsigned integer"
    BOOLEAN = "a bool"
    CHARACTER = "a character"
    FLOAT = "a floating-point number"
    ENUMERATION = "an enumeration"
    POINTER = "a pointer"
    STRUCTURE = "a structure"
    UNION = "a union"
    ARRAY = "an array"
    FUNCTION = "a function"
    VOID = "void"


class WrongType(ValueError):
    """A value does not have the type; the message is one sentence."""


@dataclass(slots=True)
class Type:
    """A type. `target` is what a pointer points to or an array consists of; filled in after the
    type is made, because types refer to each other."""

    kind: Kind
    name: str
    size: int = 0
    target: Type | None = None
    count: int | None = None
    members: list[Member] = field(default_factory=list)
    enumerators: dict[int, str] = field(default_factory=dict)
    signed: bool = False

    @property
    def is_array(self) -> bool:
        """True of an array."""
        return self.kind is Kind.ARRAY

    def member(self, name: str) -> Member:
        """Return a member by its name, also one of an unnamed member; WrongType when there is
        none."""
        for member in self.members:
            if member.name == name:
                return member
            if not member.name and member.type.kind in (Kind.STRUCTURE, Kind.UNION):
                try:
                    inner = member.type.member(name)
                except WrongType:
                    continue
                return Member(name, inner.type, member.offset + inner.offset, inner.bits)
        known = ", ".join(member.name for member in self.members if member.name)
        raise WrongType(f"{self.name} has no member {name}; it has {known or 'none'}")


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a structure or union. `bits` of a bit field: (first bit from `offset`, count)."""

    name: str
    type: Type
    offset: int
    bits: tuple[int, int] | None = None

    @property
    def size(self) -> int:
        """Bytes to read for it."""
        return self.type.size if self.bits is None else (sum(self.bits) + 7) // 8


class Enumerator(int):
    """A value of an enumeration: an int that knows its name."""

    name: str

    def __new__(cls, value: int, name: str) -> Enumerator:
        made = super().__new__(cls, value)
        made.name = name
        return made

    def __repr__(self) -> str:
        return self.name or str(int(self))

    __str__ = __repr__


class Structure(Mapping[str, Any]):
    """A structure's values: `sample.value`, `sample["value"]`, `sample == {"number": 1, ...}`."""

    def __init__(self, name: str, values: dict[str, Any]) -> None:
        self._name = name
        self._values = values

    def __getattr__(self, name: str) -> Any:
        try:
            return self._values[name]
        except KeyError:
            known = ", ".join(self._values)
            raise AttributeError(f"{self._name} has no member {name}; it has {known}") from None

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Any:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and dict(self) == dict(other)

    def __hash__(self) -> int:
        return hash(tuple(self._values))

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{name} = {show(v)}" for name, v in self._values.items()) + "}"


def show(value: Any) -> str:
    """Return a value in a few words, as it appears after a variable's name."""
    if isinstance(value, bytes):
        return '"' + value.rstrip(b"\0").decode("latin-1") + '"'
    if isinstance(value, list):
        shown = ", ".join(show(element) for element in value[:16])
        return "{" + shown + (", ..." if len(value) > 16 else "") + "}"
    return repr(value)


_FLOATS = {2: "<e", 4: "<f", 8: "<d"}


def decode(kind: Type, data: bytes) -> Any:
    """Return the value that `data` holds."""
    match kind.kind:
        case Kind.FLOAT if kind.size in _FLOATS:
            return struct.unpack(_FLOATS[kind.size], data[: kind.size])[0]
        case Kind.BOOLEAN:
            return any(data[: kind.size])
        case Kind.STRUCTURE | Kind.UNION:
            return Structure(kind.name, dict(_members(kind, data)))
        case Kind.ARRAY:
            return _array(kind, data)
    value = int.from_bytes(data[: kind.size], "little", signed=kind.signed)
    if kind.kind is Kind.ENUMERATION:
        return Enumerator(value, kind.enumerators.get(value, ""))
    return value


def _members(kind: Type, data: bytes) -> list[tuple[str, Any]]:
    members: list[tuple[str, Any]] = []
    for member in kind.members:
        if not member.name and member.type.kind in (Kind.STRUCTURE, Kind.UNION):
            members += _members(member.type, data[member.offset :])
        else:
            members.append((member.name, decode_member(member, data[member.offset :])))
    return members


def decode_member(member: Member, data: bytes) -> Any:
    """Return the value of a member that begins at the start of `data`."""
    if member.bits is None:
        return decode(member.type, data)
    first, count = member.bits
    raw = int.from_bytes(data[: member.size], "little") >> first & ((1 << count) - 1)
    if member.type.signed and raw >> (count - 1):
        raw -= 1 << count
    if member.type.kind is Kind.ENUMERATION:
        return Enumerator(raw, member.type.enumerators.get(raw, ""))
    return bool(raw) if member.type.kind is Kind.BOOLEAN else raw


def _array(kind: Type, data: bytes) -> Any:
    element = kind.target
    assert element is not None
    if element.kind is Kind.CHARACTER:
        return bytes(data[: kind.size])
    size = max(element.size, 1)
    return [decode(element, data[at : at + size]) for at in range(0, kind.size, size)]


def encode(kind: Type, value: Any) -> bytes:
    """Return the bytes of a value; WrongType when it does not fit the type."""
    match kind.kind:
        case Kind.FLOAT if kind.size in _FLOATS:
            return struct.pack(_FLOATS[kind.size], value)
        case Kind.ARRAY if isinstance(value, bytes):
            if len(value) > kind.size:
                raise WrongType(f"{len(value)} bytes do not fit {kind.name}")
            return value.ljust(kind.size, b"\0")
        case Kind.ARRAY if isinstance(value, Sequence):
            assert kind.target is not None
            if len(value) != kind.count:
                raise WrongType(f"{kind.name} takes {kind.count} values, not {len(value)}")
            return b"".join(encode(kind.target, element) for element in value)
        case Kind.STRUCTURE | Kind.UNION | Kind.ARRAY | Kind.FUNCTION | Kind.VOID:
            raise WrongType(f"{kind.name} is {kind.kind.value}; assign to one of its parts")
    if isinstance(value, str):
        value = _enumerator(kind, value)
    if not isinstance(value, int):
        raise WrongType(f"{value!r} is not {kind.kind.value}, which {kind.name} is")
    # Both -1 and 0xffffffff are what a C programmer means by 32 bits of ones.
    if not -(1 << (8 * kind.size - 1)) <= value < 1 << (8 * kind.size):
        raise WrongType(f"{value:#x} does not fit {kind.name}, which has {kind.size} bytes")
    return (value & ((1 << 8 * kind.size) - 1)).to_bytes(kind.size, "little")


def _enumerator(kind: Type, name: str) -> int:
    for value, known in kind.enumerators.items():
        if known == name:
            return value
    raise WrongType(f"{kind.name} has no enumerator {name}")
