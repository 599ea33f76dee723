# SPDX-License-Identifier: Apache-2.0
"""Call frame information: how a caller's registers are found from an address in a function."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from elftools.dwarf.callframe import FDE

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.dwarf.parsing import DAMAGED, parse_expression


@dataclass(frozen=True, slots=True)
class UnwindRow:
    """The call frame information for a pc: how to compute the CFA and what is saved where.

    Rules are (kind, argument) as in the standard, section 6.4.1, by register number.
    """

    cfa: tuple[str, Any, Any]
    rules: dict[int, tuple[str, Any]]
    return_register: int


class CallFrames:
    """The rows of .debug_frame and .eh_frame."""

    def __init__(self, dwarf: Any) -> None:
        self._dwarf = dwarf

    @cached_property
    def _fdes(self) -> list[Any]:
        dwarf = self._dwarf
        if dwarf is None:
            return []
        try:
            entries = list(dwarf.CFI_entries()) if dwarf.has_CFI() else []
            entries += list(dwarf.EH_CFI_entries()) if dwarf.has_EH_CFI() else []
        except DAMAGED:
            return []
        return [entry for entry in entries if isinstance(entry, FDE)]

    def at(self, pc: int) -> UnwindRow | None:
        """Return the call frame information for `pc`; None if there is none, or it is damaged."""
        for entry in self._fdes:
            low = entry["initial_location"]
            if not low <= pc < low + entry["address_range"]:
                continue
            try:
                lines = [row for row in entry.get_decoded().table if row["pc"] <= pc]
            except DAMAGED:
                return None
            if not lines:
                return None
            rules = {n: (r.type, r.arg) for n, r in lines[-1].items() if isinstance(n, int)}
            cfa = lines[-1]["cfa"]
            back = entry.cie["return_address_register"]
            if cfa.expr is not None:
                expression = parse_expression(cfa.expr, entry.structs)
                return UnwindRow(("expression", expression, 0), rules, back)
            return UnwindRow(("register", cfa.reg, cfa.offset), rules, back)
        return None
