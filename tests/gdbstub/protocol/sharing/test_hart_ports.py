# SPDX-License-Identifier: Apache-2.0
"""Ports for single harts: who sees what, who is told of which stop, which hart continues."""

from __future__ import annotations

import re

import pytest

from tensix_gdb.core.arch.blackhole import HART_NAMES
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.protocol.session import Session
from tensix_gdb.gdbstub.protocol.session.states import State
from tensix_gdb.gdbstub.protocol.sharing.hart_port import HartPort
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.tensix.capabilities.registers import HartRegisters
from tensix_gdb.gdbstub.tensix.capabilities.threads import threads_with
from tensix_gdb.gdbstub.tensix.documents.description import Documents
from tests.gdbstub import wire
from tests.gdbstub.tiles import Client, loaded, new_tile

B, T0, T1 = 1, 2, 3


class HartClient(Client):
    """A client of one hart's port."""

    def __init__(self, tile: SharedTile, thread: int) -> None:
        self.tile = tile
        documents = Documents(tile.target.memory._machine, thread - 1)  # type: ignore[attr-defined]
        port = HartPort(tile, threads_with(thread - 1), documents)
        self.session: Session = port.join(f"client {thread}")
        self.defects_expected = False

    def go(self, packet: str = "vCont;c") -> None:
        """Send a packet that resumes, without letting the tile run."""
        self.send(wire.frame(packet.encode()))

    def press_ctrl_c(self) -> list[bytes]:
        """Interrupt; the stop replies that come at once."""
        return [one for one in self.send(b"\x03") if one[:1] == b"T"]

    def told(self) -> list[bytes]:
        """The stop replies that have come."""
        return [one for one in self.read() if one[:1] == b"T"]


@pytest.fixture
def tile() -> SharedTile:
    return new_tile()


def run(tile: SharedTile, cycles: int = 500) -> None:
    tile.advance_to(tile.target.execution.clock() + cycles)


def test_it_sees_one_hart(tile: SharedTile) -> None:
    client = HartClient(tile, T0)
    assert client.ask("qfThreadInfo") == b"m2,6"
    assert client.ask("qC") == b"QC2"
    assert client.ask("?").endswith(b"thread:2;")
    assert client.ask("Hg3").startswith(b"E")
    threads = client.ask("qXfer:threads:read::0,1000")
    assert (threads.count(b"<thread "), b'name="T0 unpack"' in threads) == (2, True)
    assert client.ask("qXfer:libraries:read::0,1000").count(b"<library ") == 0
    assert client.ask("qXfer:exec-file:read::0,1000").endswith(b"1.elf")
    assert client.ask("vCont;s").endswith(b"20:04600000;thread:2;")


def test_the_others_go_on_with_it(tile: SharedTile) -> None:
    client = HartClient(tile, T0)
    client.ask("Z0,600c,4")
    assert b"20:0c600000;thread:2" in client.ask("vCont;c")
    looker = Client(tile)
    looker.ask("Hg1")
    assert int(looker.ask("p20")[:2], 16) > 0, "B has continued"


def test_a_stop_is_told_to_its_own_client_only(tile: SharedTile) -> None:
    b, t0 = HartClient(tile, B), HartClient(tile, T0)
    t0.ask("Z0,600c,4")
    b.go()
    t0.go()
    run(tile)
    assert [len(b.told()), len(t0.told())] == [0, 1]
    assert not tile.running
    assert b.session.state is State.RUNNING
    # B rests while T0's client looks, and can be stopped meanwhile.
    (stop,) = b.press_ctrl_c()
    assert stop.startswith(b"T02")
    assert stop.endswith(b"thread:1;")


def test_a_hart_whose_client_looks_is_held(tile: SharedTile) -> None:
    b, t0 = HartClient(tile, B), HartClient(tile, T0)
    before = b.ask("g")
    t0.go()
    run(tile)
    assert b.send(wire.frame(b"g"))[-1] == before, "B is held"
    assert tile.running
    b.go()
    run(tile)
    assert len(t0.press_ctrl_c()) == 1
    assert b.session.state is State.RUNNING
    assert not tile.running
    assert Client(tile).ask("p20") != before[-8:]


def test_it_steps_while_the_tile_runs_for_another(tile: SharedTile) -> None:
    b, t0 = HartClient(tile, B), HartClient(tile, T0)
    t0.go()
    run(tile)
    for pc in (4, 8, 12):
        b.go("vCont;s")
        run(tile)
        (stop,) = b.told()
        assert b"20:%02x000000;thread:1" % pc in stop
        assert not tile.running
    assert t0.session.state is State.RUNNING
    assert t0.told() == []


def test_who_leaves_lets_the_others_go_on(tile: SharedTile) -> None:
    b, t0 = HartClient(tile, B), HartClient(tile, T0)
    t0.ask("Z0,600c,4")
    b.go()
    t0.go()
    run(tile)
    assert not tile.running
    t0.send(wire.frame(b"D"))
    assert tile.running
    before = tile.target.execution.clock()
    run(tile)
    assert tile.target.execution.clock() > before
    b.send(wire.frame(b"k"))
    assert not tile.running


def test_a_stop_that_is_nobodys_is_everybodys(tile: SharedTile) -> None:
    """T1 comes to an ebreak; nobody looks at T1."""
    b = HartClient(tile, B)
    whole = Client(tile)
    whole.ask("Hg3")
    whole.ask("P20=04a00000")
    whole.session.end()
    b.go()
    run(tile)
    came = b.read()
    assert any(
        one[:1] == b"O" and b"T1 has stopped the tile" in bytes.fromhex(one[1:].decode())
        for one in came
    )
    assert came[-1].endswith(b"thread:1;")


def test_the_tensix_thread_belongs_to_its_hart(tile: SharedTile) -> None:
    """A client of T0 steps it, and T0 continues; a client of B does not see it."""
    client, other = HartClient(tile, T0), HartClient(tile, B)
    assert client.ask("vCont;s:6;c").endswith(b"20:0c600000;thread:6;")
    assert client.ask("Hg6") == b"OK"
    assert client.ask("g").startswith(b"x" * 256)
    assert other.ask("qfThreadInfo") == b"m1"
    assert other.ask("Hg6").startswith(b"E")


@pytest.mark.parametrize("hart", range(5))
def test_a_hart_is_described_by_what_it_has(hart: int) -> None:
    """`info registers all` has nothing there that is unavailable."""
    machine = loaded(Machine(engine="reference"))
    text = (Documents(machine, hart).document("features", "target.xml") or b"").decode("ascii")
    thread = threads_with(hart)[-1]
    assert ("tensix-gdb.tensix" in text) == (thread != hart + 1)
    assert ("riscv.vector" in text) == (HART_NAMES[hart] == "T2")
    registers = HartRegisters(machine)
    number = -1
    for row in re.finditer(r'<reg name="(\w+)"[^>]*/>', text):
        told = re.search(r'regnum="(\d+)"', row[0])
        number = int(told[1]) if told else number + 1
        of = thread if 'group="tensix"' in row[0] else hart + 1
        assert registers.read_register(of, number) is not None, row[1]
    machine.close()
