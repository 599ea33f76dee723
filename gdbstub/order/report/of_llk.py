# SPDX-License-Identifier: Apache-2.0
"""Reports that LLK has as it is shipped, with their verdicts: they explain no failure of today.

The rows of llk.known.json are made of the verdicts on reports of LLK's own tests (the manual's
chapter llk-races): `python -m scripts.llktests.judged.shipped` writes them.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path, PurePath

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.order.report.located import Located, Side

KNOWN = Path(__file__).with_name("llk.known.json")
# Of its headers, and of what its tests have in common: a test itself may be about a race.
LIBRARY = re.compile(r"(^|/)(tt_llk_\w+|tests/helpers)/")


@dataclass(frozen=True, slots=True)
class Known:
    """A kind of reports: patterns for the place, and for `INSTRUCTION FILE:LINE FUNCTION`
    of both sides; `check` of a check. `verdict` is real, promise or gap."""

    place: str
    earlier: str
    later: str
    check: str
    verdict: str
    why: str

    def fits(self, one: Located) -> bool:
        """True if the report is meant."""
        if one.report.check != self.check:
            return False
        pairs = (
            (self.place, one.report.place.name),
            (self.earlier, _text_of(one.earlier)),
            (self.later, _text_of(one.later)),
        )
        return all(re.search(pattern, text) for pattern, text in pairs)


def known_in_llk(one: Located) -> Known | None:
    """Return the row of a report of a line of LLK; None if it is news."""
    if not any(_is_of_library(side) for side in one.sides):
        return None
    return next((row for row in _rows() if row.fits(one)), None)


@cache
def _rows() -> tuple[Known, ...]:
    rows = json.loads(KNOWN.read_text(encoding="utf-8"))
    return tuple(Known(**row) for row in rows)


def _is_of_library(side: Side) -> bool:
    return side.step is not None and LIBRARY.search(side.step.file) is not None


def _text_of(side: Side) -> str:
    step = side.step
    if step is None:
        return f"{side.access.instruction} {side.access.pc:#x}"
    file = PurePath(step.file).name
    return f"{side.access.instruction} {file}:{step.line} {step.function}"
