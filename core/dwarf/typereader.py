# SPDX-License-Identifier: Apache-2.0
"""Types out of debug information entries. Qualifiers and typedefs are looked through."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tensix_gdb.core.dwarf.types import POINTER_BYTES, Kind, Member, Type

# DW_ATE_ encodings (DWARF 5, section 7.8); complex and decimal numbers are kept as plain bytes.
_ENCODINGS = {
    2: (Kind.BOOLEAN, False),
    4: (Kind.FLOAT, True),
    5: (Kind.SIGNED, True),
    6: (Kind.CHARACTER, True),
    7: (Kind.UNSIGNED, False),
    8: (Kind.CHARACTER, False),
    16: (Kind.CHARACTER, False),
}
_THROUGH = {f"DW_TAG_{name}_type" for name in ("const", "volatile", "restrict", "atomic")} | {
    "DW_TAG_typedef"
}
_POINTERS = {f"DW_TAG_{name}_type" for name in ("pointer", "reference", "rvalue_reference")}
_AGGREGATES = {
    "DW_TAG_structure_type": Kind.STRUCTURE,
    "DW_TAG_class_type": Kind.STRUCTURE,
    "DW_TAG_union_type": Kind.UNION,
}


class TypeReader:
    """Reads each type once."""

    def __init__(self) -> None:
        self.void = Type(Kind.VOID, "void")
        self._known: dict[int, Type] = {}

    def read(self, die: Any) -> Type:
        """Return the type that an entry describes."""
        known = self._known.get(die.offset)
        if known is not None:
            return known
        tag = die.tag
        if tag in _THROUGH:
            target = self._target(die)
            # An unnamed structure is known by its typedef.
            if tag == "DW_TAG_typedef" and not target.name:
                target.name = _text(die)
            self._known[die.offset] = target
            return target
        made = Type(_kind(die), _text(die), _number(die, "DW_AT_byte_size", 0))
        # Known before it is filled: a structure may hold a pointer to itself.
        self._known[die.offset] = made
        if tag in _POINTERS:
            made.size = _number(die, "DW_AT_byte_size", POINTER_BYTES)
            made.target = self._target(die)
            made.name = f"{made.target.name} *"
        elif tag in _AGGREGATES:
            made.members = list(self._members(die))
        elif tag == "DW_TAG_array_type":
            self._array(made, die)
        elif tag == "DW_TAG_enumeration_type":
            self._enumeration(made, die)
        elif tag == "DW_TAG_base_type":
            made.signed = _ENCODINGS.get(_number(die, "DW_AT_encoding", 7), (None, False))[1]
        return made

    def _target(self, die: Any) -> Type:
        if "DW_AT_type" not in die.attributes:
            return self.void
        return self.read(die.get_DIE_from_attribute("DW_AT_type"))

    def _members(self, die: Any) -> Iterator[Member]:
        for child in die.iter_children():
            if child.tag not in ("DW_TAG_member", "DW_TAG_inheritance"):
                continue
            union = die.tag == "DW_TAG_union_type"
            placed = {"DW_AT_data_member_location", "DW_AT_data_bit_offset"} & set(child.attributes)
            if not placed and not union:
                continue  # a static member is a variable elsewhere
            kind = self._target(child)
            offset = _number(child, "DW_AT_data_member_location", 0)
            count = _number(child, "DW_AT_bit_size", 0)
            bits: tuple[int, int] | None = None
            if count:
                first = _first_bit(child, kind, offset, count)
                offset, bits = first // 8, (first % 8, count)
            yield Member(_text(child), kind, offset, bits)

    def _array(self, made: Type, die: Any) -> None:
        counts = [
            _number(child, "DW_AT_count", _number(child, "DW_AT_upper_bound", -1) + 1)
            for child in die.iter_children()
            if child.tag == "DW_TAG_subrange_type"
        ] or [0]
        element = self._target(die)
        # int a[2][3] has the subranges 2 and 3: an array of two arrays of three.
        for count in reversed(counts[1:]):
            element = array_of(element, count)
        made.target, made.count = element, counts[0]
        made.size = element.size * counts[0]
        made.name = f"{_base_name(element)}[{']['.join(map(str, counts))}]"

    def _enumeration(self, made: Type, die: Any) -> None:
        for child in die.iter_children():
            if child.tag == "DW_TAG_enumerator":
                made.enumerators[_number(child, "DW_AT_const_value", 0)] = _text(child)
        made.signed = any(value < 0 for value in made.enumerators)


def array_of(element: Type, count: int) -> Type:
    """Return the type of `count` elements."""
    name = f"{_base_name(element)}[{count}]"
    return Type(Kind.ARRAY, name, element.size * count, target=element, count=count)


def _base_name(element: Type) -> str:
    while element.kind is Kind.ARRAY and element.target is not None:
        element = element.target
    return element.name


def _first_bit(die: Any, kind: Type, offset: int, count: int) -> int:
    """Return the first bit of a bit field, from the structure's start."""
    if "DW_AT_data_bit_offset" in die.attributes:
        return _number(die, "DW_AT_data_bit_offset", 0)
    # DWARF 3: counted from the most significant bit of the storage unit.
    storage = _number(die, "DW_AT_byte_size", kind.size)
    return offset * 8 + storage * 8 - _number(die, "DW_AT_bit_offset", 0) - count


def _kind(die: Any) -> Kind:
    tag = die.tag
    if tag in _POINTERS or tag == "DW_TAG_ptr_to_member_type":
        return Kind.POINTER
    if tag in _AGGREGATES:
        return _AGGREGATES[tag]
    match tag:
        case "DW_TAG_array_type":
            return Kind.ARRAY
        case "DW_TAG_enumeration_type":
            return Kind.ENUMERATION
        case "DW_TAG_subroutine_type":
            return Kind.FUNCTION
        case "DW_TAG_base_type":
            return _ENCODINGS.get(_number(die, "DW_AT_encoding", 7), (Kind.UNSIGNED, False))[0]
    return Kind.VOID


def _number(die: Any, name: str, default: int) -> int:
    attribute = die.attributes.get(name)
    if attribute is None or not isinstance(attribute.value, int):
        return default
    return int(attribute.value)


def _text(die: Any) -> str:
    attribute = die.attributes.get("DW_AT_name")
    return "" if attribute is None else attribute.value.decode("utf-8", "replace")
