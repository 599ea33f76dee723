# SPDX-License-Identifier: Apache-2.0
"""One run of a search, and what came of it: values that go to processes, other machines and files.

A case is a program, an execution (`random:7,strict`) and a setting, which is what else is done to
the run: pauses, late requests, words of L1 that are others (TT-NOP's detours).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.debug.named_pauses import NamedPause

RIGHT = ""  # `end` of a run that has ended as wanted


@dataclass(frozen=True, slots=True)
class Setting:
    """The changes of a run besides its schedule; `name` is what is typed to have it again."""

    name: str = ""
    pauses: tuple[NamedPause, ...] = ()
    pokes: tuple[tuple[int, bytes], ...] = ()  # of L1, before the run


PLAIN = Setting()


@dataclass(frozen=True, slots=True)
class Case:
    """One run. `observed`: which orders of accesses it has shown is wanted, too."""

    program: int  # which one of the search
    execution: str
    setting: Setting = PLAIN
    observed: bool = False

    @property
    def key(self) -> tuple[int, str, str]:
        """The key that tells this run from others."""
        return self.program, self.execution, self.setting.name

    def __str__(self) -> str:
        return f"{self.execution} {self.setting.name}".rstrip()


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of one run."""

    program: int
    execution: str
    setting: str
    end: str  # RIGHT, or in a word what is wrong: "fault UNPACR_STRIDE", "reached wrong", "result"
    text: str = ""  # a sentence
    state: str = ""  # hash of the chosen state, or the values
    broken: tuple[str, ...] = ()  # promises that the run has not kept (core/ordering/promises.py)
    cycles: int = 0
    seconds: float = 0.0
    reports: tuple[str, ...] = ()  # of races, by identity
    orders: tuple[tuple[str, str], ...] = ()  # the earlier and the later access, with `observed`

    @property
    def key(self) -> tuple[int, str, str]:
        """That of its case."""
        return self.program, self.execution, self.setting

    @property
    def wrong(self) -> bool:
        """True if the run was not as wanted."""
        return self.end != RIGHT

    @property
    def kind(self) -> str:
        """The common part of runs that ended alike: for the histogram."""
        return " ".join(
            filter(None, (self.end or "as wanted", self.state, *self.promises, *self.reports))
        )

    @property
    def promises(self) -> tuple[str, ...]:
        """Of a wrong run, the promises that it has broken."""
        return (f"with {' '.join(self.broken)} broken",) if self.wrong and self.broken else ()

    def __str__(self) -> str:
        return f"{self.execution} {self.setting}".rstrip()

    def row(self) -> dict[str, Any]:
        """For a line of JSON, without what is empty."""
        return {
            key: value
            for key, value in asdict(self).items()
            if value or key in ("program", "execution", "end")
        }

    @classmethod
    def of_row(cls, row: Mapping[str, Any]) -> Outcome:
        """Read one from such a line. TypeError, KeyError or ValueError if it is none."""
        given = dict(row)
        given["broken"] = tuple(map(str, given.get("broken", ())))
        given["reports"] = tuple(map(str, given.get("reports", ())))
        orders = given.get("orders", ())
        given["orders"] = tuple((str(earlier), str(later)) for earlier, later in orders)
        return cls(
            int(given.pop("program")),
            str(given.pop("execution")),
            str(given.pop("setting", "")),
            str(given.pop("end")),
            **given,
        )
