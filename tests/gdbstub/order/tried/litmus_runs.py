# SPDX-License-Identifier: Apache-2.0
"""Litmus tests with one wait removed, and the remedies of what is reported then: tried in observed
runs, and the first that ends a report in every execution."""

from __future__ import annotations

from collections.abc import Sequence

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.devices.semaphores import LARGEST, SEMAPHORES
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.litmus.explore import explore
from tensix_gdb.core.litmus.text import Litmus, Outcome
from tensix_gdb.core.litmus.tile import BUDGET, SMALL_L1, Prepared, Tile
from tensix_gdb.core.race.findings import Report
from tensix_gdb.core.race.observer import Observer
from tensix_gdb.core.schedule import DEFAULT_SEED, Schedule, seed_state
from tensix_gdb.gdbstub.order.tried.candidates import free_semaphore
from tensix_gdb.gdbstub.order.tried.detour import detours
from tensix_gdb.gdbstub.order.tried.machine_runs import named_semaphores
from tensix_gdb.gdbstub.order.tried.registers import Code
from tensix_gdb.gdbstub.order.tried.trial import Run, Tried, try_all

LINE, WORD = 16, 64  # bytes of a line, and of what a word of a test has for itself


class LitmusRuns:
    """Observed runs of a litmus test in `latency`."""

    def __init__(self, tile: Tile, test: Litmus) -> None:
        self._tile, self._test = tile, test
        self.arch = Arch[test.architecture.upper()]
        self.size, self.kept = SMALL_L1, None
        self._prepared = self._fresh()
        machine = tile.machine
        self._used = {addr // LINE for addr in self._prepared.places.words.values()}
        self._used |= {
            at // LINE + i for at in self._prepared.places.words.values() for i in range(4)
        }
        self._images = list(machine.images)
        self._first = machine.peek(B, 0, SMALL_L1)
        S = machine.S
        named = set(named_semaphores(machine.images))
        named |= {n for n in range(SEMAPHORES) if f"SEM[{n}]" in _text(test)}
        self._semaphore = free_semaphore(
            [int(S.semaphore.value[n]) for n in range(SEMAPHORES)],
            [int(S.semaphore.max[n]) for n in range(SEMAPHORES)],
            named,
        )
        self.base = self.run((), None)

    def _fresh(self, schedule: Schedule = Schedule.LATENCY) -> Prepared:
        return self._tile.prepare(self._test, schedule)

    def code_at(self, hart: int, pc: int, tile: str = "") -> Code | None:
        return next((Code(each) for each in self._images if each.hart == hart), None)

    def program(self, hart: int) -> Code | None:
        return None

    def is_unused(self, addr: int, tile: str = "") -> bool:
        if addr // LINE in self._used or any(self._first[addr : addr + LINE]):
            return False
        return not any(image.covers(addr) for image in self._images)

    def free_semaphore(self) -> int | None:
        return self._semaphore

    def run(self, pokes: Sequence[tuple[int, bytes]], semaphore: int | None, tile: str = "") -> Run:
        prepared = self._prepared
        prepared.machine.restore(prepared.start)  # and what is decoded of its code
        put(prepared, pokes, semaphore)
        observer = Observer(prepared.record, local=True, checks=())
        begun = int(prepared.S.tile.cycle)
        ending = prepared.machine.engine.call("to_end", seed_state(DEFAULT_SEED), BUDGET)
        observer.stop()
        outcome = prepared.outcome(ending)
        cycles = int(prepared.S.tile.cycle) - begun
        return Run(outcome.ending, "", observer.findings(), cycles)


def put(prepared: Prepared, pokes: Sequence[tuple[int, bytes]], semaphore: int | None) -> None:
    """Write what a remedy is into a test that is loaded."""
    for addr, data in pokes:
        prepared.machine.poke(B, addr, data)
    if semaphore is not None:
        prepared.S.semaphore.max[semaphore] = LARGEST


def tried(tile: Tile, test: Litmus, whole: Litmus) -> list[Tried]:
    """Try the remedies of the reports that `whole`, which has all waits, does not have."""
    known = {_known_by(one) for one in LitmusRuns(tile, whole).base.findings.reports}
    runs = LitmusRuns(tile, test)
    reports = [one for one in runs.base.findings.reports if not one.same_value]
    return try_all(runs, [one for one in reports if _known_by(one) not in known])


def _known_by(report: Report) -> object:
    """Return what a report is known by when an instruction is taken away: no address."""
    sides = (report.earlier, report.later)
    return report.place.name, frozenset((one.agent, one.instruction) for one in sides)


def outcomes(
    tile: Tile, test: Litmus, pokes: Sequence[tuple[int, bytes]], semaphore: int | None
) -> list[Outcome]:
    """Return the outcomes of all executions with a remedy put in."""
    prepared = tile.prepare(test, Schedule.EXHAUSTIVE)
    put(prepared, pokes, semaphore)
    prepared.start = prepared.record.snapshot()
    return list(explore(prepared).outcomes)


def keeps(tile: Tile, plain: Tile, test: Litmus, found: Sequence[Tried]) -> bool:
    """True if with what has ended the reports all executions end as the test allows. `plain`
    explores."""
    runs = LitmusRuns(tile, test)
    ended = [one.ended for one in found if one.ended is not None]
    made = detours(
        runs.code_at, [put for one in ended for put in one.put], runs.is_unused, SMALL_L1
    )
    signals = [one.remedy.semaphore for one in ended if len(one.remedy.spots) == 2]
    ends = outcomes(plain, test, made.pokes, signals[0] if signals else None)
    return all(outcome in test.allowed for outcome in ends)


def _text(test: Litmus) -> str:
    return " ".join(each.text for program in test.programs.values() for each in program)
