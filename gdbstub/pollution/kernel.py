# SPDX-License-Identifier: Apache-2.0
"""A kernel that is run again and again, each time with another state of the coprocessor under it.

FILE.core, a run that `simulator --keep` has kept: it is over when its host would turn to the
result, and the result is what the host has read most of. DIR, programs as of `--dir`: it is over
when all harts have paused, and the result is L1 without the code of the programs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from tensix_gdb.core.arch.blackhole import L1_BYTES, B
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.race.state.areas import code_of
from tensix_gdb.core.stop import StopKind
from tensix_gdb.gdbstub.cli.build import build_machine, programs_of_folders
from tensix_gdb.gdbstub.pollution.state import BANKS_, SOURCES, Image, image_of, put, span_of
from tensix_gdb.gdbstub.tensix.corefile.kept_run import KeptRun
from tensix_gdb.gdbstub.usage import UsageError, parse_schedule

SCHEDULE = "latency"
LOOK = 500  # cycles between two looks whether a kept run is over
MARGIN = 20_000  # cycles that a run with another state may take longer than four times its own
DRAIN = 64  # cycles after the end in which pipelines become empty
HELD = 0xA5  # what a result has before the run, so that it cannot be of another one
_PAUSES = StopKind.EBREAK, StopKind.ECALL


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of a run: the result, why there is none, how many cycles, and the state then."""

    result: bytes
    why: str
    cycles: int
    image: Image


@dataclass(frozen=True, slots=True)
class Plant:
    """A state that is put under a run when it has run for so many cycles."""

    cycle: int
    change: Callable[[Machine], None]


class Kernel:
    """One of them, with a tile of its own. UsageError if the file is none."""

    def __init__(self, path: str, name: str, engine: str, most: int) -> None:
        self.path, self.name, self._most = path, name, most
        self._kept: KeptRun | None = None
        file = Path(path)
        if file.is_dir():
            programs = programs_of_folders([path])
            self.machine = build_machine(programs, engine, SCHEDULE)
        elif file.suffix == ".core":
            self._kept = KeptRun(file, file.with_suffix(".json"))
            self.machine = self._kept.machine(engine, parse_schedule(SCHEDULE))
            # The host of a kept run only waits, and then reads.
            self.machine.host.is_present = False
        else:
            raise UsageError(
                f"{path}: is neither a kept run (FILE.core) nor a folder with programs (b.elf, "
                "t0.elf ...)"
            )
        self._code = [(one.first, one.end) for one in code_of(self.machine.images)]
        self._begin = self.machine.record.snapshot()
        self.cycle = int(self.machine.S.tile.cycle)
        self.start = image_of(self.machine.record)

    @property
    def is_kept(self) -> bool:
        """True of a run that was kept: its result is a part of L1."""
        return self._kept is not None

    def limit(self, cycles: int) -> None:
        """Give up after so many cycles, four times over."""
        self._most = min(self._most, 4 * cycles + MARGIN)

    def close(self) -> None:
        """Give the tile back."""
        self.machine.close()

    def run(
        self,
        image: Image | None = None,
        *,
        plants: Sequence[Plant] = (),
        begun: Callable[[Machine], None] = lambda machine: None,
    ) -> Ended:
        """Run it from its beginning, with `image` in the coprocessor, and with what `plants`
        change on the way."""
        self.begin(image)
        begun(self.machine)
        for plant in sorted(plants, key=lambda one: one.cycle):
            self.advance(plant.cycle)
            plant.change(self.machine)
        return self.finish()

    def begin(self, image: Image | None = None) -> None:
        """Go to its beginning."""
        machine = self.machine
        machine.restore(self._begin)
        if image is not None:
            put(machine.record, image)
        if self._kept is not None:
            addr, size = self._result()
            if size:
                machine.poke(B, addr, bytes([HELD]) * size)

    def advance(self, cycle: int) -> str:
        """Run until a cycle, counted from the beginning; return why it has ended before, if so."""
        machine = self.machine
        while (left := self.cycle + cycle - int(machine.S.tile.cycle)) > 0:
            stop = machine.run(left)
            if stop is not None and stop.kind not in _PAUSES:
                return "" if stop.kind is StopKind.ALL_PAUSED else stop.text
        return ""

    def finish(self) -> Ended:
        """Run to the end, and until nothing is under way."""
        machine, kept, why = self.machine, self._kept, ""
        while True:
            cycles = int(machine.S.tile.cycle) - self.cycle
            if cycles >= self._most:
                why = f"not done after {cycles:,} cycles"
                break
            stop = machine.run(LOOK if kept is not None else self._most - cycles)
            if kept is not None and kept.is_over(machine):
                break
            if stop is not None and stop.kind not in _PAUSES:
                why = "" if kept is None and stop.kind is StopKind.ALL_PAUSED else stop.text
                break
        cycles = int(machine.S.tile.cycle) - self.cycle
        if not why:
            machine.run(DRAIN)
        return Ended(self._read(), why, cycles, image_of(machine.record))

    def memory(self) -> bytes:
        """Return L1 as it is."""
        return bytes(self.machine.record.row(LAYOUT.slot("l1", "word")))

    def _result(self) -> tuple[int, int]:
        """Return where the result is, and how long: what the host has read most of."""
        assert self._kept is not None
        pieces: list[tuple[int, int]] = []
        for addr, data in sorted(self._kept.read_last()):
            if pieces and sum(pieces[-1]) == addr:
                pieces[-1] = pieces[-1][0], pieces[-1][1] + len(data)
            else:
                pieces.append((addr, len(data)))
        return max(pieces, key=lambda piece: piece[1], default=(0, 0))

    def _read(self) -> bytes:
        if self._kept is not None:
            addr, size = self._result()
            return bytes(self.machine.peek(B, addr, size)) if size else b""
        whole = bytearray(self.machine.peek(B, 0, L1_BYTES))
        for first, end in self._code:
            whole[first:end] = bytes(end - first)
        return bytes(whole)


def moved(fresh: Ended, other: Ended, start: Image, planted: Image) -> Image:
    """Return the bits of the state that have another value at the end than without what was
    planted; those that the kernel has left alone in both runs are none. If the banks of SrcA and
    SrcB have taken turns otherwise, their data are none either: the banks are alike."""
    kept = ~(other.image ^ planted) & ~(fresh.image ^ start)
    bits: Image = (fresh.image ^ other.image) & ~kept
    turns = span_of(BANKS_)
    if not np.array_equal(start[turns], planted[turns]):
        bits[turns] = bits[span_of(SOURCES)] = 0
    return bits
