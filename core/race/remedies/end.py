# SPDX-License-Identifier: Apache-2.0
"""One side of a report, as its remedy needs it, and what is said of both."""

from __future__ import annotations

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.race.findings import Access
from tensix_gdb.core.race.lines import LOAD, Named
from tensix_gdb.core.race.remedies.remedy import Beside, Remedy, Spot


@dataclass(frozen=True, slots=True)
class End:
    """One side of a report: its line, and its instruction."""

    line: Named
    access: Access

    @property
    def what(self) -> str:
        """`the store`, `RDCFG`."""
        if self.line.niu is not None:
            return "the request"
        if self.line.hart is None:
            return self.access.instruction
        return "the load" if self.line.way == LOAD else "the store"

    @property
    def before(self) -> tuple[Spot, ...]:
        """The spot before its instruction; none if that is not the tile's."""
        return self._beside(Beside.BEFORE)

    @property
    def after(self) -> tuple[Spot, ...]:
        """The spot after its instruction; none if that is not the tile's."""
        return self._beside(Beside.AFTER)

    def _beside(self, beside: Beside) -> tuple[Spot, ...]:
        access = self.access
        if access.outside or not access.pc:
            return ()
        return (Spot(beside, access.hart, access.thread, access.pc, access.via),)


@dataclass(frozen=True, slots=True)
class Advice:
    """Sentences of a report, the remedy, and the page."""

    reason: str
    fix: Remedy | None
    page: str
