# SPDX-License-Identifier: Apache-2.0
"""Verdicts on state by which kernels of LLK disturb each other: ROWS.

`real` breaks the contract: no UNINIT restores what the operation has changed, and no INIT writes
what another one reads. `harmless` is read, and changes no result: why not. `test` is what the
source of a test does itself, and `contract` is state that LLK's rules give to the next
hw_configure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

REAL, HARMLESS, TEST, CONTRACT = "real", "harmless", "test", "contract"


@dataclass(frozen=True, slots=True)
class Row:
    """Hits of one kind. The patterns are regular expressions: the element, and `FUNCTION
    FILE:LINE` of what has left it; `results` says whether they change a result."""

    element: str
    writer: str
    results: bool | None
    verdict: str
    what: str
    why: str

    def fits(self, hit: dict[str, Any]) -> bool:
        """True if a hit is meant."""
        by = hit["left_by"] or {}
        writer = f"{by.get('function', '')} {by.get('line', '')}"
        return (
            re.search(self.element, hit["element"] or ", ".join(hit["kinds"])) is not None
            and re.search(self.writer, writer) is not None
            and self.results in (None, hit["verdict"] == "result")
        )


# fmt: off
ROWS: tuple[Row, ...] = (
)
# fmt: on


def row_of(hit: dict[str, Any]) -> Row | None:
    """Return the row of a hit; None if it has none."""
    return next((row for row in ROWS if row.fits(hit)), None)
