# SPDX-License-Identifier: Apache-2.0
"""A tile as the simulator of one driver: what is done with each of its messages."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Callable, Sequence
from pathlib import Path

from tensix_gdb.core.arch.blackhole import T0, T1, T2
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.bridge.chip import Chip
from tensix_gdb.gdbstub.bridge.host_clock import HostClock
from tensix_gdb.gdbstub.bridge.kernel_cache import KernelCache, default_cache
from tensix_gdb.gdbstub.bridge.launches import Launches
from tensix_gdb.gdbstub.bridge.messages import Message
from tensix_gdb.gdbstub.bridge.programs import Programs
from tensix_gdb.gdbstub.bridge.run_capture import RunCapture
from tensix_gdb.gdbstub.bridge.run_log import T_CORES, RunLog
from tensix_gdb.gdbstub.bridge.run_races import RunRaces
from tensix_gdb.gdbstub.sharing.tile import SharedTile
from tensix_gdb.gdbstub.tensix.capabilities.reverse import TileHistory

log = logging.getLogger(__name__)


class Simulator:
    """Carries out the driver's messages, one after the other."""

    def __init__(
        self,
        machine: Machine,
        tile: SharedTile,
        arguments: argparse.Namespace,
        attach: str,
        runs: RunLog,
        history: TileHistory,
        capture: RunCapture,
        programs: Programs,
        races: RunRaces,
    ) -> None:
        self._machine, self._tile, self._runs = machine, tile, runs
        self._programs, self._races = programs, races
        self._history, self._capture = history, capture
        self._chip = Chip(machine)
        cache = arguments.kernel_cache
        self._launches = Launches(
            machine,
            KernelCache(default_cache() if cache is None else Path(cache)),
            self._announce,
            self._before_launch,
        )
        self.settle: Callable[[], None] = lambda: None  # of the server: clients get what is sent
        self._stop_at_entry = arguments.stop_at_entry
        self._known = int(machine.S.tile_control.soft_reset)
        if self._stop_at_entry:
            machine.freeze((T0, T1, T2))
        self.clock = HostClock(
            self._chip,
            tile,
            arguments.cycles,
            attach,
            runs,
            history,
            stop_at_fault=arguments.stop_at_fault,
        )

    async def serve(self, address: str) -> None:
        """Carry out messages until the driver ends."""
        from tensix_gdb.gdbstub.bridge.link import serve_driver

        await serve_driver(address, self.handle)

    async def handle(self, message: Message) -> bytes | None:
        """Carry out one message, and let time pass."""
        await self.clock.until_free()
        await self._launches.before_message(message)
        in_reset = int(self._machine.S.tile_control.soft_reset)
        with self._history.host_input():
            self._check_reset()
            self._capture.before_message(message)
            self._runs.before_message()
            answer = self._chip.perform(message)
            self._capture.after_message(message, answer)
            self._check_reset()
        await self._launches.on_reset_change(in_reset, self._known)
        self.clock.let_time_pass()
        self._check_reset()
        return answer

    async def _announce(self) -> None:
        """Let debuggers read which programs there are, before anything of them is executed."""
        if self._tile.libraries_changed():
            self.settle()
            await self.clock.until_free(catches_up=False)

    def _before_launch(self, kernels: Sequence[str]) -> None:
        """End the run before, and begin that of these kernels."""
        self._runs.on_launch(kernels)
        self._races.on_launch(kernels)

    def _check_reset(self) -> None:
        """Pass on which harts entered or left reset, by the host, B or a debugger."""
        now = int(self._machine.S.tile_control.soft_reset)
        before, self._known = self._known, now
        if now == before:
            return
        self._programs.on_reset_change(before, now)
        self._runs.on_reset_change(before, now)
        self._capture.on_reset_change(before, now)
        self._races.on_reset_change(before, now)
        self.clock.in_reset()
        if not self._stop_at_entry:
            return
        if now & T_CORES == T_CORES:
            self._machine.freeze((T0, T1, T2))
        elif before & T_CORES == T_CORES:
            # They were held until now, so none of them has executed anything.
            self._machine.freeze(())
            self.clock.wait_for_debugger("a T core has left reset")

    async def until_released(self) -> None:
        """Keep the tile until the last client has gone."""
        self._machine.host.is_present = False  # nothing but the tile itself lets harts go now
        self.clock.note()
        if self._tile.sessions:
            log.warning("the driver has gone; the tile stays as long as you look at it")
        await self.clock.until_released()
