# SPDX-License-Identifier: Apache-2.0
"""A fault while the host polls: what looks like a hang is said, once, within a few accesses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio

from tensix_gdb.core.arch.blackhole import SOFT_RESET_HARTS
from tensix_gdb.core.chip.chip import Chip as Tiles
from tensix_gdb.core.engine import EngineDefect
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.host.simulator.chip import SOFT_RESET_0, Chip
from tensix_gdb.gdbstub.host.simulator.chip_clock import ChipClock
from tensix_gdb.gdbstub.host.simulator.grid import TILE, Core
from tensix_gdb.gdbstub.host.simulator.host_clock import HostClock, TileClock
from tensix_gdb.gdbstub.host.simulator.life import Life, faults_of, living
from tensix_gdb.gdbstub.host.simulator.messages import Command, Message
from tensix_gdb.gdbstub.host.simulator.options import SimulatorOptions
from tensix_gdb.gdbstub.host.simulator.runs.capture import RunCapture
from tensix_gdb.gdbstub.host.simulator.runs.log import RunLog
from tensix_gdb.gdbstub.host.simulator.runs.races import RunRaces
from tensix_gdb.gdbstub.host.simulator.simulator import Simulator
from tensix_gdb.gdbstub.host.simulator.watched import watch
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.tensix.capabilities.reverse import TileHistory
from tensix_gdb.gdbstub.tensix.chip.history import RecordedChip
from tensix_gdb.gdbstub.tensix.chip.target import chip_target
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tests.assembler import SPIN, asm
from tests.gdbstub.host.simulator.driver import B_RUNS
from tests.gdbstub.tiles import Client

NONE = 0xFFFFFFFF  # no instruction
FLAG = 0x5000
CYCLES = 500  # of a read
# A loop of some thousand cycles, then no instruction.
LATER = [asm("addi", rd=5, imm=2000), asm("addi", rd=5, rs1=5, imm=-1)]
LATER += [asm("bne", rs1=5, imm=-4), NONE]
LATER_CYCLES = 20_000  # more than that
ATTACH = "gdb here"
NEAR, FAR, QUIET = (1, 2), (2, 2), (3, 2)
SENTENCE = "B at 0x0000000c: UndefinedBehavior: 0xffffffff is not an instruction"
WAITS = "stopped there; to look, `monitor why` first: gdb here"
COUNT = (
    "to count such faults and continue: --faults UndefinedBehavior=count from the start, or "
    "`monitor faults UndefinedBehavior=count` and `continue` in a debugger"
)


class Host:
    """A host that polls, and the lines that are said meanwhile."""

    def __init__(self, made: Simulator, shared: SharedTile, caplog: Any) -> None:
        self.simulator, self.shared, self.caplog = made, shared, caplog

    def send(self, *messages: Message) -> None:
        """Time passes after each read, as after one that repeats another."""

        async def all_of_them() -> None:
            for message in messages:
                answer = await self.simulator.carry_out(message)
                if answer is not None and self.simulator.clock.may_run():
                    await self.simulator.clock.run_until_changed(message, answer)
                    self.simulator.check_resets(self.simulator.watched)

        trio.run(all_of_them)

    def reset(self, core: Core, value: int = SOFT_RESET_HARTS) -> None:
        self.send(Message(Command.WRITE, core, SOFT_RESET_0, 4, value.to_bytes(4, "little")))

    def load(self, core: Core, *words: int) -> None:
        code = b"".join(word.to_bytes(4, "little") for word in words)
        self.reset(core)
        self.send(Message(Command.WRITE, core, 0, len(code), code))
        self.reset(core, B_RUNS)

    def poll(self, times: int, core: Core = NEAR) -> list[str]:
        """Poll so often; the lines that have come since the last time."""
        self.send(*[Message(Command.READ, core, FLAG, 4)] * times)
        said = list(self.caplog.messages)
        self.caplog.clear()
        return said


Notes = list[str]


def options(machine: Machine, core: Core) -> Any:
    capture, races = RunCapture(machine, None), RunRaces(machine, None)
    wanted = SimulatorOptions(kernel_cache="/nowhere")
    return watch(machine, core, wanted, RunLog(machine, None), capture, races)


def alone(caplog: Any, notes: Notes, *, stop_at_fault: bool = False) -> Host:
    """A tile that a host drives."""
    machine = Machine(engine="reference", schedule=Schedule.LATENCY)
    machine.host.is_present = True
    target = tensix_target(machine)
    shared, chip = SharedTile(target, run_at_once=False), Chip({TILE: machine})
    runs: Any = SimpleNamespace(seconds=0.0)
    history = cast("TileHistory", target.reverse)
    clock: HostClock = TileClock(
        chip,
        shared,
        CYCLES,
        ATTACH,
        runs,
        history,
        stop_at_fault=stop_at_fault,
        note=notes.append,
    )
    return Host(
        Simulator(chip, shared, clock, {TILE: options(machine, TILE)}, False), shared, caplog
    )


def several(caplog: Any, notes: Notes) -> Iterator[Host]:
    """Three tiles that a host drives."""
    tiles = Tiles((NEAR, FAR, QUIET), engine="reference")
    target = chip_target(tiles)
    shared, chip = SharedTile(target, run_at_once=False), Chip(tiles.tiles, tiles.wake)
    recorded = cast("RecordedChip", target.reverse)
    clock = ChipClock(
        chip,
        tiles,
        shared,
        CYCLES,
        ATTACH,
        recorded,
        (),
        lambda: None,
        lambda: None,
        begin=lambda: None,
        stop_at_fault=False,
        note=notes.append,
    )
    watched = {core: options(machine, core) for core, machine in tiles.tiles.items()}
    yield Host(Simulator(chip, shared, clock, watched, False), shared, caplog)
    tiles.close()


@pytest.fixture
def notes() -> Notes:
    """The sentences that a program that waits for the simulator gets."""
    return []


@pytest.fixture
def tile(caplog: pytest.LogCaptureFixture, notes: Notes) -> Host:
    return alone(caplog, notes)


@pytest.fixture
def tiles(caplog: pytest.LogCaptureFixture, notes: Notes) -> Iterator[Host]:
    yield from several(caplog, notes)


def test_the_program_that_polls_is_told_where_how_to_look_and_how_to_continue(
    tile: Host, notes: Notes
) -> None:
    tile.load(TILE, *LATER)
    for _ in range(LATER_CYCLES // CYCLES):
        if said := tile.poll(1):
            break
    fault, look, count = said
    assert fault.startswith(f"1-2: {SENTENCE}")
    assert look == f"the program may wait for ever, because the tile has {WAITS}"
    assert count == COUNT
    assert tile.poll(3) == []
    assert notes == [fault]


def test_a_program_that_is_loaded_after_a_reset_may_meet_it_again(tile: Host, notes: Notes) -> None:
    for _ in range(2):
        tile.load(TILE, 0x13, 0x13, 0x13, NONE)
        assert len(tile.poll(1)) == 3
    assert len(notes) == 2


def test_a_fault_that_nothing_can_follow(tile: Host) -> None:
    tile.load(TILE, 0x80000537, 0x00050067)  # lui a0, 0x80000; jr a0
    *_, last = tile.poll(1)
    assert last == "this fault cannot be counted: there is no instruction to continue with"


def test_tiles_that_meet_a_fault_in_the_same_cycles(tiles: Host, notes: Notes) -> None:
    """The same sentence is said once, of both."""
    tiles.load(QUIET, SPIN)
    for core in (NEAR, FAR):
        tiles.load(core, 0x13, 0x13, 0x13, NONE)
    assert len([line for line in tiles.poll(2, QUIET) if SENTENCE in line]) == 1
    fault, *_ = notes
    assert fault.startswith(f"1-2 2-2: {SENTENCE}")
    assert tiles.poll(3, QUIET) == []
    # A tile that is put into reset alone: the other one still is where it was.
    tiles.reset(NEAR)
    assert tiles.poll(3, QUIET) == []
    assert len(notes) == 1


def test_tiles_that_meet_different_faults(tiles: Host, notes: Notes) -> None:
    tiles.load(NEAR, 0x13, 0x13, 0x13, NONE)
    tiles.load(FAR, 0x13, NONE, NONE)
    said = tiles.poll(2)
    assert sorted(line[: len("1-2: B at 0x0000000c")] for line in notes) == [
        "1-2: B at 0x0000000c",
        "2-2: B at 0x00000004",
    ]
    assert said[:2] == notes
    assert said[2:] == [f"the program may wait for ever, because all tiles have {WAITS}", COUNT]
    assert tiles.poll(3) == []


@pytest.mark.parametrize("count", [1, 3])
def test_a_debugger_gets_the_stop_and_the_host_no_line(
    count: int, request: pytest.FixtureRequest, notes: Notes
) -> None:
    """The host is told when the debugger has gone, and left it so."""
    host: Host = request.getfixturevalue("tile" if count == 1 else "tiles")
    host.load(NEAR, *LATER)
    client = Client(host.shared)
    client.send_only("qSupported:swbreak+;hwbreak+")
    client.send_only("vCont;c")
    host.shared.advance_to(host.shared.target.execution.clock() + LATER_CYCLES)
    came = client.read()
    assert [one[:3] for one in came if one[:1] == b"T"] == [b"T04"]
    text = "".join(bytes.fromhex(one[1:].decode()).decode() for one in came if one[:1] == b"O")
    assert text.count(SENTENCE) == 1
    assert host.caplog.messages == notes == []
    client.send_only("D")
    client.tile.disconnect(client.session, reset=False)
    assert len(host.poll(2)) == 3
    assert host.poll(2) == []
    assert len(notes) == 1


@pytest.mark.parametrize("count", [1, 3])
def test_a_debugger_passes_it_as_the_line_says(count: int, request: pytest.FixtureRequest) -> None:
    host: Host = request.getfixturevalue("tile" if count == 1 else "tiles")
    host.load(NEAR, NONE, SPIN)
    *_, said = host.poll(2)
    found = re.search(r"`monitor (faults \S+)`", said)
    assert found
    client = Client(host.shared)
    assert host.shared.target.registers.read_pc(1) == 0
    client.send_only("qRcmd," + found[1].encode().hex())
    client.send_only("vCont;c")
    host.shared.advance_to(host.shared.target.execution.clock() + CYCLES)
    assert not [one for one in client.read() if one[:1] == b"T"], "it runs"
    assert host.shared.target.registers.read_pc(1) == 4


def test_stop_at_fault_says_once_how_to_attach(
    caplog: pytest.LogCaptureFixture, notes: Notes
) -> None:
    host = alone(caplog, notes, stop_at_fault=True)
    host.load(TILE, 0x13, 0x13, 0x13, NONE)
    fault, count, waits = host.poll(1)
    assert (count, waits) == (COUNT, f"a fault; waiting for a debugger: {ATTACH}")
    assert notes == [fault]


def test_a_defect_is_said_once(tile: Host, notes: Notes, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program waits for that as for a fault."""

    def fail(*_: object) -> None:
        raise EngineDefect("of a test")

    tile.load(TILE, SPIN)
    monkeypatch.setattr(Machine, "run", fail)
    said = "a defect of the emulator, please report it: of a test"
    assert tile.poll(3) == notes == [said]


def test_notes_of_faults_outlive_a_simulator(tmp_path: Any) -> None:
    """A program may open the device twice."""
    path = tmp_path / "life"
    assert faults_of(path) == []
    for text in ("1-2: B at 0x8", "1-2: T0 at 0x10"):
        with living(path) as life:
            life.fault(text)
    assert faults_of(path) == ["1-2: B at 0x8", "1-2: T0 at 0x10"]
    Life(None).fault("no file")
