# SPDX-License-Identifier: Apache-2.0
"""Pauses at places that the user names: kept here, and in the record, where they are counted.

They belong to the execution, so a reset begins with all of them again. A state that is restored
from before a pause was named does not have it.
"""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.arch.blackhole import HART_NAMES
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.debug.breakpoints import ArmedError
from tensix_gdb.core.ordering.pause_places import GATE, HART, PLACES, REQUEST, add, clear
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.schedule import Schedule

MAX_CYCLES = 1_000_000


@dataclass(frozen=True, slots=True)
class NamedPause:
    """A pause of hart or Tensix thread `number` of `cycles` at the `nth` time; 0 cycles make a
    mark, where the schedule may pause, and nth 0 then is every time. With `of_request` only the
    request of the hart from there is that much later."""

    at_gate: bool
    number: int
    addr: int
    size: int = 4
    nth: int = 1
    cycles: int = 0
    of_request: bool = False

    def __str__(self) -> str:
        name = f"gate.T{self.number}" if self.at_gate else HART_NAMES[self.number]
        name = f"late.{name}" if self.of_request else name
        nth = f"#{self.nth}" if self.nth > 1 or (self.nth and not self.cycles) else ""
        return f"{name}@{self.addr:#010x}{nth}:{self.cycles or 'random'}"


class NamedPauses:
    """The pauses of one tile."""

    def __init__(self, S: View) -> None:
        self._S = S
        self._named: list[NamedPause] = []

    def add(self, pause: NamedPause) -> None:
        """Name one more; ArmedError if the schedule draws none, or without room."""
        kind = self._S.schedule.kind
        if kind == Schedule.SC:
            raise ArmedError("nothing takes time in the schedule sc: choose latency or random:SEED")
        if not pause.cycles and kind != Schedule.RANDOM:
            raise ArmedError(
                "only the schedule random draws pauses: give a number of cycles, or choose "
                "random:SEED"
            )
        if not self._write(pause):
            raise ArmedError(f"no more than {PLACES} pauses can be named")
        self._named.append(pause)

    def clear(self) -> None:
        """Forget all of them."""
        self._named.clear()
        clear(self._S)

    def reset_counts(self) -> None:
        """Count all of them from the start of an execution."""
        clear(self._S)
        if self._S.schedule.kind != Schedule.SC:
            for pause in self._named:
                self._write(pause)

    def _write(self, pause: NamedPause) -> bool:
        kind = GATE if pause.at_gate else REQUEST if pause.of_request else HART
        return bool(
            add(self._S, kind, pause.number, pause.addr, pause.size, pause.nth, pause.cycles)
        )

    def __iter__(self) -> Iterator[tuple[NamedPause, int, bool]]:
        """Yield those in the present state: the pause, how often its place was reached, is it
        over."""
        rows = self._S.pause_place
        for i in range(rows.count):
            pause = NamedPause(
                rows.is_at[i] == GATE,
                int(rows.number[i]),
                int(rows.addr[i]),
                int(rows.size[i]),
                int(rows.nth[i]),
                int(rows.cycles[i]),
                rows.is_at[i] == REQUEST,
            )
            yield pause, int(rows.seen[i]), bool(rows.over[i])
