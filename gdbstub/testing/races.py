# SPDX-License-Identifier: Apache-2.0
"""Races in a test: `assert tile.races == []` shows each of them, with both lines."""

from __future__ import annotations

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.state.table import BY_NAME
from tensix_gdb.gdbstub.order.report.holding import ToCycle
from tensix_gdb.gdbstub.order.report.located import Located, Side, located
from tensix_gdb.gdbstub.order.report.text import plural, report_lines, title
from tensix_gdb.gdbstub.order.report.witness import NotAgain, Outcome, Witness, witness
from tensix_gdb.gdbstub.order.report.witness_text import witness_lines


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
        """`S1` to `S12` of a check of synchronisation, `U1`, `K1` or `M1` and the like of one of
        state or memory (core/race/state/table.py), empty otherwise."""
        return self.located.report.check

    @property
    def place(self) -> str:
        """The name of what both touch."""
        return self.located.report.place.name

    @property
    def earlier(self) -> Side:
        return self.located.earlier

    @property
    def later(self) -> Side:
        return self.located.later

    @property
    def fix(self) -> str:
        """The instruction that orders the two, as LLK writes it; empty if none is known."""
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
        """Return the lines of a failed `tile.races == []`."""
        lines = [line for race in self for line in race.text.splitlines()]
        if all(race.check in BY_NAME for race in self):
            return [plural(len(self), "finding", "findings"), *lines]
        return [f"{plural(len(self), 'report')} of accesses that nothing orders", *lines]


@dataclass(frozen=True, slots=True, repr=False)
class RaceWitness:
    """The result of holding one access until the other was over."""

    found: Witness

    @property
    def possible(self) -> bool:
        """True if the other order is possible: the tile is where the later access is over."""
        return self.found.outcome is Outcome.POSSIBLE

    @property
    def outcome(self) -> str:
        """`possible`; `seen`: the observed run has gone that way; `impossible`: the report is
        withdrawn; `unknown`."""
        return self.found.outcome.value

    @property
    def before(self) -> int | None:
        """The value that the later access, if it reads, else the earlier one found in the observed
        run."""
        return self.found.before

    @property
    def now(self) -> int | None:
        """The value that it finds in this one."""
        return self.found.now

    @property
    def text(self) -> str:
        """All of it in sentences."""
        return "\n".join(witness_lines(self.found))

    def __repr__(self) -> str:
        return f"<{self.text}>"


def find_witness(
    machine: Machine, found: Races, race: Race | int, to_cycle: ToCycle | None
) -> RaceWitness:
    """Return the witness of a race, which may be named by its number. LookupError if there is none
    of that number, or the run cannot be made again."""
    number = race if isinstance(race, int) else race.located.report.number
    named = [one for one in found if one.located.report.number == number]
    if not named:
        raise LookupError(f"there is no race {number}: {plural(len(found), 'report')}")
    if to_cycle is None:
        raise LookupError("the run cannot be made again: nothing has run since observe_races()")
    try:
        return RaceWitness(witness(machine, named[0].located, to_cycle))
    except NotAgain as problem:
        raise LookupError(str(problem)) from None


def races(machine: Machine) -> Races:
    """Return what was found so far."""
    return Races(Race(one) for one in located(machine.races(), machine.places))
