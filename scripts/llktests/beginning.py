# SPDX-License-Identifier: Apache-2.0
"""A kernel that the suite has started once, started again without the suite.

`simulator --keep` has kept the tile as it was before the first T core left reset.
From there on the suite's host only waits, by reading three words over the NoC until all have said
that they are done, and then reads the result, both without a side effect on the tile; time passes
by as many cycles after each of its messages as between two looks here. `check` makes sure of that
for each kernel: in `latency`, whatever the host has read is read again, byte for byte, and it has
written nothing before the end.

With `poisoned`, what is not of this run cannot be in the result.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tensix_gdb.core.arch.blackhole import L1_BYTES, B
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.memory.noc_access import NocAccess
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.host.simulator.options import DEFAULT_CYCLES
from tensix_gdb.gdbstub.tensix.corefile.elf import machine_from, read_core
from tensix_gdb.gdbstub.tensix.corefile.kept_run import begin_other

# Where T0, T1 and T2 say that they are done, and what (tests/helpers of the suite).
DONE_AT, DONE = (0x1FFB8, 0x1FFBC, 0x1FFC0), 0xFF
MAX_CYCLES = 200_000_000
POISON = 0xA5
LATENCY = Execution(Schedule.LATENCY, 1)


@dataclass(frozen=True, slots=True)
class Ran:
    """A run: the result, or why there is none, and how many cycles."""

    result: bytes
    why: str
    cycles: int


class Beginning:
    """The beginning of a run as the simulator has kept it. `result` is what the host has read most
    of."""

    def __init__(self, core: Path) -> None:
        kept = json.loads(core.with_suffix(".json").read_text(encoding="ascii"))
        self._addr, self._data = int(kept["addr"]), bytes.fromhex(kept["data"])
        self._reads = {int(addr): bytes.fromhex(data) for addr, data in kept["reads"].items()}
        self._writes = [(int(cycle), int(addr)) for cycle, addr in kept["writes"]]
        self.name = core.stem
        self.result_at, self.result = _largest(self._reads)
        self.machine: Machine = machine_from(read_core(str(core)), "compiled")
        self.machine.host.is_present = True
        self._host = NocAccess(self.machine.record, self.machine.memory)
        self.start = self.machine.snapshot()

    def close(self) -> None:
        """Give the machine back."""
        self.machine.close()

    def begin(self, execution: Execution, *, poisoned: bool) -> None:
        """Start it."""
        machine = self.machine
        machine.restore(self.start)
        # B has run in `latency` until here, whose pipelines are those of `random`.
        begin_other(machine, execution)
        if self._data:
            machine.poke(B, self._addr, self._data)
        if poisoned:
            self._host.write(self.result_at, bytes([POISON]) * len(self.result))

    def run(
        self,
        execution: Execution,
        *,
        poisoned: bool = True,
        most: int = MAX_CYCLES,
        begun: Callable[[Machine], None] = lambda machine: None,
    ) -> Ran:
        """Start it, and wait for its end as the host does. `begun` is called in between."""
        self.begin(execution, poisoned=poisoned)
        begun(self.machine)
        return self.resume(most)

    def resume(self, most: int = MAX_CYCLES) -> Ran:
        """Wait for its end from here on."""
        machine = self.machine
        start = int(machine.S.tile.cycle)
        while True:
            stop = machine.run(DEFAULT_CYCLES)
            cycles = int(machine.S.tile.cycle) - start
            if stop is not None:
                return Ran(b"", stop.text, cycles)
            if all(self._host.read(addr, 1)[0] == DONE for addr in DONE_AT):
                return Ran(self._host.read(self.result_at, len(self.result)), "", cycles)
            if cycles > most:
                return Ran(b"", f"not done after {cycles:,} cycles", cycles)

    def check(self, most: int = MAX_CYCLES) -> str:
        """Return why a run here is not what it was with the suite's host; empty as a rule."""
        ran = self.run(LATENCY, poisoned=False, most=most)
        if ran.why:
            return f"again in latency: {ran.why}"
        for addr, data in self._reads.items():
            # What registers hold depends on the moment.
            if addr < L1_BYTES and self._host.read(addr, len(data)) != data:
                return f"again in latency: the host has read something else at 0x{addr:x}"
        end = int(self.machine.S.tile.cycle)
        for cycle, addr in self._writes:
            if cycle < end:
                return f"the host has written to 0x{addr:x} before the end"
        return ""


def _largest(reads: Mapping[int, bytes]) -> tuple[int, bytes]:
    """The result is what the host has read most of, which it does piece by piece."""
    pieces: list[tuple[int, bytes]] = []
    for addr in sorted(reads):
        if pieces and pieces[-1][0] + len(pieces[-1][1]) == addr:
            pieces[-1] = pieces[-1][0], pieces[-1][1] + reads[addr]
        else:
            pieces.append((addr, reads[addr]))
    return max(pieces, key=lambda piece: len(piece[1]), default=(0, b""))
