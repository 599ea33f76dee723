# SPDX-License-Identifier: Apache-2.0
"""A packet that the client repeats, because its acknowledgment came late, is answered once."""

from __future__ import annotations

from tests.gdbstub import wire
from tests.gdbstub.tiles import Client, new_tile

HELLO = wire.frame(b"qSupported:swbreak+")
NEXT = wire.frame(b"vMustReplyEmpty")


def answers(came: list[bytes]) -> list[bytes]:
    return [one for one in came if one != wire.ACK]


def test_both_copies_were_there_when_the_server_looked() -> None:
    """As GDB's do after a pause of the server: it acknowledges nothing but what it has got."""
    client = Client(new_tile())
    assert len(answers(client.send(b"+" + HELLO + HELLO))) == 1
    assert answers(client.send(b"+" + NEXT)) == [b""]


def test_the_second_copy_comes_after_the_answer() -> None:
    """It was sent before the acknowledgment arrived."""
    client = Client(new_tile())
    assert len(answers(client.send(b"+" + HELLO))) == 1
    assert client.send(HELLO) == [wire.ACK]
    assert client.send(HELLO) == [wire.ACK]
    assert answers(client.send(b"+" + NEXT)) == [b""]


def test_in_pieces() -> None:
    client = Client(new_tile())
    came = client.send(b"+" + HELLO + HELLO[:9])
    came += client.send(HELLO[9:])
    assert len(answers(came)) == 1


def test_a_run_that_is_asked_for_twice_is_one_run() -> None:
    client = Client(new_tile())
    client.send(b"+" + HELLO)
    client.send(b"+")
    step = wire.frame(b"vCont;s:1")
    client.send(step)
    client.tile.advance_to(10)
    client.send(step)
    assert not client.tile.running
    assert answers(client.send(b"+" + wire.frame(b"p20"))) == [b"04000000"]


def test_the_same_packet_after_an_acknowledgment_is_another_one() -> None:
    client = Client(new_tile())
    client.send(b"+")
    ask = wire.frame(b"qC")
    assert [answers(client.send(b"+" + ask)) for _ in range(3)] == [[b"QC1"]] * 3


def test_a_client_that_never_acknowledges_repeats_nothing() -> None:
    client = Client(new_tile())
    assert answers(client.send(wire.frame(b"qC") * 2)) == [b"QC1"] * 2


def test_the_packet_that_ends_acknowledgments_comes_twice() -> None:
    """GDB took the second answer for that of its next packet, and so on with all that followed."""
    client = Client(new_tile())
    last = wire.frame(b"QStartNoAckMode")
    client.send(b"+" + HELLO)
    assert answers(client.send(b"+" + last)) == [b"OK"]
    assert answers(client.send(last)) == []
    assert answers(client.send(b"+" + NEXT)) == [b""]
    assert answers(client.send(NEXT + wire.frame(b"qC"))) == [b"", b"QC1"]


def test_both_copies_of_that_packet_at_once() -> None:
    client = Client(new_tile())
    client.send(b"+" + HELLO)
    assert answers(client.send(b"+" + wire.frame(b"QStartNoAckMode") * 2)) == [b"OK"]
    assert answers(client.send(b"+" + NEXT)) == [b""]


def test_without_acknowledgments_nothing_is_a_repetition() -> None:
    client = Client(new_tile())
    client.send(b"+" + wire.frame(b"QStartNoAckMode"))
    client.send(b"+")
    assert client.send(wire.frame(b"qC") * 2) == [b"QC1"] * 2


def test_the_acknowledgment_goes_before_the_answer_is_made() -> None:
    client = Client(new_tile())
    stream = client.session.stream
    sent: list[bytes] = []
    stream.acknowledge_now = lambda: sent.append(stream.take_outgoing())
    client.session.receive(b"+" + HELLO)
    assert sent == [b"+"]
    assert stream.take_outgoing().startswith(b"$PacketSize=")
