# SPDX-License-Identifier: Apache-2.0
"""Names of places of NoC 0: `2-3`, `DRAM 5 (9-2)`, `the host (2-0)`."""

from __future__ import annotations

from tensix_gdb.core.chip.places import Place, name_of, on_noc
from tensix_gdb.core.noc.coordinates import AT_OF, COLUMNS_OF, DRAM_0, HOST, TENSIX
from tensix_gdb.core.noc.state import PLACES


def noc_name(chip: int, there: Place) -> str:
    """`2-3`, with what it is if it is no Tensix tile."""
    x, y = on_noc(there)
    kind = AT_OF[PLACES * chip + x + COLUMNS_OF[chip] * y]
    name = name_of(there)
    if kind == HOST:
        return f"the host ({name})"
    return f"DRAM {kind - DRAM_0} ({name})" if DRAM_0 <= kind < TENSIX else name
