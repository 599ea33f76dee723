# SPDX-License-Identifier: Apache-2.0
"""Tiles as the simulator of one host: what is done at each of its accesses."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from tensix_gdb.core.arch.blackhole import T0, T1, T2
from tensix_gdb.gdbstub.host.simulator.chip import Chip, Device, is_in_l1, is_running
from tensix_gdb.gdbstub.host.simulator.grid import Core
from tensix_gdb.gdbstub.host.simulator.host_clock import HostClock
from tensix_gdb.gdbstub.host.simulator.messages import Message
from tensix_gdb.gdbstub.host.simulator.runs.ethernet import EthernetPrograms
from tensix_gdb.gdbstub.host.simulator.runs.failing import Why
from tensix_gdb.gdbstub.host.simulator.runs.found import Finds
from tensix_gdb.gdbstub.host.simulator.runs.log import T_CORES
from tensix_gdb.gdbstub.host.simulator.runs.only_polls import OnlyPolls
from tensix_gdb.gdbstub.host.simulator.watched import Watched
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.protocol.target import TargetError

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.host.simulator.host_memory import MemoryLink

log = logging.getLogger(__name__)
# In which the host only reads: what was found is said before the run ends. A kernel of a test
# has ended before, and a tile that is observed runs some seconds for it.
LONG_CYCLES = 5_000_000


class Simulator:
    """Carries out the host's accesses, one after the other. `watched` has each tile of `chip`;
    `shared` is what debuggers see of them."""

    def __init__(
        self,
        chip: Chip,
        shared: SharedTile,
        clock: HostClock,
        watched: Mapping[Core, Watched],
        stop_at_entry: bool,
        finds: Finds | None = None,
    ) -> None:
        self.chip, self._shared, self.watched = chip, shared, watched
        for one in watched.values():
            one.launches.announce = partial(self._announce, one)
        # Of a tile alone, whatever the host does concerns it.
        self._alone = next(iter(watched.values())) if len(watched) == 1 else None
        self.ethernet: dict[Core, EthernetPrograms] = {}
        self.clock = clock
        self.port = 0  # at which debuggers are served
        self.settle: Callable[[], None] = lambda: None  # of the server: clients get what is sent
        self.connected: Callable[[MemoryLink], None] = lambda link: None
        self.host_ended: Callable[[], None] = lambda: None  # runs end: say what was found
        self.keep_failed: Callable[[], list[str]] = list  # keeps a run; what there is to say
        self._finds = finds or Finds()
        self._only_polls = OnlyPolls(says=not self._finds.wanted)
        self._waits_since: float = clock.now()  # since when the host does nothing but read
        self._stop_at_entry = stop_at_entry
        if stop_at_entry:
            self._hold((T0, T1, T2))

    async def carry_out(self, message: Message) -> bytes | None:
        """Carry out one access; return the answer to a READ."""
        if not self.clock.is_free():
            await self.clock.until_free()
        one = self.watched.get(message.core, self._alone)
        if one is not None:
            return await self._handle(one, message)
        with self.clock.host_input(message):
            answer = self.chip.perform(message)
        programs = self.ethernet.get(message.core)
        if programs is not None and programs.starts_by(message) and programs.recognise():
            self._shared.libraries_changed(programs.first_thread)
            self.settle()
        return answer

    def wake_for_bytes(self, core: Core) -> None:
        """Bring a tile up to date before bytes of its L1 are written."""
        self.chip.wake_for_bytes(core)

    def add_device(self, core: Core, device: Device) -> None:
        """Put something at a core that is neither a tile nor DRAM."""
        self.chip.others[core] = device

    def refuse_by(self, refuse: Callable[[str], None]) -> None:
        """Call this with a sentence where the host accesses what is not there."""
        self.chip.refuse = refuse

    def is_running(self) -> bool:
        """True if any hart is out of reset. Those of Ethernet tiles always are."""
        return any(is_running(one.machine) for one in self.watched.values())

    def core_file(self) -> bytes:
        """Return a core file of the tiles."""
        kind = self._shared.target.core_file
        if kind is None:
            raise TargetError("these tiles have no core files")
        return kind.content(running_for="")

    @property
    def is_told_by_another(self) -> bool:
        """True if the command that has started the host tells what is found."""
        return self._finds.wanted

    def has_clients(self) -> bool:
        """True if debuggers are attached."""
        return bool(self._shared.sessions)

    def check_resets(self, cores: Iterable[Core]) -> None:
        """Note which harts of these tiles have entered or left reset while time has passed."""
        for core in cores:
            self._check_reset(self.watched[core])

    async def look_how_long_it_waits(self, *, wrote: bool) -> None:
        """Say what was found so far if the host has waited long: a run that hangs has no end. It
        has not waited if it `wrote` something since the last call."""
        if wrote:
            self._waits_since = self.clock.now()
            self._only_polls.host_acts(self._waits_since)
        found = self._only_polls.look(self.chip, self.clock.now())
        if found is not None:
            if self._finds.wanted:
                await self._report_so_far()  # first: the reader of the hang ends the host
            for one in self.watched.values():
                if one.failing is not None:
                    one.failing.keep(Why.STUCK)
            from tensix_gdb.gdbstub.host.simulator.runs.hang import finds_of_look

            self._finds.note(*finds_of_look(self.chip.tiles, found))
        waited = self.clock.now() - self._waits_since
        if waited >= LONG_CYCLES:
            self._waits_since = math.inf  # until it has written something
            await self._report_so_far(int(waited))

    async def _report_so_far(self, waited: int = 0) -> None:
        """Report what was found in runs that have not ended."""
        await self._read_files(*self.watched.values())
        for each in self.watched.values():
            each.races.has_not_ended(waited)

    async def _read_files(self, *some: Watched) -> None:
        """Read what a report needs of the files of the current runs, if there is to be one. That
        takes a second of processor for a kernel and the firmware, and GDB has six of the clock for
        an answer: clients have their turn in between."""
        for one in some:
            for _ in one.races.reads():
                await self.clock.give_turn()

    async def _handle(self, one: Watched, message: Message) -> bytes | None:
        """Carry out an access that concerns one tile."""
        if one.launches.starts_by(message):
            await self._read_files(one)
            if not self.clock.is_free():
                await self.clock.until_free()
            await one.launches.start()
        with self.clock.host_input(message):
            self._check_reset(one)
            in_reset = one.reset
            one.before_message(message)
            answer = self.chip.perform(message)
            one.after_message(message, answer)
            if not is_in_l1(message):
                self._check_reset(one)
        if one.reset != in_reset:
            await one.launches.on_reset_change(in_reset, one.reset)
            await self._read_files(one)
        return answer

    async def _announce(self, one: Watched) -> None:
        """Let debuggers read which programs a tile has, before anything of them is executed."""
        if self._shared.libraries_changed(one.first_thread):
            self.settle()
            await self.clock.until_free(catches_up=False)

    def _check_reset(self, one: Watched) -> None:
        before, now = one.check_reset()
        if now == before:
            return
        self.clock.in_reset(one.core)
        if not self._stop_at_entry:
            return
        if now & T_CORES == T_CORES:
            self.chip.wake(one.core)
            one.machine.freeze((T0, T1, T2))
        elif before & T_CORES == T_CORES:
            # They were held until now, so none of them has executed anything.
            self._hold((), one)
            if not self._shared.sessions:  # one that is there has continued the tile
                self.clock.wait_for_debugger("a T core has left reset")

    def _hold(self, harts: Collection[int], one: Watched | None = None) -> None:
        """Hold these harts alone. Of several tiles the first one at its entry stops all."""
        if self._alone is None and one is not None:
            self._stop_at_entry = False
        for core, tile in self.chip.tiles.items():
            self.chip.wake(core)
            tile.freeze(harts)
            self.chip.wake(core)

    async def until_released(self) -> None:
        """Keep the tiles until the last client has gone."""
        self.clock.host_has_gone()
        self.clock.note()
        await self._read_files(*self.watched.values())
        self.host_ended()
        if self._shared.sessions:
            log.warning("the host has gone; the tile stays as long as you look at it")
        await self.clock.until_released()
