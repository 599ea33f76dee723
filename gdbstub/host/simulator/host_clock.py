# SPDX-License-Identifier: Apache-2.0
"""Time of tiles with a host. It passes only when the host waits, or says that it has: the same
accesses always give the same execution.

A debugger comes first. While a person looks at a tile that has stopped, the host waits; while a
client lets it run, it runs as for any client, and accesses are carried out in between. A host that
has waited finds a tile that has had time again: its patience is measured in seconds, which passed
while the person looked.

A tile that is observed runs some thousand cycles in a second, and GDB repeats what is not
acknowledged in two. So time passes in pieces that take TURN_SECONDS, whatever these have of cycles,
and clients are served between them.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from contextlib import AbstractContextManager
from time import perf_counter

import trio

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.core.engine import EngineDefect
from tensix_gdb.core.faults.policy import skip_fault
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stop import AT_GATE, Stop, StopKind
from tensix_gdb.gdbstub.host.simulator.chip import Chip, is_running
from tensix_gdb.gdbstub.host.simulator.grid import Core
from tensix_gdb.gdbstub.host.simulator.messages import Message
from tensix_gdb.gdbstub.host.simulator.runs.log import RunLog
from tensix_gdb.gdbstub.host.simulator.stop_lines import StopLines
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.tensix.capabilities.reverse import TileHistory
from tensix_gdb.gdbstub.tensix.read_ahead import PAUSE, ReadAhead

log = logging.getLogger(__name__)

REGISTER_CYCLES = 100  # after a command to a hart, or a read of registers
# DBG_L1_MEM_REG0 to RISC_DBG_STATUS_1: the debug bus, CFGREG_RD, DBG_ARRAY_RD, the debug interface.
DEBUG_REGISTERS = range(0xFFB12048, 0xFFB12090)
GRACE_CYCLES = 200_000  # before the answer to a host that had to wait
LOOK_CYCLES = 250  # between two looks at what the host waits for
TURN_SECONDS = 0.05  # until clients have their turn
GIVEN_SECONDS, ROUNDS = 0.02, 16  # of a turn, at most
FIRST_CYCLES, FEWEST_CYCLES = 250, 10  # of a piece: before it is known how long they take, at least
LOOK_SECONDS = 0.05  # between two checks whether a client has come to the present
_PAUSES = (StopKind.EBREAK, StopKind.ECALL)


class HostClock:
    """Time of the tiles of `chip` between accesses, at most `cycles` at a time, for all that
    `shared` shows debuggers. `attach` is the command that brings one, `note` gets the sentences
    about faults. What depends on how many tiles there are is in `TileClock` and `ChipClock`
    (chip_clock.py)."""

    def __init__(
        self,
        chip: Chip,
        shared: SharedTile,
        cycles: int,
        attach: str,
        *,
        stop_at_fault: bool,
        note: Callable[[str], object] = lambda text: None,
    ) -> None:
        self._chip, self._tile, self._cycles = chip, shared, cycles
        self._attach = attach
        self._stop_at_fault = stop_at_fault
        self._wanted = ""  # why a debugger is waited for
        self._files = ReadAhead(chip.tiles.values())
        self._lines = StopLines(chip.tiles, None if stop_at_fault else attach, note)
        self._changed = trio.Event()
        self.notes = 0  # how often something may have changed
        self._piece = FIRST_CYCLES  # cycles that take no longer than TURN_SECONDS
        self._turn = perf_counter()  # when clients had theirs

    # What a subclass says

    def now(self) -> int:
        """Return the cycle."""
        raise NotImplementedError

    def _advance(self, cycles: int) -> bool:
        """Run for so many cycles, and say once why a tile has stopped; False if one has."""
        raise NotImplementedError

    def _has_taken(self, seconds: float) -> None:
        """Note how long some of it took."""
        raise NotImplementedError

    def host_input(self, message: Message) -> AbstractContextManager[None]:
        """Count what the host does in it by an access as an input of the history, if it has one."""
        raise NotImplementedError

    def keeps_inputs(self) -> bool:
        """True if each input of the host is kept, for a history."""
        raise NotImplementedError

    def host_has_gone(self) -> None:
        """Note that nothing but the tiles themselves changes them from now on."""
        raise NotImplementedError

    def _is_past(self) -> bool:
        """True if a client looks at the past."""
        return False

    def _to_present(self) -> None:
        """Return to the present: no client looks at the past any more."""

    # What all have

    async def run(self, cycles: int) -> None:
        """Run for so many cycles; for less if the tile stops, or a client has come."""
        end = self.now() + cycles
        while (left := end - self.now()) > 0:
            began, cycle = perf_counter(), self.now()
            continues = self._advance(min(left, self._piece))
            taken, ran = perf_counter() - began, self.now() - cycle
            self._has_taken(taken)
            self._learn(ran, taken)
            if await self.give_turn() and not self.may_run():
                return
            if not continues or not ran:
                return

    async def run_until_changed(self, message: Message, answer: bytes) -> None:
        """Run as long as the host would see the same, but not for more than `cycles`.
        Registers are not looked at: reading one may change it."""
        end = self.now() + self._cycles
        is_memory = message.core in self._chip.channels or message.addr < L1_BYTES
        while (left := end - self.now()) > 0 and self.may_run():
            began = self.now()
            await self.run(min(left, LOOK_CYCLES) if is_memory else left)
            has_stopped = self.now() == began
            if has_stopped or (is_memory and self._chip.perform(message) != answer):
                return

    async def run_for_host(self, has_come: Callable[[], bool]) -> None:
        """Run for a host that waits for something else than what it reads, until that has come, but
        not for more than `cycles`."""
        end = self.now() + self._cycles
        while (left := end - self.now()) > 0 and self.may_run() and not has_come():
            began = self.now()
            await self.run(min(left, LOOK_CYCLES))
            if self.now() == began:
                return

    def _learn(self, ran: int, taken: float) -> None:
        """Choose how many cycles are run at once, by what the last ones took."""
        if taken > TURN_SECONDS:
            self._piece = max(FEWEST_CYCLES, min(self._piece, int(ran * TURN_SECONDS / taken)))
        elif taken < TURN_SECONDS / 4 and ran >= self._piece:
            self._piece *= 2

    async def give_turn(self) -> bool:
        """Let others have their turn if they have had none for long; True if they had it."""
        if perf_counter() - self._turn < TURN_SECONDS:
            return False
        # An answer over HTTP takes some rounds of the loop: with one round in a turn it takes as
        # many turns.
        end = perf_counter() + GIVEN_SECONDS
        for _ in range(ROUNDS):
            await trio.lowlevel.checkpoint()
            if perf_counter() > end:
                break
        self._turn = perf_counter()
        return True

    def note(self) -> None:
        """Look again at the tile and its clients; call after any change."""
        self.notes += 1
        self._changed.set()
        self._changed = trio.Event()

    def wait_for_debugger(self, why: str) -> None:
        """Leave the tile stopped until a client has come and continued it."""
        self._wanted = why
        log.warning("%s; waiting for a debugger: %s", why, self._attach)

    def is_free(self) -> bool:
        """True if no client looks at the tile, which then is in the present, and none is waited
        for."""
        if self._looked_at():
            return False
        self._to_present()
        return True

    async def until_free(self, *, catches_up: bool = True) -> None:
        """Wait while a client looks at the tile, or is waited for."""
        waited, files = False, self._files.steps()
        while self._looked_at():
            waited = True
            if next(files, False) is None:
                await trio.sleep(PAUSE)
                continue
            with trio.move_on_after(LOOK_SECONDS) as patience:
                if not self._is_past():
                    patience.deadline = math.inf
                await self._changed.wait()
        self._to_present()
        if waited and catches_up:
            await self._catch_up(GRACE_CYCLES)

    async def until_released(self) -> None:
        """Wait until the last client has gone."""
        while self._tile.sessions:
            await self._changed.wait()

    def _looked_at(self) -> bool:
        if self._wanted and self._tile.sessions:
            self._wanted = ""
        if self._wanted:
            return True
        # A client that goes forward in the past comes to the present sooner or later.
        is_stopped = not self._tile.running or self._is_past()
        return bool(self._tile.sessions) and is_stopped

    async def _catch_up(self, cycles: int) -> None:
        """Let the tile run for so many cycles, whichever client runs it, unless it stops, or cannot
        move: then no cycle passes, and what it waits for is the host that would wait here."""
        end = self.now() + cycles
        while self._tile.running and not self._tile.still and self.now() < end:
            with trio.move_on_after(0.01):
                await self._changed.wait()
        if not self._tile.sessions and self._chip.running():
            await self.run(end - self.now())

    def may_run(self) -> bool:
        """True if the host alone decides about time now."""
        return not self._wanted and not self._tile.sessions and self._chip.running()

    def in_reset(self, core: Core) -> None:
        """Note that a tile has entered or left reset. Where the host has put every hart into reset,
        drop an instruction at a gate that the emulator cannot execute: the next program would find
        it there."""
        machine = self._chip.tiles[core]
        if not is_running(machine):
            self._lines.forget(core)
            if machine.S.stop.kind == StopKind.FAULT:
                _drop_at_gate(machine)

    def _report(self, core: Core, stop: Stop) -> bool:
        """Say it if it is new; return True if the tile is stopped now."""
        if stop.kind is StopKind.ALL_PAUSED:
            return True
        is_fault = stop.kind is StopKind.FAULT
        if self._lines.say(core, stop) and is_fault and self._stop_at_fault:
            self.wait_for_debugger("a fault")
        return stop.kind not in _PAUSES


class TileClock(HostClock):
    """Time of a tile alone. `begin` is called before a run."""

    def __init__(
        self,
        chip: Chip,
        shared: SharedTile,
        cycles: int,
        attach: str,
        runs: RunLog,
        history: TileHistory,
        *,
        begin: Callable[[], object] = lambda: None,
        stop_at_fault: bool,
        note: Callable[[str], object] = lambda text: None,
    ) -> None:
        super().__init__(chip, shared, cycles, attach, stop_at_fault=stop_at_fault, note=note)
        ((self._core, self._machine),) = chip.tiles.items()
        self._runs, self._history, self._begin = runs, history, begin

    def now(self) -> int:
        return int(self._machine.S.tile.cycle)

    def host_has_gone(self) -> None:
        self._machine.host.is_present = False

    def host_input(self, message: Message) -> AbstractContextManager[None]:
        return self._history.host_input()

    def keeps_inputs(self) -> bool:
        return self._history.recording()

    def _is_past(self) -> bool:
        return self._history.past

    def _to_present(self) -> None:
        self._history.to_present()

    def _has_taken(self, seconds: float) -> None:
        self._runs.seconds += seconds

    def _advance(self, cycles: int) -> bool:
        self._begin()
        machine = self._machine
        end = machine.S.tile.cycle + cycles
        while machine.S.tile.cycle < end:
            try:
                stop = machine.run(end - machine.S.tile.cycle)
                self._history.ran()
            except EngineDefect as defect:
                self._lines.say_defect(defect)
                return False
            if stop is None:
                return True
            if self._report(self._core, stop):
                return False
        return True


def _drop_at_gate(machine: Machine) -> None:
    recorded = machine.S.stop
    if recorded.stream & AT_GATE:
        skip_fault(machine.S)
    recorded.kind = StopKind.NONE
