# SPDX-License-Identifier: Apache-2.0
"""The requests of a host since the tiles were made or copied, kept so that they can be done again.

The pump keeps each request that may have changed something, as it was in the ring: that costs a
copy of some bytes where one of 140 tiles costs a quarter of a second. Time passes only between
requests, so the cycle of each is known. With both, other tiles come to the state that these had in
any cycle since then. They do not where something else has changed these: a client, or what kernels
have read of the host's memory. README.md has the reasons.
"""

from __future__ import annotations

import mmap
from array import array
from time import process_time

from tensix_gdb.core.chip.chip import Chip as Tiles
from tensix_gdb.core.chip.places import is_ethernet
from tensix_gdb.gdbstub.host.library.channel import Channel, Kept, kept_requests
from tensix_gdb.gdbstub.host.library.host_memory import CallbackMemory
from tensix_gdb.gdbstub.host.simulator.chip import Chip
from tensix_gdb.gdbstub.host.simulator.grid import Core, of_noc_0
from tensix_gdb.gdbstub.host.simulator.host_clock import HostClock
from tensix_gdb.gdbstub.host.simulator.runs.failing import NotKept

ROOM = 1 << 25  # bytes of requests
LONG_SECONDS = 10.0  # of the processor, until the tiles are copied anew: so long is a run played


class HostInputs:
    """The requests that `channel` keeps, and when they were. `memory` is that of the host."""

    def __init__(self, channel: Channel, clock: HostClock, memory: CallbackMemory) -> None:
        self._channel, self._clock, self._memory = channel, clock, memory
        self._room = mmap.mmap(-1, ROOM)
        self._is_whole = False
        # Pairs: up to which byte requests were carried out before a cycle, and that cycle.
        self._times = array("q")
        self._used = 0
        self._marked: tuple[int, int] | None = None  # pairs, and the cycle
        self.restart()

    def restart(self) -> None:
        """Forget all: the tiles have been made, or copied, just now."""
        self._channel.keep_inputs(self._room)
        self._is_whole = True
        self._times = array("q")
        self._used, self._marked = 0, None
        self._notes, self._since = self._clock.notes, process_time()

    def stop(self) -> None:
        """Keep nothing any more."""
        self._channel.keep_inputs(None)
        self._is_whole, self._marked = False, None

    def note(self) -> None:
        """Note in which cycle the last requests were; call before time passes."""
        used = self._channel.kept_bytes
        if used != self._used:
            self._used = used
            self._times.extend((used, self._clock.now()))

    @property
    def is_long(self) -> bool:
        """True if to play it may take long."""
        return process_time() - self._since > LONG_SECONDS

    def mark(self) -> bool:
        """Mark this moment, which `play` comes to; False if it could not. Call `note` before."""
        self._is_whole = (
            self._is_whole
            and self._channel.keeps_inputs
            and self._clock.notes == self._notes
            and not self._memory.is_asked
        )
        self._marked = (len(self._times), self._clock.now()) if self._is_whole else None
        return self._is_whole

    @property
    def is_marked(self) -> bool:
        """True if a moment is marked since the tiles were made or copied."""
        return self._marked is not None

    def play(self, tiles: Tiles) -> None:
        """Bring other tiles, that are as these were at first, to the moment. NotKept."""
        assert self._marked is not None
        count, last = self._marked
        chip = Chip(
            *(tiles.tiles, tiles.wake, tiles.wake_for_bytes, tiles.cables.tiles, tiles.sleeps)
        )
        workers = [core for core in tiles.tiles if not is_ethernet(core)]
        requests = kept_requests(self._room)
        at = 0
        for end, cycle in zip(self._times[0:count:2], self._times[1:count:2], strict=True):
            _run_to(tiles, cycle)
            while at < end:
                kept = next(requests)
                at = kept.end
                _perform(chip, workers, kept)
        _run_to(tiles, last)


def _run_to(tiles: Tiles, cycle: int) -> None:
    """Run as a host's clock does, past stops that let it continue."""
    stopped_at = -1
    while tiles.cycle < cycle:
        if tiles.run(cycle - tiles.cycle, lazy=True) is not None:
            if tiles.cycle == stopped_at:
                raise NotKept("what the host did before the launch leads to another state")
            stopped_at = tiles.cycle


def _perform(chip: Chip, workers: list[Core], kept: Kept) -> None:
    """Carry out a request as calls.py does, if it is one to a tile or to DRAM."""
    first, last = (of_noc_0(core, chip.chip) for core in (kept.first, kept.last))
    if first != last:
        some = [c for c in workers if first[0] <= c[0] <= last[0] and first[1] <= c[1] <= last[1]]
    else:
        has = first in chip.tiles or first in chip.ethernet or first in chip.channels
        some = [first] if has else []
    for core in some:
        chip.perform(kept.message(core))
