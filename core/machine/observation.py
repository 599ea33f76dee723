# SPDX-License-Identifier: Apache-2.0
"""The part of a `Machine` that observes its runs: races, and checks of state (core/race)."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import PurePath
from typing import TYPE_CHECKING

from tensix_gdb.core.debug.memory import Access
from tensix_gdb.core.engine import Engine
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.explain.stop import Places, fault_text
from tensix_gdb.core.machine.entries import HOST_ACCESS
from tensix_gdb.core.machine.runner import Runner
from tensix_gdb.core.machine.stop_report import StopReports
from tensix_gdb.core.noc.outside import Outside
from tensix_gdb.core.program.elf import Image
from tensix_gdb.core.race.checks.rule import NotObservable
from tensix_gdb.core.race.checks.table import DEFAULT as DEFAULT_CHECKS
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.schedule import Schedule

# Most runs are not observed: what is made of what an observer finds is imported when one begins.
if TYPE_CHECKING:
    from tensix_gdb.core.race.findings import Findings
    from tensix_gdb.core.race.state.checks import StateChecks


class Observation:
    """Observe a machine; what that needs of it is named here."""

    record: Record
    engine: Engine
    execution: Execution
    runner: Runner
    reports: StopReports
    images: list[Image]
    places: Places
    outside: Outside
    memory: Access

    def observe_races(
        self,
        *,
        strict: bool = False,
        checks: Collection[str] = DEFAULT_CHECKS,
        local: bool | None = None,
    ) -> None:
        """Observe from now on which accesses nothing orders (core/race); `strict` also reports
        what only a promise orders, `checks` are names of core/race/checks/table.py, `local` says
        whether local RAMs are observed (None: on Wormhole). NotObservable in `sc`, where every
        request is processed when it is made."""
        if self.execution.schedule is Schedule.SC:
            raise NotObservable("races cannot be observed in schedule sc; use latency")
        from tensix_gdb.core.race.observer import Observer

        observer = Observer(self.record, strict=strict, local=local, checks=checks)
        if self.runner.races is not None and self.runner.races.state is not None:
            observer.state = self.runner.races.state
            observer.state.kernel_begins()
        self.runner.races = self.reports.races = observer
        self.outside.races = observer.dram

    def check_state(
        self, groups: Collection[str], *, races: bool = False, fresh: bool = False
    ) -> StateChecks:
        """Look from now on for reads of what nothing has written, leaks, and mistakes with memory
        (core/race/state): `groups` are names of table.Group. With `races` True those are reported
        as well. `fresh`: the tile has run before, and what its registers have counts as written by
        nothing. NotObservable in `sc`."""
        if not races or self.runner.races is None:
            checks = DEFAULT_CHECKS if races else ()
            self.observe_races(checks=checks, local=None if races else False)
        assert self.runner.races is not None
        from tensix_gdb.core.polls.poll import poll_of
        from tensix_gdb.core.race.state.checks import StateChecks

        state = StateChecks(
            self.record,
            groups,
            self._functions_at,
            alone=not races,
            fresh=fresh,
            polled=lambda hart: poll_of(self.record.S, self.memory, hart),
            said=self._said,
        )
        state.images = self.images
        state.note_programs()
        self.runner.races.state = state
        return state

    def kernel_begins(self) -> None:
        """A kernel begins: for checks of state, what the ones before have written is left over."""
        if self.runner.races is not None and self.runner.races.state is not None:
            self.runner.races.state.kernel_begins()

    def _said(self, i: int) -> str:
        """A place where cards are reported to fail, in words."""
        S, rows = self.record.S, self.record.S.report
        hart, code = int(rows.hart[i]), int(rows.code[i])
        operands = int(rows.a[i]), int(rows.b[i])
        return fault_text(hart, code, *operands, self.places, chip=int(S.tile.chip))

    def _functions_at(self, hart: int, pc: int) -> list[str]:
        """Return the functions at an instruction, with their files (state/leaked.py), innermost
        first."""
        image = self.places.image(hart, pc)
        if image is None:
            return []
        steps = self.places.inlining.learn(image).at(pc)
        if steps:
            return [f"{step.function} {PurePath(step.file).name}" for step in steps]
        function = image.function_at(pc)
        return [f"{function.shown} -"] if function else []

    def races(self) -> Findings:
        """Return what was found since `observe_races`."""
        if self.runner.races is None:
            raise NotObservable("races are not observed; begin with observe_races")
        return self.runner.races.findings()

    def note_host(self, addr: int, length: int, *, writes: bool) -> None:
        """The host reads or writes memory of the tile: an access, if races are observed."""
        if self.runner.races is not None and length:
            self.runner.races.before_host()
            self.engine.call(HOST_ACCESS.name, addr, length, int(writes))
            self.runner.races.on_host()
