# SPDX-License-Identifier: Apache-2.0
"""The things that each client of a port has for itself: acks, the chosen thread, breakpoints, open
files."""

from __future__ import annotations

import pytest

from tensix_gdb.gdbstub.protocol.client.console import MAX_NEWS
from tensix_gdb.gdbstub.protocol.session.states import State
from tests.gdbstub import wire
from tests.gdbstub.tiles import Client, new_tile


@pytest.fixture
def pair() -> tuple[Client, Client]:
    """Two clients of one tile."""
    tile = new_tile()
    return Client(tile, "one"), Client(tile, "two")


def test_acks(pair: tuple[Client, Client]) -> None:
    one, two = pair
    assert one.send(wire.frame(b"QStartNoAckMode")) == [wire.ACK, b"OK"]
    assert one.send(wire.frame(b"qC")) == [b"QC1"]
    assert two.send(wire.frame(b"qC")) == [wire.ACK, b"QC1"]
    assert two.send(b"-") == [b"QC1"]
    assert one.send(b"-") == []


def test_chosen_threads(pair: tuple[Client, Client]) -> None:
    one, two = pair
    assert one.ask("Hg3") == b"OK"
    assert two.ask("Hg2") == b"OK"
    assert one.ask("p20") == b"00a00000"
    assert two.ask("p20") == b"00600000"
    assert one.ask("Hc3") == b"OK"
    assert two.ask("Hc2") == b"OK"
    assert b"thread:3" in one.ask("s")
    assert b"thread:2" in two.ask("s")


def test_breakpoints_and_watchpoints(pair: tuple[Client, Client]) -> None:
    one, two = pair
    for client in pair:
        assert client.ask("Z0,c,4") == b"OK"
        assert client.ask("Z2,10000,4") == b"OK"
    # What one takes away stays for the other, and what it never had is not taken from it.
    assert one.ask("z0,c,4") == one.ask("z0,c,4") == one.ask("z2,10000,4") == b"OK"
    assert b"20:0c000000;thread:1;" in two.ask("vCont;c:1")
    assert two.ask("z0,c,4") == b"OK"
    assert b"watch:10000;" in two.ask("vCont;c:1")
    # And goes with it.
    two.session.end()
    one.send(wire.frame(b"vCont;c:1"))
    one.tile.advance_to(one.tile.target.execution.clock() + 1000)
    assert one.tile.running


def test_how_errors_are_told_and_open_files(pair: tuple[Client, Client]) -> None:
    one, two = pair
    assert one.ask("qSupported:error-message+").startswith(b"PacketSize=")
    assert one.ask("m180000,4").startswith(b"E.0x00180000 cannot be read")
    assert two.ask("m180000,4") == b"E0e"
    assert one.ask(b"vFile:open:" + b"/nowhere/0.elf".hex().encode() + b",0,0") == b"F1"
    assert two.ask("vFile:pread:1,4,0") == b"F-1,9"


def test_extended_mode(pair: tuple[Client, Client]) -> None:
    one, two = pair
    assert one.ask("!") == b"OK"
    assert one.ask("D") == two.ask("D") == b"OK"
    assert not one.session.ended
    assert two.session.ended


def test_every_stop_is_told_before_what_was_sent_ahead(pair: tuple[Client, Client]) -> None:
    """Both have sent a packet ahead that runs the tile again: a step, which ends at once and is a
    stop for no other client, and a run that continues."""
    one, two = pair
    for client in pair:
        client.send(wire.frame(b"QStartNoAckMode"))
        client.send(wire.frame(b"vCont;c:1"))
    one.send(wire.frame(b"vCont;s:1"))
    two.send(wire.frame(b"vCont;c:1"))
    two.tile._run_at_once = True
    assert [reply[:3] for reply in one.send(b"\x03") if reply[:1] == b"T"] == [b"T02", b"T05"]
    assert [reply[:3] for reply in two.read() if reply[:1] == b"T"] == [b"T02"]
    assert two.session.state is State.RUNNING
    assert two.tile.busy(one.session) == "two"


def test_of_much_news_the_last_is_shown(pair: tuple[Client, Client]) -> None:
    session = pair[0].session
    session.console.tell("the first thing\n")
    session.console.tell("x" * MAX_NEWS)
    session.console.tell("the last thing\n")
    news = session.console.take_news()
    assert len(news) == MAX_NEWS
    assert news.endswith("xthe last thing\n")
    assert session.console.take_news() == ""
