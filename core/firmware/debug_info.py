# SPDX-License-Identifier: Apache-2.0
"""What a host has to know of a firmware, from the DWARF of its ELF files: where things are.

Three questions are enough: what value has a constant, at which offset is a member of a structure,
and with which constant was an inlined function called.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO

from elftools.common.exceptions import DWARFError, ELFError
from elftools.construct.core import ConstructError
from elftools.dwarf.die import DIE, AttributeValue
from elftools.dwarf.dwarf_expr import DWARFExprParser
from elftools.dwarf.dwarfinfo import DWARFInfo
from elftools.dwarf.locationlists import LocationEntry, LocationExpr, LocationParser
from elftools.elf.elffile import ELFFile

from core.loader import Image, LoadError

_STEP = re.compile(r"\.?(\w+)|\[(\d+)\]")
# What stands between a name and what it means for the layout.
_TRANSPARENT = ("DW_TAG_typedef", "DW_TAG_volatile_type", "DW_TAG_const_type")
_AGGREGATE = ("DW_TAG_structure_type", "DW_TAG_union_type", "DW_TAG_class_type")


@dataclass(frozen=True, slots=True)
class Member:
    """Where a member of a structure is, from the beginning of the structure."""

    offset: int
    size: int


class DebugInfo:
    """The DWARF of one ELF file. LoadError when it does not say what is asked."""

    def __init__(self, image: Image) -> None:
        self._path = image.path
        try:
            elf = ELFFile(BytesIO(image.content))
            if not elf.has_dwarf_info():
                raise LoadError(f"{image.path}: no debug information; build the firmware with -g")
            self._dwarf: DWARFInfo = elf.get_dwarf_info()
            self._entries = [entry for unit in self._dwarf.iter_CUs() for entry in unit.iter_DIEs()]
        except (ELFError, DWARFError, ConstructError, KeyError, IndexError, ValueError) as error:
            raise LoadError(f"{image.path}: damaged debug information: {error}") from None

    @cached_property
    def producer(self) -> str:
        """The compiler and its options."""
        return "; ".join(
            _text(entry, "DW_AT_producer")
            for entry in self._entries
            if entry.tag == "DW_TAG_compile_unit"
        )

    @cached_property
    def _constants(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for entry in self._entries:
            value = entry.attributes.get("DW_AT_const_value")
            if (
                entry.tag == "DW_TAG_variable"
                and value is not None
                and isinstance(value.value, int)
            ):
                found.setdefault(_text(entry, "DW_AT_name"), value.value)
        return found

    def constant(self, name: str, otherwise: int | None = None) -> int:
        """The value of a variable that the compiler knows."""
        value = self._constants.get(name, otherwise)
        if value is None:
            raise LoadError(f"{self._path}: its debug information has no value of {name}")
        return value

    def argument(self, function: str, parameter: str) -> int | None:
        """The constant that an inlined `function` was called with, or None when there is none."""
        for entry in self._entries:
            if entry.tag != "DW_TAG_formal_parameter" or "DW_AT_abstract_origin" not in (
                entry.attributes
            ):
                continue
            origin = entry.get_DIE_from_attribute("DW_AT_abstract_origin")
            if _text(origin, "DW_AT_name") != parameter:
                continue
            if _text(origin.get_parent(), "DW_AT_name") == function:
                value = self._known(entry)
                if value is not None:
                    return value
        return None

    def _known(self, entry: DIE) -> int | None:
        value = entry.attributes.get("DW_AT_const_value")
        if value is not None:
            return int(value.value)
        location = entry.attributes.get("DW_AT_location")
        if location is None:
            return None
        parser = DWARFExprParser(entry.cu.structs)
        for expression in self._locations(location, entry):
            operations = parser.parse_expr(expression)
            if (
                len(operations) == 2
                and operations[0].op_name.startswith("DW_OP_const")
                and operations[1].op_name == "DW_OP_stack_value"
            ):
                return int(operations[0].args[0])
        return None

    def _locations(self, attribute: AttributeValue, entry: DIE) -> Iterator[list[int]]:
        parser = LocationParser(self._dwarf.location_lists())
        found = parser.parse_from_attribute(attribute, entry.cu["version"], entry)
        for one in [found] if isinstance(found, LocationExpr) else found:
            if isinstance(one, LocationExpr | LocationEntry):
                yield one.loc_expr

    def member(self, structure: str, path: str) -> Member:
        """Where `path`, such as `launch[0].enables`, is in a structure."""
        for entry in self._entries:
            if (
                entry.tag in _AGGREGATE
                and _text(entry, "DW_AT_name") == structure
                and "DW_AT_declaration" not in entry.attributes
            ):
                break
        else:
            raise LoadError(f"{self._path}: its debug information has no structure {structure}")
        offset = 0
        for name, index in _STEP.findall(path):
            place = self._named(entry, name) if name else self._element(entry, int(index))
            if place is None:
                raise LoadError(
                    f"{self._path}: {structure} has no {path}; is it the firmware of this release?"
                )
            offset += place[0]
            entry = place[1]
        return Member(offset, _size(entry))

    def _named(self, entry: DIE, name: str) -> tuple[int, DIE] | None:
        """Offset and type of a member; members of unnamed structures count as its own."""
        for child in entry.iter_children():
            if child.tag != "DW_TAG_member":
                continue
            at = child.attributes.get("DW_AT_data_member_location")
            offset = 0 if at is None else int(at.value)
            kind = _type(child)
            if _text(child, "DW_AT_name") == name:
                return offset, kind
            if "DW_AT_name" not in child.attributes and kind.tag in _AGGREGATE:
                inner = self._named(kind, name)
                if inner is not None:
                    return offset + inner[0], inner[1]
        return None

    def _element(self, entry: DIE, index: int) -> tuple[int, DIE] | None:
        if entry.tag != "DW_TAG_array_type":
            return None
        kind = _type(entry)
        return index * _size(kind), kind


def _text(entry: DIE | None, attribute: str) -> str:
    found = None if entry is None else entry.attributes.get(attribute)
    if found is None:
        return ""
    return found.value.decode("utf-8", "replace") if isinstance(found.value, bytes) else ""


def _type(entry: DIE) -> DIE:
    kind = entry.get_DIE_from_attribute("DW_AT_type")
    while kind.tag in _TRANSPARENT and "DW_AT_type" in kind.attributes:
        kind = kind.get_DIE_from_attribute("DW_AT_type")
    return kind


def _size(kind: DIE) -> int:
    if kind.tag != "DW_TAG_array_type":
        size = kind.attributes.get("DW_AT_byte_size")
        return 0 if size is None else int(size.value)
    size = _size(_type(kind))
    for bound in kind.iter_children():
        upper = bound.attributes.get("DW_AT_upper_bound")
        count = bound.attributes.get("DW_AT_count")
        if upper is not None:
            size *= int(upper.value) + 1
        elif count is not None:
            size *= int(count.value)
    return size
