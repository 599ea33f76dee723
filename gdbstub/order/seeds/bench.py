# SPDX-License-Identifier: Apache-2.0
"""A machine that runs one program again and again: from its beginning to an end, and a judgement.

It is kept between runs. A run begins by putting back the state of the beginning, which takes less
than a millisecond; no file is read and nothing is compiled again.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from time import perf_counter
from typing import Protocol

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.engine import Engine
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.explain.orders import broken
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.findings import Verdict
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.semihosting.calls import exits
from tensix_gdb.core.stop import NOTHING_MOVES, Stop, StopKind
from tensix_gdb.gdbstub.order.report.located import located
from tensix_gdb.gdbstub.order.seeds.case import RIGHT, Case, Outcome
from tensix_gdb.gdbstub.order.seeds.chosen import state_now
from tensix_gdb.gdbstub.order.seeds.orders import orders_of
from tensix_gdb.gdbstub.order.seeds.program import Program, outside_of, state_of

SLICE = 1 << 16  # cycles between two looks at the keyboard
FILL = 0xA5  # what poisoned bytes are

Judge = Callable[[Machine], str]  # what is wrong with the end of a run; "" if nothing is


class Interrupted(Exception):
    """The user wants no more runs."""


class Armed(Protocol):
    """The wait that holds a run at some places for a while, and that the program does not have."""

    cycles: int  # that it has taken so far

    def is_hit(self, stop: Stop) -> bool: ...

    def hold(self) -> Stop | None: ...


class Bench:
    """One program on one machine. `judge` looks at a run that has ended well otherwise. With a
    `machine`, which is at the program's beginning, that one is used."""

    def __init__(
        self,
        program: Program,
        engine: str | Engine = "compiled",
        *,
        judge: Judge | None = None,
        is_interrupted: Callable[[], bool] = lambda: False,
        machine: Machine | None = None,
    ) -> None:
        self.program, self._judge, self._is_interrupted = program, judge, is_interrupted
        self.start = bytearray(zlib.decompress(program.state))
        if machine is not None:
            self.machine = machine
            return
        self.machine = machine = Machine(
            engine=engine, schedule=Schedule.LATENCY, arch=Arch[program.arch]
        )
        machine.images.extend(each.image() for each in program.files)
        if program.faults:
            machine.faults.set(program.faults)
        for hart, addr in program.until:
            machine.add_break(addr, hart)

    @classmethod
    def of(
        cls, machine: Machine, most: int, judge: Judge, is_interrupted: Callable[[], bool]
    ) -> Bench:
        """Make that of a machine with programs in it, which is reset."""
        machine.reset()
        pauses = tuple(pause for pause, _, _ in machine.pauses)
        program = Program("", state_of(machine), (), outside_of(machine), pauses=pauses, most=most)
        return cls(program, judge=judge, is_interrupted=is_interrupted, machine=machine)

    def close(self) -> None:
        """Give the machine back."""
        self.machine.close()

    @contextmanager
    def to_the_end(self) -> Iterator[None]:
        """Meanwhile no run ends at the function of `until`."""
        for hart, addr in self.program.until:
            self.machine.remove_break(addr, hart)
        try:
            yield
        finally:
            for hart, addr in self.program.until:
                self.machine.add_break(addr, hart)

    @contextmanager
    def strict(self) -> Iterator[None]:
        """Meanwhile observed runs also show the orders that a promise alone gives."""
        program, self.program = self.program, replace(self.program, races="strict")
        self._stop_observing()
        try:
            yield
        finally:
            self.program = program
            self._stop_observing()

    def _stop_observing(self) -> None:
        machine = self.machine
        if machine.runner.races is not None:
            machine.runner.races.stop()
            machine.runner.races = machine.reports.races = None

    def begin_case(self, case: Case, *, note: bool = False) -> None:
        """Put the tile to the beginning of a run. `note`: keep what its seed decides."""
        machine, program = self.machine, self.program
        machine.pauses.clear()
        machine.begin_here(self.start, Execution.parse(case.execution), note=note)
        for pages, kept in zip(machine.outside.memories(), program.outside, strict=False):
            pages.restore(kept)
        for addr, length in program.poison:
            machine.poke(B, addr, bytes([FILL]) * length)
        for addr, data in case.setting.pokes:
            machine.poke(B, addr, data)
        if machine.execution.schedule is not Schedule.SC:
            for pause in (*program.pauses, *case.setting.pauses):
                machine.pauses.add(pause)

    def run(self, case: Case, *, note: bool = False) -> Outcome:
        """Run to the end; what came of it. `note`: keep what its seed decides."""
        begun = perf_counter()
        machine, program = self.machine, self.program
        wanted = bool(program.races) or case.observed
        if wanted and machine.runner.races is None:
            machine.reschedule(Execution(Schedule.LATENCY))
            machine.observe_races(strict=program.races == "strict", checks=program.checks or ())
        elif not wanted:
            self._stop_observing()
        self.begin_case(case, note=note)
        start = int(machine.S.tile.cycle)
        end, text = self.run_to_end()
        reports: tuple[str, ...] = ()
        orders: tuple[tuple[str, str], ...] = ()
        if wanted:
            findings = machine.races()
            if case.observed:
                orders = orders_of(findings)
            if program.races:
                found = [
                    one
                    for one in located(findings, machine.places)
                    if one.report.verdict in _counted(program.races)
                    and not any(row.fits(one) for row in program.suppressions)
                ]
                reports = tuple(sorted({one.identity for one in found}))
                if found and end == RIGHT:
                    first = found[0]
                    end = "race" if not first.report.check else first.report.check
                    text = f"{first.report.words}: {first.earlier.place}, then {first.later.place}"
        state = state_now(program.chosen, machine) if program.chosen else ""
        if program.same and end == RIGHT and state != program.same:
            end, text = "other state", f"{state}, and {program.same} in the first run"
        cycles = int(machine.S.tile.cycle) - start
        seconds = perf_counter() - begun
        return Outcome(
            *(case.program, case.execution, case.setting.name, end, text, state),
            *(tuple(each.promise.name for each in broken(machine.S)), cycles),
            seconds=round(seconds, 6),
            reports=reports,
            orders=orders,
        )

    def have(self, places: Sequence[tuple[int, int]]) -> tuple[tuple[int, bytes], ...]:
        """Return the bytes of L1 at these places."""
        return tuple((addr, self.machine.peek(B, addr, size)) for addr, size in places)

    def run_to_end(self, armed: Armed | None = None) -> tuple[str, str]:
        """Run from where the tile is to an end: what is wrong with it in a word, and a sentence."""
        machine, program, S = self.machine, self.program, self.machine.S
        begun, most = int(S.tile.cycle), program.most
        while (left := begun + most + (armed.cycles if armed else 0) - int(S.tile.cycle)) > 0:
            if self._is_interrupted():
                raise Interrupted
            machine.engine.poll()
            stop = machine.run(min(SLICE, program.slice, left))
            if armed is not None and stop is not None and armed.is_hit(stop):
                stop = armed.hold()
            if program.over and self._is_over():
                return self._judged()
            if stop is None or stop.kind in (StopKind.EBREAK, StopKind.ECALL):
                continue
            if stop.kind is StopKind.ALL_PAUSED and not program.over:
                return self._judged()
            return self._ended(stop)
        return "no end", f"still running after {most:,} cycles"

    def _is_over(self) -> bool:
        machine = self.machine
        return all(machine.peek(B, addr, len(data)) == data for addr, data in self.program.over)

    def _ended(self, stop: Stop) -> tuple[str, str]:
        machine = self.machine
        match stop.kind:
            case StopKind.BREAK:
                return f"reached {self.program.until_name}", stop.text
            case StopKind.FAULT:
                return f"fault {Fault(int(machine.S.stop.code)).name}", stop.text
            case StopKind.STANDSTILL:
                return "deadlock", NOTHING_MOVES
            case StopKind.ALL_PAUSED:
                return "no end", "all harts have paused, and the kernels have not said so"
            case StopKind.EXIT:
                wrong = [status for _, status in exits(machine.S) if status]
                return (f"exit {wrong[0]}", stop.text) if wrong else self._judged()
            case _:
                return stop.kind.name.lower(), stop.text

    def _judged(self) -> tuple[str, str]:
        """Return the end of a run in a word, and a sentence on what is wrong with it."""
        machine, program = self.machine, self.program
        size = wrong = 0
        for addr, data in program.result:
            now = machine.peek(B, addr, len(data))
            size += len(data)
            wrong += sum(mine != theirs for mine, theirs in zip(now, data, strict=True))
        if wrong:
            return "result", f"{wrong} of {size} bytes of the result differ"
        if program.expect is not None and not program.expect.are_as_wanted(machine):
            return "result", "a tile is not as --expect has it"
        if self._judge is not None and (said := self._judge(machine)):
            return "check", said
        return RIGHT, ""


def _counted(races: str) -> tuple[Verdict, ...]:
    usual = (Verdict.RACE, Verdict.SYNC, Verdict.SAMPLING)
    return (*usual, Verdict.PROMISED) if races == "strict" else usual
