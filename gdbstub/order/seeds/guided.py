# SPDX-License-Identifier: Apache-2.0
"""A search that goes where orders are new: `--guided`.

Every other run is a seed of `random`. The ones between are chosen by what the runs before have
shown. A pair of accesses that was seen one way only is turned round, if that is possible, when the
earlier one is late: the request alone, its whole hart, or its Tensix thread at the gate. Short
delays are tried first, and each place at its first, second and third time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.debug.named_pauses import NamedPause
from tensix_gdb.gdbstub.order.seeds.case import Case, Outcome, Setting
from tensix_gdb.gdbstub.order.seeds.orders import Accessor

LENGTHS = (12, 40, 130, 420, 1400)
TIMES = (1, 2, 3)
FIRST = "latency"


class Guide:
    """Chooses the runs of one program. Each seed is used once."""

    def __init__(self, program: int, seeds: Sequence[int], schedules: Sequence[str]) -> None:
        self._program, self._seeds, self._schedules = program, seeds, schedules
        self._waiting: deque[Setting] = deque()
        self._seen: set[tuple[str, str]] = set()
        self._tried: set[str] = set()
        self.chosen = 0  # runs that were not seeds

    def cases(self) -> Iterator[Case]:
        """Yield as many as there are seeds: first `latency`, then in turns."""
        left = len(self._seeds)
        numbers = iter(self._seeds)
        yield Case(self._program, FIRST, observed=True)
        left -= 1
        while left > 0:
            setting = self._next()
            if setting is not None:
                self.chosen += 1
                yield Case(self._program, FIRST, setting, observed=True)
                left -= 1
                if left <= 0:
                    return
            seed = next(numbers, None)
            if seed is None:
                return
            schedule = self._schedules[seed % len(self._schedules)]
            execution = schedule.replace("random", f"random:{seed}", 1)
            yield Case(self._program, execution, observed=True)
            left -= 1

    def _next(self) -> Setting | None:
        while self._waiting:
            setting = self._waiting.popleft()
            if setting.name not in self._tried:
                self._tried.add(setting.name)
                return setting
        return None

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        """Note what runs have shown."""
        for one in outcomes:
            for order in one.orders:
                if order in self._seen:
                    continue
                self._seen.add(order)
                if order[::-1] not in self._seen:
                    self._waiting.extend(turning(order))
        # Short delays of all pairs come first.
        self._waiting = deque(sorted(self._waiting, key=lambda each: each.pauses[0].cycles))


def turning(order: tuple[str, str]) -> Iterator[Setting]:
    """Yield settings that may let the later access of a pair come first."""
    earlier = Accessor.of_text(order[0])
    for cycles in LENGTHS:
        for nth in TIMES:
            for pause in _late(earlier, nth, cycles):
                yield Setting(str(pause), (pause,))


def _late(access: Accessor, nth: int, cycles: int) -> Iterator[NamedPause]:
    if access.thread is not None:
        yield NamedPause(True, access.thread, access.pc, nth=nth, cycles=cycles)
        if access.hart == T0 + access.thread:
            yield NamedPause(False, access.hart, access.pc, nth=nth, cycles=cycles)
        return
    yield NamedPause(False, access.hart, access.pc, nth=nth, cycles=cycles, of_request=True)
    yield NamedPause(False, access.hart, access.pc, nth=nth, cycles=cycles)
