# SPDX-License-Identifier: Apache-2.0
"""Requests of a host are kept in the pump, and lead other tiles to the same state."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from tensix_gdb.core.arch.blackhole import SOFT_RESET_BIT, SOFT_RESET_HARTS, B
from tensix_gdb.core.chip.chip import Chip as Tiles
from tensix_gdb.core.chip.recording import ChipRecording
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.host.library import inputs as module
from tensix_gdb.gdbstub.host.library.channel import Kind, Why
from tensix_gdb.gdbstub.host.library.inputs import HostInputs
from tensix_gdb.gdbstub.host.simulator.chip import SOFT_RESET_0, Chip
from tensix_gdb.gdbstub.host.simulator.runs.beginning_chip import ChipBeginning
from tensix_gdb.gdbstub.host.simulator.runs.failing import REC, FailingRun, NotKept
from tensix_gdb.gdbstub.host.simulator.runs.failing import Why as Reason
from tests.assembler import asm, li
from tests.gdbstub.host.library.ring import PORT, Host

NEAR, FAR = (1, 2), (2, 2)
GO, COUNT, CYCLES = 0x370, 0x20000, 300
# B adds what the host has put at GO to a word of L1, for ever.
PROGRAM = b"".join(
    word.to_bytes(4, "little")
    for word in (*li(5, COUNT), *li(7, GO), asm("lw", rd=6, rs1=7), asm("add", rd=8, rs1=8, rs2=6),
                 asm("sw", rs1=5, rs2=8), asm("jal", rd=0, imm=-12))
)  # fmt: skip
LEAVES = (SOFT_RESET_HARTS & ~(1 << SOFT_RESET_BIT[B])).to_bytes(4, "little")


def make() -> Tiles:
    return Tiles((NEAR, FAR), engine="reference", schedule=Schedule.LATENCY)


@dataclass
class Clock:
    tiles: Tiles
    notes: int = 0

    def now(self) -> int:
        return self.tiles.cycle


@dataclass
class Memory:
    is_asked: bool = False


@dataclass
class Session:
    """A host, and the server's part of calls.py that this test wants."""

    tiles: Tiles
    folder: Path
    copies: int = 0
    memory: Memory = field(default_factory=Memory)

    def __post_init__(self) -> None:
        self.host = Host(list(self.tiles.tiles.items()))
        self.chip = Chip(self.tiles.tiles, self.tiles.wake, self.tiles.wake_for_bytes)
        self.host.channel.set_dram(self.chip.channels, self.chip.dram, self.chip.dram_end)
        self.clock = Clock(self.tiles)
        self.run = FailingRun(lambda: beginning, self.folder, share=0.0, are_many=True, plays=True)
        self.run.inputs = HostInputs(self.host.channel, self.clock, self.memory)  # type: ignore[arg-type]
        beginning = ChipBeginning(self.tiles, self.run.inputs, make)
        copy = beginning.copy

        def counted() -> None:
            self.copies += 1
            copy()

        beginning.copy = counted  # type: ignore[method-assign]

    def do(self) -> None:
        """Carry out what is posted."""
        channel = self.host.channel
        while (why := self.host.pump()) is not Why.IDLE:
            if why is Why.WAKES:
                place = channel.message().core
                self.tiles.wake_for_bytes(place)
                channel.is_awake((NEAR, FAR).index(place), slept=True)
                continue
            channel.keep_current()
            first, last = channel.cores()
            for core in [first] if first == last else [NEAR, FAR]:
                answer = self.chip.perform(replace(channel.message(), core=core))
            channel.done(answer)

    def pass_time(self) -> None:
        self.run.before_run()
        self.tiles.run(CYCLES, lazy=True)
        self.host.channel.may_sleep()

    def boot(self) -> None:
        for core in (NEAR, FAR):
            self.host.post(Kind.WRITE, 0, PROGRAM, core=core)
            self.host.post(Kind.WRITE, SOFT_RESET_0, LEAVES, core=core)
            self.do()
            self.pass_time()

    def launch(self, value: int) -> None:
        """By a write to one tile, which the pump does, and one to both, which Python does."""
        data = value.to_bytes(4, "little")
        self.host.post(Kind.WRITE, COUNT + 64, data, core=NEAR, last=FAR)
        self.host.post(Kind.WRITE, 0x100 * value, data, core=PORT)
        self.host.post(Kind.READ, SOFT_RESET_0, size=4, core=FAR)
        self.host.post(Kind.WRITE, GO, data, core=FAR)
        self.do()
        self.run.on_launch([f"kernel {value}"])
        self.pass_time()


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with closing(make()) as tiles:
        made = Session(tiles, tmp_path)
        yield made
        made.host.close()


def kept(session: Session) -> ChipRecording:
    session.run.keep(Reason.STUCK)
    return ChipRecording(session.folder / REC)


def test_a_launch_is_kept_without_a_copy(session: Session) -> None:
    """The run begins at the last launch, in the state in which it was, and ends where it stands."""
    session.boot()
    for value in (1, 2):
        session.launch(value)
    assert session.copies == 0
    recording, digest = kept(session), session.tiles.hash()
    assert recording.hash == digest
    assert session.run.inputs is None  # no other run replaces this one
    with closing(recording.chip(engine="reference")) as again:
        assert again.cycle == session.tiles.cycle - CYCLES
        assert again.tiles[FAR].peek(B, GO, 1) == b"\2"
        assert again.outside.dram[session.chip.channels[PORT]].read(0x200, 1) == b"\2"
        list(recording.play(again))
        assert again.hash() == digest


def test_what_is_long_begins_with_a_copy(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then what is played begins there."""
    session.run._share = 1.0
    session.boot()
    monkeypatch.setattr(module, "LONG_SECONDS", -1.0)
    session.launch(1)
    assert session.copies == 1
    monkeypatch.undo()
    session.launch(2)
    assert session.copies == 1
    with closing(kept(session).chip(engine="reference")) as again:
        assert again.cycle == session.tiles.cycle - CYCLES
        assert again.tiles[NEAR].peek(B, COUNT + 64, 1) == b"\2"


@pytest.mark.parametrize("what", ["client", "memory", "room"])
def test_what_cannot_be_played_is_copied(session: Session, what: str) -> None:
    """As before: for a share of the time."""
    session.boot()
    if what == "client":
        session.clock.notes += 1
    elif what == "memory":
        session.memory.is_asked = True
    else:
        for _ in range(module.ROOM >> 20):
            session.host.post(Kind.WRITE, COUNT, bytes(1 << 20), core=FAR)
            session.do()
    session.run._share = -1.0
    session.launch(1)
    assert session.copies == 0
    session.run.keep(Reason.STUCK)
    assert not (session.folder / REC).exists()
    session.run._share = 1.0
    session.launch(2)
    assert session.copies == 1
    session.launch(3)
    assert session.copies == 1 + (what == "memory")
    with closing(kept(session).chip(engine="reference")) as again:
        assert again.tiles[FAR].peek(B, GO, 1) == b"\3"


def test_what_leads_elsewhere_is_not_kept() -> None:
    """Tiles that stop and stay where they are do not come to the moment."""
    with closing(make()) as other:
        other.run = lambda cycles, lazy=False: object()  # type: ignore[method-assign,assignment,return-value]
        with pytest.raises(NotKept):
            module._run_to(other, 1)
