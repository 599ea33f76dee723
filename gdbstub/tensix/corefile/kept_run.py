# SPDX-License-Identifier: Apache-2.0
"""The beginning of a run of a kernel that `tensix-gdb simulator --keep DIR` has kept, started again
without its host: DIR/run-1.core, and DIR/run-1.json beside it
(gdbstub/host/simulator/runs/capture.py); a program with ttnn that fails has one, too
(runs/failing.py).

The host's last message before the run is given to the tile again. After it, the host of a test
polls words of L1 and then reads a result. The run is over when the words that it has
polled are as they were read last. `"ended": false` in the file says that the host gave up: then it
is never over. `"arguments"`, if there, says where tt-metal's kernels have runtime arguments: hart,
first byte, end, and whether all tiles have them; the tile itself does not say how far they were
written. `"cycle"`, if there, is that of its end, and `"hash"` that of the tile there;
`"expected"` has values of `--expect`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tensix_gdb.core.arch.blackhole import HARTS, L1_BYTES, B
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.executions import begin_execution
from tensix_gdb.core.race.state.areas import Arguments
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.tensix.corefile.elf import machine_from, read_core
from tensix_gdb.gdbstub.usage import UsageError

WORD, THREE = 4, 12  # bytes of what is polled: a word, or one of each T core at once (LLK)


class KeptRun:
    """One of them. UsageError if the files are none."""

    def __init__(self, core: Path, kept: Path) -> None:
        try:
            found = json.loads(kept.read_text(encoding="ascii"))
            self._kept = _read(found)
            self.arguments = [_arguments(*row) for row in found.get("arguments", ())]
            self.has_ended = bool(found.get("ended", True))
            self.cycle, self.hash = int(found.get("cycle", 0)), str(found.get("hash", ""))
            self.expected = tuple(map(str, found.get("expected", ())))
        except OSError as problem:
            raise UsageError(f"{kept}: cannot be read: {problem.strerror}") from None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise UsageError(f"{kept}: is not what `tensix-gdb simulator --keep` writes") from None
        self._core = core

    def machine(self, engine: str, execution: Execution) -> Machine:
        """Return a tile with the kernel at its beginning; the caller closes it."""
        if execution.schedule not in (Schedule.LATENCY, Schedule.RANDOM):
            raise UsageError("a kept run is started in latency or random:SEED")
        return self._begun(engine, execution)

    def as_it_was(self, engine: str) -> Machine:
        """The same, in the schedule in which it ran."""
        return self._begun(engine)

    def _begun(self, engine: str, execution: Execution | None = None) -> Machine:
        machine = machine_from(read_core(str(self._core)), engine)
        machine.host.is_present = True
        if execution is not None:
            begin_other(machine, execution)
        self.give_message(machine)
        return machine

    def give_message(self, machine: Machine) -> None:
        """Let the host send what it has sent last before the run."""
        addr, data = self._kept[:2]
        if data:
            machine.poke(B, addr, data)

    def polled(self) -> tuple[tuple[int, bytes], ...]:
        """Return the words of L1 that the host has read last before it turned to the result."""
        return tuple((addr, data) for addr, data in self._kept[2].items() if _is_polled(data))

    def read_last(self) -> tuple[tuple[int, bytes], ...]:
        """Return what the host has read of the result."""
        return tuple((addr, data) for addr, data in self._kept[2].items() if not _is_polled(data))

    def is_over(self, machine: Machine) -> bool:
        """True if the host would turn to the result."""
        polled = self.polled()
        return (
            self.has_ended
            and bool(polled)
            and all(_has(machine, addr, data) for addr, data in polled)
        )

    def result(self, machine: Machine) -> tuple[int, int]:
        """Return how many bytes the host has read of the result, and how many of them differ
        here."""
        size = wrong = 0
        for addr, data in self.read_last():
            now = machine.peek(B, addr, len(data))
            size += len(data)
            wrong += sum(mine != theirs for mine, theirs in zip(now, data, strict=True))
        return size, wrong


def end_of_kept(machine: Machine, core: str | None) -> Callable[[], bool] | None:
    """If a core file is the beginning of a kept run, give the tile the host's message; what says
    that the host would turn to the result. None for another: only its harts end it."""
    if core is None or not Path(core).with_suffix(".json").exists():
        return None
    try:
        kept = KeptRun(Path(core), Path(core).with_suffix(".json"))
    except UsageError:
        return None  # another file of that name
    kept.give_message(machine)
    return lambda: kept.is_over(machine)


def _is_polled(data: bytes) -> bool:
    return len(data) <= WORD or len(data) == THREE


def begin_other(machine: Machine, execution: Execution) -> None:
    """Continue in another schedule. Until here the tile ran in one with the same pipelines."""
    begin_execution(machine.S, execution)


def _read(kept: dict[str, Any]) -> tuple[int, bytes, dict[int, bytes]]:
    """Return the message's address and bytes, and what the host has read of L1 last."""
    reads = {int(addr): bytes.fromhex(data) for addr, data in kept["reads"].items()}
    inside = {addr: data for addr, data in reads.items() if 0 <= addr <= L1_BYTES - len(data)}
    addr, data = int(kept["addr"]), bytes.fromhex(kept["data"])
    if not 0 <= addr < 1 << 32:
        raise ValueError
    return addr, data, inside


def _arguments(hart: int, first: int, end: int, is_common: bool) -> Arguments:
    if hart not in range(HARTS) or not 0 <= first <= end <= L1_BYTES:
        raise ValueError
    return Arguments(hart, first, end, bool(is_common))


def _has(machine: Machine, addr: int, data: bytes) -> bool:
    return bool(machine.peek(B, addr, len(data)) == data)
