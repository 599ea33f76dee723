# SPDX-License-Identifier: Apache-2.0
"""The attributes of a debugging information entry: names, ranges, places, through its origins.

An inlined or out-of-line instance has only what differs from its abstract origin; a definition only
what its declaration does not have. The functions here read both.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from elftools.dwarf.locationlists import BaseAddressEntry, LocationExpr, LocationParser

from tensix_gdb.core.dwarf.expression import Expression
from tensix_gdb.core.dwarf.lines import file_names
from tensix_gdb.core.dwarf.parsing import parse_expression


def ranges_of(dwarf: Any, die: Any) -> Iterator[tuple[int, int]]:
    """Yield the addresses of its code."""
    low, high = (die.attributes.get(f"DW_AT_{end}_pc") for end in ("low", "high"))
    if low is not None and high is not None:
        start = low.value
        end = high.value + (0 if high.form == "DW_FORM_addr" else start)
        # Functions that the linker dropped have nothing at address 0.
        if end > start:
            yield start, end
    elif "DW_AT_ranges" in die.attributes:
        lists = dwarf.range_lists()
        base = die.cu.get_top_DIE().attributes.get("DW_AT_low_pc")
        start = 0 if base is None else base.value
        for entry in lists.get_range_list_at_offset(
            die.attributes["DW_AT_ranges"].value, cu=die.cu
        ):
            if hasattr(entry, "base_address"):
                start = entry.base_address
            elif entry.is_absolute:
                yield entry.begin_offset, entry.end_offset
            else:
                yield start + entry.begin_offset, start + entry.end_offset


def places_of(dwarf: Any, attribute: Any, die: Any) -> Iterator[tuple[int, int, Expression]]:
    """Yield the places of a variable, as (low, high, expression); high 0 for everywhere."""
    unit = die.cu
    parser = LocationParser(dwarf.location_lists())
    parsed: Any = parser.parse_from_attribute(attribute, unit["version"], die)
    if isinstance(parsed, LocationExpr):
        yield 0, 0, parse_expression(parsed.loc_expr, unit.structs)
        return
    top = unit.get_top_DIE().attributes.get("DW_AT_low_pc")
    base = 0 if top is None else top.value
    for entry in parsed:
        if isinstance(entry, BaseAddressEntry):
            base = entry.base_address
        elif hasattr(entry, "loc_expr"):
            start = 0 if entry.is_absolute else base
            yield (
                start + entry.begin_offset,
                start + entry.end_offset,
                parse_expression(entry.loc_expr, unit.structs),
            )


def reference(die: Any, attribute: Any) -> int:
    """Return the offset that a reference means: within its unit, except for ref_addr."""
    value = int(attribute.value)
    return value if attribute.form == "DW_FORM_ref_addr" else value + int(die.cu.cu_offset)


def with_origins(die: Any) -> dict[str, Any]:
    """Return the attributes of a DIE, completed by what it is a concrete instance of."""
    attributes: dict[str, Any] = {}
    for origin in origins(die):
        for name, attribute in origin.attributes.items():
            attributes.setdefault(
                name, _Attribute(attribute, origin) if name == "DW_AT_type" else attribute
            )
    return attributes


def origins(die: Any) -> Iterator[Any]:
    """Yield a DIE, what it is a concrete instance of, and so on."""
    for _ in range(4):
        yield die
        step = next((die.attributes[n] for n in _ORIGINS if n in die.attributes), None)
        if step is None:
            return
        die = die.dwarfinfo.get_DIE_from_refaddr(reference(die, step))


_ORIGINS = ("DW_AT_abstract_origin", "DW_AT_specification")


class _Attribute:
    """A reference made absolute, because it may come from another unit."""

    form = "DW_FORM_ref_addr"

    def __init__(self, attribute: Any, die: Any) -> None:
        self.value = reference(die, attribute)


def name_of(die: Any) -> str:
    attribute = with_origins(die).get("DW_AT_name")
    return "" if attribute is None else attribute.value.decode("utf-8", "replace")


def declaration(dwarf: Any, die: Any) -> tuple[str, str, int]:
    """Return the name that the linker knows, and where the source has it; no file and line 0 when
    that is not said."""
    linkage = with_origins(die).get("DW_AT_linkage_name")
    name = name_of(die) if linkage is None else linkage.value.decode("utf-8", "replace")
    for origin in origins(die):
        file, line = (origin.attributes.get(f"DW_AT_decl_{what}") for what in ("file", "line"))
        if file is not None and line is not None:
            # The number is one of the unit that has the attribute.
            names = file_names(dwarf.line_program_for_CU(origin.cu))
            return name, names.get(file.value, "?"), int(line.value)
    return name, "", 0


def subprograms(die: Any) -> Iterator[Any]:
    """Yield the functions with code in an entry. What is in types and in functions that are only
    inlined is passed over: with LTO that is three quarters of all entries."""
    # Functions of a local class are in its type, those of all others beside it.
    holding = _HOLD_FUNCTIONS if die.tag in _OUTSIDE else (*_HOLD_FUNCTIONS, *_LOCAL)
    for child in die.iter_children():
        if child.tag == "DW_TAG_subprogram":
            if any(name in child.attributes for name in _HAS_CODE):
                yield child
                if child.has_children:
                    yield from subprograms(child)
        elif child.tag in holding and child.has_children:
            yield from subprograms(child)


_HAS_CODE = ("DW_AT_low_pc", "DW_AT_ranges")
_OUTSIDE = ("DW_TAG_compile_unit", "DW_TAG_namespace")
_HOLD_FUNCTIONS = ("DW_TAG_namespace", "DW_TAG_lexical_block")
_LOCAL = ("DW_TAG_structure_type", "DW_TAG_class_type", "DW_TAG_union_type")


def top_variables(die: Any, prefix: str) -> Iterator[tuple[str, Any]]:
    for child in die.iter_children():
        if child.tag == "DW_TAG_variable":
            yield prefix, child
        elif child.tag == "DW_TAG_namespace":
            yield from top_variables(child, f"{prefix}{name_of(child)}::")
