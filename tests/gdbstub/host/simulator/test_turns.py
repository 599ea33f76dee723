# SPDX-License-Identifier: Apache-2.0
"""Time with a host passes in pieces that take a fraction of a second, however slow a tile is."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio
import trio.testing

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import Image
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.host.simulator import host_clock
from tensix_gdb.gdbstub.host.simulator.chip import SOFT_RESET_0, Chip
from tensix_gdb.gdbstub.host.simulator.grid import TILE
from tensix_gdb.gdbstub.host.simulator.host_clock import GRACE_CYCLES, TURN_SECONDS, TileClock
from tensix_gdb.gdbstub.host.simulator.messages import Command, Message
from tests.assembler import SPIN, image
from tests.gdbstub.host.simulator.driver import B_RUNS

SLOW = 1_000  # cycles in a second


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A tile whose B spins, and which is so slow."""
    made = Machine(engine="reference", schedule=Schedule.LATENCY)
    chip = Chip({TILE: made})
    chip.perform(Message(Command.WRITE, TILE, 0, 4, SPIN.to_bytes(4, "little")))
    chip.perform(Message(Command.WRITE, TILE, SOFT_RESET_0, 4, B_RUNS.to_bytes(4, "little")))
    monkeypatch.setattr(host_clock, "perf_counter", lambda: int(made.S.tile.cycle) / SLOW)
    return made


class Debuggers:
    """Who looks at the tile: nobody, or one that has just come."""

    running = still = False

    def __init__(self) -> None:
        self.sessions: list[str] = []


def clock_of(machine: Machine, debuggers: Debuggers) -> TileClock:
    history = SimpleNamespace(past=False, ran=lambda: None, to_present=lambda: None)
    runs = SimpleNamespace(seconds=0.0)
    of_tile: Any = debuggers
    chip = Chip({TILE: machine})
    return TileClock(
        chip,
        of_tile,
        GRACE_CYCLES,
        "gdb",
        cast("Any", runs),
        cast("Any", history),
        stop_at_fault=False,
    )


def turns_in(machine: Machine, cycles: int, comes_at: int = -1) -> list[int]:
    """The cycles at which others have had their turn while so many cycles were to pass. A debugger
    comes at one of them."""
    debuggers = Debuggers()
    clock = clock_of(machine, debuggers)
    turns: list[int] = []

    async def others() -> None:
        while True:
            turns.append(clock.now())
            if len(turns) == comes_at:
                debuggers.sessions.append("GDB")
            await trio.lowlevel.checkpoint()

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(others)
            await clock.run(cycles)
            nursery.cancel_scope.cancel()

    trio.run(main)
    return [*turns, clock.now()]


def test_others_have_their_turn_while_it_passes(machine: Machine) -> None:
    """Of a tile that runs a thousand cycles in a second GDB heard nothing for minutes."""
    turns = turns_in(machine, 3 * SLOW)
    assert turns[-1] == 3 * SLOW
    most = max(later - turn for turn, later in pairwise(turns))
    assert most <= max(2 * TURN_SECONDS * SLOW, host_clock.FIRST_CYCLES)


def test_it_ends_when_a_debugger_comes(machine: Machine) -> None:
    turns = turns_in(machine, GRACE_CYCLES, comes_at=4)
    assert turns[-1] == turns[3] < SLOW


def test_a_host_does_not_wait_for_a_tile_in_which_nothing_can_move() -> None:
    """A debugger that has come before the host released a hart from reset continues, and no cycle
    passes: the host has to be served."""
    debuggers = Debuggers()
    debuggers.sessions.append("GDB")
    clock = clock_of(Machine(engine="reference", schedule=Schedule.LATENCY), debuggers)
    looks = 0

    async def continues() -> None:
        nonlocal looks
        await trio.testing.wait_all_tasks_blocked()
        debuggers.running = debuggers.still = True
        while True:
            clock.note()
            looks += 1
            assert looks < 10
            await trio.testing.wait_all_tasks_blocked()

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(continues)
            await clock.until_free()
            nursery.cancel_scope.cancel()

    trio.run(main)
    assert clock.now() == 0


def test_it_takes_no_turn_of_a_fast_tile(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same cycles pass, in a few pieces that grow."""
    monkeypatch.setattr(host_clock, "perf_counter", lambda: 0.0)
    clock = clock_of(machine, Debuggers())
    pieces: list[int] = []
    advance = clock._advance

    def noted(cycles: int) -> bool:
        pieces.append(cycles)
        return advance(cycles)

    monkeypatch.setattr(clock, "_advance", noted)
    for _ in range(2):
        trio.run(clock.run, 5_000)
    assert clock.now() == 10_000
    assert pieces[0] == host_clock.FIRST_CYCLES
    assert len(pieces) <= 8


def test_files_are_read_while_a_client_looks(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of kernels before those of the firmware, each once, and none where no client looks."""
    read: list[Image] = []
    monkeypatch.setattr(machine.places, "learn", read.append)
    (firmware, kernel, another) = (image([SPIN], at) for at in (0, 0x100, 0x200))
    machine.loader.set_hosted("firmware", [firmware])
    machine.loader.set_hosted("kernels", [kernel, kernel.as_at(0x80, kernel.segments)])
    debuggers = Debuggers()
    clock = clock_of(machine, debuggers)

    async def look() -> list[Image]:
        debuggers.sessions = ["gdb"]
        read.clear()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(partial(clock.until_free, catches_up=False))
            await trio.testing.wait_all_tasks_blocked(0.001)
            await trio.sleep(1)
            debuggers.sessions = []
            clock.note()
        return list(read)

    def looks() -> list[Image]:
        return trio.run(look, clock=trio.testing.MockClock(autojump_threshold=0))

    trio.run(partial(clock.until_free, catches_up=False))
    assert read == []
    assert looks() == [kernel, firmware]
    machine.loader.set_hosted("kernels", [kernel, another])
    assert looks() == [another]


def test_time_passes_for_samples_while_all_harts_are_in_reset() -> None:
    """tt-exalens polls L1 for them, and waited for ever."""
    machine = Machine(engine="reference", schedule=Schedule.LATENCY)
    clock, chip = clock_of(machine, Debuggers()), Chip({TILE: machine})
    chip.perform(Message(Command.WRITE, TILE, 0x1000, 4, b"none"))
    assert not clock.may_run()
    for register, value in enumerate((0x100, 0x101, 1 << 12)):
        data = value.to_bytes(4, "little")
        chip.perform(Message(Command.WRITE, TILE, 0xFFB12048 + 4 * register, 4, data))
    assert clock.may_run()
    read = Message(Command.READ, TILE, 0x1000, 4)
    trio.run(clock.run_until_changed, read, b"none")
    assert chip.perform(read) == bytes(4)
    assert not clock.may_run()


def test_an_answer_of_some_rounds_is_ready_after_some_turns(machine: Machine) -> None:
    """Each round of an answer waited for a turn of its own."""
    clock = clock_of(machine, Debuggers())
    rounds = 0

    async def answer() -> None:
        nonlocal rounds
        while True:
            rounds += 1
            await trio.lowlevel.checkpoint()

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(answer)
            await clock.run(SLOW)
            nursery.cancel_scope.cancel()

    trio.run(main)
    assert rounds >= 5 * 16  # at most 20 turns in a second
