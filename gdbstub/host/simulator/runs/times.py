# SPDX-License-Identifier: Apache-2.0
"""The time of each launch of kernels on one tile: what `--kernel-times` adds to a line of
`--runs`."""

from __future__ import annotations

from collections.abc import Callable

from tensix_gdb.core.arch.blackhole import HART_NAMES
from tensix_gdb.core.counting.harts import RA
from tensix_gdb.core.counting.launched import LaunchCounts
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.tensix.output.profile import NOC_PORTS
from tensix_gdb.gdbstub.tensix.output.timeline import UNIT_NAMES


class LaunchTimes:
    """Times the launches of a tile. `launched` says which program is launched, by the host's
    number, and where the kernels of its harts are.

    A line has `program`, `go` (the cycle of the go signal), `harts`: of each the cycles in which it
    has begun and ended its kernel, -1 if it has not; `busy`: cycles of units, and flits of data of
    the ports of NIUs, by name; `dram`: bytes that were asked of each channel.
    """

    def __init__(
        self, machine: Machine, launched: Callable[[], tuple[int, list[tuple[int, int]]]]
    ) -> None:
        self._machine, self._launched = machine, launched
        self._counts = LaunchCounts(machine.record)
        self._program = self._go = 0
        self._backs: dict[int, int] = {}  # of harts: where kernels return to

    def begin(self) -> None:
        """Begin to count; call before the harts see the go signal."""
        self._program, places = self._launched()
        self._go = int(self._machine.S.tile.cycle)
        self._counts.begin(places)
        for hart, entry in places:
            self._begun_before(hart, entry)

    def _begun_before(self, hart: int, entry: int) -> None:
        """Note that a hart waits for the go signal in its kernel: a dispatcher has let firmware
        start it before. It begins with the signal, as in tt-metal's zones, and returns to where
        `ra` says, or said in an earlier launch if the kernel is in a call. Firmware is below all
        kernels in L1."""
        S, back = self._machine.S, int(self._machine.S.hart.x[hart, RA])
        if S.hart.pc[hart] < entry:
            return
        if back < entry:
            self._backs[hart] = back
        S.counted.kernel_back[hart] = self._backs.get(hart, 0)
        S.counted.kernel_from[hart] = self._go

    def ended(self) -> dict[str, object]:
        """Return what the line of the launch has of it."""
        taken = self._counts.end()
        if taken is None:
            return {}
        busy = [*zip(UNIT_NAMES, taken.busy, strict=True)]
        busy += zip(NOC_PORTS, taken.flits, strict=True)
        return {
            "program": self._program,
            "go": self._go,
            "harts": {HART_NAMES[hart]: list(times) for hart, times in taken.harts.items()},
            "busy": {name: n for name, n in busy if n},
            "dram": {str(channel): n for channel, n in enumerate(taken.dram) if n},
        }
