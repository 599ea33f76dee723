# SPDX-License-Identifier: Apache-2.0
"""A number of time is a row: value, source, trust. The code takes its constants from the rows.

    DST_HOLD = cost("matrix.dst_hold", 5, "cycles", "...", source="...", trust=Trust.MEASURED)

`cost` puts the row into the table and returns the value, so that what the machine does and what
`tensix-gdb explain --time` and the manual's chapter `time` say cannot differ. A row stands beside
the function that uses it. Values are constants of the module when it is lowered, so a row costs
nothing at run time.

Where silicon and a page differ, the row has silicon's number and its note says what the page has.
"""

from __future__ import annotations

import enum

from tensix_gdb.core.dataclass import dataclass


class Trust(enum.Enum):
    """The kind of evidence for a number."""

    PAGE = "page"  # a page of Tenstorrent has it, or one of its engineers has said it
    MEASURED = "measured"  # a published measurement of a card has it
    FITTED = "fitted"  # chosen so that published measurements come out; the note names them
    UNKNOWN = "unknown"  # no source has it: the note says what was chosen and why


MEANING = {
    Trust.PAGE: "a page of Tenstorrent has it, or one of its engineers has said it",
    Trust.MEASURED: "a published measurement of a card has it",
    Trust.FITTED: "chosen so that published measurements come out; the note names them, and what "
    "was kept out",
    Trust.UNKNOWN: "no source has it; the note says what was chosen and why",
}


@dataclass(frozen=True, slots=True)
class Cost:
    """One number: `matrix.dst_hold` is 5 cycles.

    `unit` is what is counted: cycles, bytes in a cycle, entries. `what` says of what it is.
    """

    name: str
    value: int
    unit: str
    what: str
    source: str
    trust: Trust
    note: str = ""

    @property
    def part(self) -> str:
        """The part of the tile: the name before the dot."""
        return self.name.partition(".")[0]


TABLE: dict[str, Cost] = {}


def cost(
    name: str, value: int, unit: str, what: str, *, source: str, trust: Trust, note: str = ""
) -> int:
    """Put a row into the table; return its value."""
    if name in TABLE:
        raise ValueError(f"{name} is two rows of the cost model")
    if trust in (Trust.FITTED, Trust.UNKNOWN) and not note:
        raise ValueError(f"{name} is {trust.value} and has no note")
    TABLE[name] = Cost(name, value, unit, what, source, trust, note)
    return value
