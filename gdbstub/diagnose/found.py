# SPDX-License-Identifier: Apache-2.0
"""One thing that was found: a title, evidence, the remedy, and where to look next."""

from __future__ import annotations

from tensix_gdb.core.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Found:
    """A possible cause. `next` is a command without the programs' options, that the page adds;
    `report` is the number of the report that it is, so that no other cause shows it again."""

    title: str
    evidence: tuple[str, ...] = ()
    remedy: str = ""
    next: str = ""
    report: int | None = None
