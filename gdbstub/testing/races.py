# SPDX-License-Identifier: Apache-2.0
"""Races in a test: `assert tile.races == []` shows each of them, with both lines."""

from __future__ import annotations

from dataclasses import dataclass

from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.race.located import Located, Side, located
from tensix_gdb.gdbstub.race.text import plural, report_lines, title


@dataclass(frozen=True, slots=True, repr=False)
class Race:
    """Two accesses that nothing orders. `earlier` and `later` have the instruction (`what`) and
    its line (`place`)."""

    located: Located

    @property
    def verdict(self) -> str:
        """`race`, `sampling` or `promised`; `sync` of a check."""
        return self.located.report.verdict.value

    @property
    def check(self) -> str:
        """`S1` to `S12` of a check of synchronisation, empty otherwise."""
        return self.located.report.check

    @property
    def place(self) -> str:
        """What both touch, by name."""
        return self.located.report.place.name

    @property
    def earlier(self) -> Side:
        return self.located.earlier

    @property
    def later(self) -> Side:
        return self.located.later

    @property
    def fix(self) -> str:
        """What orders the two, as LLK writes it; empty if nothing is known."""
        fix = self.located.report.fix
        return fix.text if fix else ""

    @property
    def text(self) -> str:
        """The report, as `tensix-gdb run --races` prints it."""
        return "\n".join(report_lines(self.located))

    def __repr__(self) -> str:
        return f"<{title(self.located)}>"


class Races(list[Race]):
    """Those of a run. A comparison that fails shows the whole reports (pytest_plugin.py)."""

    def explanation(self) -> list[str]:
        """What a failed `tile.races == []` says."""
        lines = [line for race in self for line in race.text.splitlines()]
        return [f"{plural(len(self), 'report')} of accesses that nothing orders", *lines]


def races(machine: Machine) -> Races:
    """What was found so far."""
    return Races(Race(one) for one in located(machine.races(), machine.places))
