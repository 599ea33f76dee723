# SPDX-License-Identifier: Apache-2.0
"""The first NaN: in which cycle Dst, an LReg or a source bank has had one, and what it was made of.

Dst is looked at as 16-bit datums with 8 bits of exponent, LRegs as FP32, banks as their format
says: an integer that looks like one is taken for one. What comes and goes within a cycle is not
seen. The Matrix Unit takes a NaN as a number of that exponent, and makes none (FloatBitPatterns.md;
tests/core/tensix/matrix/test_no_nan.py).
"""

from __future__ import annotations

from tensix_gdb.core.engine import Engine, Entry
from tensix_gdb.core.engine.compiled import compile_now
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.entries import (
    RUN,
    RUN_CHECKED,
    RUN_TIMED,
    RUN_TIMED_CHECKED,
    fixed_rows,
)
from tensix_gdb.core.origin.ask import Asked, Origins, origins_of
from tensix_gdb.core.origin.elements import element_at, offset_of
from tensix_gdb.core.origin.first_nan import BANK, FIRST_SRC, run_to_nan
from tensix_gdb.core.origin.query import CYCLES
from tensix_gdb.core.origin.rerun import Rerun
from tensix_gdb.core.origin.words import name_of
from tensix_gdb.core.places.place import NotAPlace
from tensix_gdb.core.tensix.regfiles import dst

RUN_TO_NAN = Entry("run_to_nan", run_to_nan)
LANES = 32


def origins_of_first_nan(rerun: Rerun, *, cycles: int = CYCLES, tile: int = 0) -> Origins:
    """Return its tree. NotAPlace if there is none up to where the tile is."""
    end = int(rerun.machines[tile].S.tile.cycle)
    found = first_nan(rerun, tile)
    if found is None:
        raise NotAPlace(f"there is no NaN in Dst, an LReg or a source bank up to cycle {end}")
    place, cycle = found
    name = name_of(rerun.machines[tile], element_at(place[0]))
    head = f"the first NaN, in cycle {cycle}: {name}"
    asked = Asked(name, (place,), at=cycle + 1, head=head)
    return origins_of(rerun, asked, cycles=cycles, tile=tile)


def first_nan(rerun: Rerun, tile: int = 0) -> tuple[tuple[int, int], int] | None:
    """Return the element of a tile, and the cycle."""
    engines: list[Engine] = [machine.engine for machine in rerun.machines]
    engine = _ToNan(rerun.machines[tile])
    engines[tile] = engine
    try:
        rerun.go_to_start()
        rerun.use(engines)
        rerun.to_present()
        if engine.found is None:
            return None
        number, cycle = engine.found
        at = _offset(number)
        return (at, element_at(at).size), cycle
    finally:
        rerun.use(None)
        rerun.put_back()


def _offset(number: int) -> int:
    """Return where the element of a number is (first_nan.py)."""
    if number < dst.ROWS * dst.COLUMNS:
        return offset_of("dst", "bits", *divmod(number, dst.COLUMNS))
    if number < FIRST_SRC:
        return offset_of("vector", "lreg", *divmod(number - dst.ROWS * dst.COLUMNS, LANES))
    which, datum = divmod(number - FIRST_SRC, BANK)
    source, bank = divmod(which, 2)
    return offset_of("src", "ab"[source], bank, *divmod(datum, dst.COLUMNS))


class _ToNan:
    """Runs by cycle and notes the first NaN."""

    kind = "compiled"

    def __init__(self, machine: Machine) -> None:
        self._machine, self._own = machine, machine.engine
        fixed = fixed_rows(machine.S.tile.chip)
        what = "the tile, so that it looks for a NaN in each cycle,"
        self._code = compile_now([RUN_TO_NAN], machine.record, fixed=fixed, what=what)
        self._runs = {entry.name for entry in (RUN, RUN_CHECKED, RUN_TIMED, RUN_TIMED_CHECKED)}
        self.found: tuple[int, int] | None = None

    def call(self, name: str, *arguments: int) -> int:
        if name not in self._runs:
            return self._own.call(name, *arguments)
        if self.found is not None:
            return self._own.call(name, *arguments)
        end = int(self._machine.S.tile.cycle) + arguments[0]
        at = self._code.call(RUN_TO_NAN.name, *arguments)
        if at:
            self.found = at - 1, int(self._machine.S.tile.cycle) - 1
            left = end - int(self._machine.S.tile.cycle)
            if left > 0 and not self._machine.S.stop.kind:
                self._own.call(name, left)
        return 0

    def poll(self) -> bool:
        return False

    def close(self) -> None:
        pass
