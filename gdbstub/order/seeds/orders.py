# SPDX-License-Identifier: Apache-2.0
"""The orders of accesses that runs have shown: the coverage of a search.

An observed run (core/race) reports pairs of accesses to one place that nothing orders, in the
order in which they came. Over many runs a pair may be seen both ways, or one way only. A search
that sees nothing new has learned nothing new, however many seeds it has run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field

from tensix_gdb.core.arch.blackhole import HART_NAMES
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.explain.stop import Places
from tensix_gdb.core.race.findings import Access, Findings
from tensix_gdb.gdbstub.order.report.located import chain_at

SITE = re.compile(r"(\w+)(?:/(\d))? (0x[0-9a-f]+) (.+)")


@dataclass(frozen=True, slots=True)
class Accessor:
    """One side of a pair: the hart that executes or pushes the instruction, its thread if it is
    pushed, and where."""

    hart: int
    thread: int | None
    pc: int
    instruction: str

    @classmethod
    def of_text(cls, text: str) -> Accessor:
        """Read one from `T0 0x60a0 sw` or `T0/0 0x60a4 RDCFG`."""
        match = SITE.fullmatch(text)
        if match is None:
            raise ValueError(f"{text!r} is no access")
        thread = None if match[2] is None else int(match[2])
        return cls(HART_NAMES.index(match[1]), thread, int(match[3], 16), match[4])

    def __str__(self) -> str:
        thread = "" if self.thread is None else f"/{self.thread}"
        return f"{HART_NAMES[self.hart]}{thread} {self.pc:#x} {self.instruction}"


def side(access: Access) -> str:
    """Return a side as text."""
    return str(Accessor(access.hart, access.thread, access.pc, access.instruction))


def orders_of(findings: Findings) -> tuple[tuple[str, str], ...]:
    """Return the pairs of an observed run, the earlier access first."""
    found = {
        (side(report.earlier), side(report.later))
        for report in findings.reports
        if not report.check and not report.earlier.outside and not report.later.outside
    }
    return tuple(sorted(found))


@dataclass
class Coverage:
    """The orders that all runs together have shown. `since` counts the runs since the last new
    order."""

    seen: dict[tuple[str, str], str] = field(default_factory=dict)  # order: first run that shows it
    runs: int = 0
    since: int = 0

    def add(self, orders: tuple[tuple[str, str], ...], run: str) -> list[tuple[str, str]]:
        """Note a run; the orders that no run before has shown."""
        new = [order for order in orders if order not in self.seen]
        self.seen.update((order, run) for order in new)
        self.runs += 1
        self.since = 0 if new else self.since + 1
        return new

    def pairs(self) -> set[tuple[str, str]]:
        """Return each pair once."""
        return {min(order, order[::-1]) for order in self.seen}

    def one_way(self) -> list[tuple[str, str]]:
        """Pairs that were seen in one order only, in that order."""
        return [order for order in self.seen if order[::-1] not in self.seen]

    def lines(self, places: Places, most: int = 12) -> Iterator[str]:
        """Yield the lines of a report."""
        pairs, one = self.pairs(), self.one_way()
        if not self.runs:
            return
        both = len(pairs) - len(one)
        yield (
            f"orders: {len(pairs)} pairs of accesses that nothing orders in {self.runs:,} observed "
            f"runs; {both} seen both ways, {len(one)} one way only; nothing new in the last "
            f"{self.since:,}"
        )
        for earlier, later in one[:most]:
            yield f"    always {named(earlier, places)} before {named(later, places)}"
        if len(one) > most:
            yield f"    and {len(one) - most} more"


def named(text: str, places: Places) -> str:
    """`sw of kernel.c:35 (T0)`."""
    access = Accessor.of_text(text)
    return f"{access.instruction} of {line_at(places, access.hart, access.pc)}"


def line_at(places: Places, hart: int, pc: int) -> str:
    """`kernel.c:35`, or the address."""
    chain = chain_at(places, hart, pc)
    return chain[0].place if chain else f"{HART_NAMES[hart]} {pc:#010x}"
