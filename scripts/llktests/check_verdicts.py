# SPDX-License-Identifier: Apache-2.0
"""Verdicts on findings of `--check` in LLK's tests, by what they are about: ROWS.

`real` is state that a kernel leaves, or reads, as the report says. `contract` is so by LLK's rules:
each next init or hw_configure writes it. `gap` is something that the check does not know.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from scripts.llktests.verdicts import side_of

REAL, CONTRACT, GAP = "real", "contract", "gap"


@dataclass(frozen=True, slots=True)
class Row:
    """Findings of one kind. The patterns are regular expressions: the place, and `INSTRUCTION
    FILE:LINE FUNCTION` of the instruction."""

    check: str
    place: str
    later: str
    verdict: str
    what: str
    why: str

    def fits(self, check: str, place: str, later: str) -> bool:
        """True if a finding is meant."""
        return (
            re.fullmatch(self.check, check) is not None
            and re.search(self.place, place) is not None
            and re.search(self.later, later) is not None
        )


# fmt: off
ROWS: tuple[Row, ...] = ()
# fmt: on


def row_of(report: dict[str, Any]) -> Row | None:
    """The row that a finding of a JSON file has."""
    place, later = report["place"]["name"], side_of(report["later"])
    return next((row for row in ROWS if row.fits(report["check"], place, later)), None)
