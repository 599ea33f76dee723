# SPDX-License-Identifier: Apache-2.0
"""A machine on each engine, the compiled one also in the build that traps overflow.

The fixtures are known everywhere through tests/conftest.py.
"""

from collections.abc import Callable, Iterator
from functools import cache

import pytest

from tensix_gdb.core.engine import jit
from tensix_gdb.core.engine.cache import open_cache
from tensix_gdb.core.engine.compiled import CompiledEngine
from tensix_gdb.core.engine.plan import Built, plan_for
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.litmus.tile import OBSERVED, Tile
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.entries import ENTRIES, fixed_rows
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.schedule import DEFAULT_SEED, Schedule

ENGINES = ("reference", "compiled", "checked")
Maker = Callable[[], Machine]


def machine_on(
    engine: str,
    schedule: Schedule = Schedule.SC,
    seed: int = DEFAULT_SEED,
    arch: Arch = Arch.BLACKHOLE,
) -> Machine:
    """A fresh machine on one of ENGINES."""
    machine = Machine(engine="reference", schedule=schedule, seed=seed, arch=arch)
    if engine != "reference":
        machine.engine = compiled_for(machine.record, arch, checked=engine == "checked")
    return machine


def compiled_for(record: Record, arch: Arch, *, checked: bool) -> CompiledEngine:
    """The compiled engine of a record, or the one that traps overflow."""
    return CompiledEngine(ENTRIES, record, _built(checked, arch.chip)[0])


@cache
def _built(checked: bool, chip: int) -> tuple[Built, jit.Loaded]:
    """The code of all machines of a kind, kept loaded: to find it in the user's cache, and see that
    it is still of these sources, takes longer than most of the thousands of tests. LLVM optimizes
    the checked build little: what it traps is the same, and it is made in a tenth of the time."""
    plan = plan_for(ENTRIES, LAYOUT, checked=checked, fixed=fixed_rows(chip))
    built = plan.build(open_cache(), jit.QUICK if checked else jit.FULL)
    symbols = [f"entry.{entry.name}" for entry in ENTRIES]
    return built, jit.load(built.key, built.code, symbols)


def observed_tile(engine: str = "compiled") -> Tile:
    """A tile of litmus tests that observes races. LLVM optimizes its code little: what is observed
    is the same, and the observer takes the time."""
    tile = Tile("reference", observed=True)
    if engine != "reference":
        record = tile.machine.record
        built = plan_for(OBSERVED, record.layout).build(open_cache(), jit.QUICK)
        tile.machine.engine = CompiledEngine(OBSERVED, record, built)
    return tile


@pytest.fixture(params=ENGINES)
def new_machine(request: pytest.FixtureRequest) -> Iterator[Maker]:
    """Makes machines that run on the engine under test."""
    made: list[Machine] = []

    def make() -> Machine:
        made.append(machine_on(request.param))
        return made[-1]

    yield make
    for machine in made:
        machine.close()


@pytest.fixture
def machine(new_machine: Maker) -> Machine:
    """One machine that runs on the engine under test."""
    return new_machine()


SCHEDULES = (Schedule.SC, Schedule.LATENCY)


@pytest.fixture(params=[(e, s) for e in ENGINES[:2] for s in SCHEDULES], ids=str)
def tile(request: pytest.FixtureRequest) -> Iterator[Machine]:
    """A machine on each engine, with requests that take no time and with requests that do."""
    engine, schedule = request.param
    machine = machine_on(engine, schedule)
    yield machine
    machine.close()
