# SPDX-License-Identifier: Apache-2.0
"""A load of what the same hart has stored, beginning at another byte: WormholeB0 MemoryOrdering.md
denies the order, silicon and Tenstorrent's compiler agree (tt-metal#55505), so it is reported."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import T0, T1
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.findings import Report, State
from tensix_gdb.core.schedule import Schedule
from tests.assembler import EBREAK, NOP, asm, image, li

LOCAL, L1 = 0xFFB00100, 0x20000
STORE = [*li(6, 0x1234), asm("sh", rs1=5, rs2=6, imm=2)]
LOAD = asm("lw", rd=7, rs1=5)
USE = asm("add", rd=8, rs1=7)
GUARD = asm("lhu", rd=0, rs1=5, imm=2)  # what -mtt-fix-whraw adds
AFTER = [NOP] * 300  # until the store is done
SEEDS = 20
STORE_AT = 0x6000 + 4 * len([*li(5, LOCAL), *STORE[:-1]])


def run(
    arch: Arch, execution: Execution, program: list[int], *, local: bool | None = None
) -> tuple[int, tuple[Report, ...]]:
    """Return what the program has in a3, and what nothing orders."""
    machine = Machine(engine="reference", schedule=execution, arch=arch)
    machine.observe_races(local=local)
    machine.load(T0, image([*program, *AFTER, EBREAK], 0x6000))
    machine.run(3000)
    found = machine.races().reports
    value = machine.read_x(T0, 7)
    machine.close()
    return value, tuple(found)


def program(addr: int, *between: int) -> list[int]:
    return [*li(5, addr), *STORE, *between, LOAD, USE]


def in_latency(arch: Arch, words: list[int], local: bool | None = None) -> tuple[Report, ...]:
    return run(arch, Execution(Schedule.LATENCY), words, local=local)[1]


@pytest.mark.parametrize(("addr", "state"), [(LOCAL, State.LOCAL), (L1, State.L1)])
def test_it_is_reported_with_the_reason(addr: int, state: State) -> None:
    (report,) = in_latency(Arch.WORMHOLE, program(addr))
    assert report.place.state is state
    assert {report.earlier.instruction, report.later.instruction} == {"sh", "lw"}
    assert report.reason.startswith("The load begins at another byte than the store.")
    assert "regions" not in report.reason
    assert report.page == "WormholeB0/TensixTile/BabyRISCV/MemoryOrdering.md"
    assert report.fix is not None
    assert report.fix.text == "a load from the address of the store"


@pytest.mark.parametrize("addr", [LOCAL, L1])
def test_the_compilers_load_orders_them(addr: int) -> None:
    assert not in_latency(Arch.WORMHOLE, program(addr, GUARD))


@pytest.mark.parametrize(("register", "is_race"), [(0, False), (7, True)])
def test_the_compilers_load_and_another_hart(register: int, is_race: bool) -> None:
    """tt-metal's B stores a byte for NC, and NC answers in the same byte: the load that guards the
    store has no register, so nothing depends on whether it comes before."""
    machine = Machine(engine="reference", schedule=Schedule.LATENCY, arch=Arch.WORMHOLE)
    machine.observe_races()
    load = asm("lbu", rd=register, rs1=5)
    machine.load(T0, image([*li(5, L1), load, *AFTER, EBREAK], 0x6000))
    words = [*li(5, L1), *[NOP] * 40, asm("sb", rs1=5, rs2=6), *AFTER, EBREAK]
    machine.load(T1, image(words, 0x8000))
    machine.run(3000)
    assert bool(machine.races().reports) is is_race
    machine.close()


def test_on_blackhole_the_load_waits() -> None:
    assert not in_latency(Arch.BLACKHOLE, program(LOCAL), local=True)


def test_local_ram_can_be_left_out() -> None:
    assert not in_latency(Arch.WORMHOLE, program(LOCAL), local=False)


def test_each_seed_has_the_report_whatever_it_loads() -> None:
    """A bit field as GCC stores it, by `sh`, and loads it, by the `lw` of its word, without the
    compiler's own loads."""
    words = program(LOCAL)
    assert 0x6000 + 4 * (len(words) - 3) == STORE_AT
    values = []
    for seed in range(SEEDS):
        value, found = run(Arch.WORMHOLE, Execution(Schedule.RANDOM, seed), words)
        (report,) = found
        sides = {report.earlier.pc, report.later.pc}
        assert sides == {STORE_AT, STORE_AT + 4}
        values.append(value)
    assert 0 < values.count(0x12340000) < SEEDS
    assert len(in_latency(Arch.WORMHOLE, words)) == 1


@pytest.mark.parametrize(
    ("arch", "between", "values"),
    [
        (Arch.WORMHOLE, (), {0, 0x12340000}),
        (Arch.WORMHOLE, (GUARD,), {0x12340000}),
        (Arch.BLACKHOLE, (), {0x12340000}),
    ],
)
def test_what_seeds_show(arch: Arch, between: tuple[int, ...], values: set[int]) -> None:
    seeds = [Execution(Schedule.RANDOM, seed) for seed in range(SEEDS)]
    assert {run(arch, one, program(LOCAL, *between))[0] for one in seeds} == values
