# SPDX-License-Identifier: Apache-2.0
"""The callers' knowledge of the parameters they passed (DWARF 5, section 3.4: call sites).

If a parameter's register was used for something else, the parameter is often still known: its value
at entry is what the caller put there, and the caller's registers that it came from were saved.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tensix_gdb.core.dwarf.entries import reference
from tensix_gdb.core.dwarf.expression import PARAMETER, Expression
from tensix_gdb.core.dwarf.parsing import DAMAGED, parse_expression

_SITES = ("DW_TAG_call_site", "DW_TAG_GNU_call_site")
_BLOCKS = ("DW_TAG_lexical_block", "DW_TAG_inlined_subroutine")
_RETURN = ("DW_AT_call_return_pc", "DW_AT_low_pc")
_ORIGIN = ("DW_AT_call_origin", "DW_AT_abstract_origin")
_TARGET = ("DW_AT_call_target", "DW_AT_GNU_call_site_target")
_PARAMETER = ("DW_AT_call_parameter",)
_VALUE = ("DW_AT_call_value", "DW_AT_GNU_call_site_value")


class CallSite:
    """The call in `function` (an entry) that returns to `back`."""

    def __init__(self, die: Any) -> None:
        self._die = die

    @property
    def callee(self) -> Any:
        """The entry of the function that is called; None for a call through a pointer."""
        attribute = _first(self._die, _ORIGIN)
        if attribute is None:
            return None
        return self._die.dwarfinfo.get_DIE_from_refaddr(reference(self._die, attribute))

    @property
    def target(self) -> Expression:
        """The address that is called, in the caller's registers; empty when it is not known."""
        return self._expression(self._die, _TARGET)

    def value(self, wanted: Expression) -> Expression:
        """Return the value that the caller passed in the place `wanted`, in the caller's registers;
        or empty."""
        for child in self._die.iter_children():
            location = child.attributes.get("DW_AT_location")
            if location is not None and self._parsed(location) == tuple(wanted):
                return self._expression(child, _VALUE)
            parameter = _first(child, _PARAMETER)
            if parameter is not None and self._is(parameter, child, wanted):
                return self._expression(child, _VALUE)
        return ()

    def _is(self, parameter: Any, child: Any, wanted: Expression) -> bool:
        """True if `wanted` is this parameter. One that the callee does not get any more has no
        place."""
        (operation,) = wanted[:1] or (None,)
        if operation is None or operation.name != PARAMETER:
            return False
        return reference(child, parameter) == int(operation.args[0]) + int(child.cu.cu_offset)

    def _expression(self, die: Any, names: tuple[str, ...]) -> Expression:
        attribute = _first(die, names)
        return () if attribute is None else self._parsed(attribute)

    def _parsed(self, attribute: Any) -> Expression:
        return parse_expression(attribute.value, self._die.cu.structs)


def call_site(function: Any, back: int) -> CallSite | None:
    """Return the call in a function's entry that returns to the address `back`, if it is
    described."""
    try:
        for die in _sites(function):
            returns = _first(die, _RETURN)
            if returns is not None and returns.value == back:
                return CallSite(die)
    except DAMAGED:
        return None
    return None


def _sites(die: Any) -> Iterator[Any]:
    for child in die.iter_children():
        if child.tag in _SITES:
            yield child
        elif child.tag in _BLOCKS:
            yield from _sites(child)


def _first(die: Any, names: tuple[str, ...]) -> Any:
    return next((die.attributes[name] for name in names if name in die.attributes), None)
