# SPDX-License-Identifier: Apache-2.0
"""Every packet is answered, in order, however many come at once and however they are cut."""

from __future__ import annotations

import socket
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random

import pytest
import trio
import trio.testing

from tensix_gdb.gdbstub.protocol.client.packet_stream import FULL
from tensix_gdb.gdbstub.protocol.rsp.framing import PACKET_SIZE
from tensix_gdb.gdbstub.protocol.server.connection import Connection
from tensix_gdb.gdbstub.protocol.server.fast_path import DirectSocket, Poller
from tensix_gdb.gdbstub.protocol.session.session import BATCH
from tests.gdbstub import wire
from tests.gdbstub.protocol.server.talking import Connect, Talker, served
from tests.gdbstub.tiles import Client, new_tile

READ, CRC, SEARCH = b"m0,4", b"qCRC:0,100", b"qSearch:memory:0;1000;xyz"
STATUS = b"qRcmd," + b"status".hex().encode("ascii")
ERASE = b"vFlashErase:20000,1000"
# Without runs of a byte, which would be sent as short ones.
CONTENT = Random(1).randbytes(PACKET_SIZE // 2)
MUCH = b"m40000,%x" % len(CONTENT)
ANSWERS = {READ: b"37030100", SEARCH: b"0", b"qC": b"QC1", MUCH: CONTENT.hex().encode("ascii")}


@contextmanager
def a_tile(*, schedule: bytes = b"sc") -> Iterator[Connect]:
    """Serve a tile that starts in a schedule; gives what connects to it."""
    with served(new_tile("compiled", run_at_once=True)) as connect:
        first = connect()
        for command in (b"schedule " + schedule, b"reset"):
            assert first.ask(b"qRcmd," + command.hex().encode("ascii")) == b"OK"
        for at in range(0, len(CONTENT), 0x1000):
            piece = CONTENT[at : at + 0x1000].hex().encode("ascii")
            assert first.ask(b"M%x,1000:" % (0x40000 + at) + piece) == b"OK"
        assert first.ask(b"D") == b"OK"
        yield connect


def check(asked: list[bytes], came: list[bytes]) -> None:
    """As many answers as packets, each to its own packet."""
    for payload, answer in zip(asked, came, strict=True):
        if payload == CRC:
            assert answer[:1] == b"C"
        else:
            assert payload not in ANSWERS or answer == ANSWERS[payload]


def settle(*clients: Talker) -> None:
    """Be no new clients any more: the tasks that serve these wait for what they say."""
    for client in clients:
        assert client.ask(b"qC") == b"QC1"
    time.sleep(0.05)


BURSTS = {
    "200 reads": [READ] * 200,
    "checksums and reads": [CRC, READ] * 20,
    "searches and reads": [SEARCH, READ, READ] * 10,
    "erasures and reads": [ERASE, READ] * 10,
    "more than is sent at once": [MUCH, READ] * (4 * FULL // PACKET_SIZE),
}


@pytest.mark.parametrize("runs", [False, True], ids=["it has stopped", "it runs for another"])
@pytest.mark.parametrize("burst", BURSTS)
def test_a_burst_in_one_segment(burst: str, runs: bool) -> None:
    asked = BURSTS[burst]
    with a_tile() as connect:
        driver, client = connect(), connect()
        if runs:
            driver.go()
        settle(client)
        client.say(b"".join(map(wire.frame, asked)))
        check(asked, client.answers(len(asked)))


# How a client that acks answers may send its acks and the next packet.
def together(acks: bytes, packet: bytes) -> Iterator[bytes]:
    yield acks + packet


def acks_alone(acks: bytes, packet: bytes) -> Iterator[bytes]:
    yield acks
    yield packet


def cut_in_two(acks: bytes, packet: bytes) -> Iterator[bytes]:
    yield acks + packet[:3]
    yield packet[3:]


def cut_before_the_checksum(acks: bytes, packet: bytes) -> Iterator[bytes]:
    yield acks + packet[:-2]
    yield packet[-2:]


def byte_by_byte(acks: bytes, packet: bytes) -> Iterator[bytes]:
    for byte in acks + packet:
        yield bytes((byte,))


WAYS = (together, acks_alone, cut_in_two, cut_before_the_checksum, byte_by_byte)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("runs", [False, True], ids=["it has stopped", "it runs for another"])
def test_one_packet_at_a_time_with_acks(
    way: Callable[[bytes, bytes], Iterator[bytes]], runs: bool
) -> None:
    """The text of `monitor` is a packet too, and acked."""
    asked = [CRC, STATUS, READ, SEARCH, READ, ERASE, b"qC", CRC, b"qC"] * 3
    with a_tile() as connect:
        driver, client = connect(), connect()
        if runs:
            driver.go()
        settle(client)
        for payload in asked:
            acks = wire.ACK * client.take_received()
            for piece in way(acks, wire.frame(payload)):
                client.say(piece)
                time.sleep(0.001)  # so that it arrives by itself
            check([payload], client.answers(1))


def test_alone_after_a_stop() -> None:
    """The server waits a moment for what a client says to a stop, without the event loop."""
    asked = [CRC, READ] * 3 + [READ] * 200
    with a_tile(schedule=b"latency") as connect:
        client = connect()
        settle(client)
        for _ in range(20):
            client.go()
            client.say(b"\x03")
            assert client.answers(1)[0].startswith(b"T02")
            client.say(b"".join(map(wire.frame, asked)))
            check(asked, client.answers(len(asked)))


def test_a_burst_of_one_leaves_time_to_others() -> None:
    """Two clients with long bursts: each is answered while the other is not done."""
    asked = [READ] * 40 * BATCH
    with a_tile() as connect:
        driver, one, two = connect(), connect(), connect()
        driver.go()
        settle(one, two)
        one.say(b"".join(map(wire.frame, asked)))
        two.ask(b"qC")
        check(asked, one.answers(len(asked)))


def test_packets_kept_until_a_stop() -> None:
    """More than is sent at once, asked for before the stop."""
    asked = [MUCH] * 40 + [READ] * 10
    with a_tile() as connect:
        client = connect()
        client.say(wire.frame(b"vCont;c") + b"".join(map(wire.frame, asked)))
        time.sleep(0.05)
        client.say(b"\x03" + wire.frame(READ))
        (stop, *came) = client.answers(1 + len(asked) + 1)
        assert stop.startswith(b"T02")
        check([*asked, READ], came)


async def test_two_ways_of_receiving_keep_the_order() -> None:
    """Bytes come in pieces while the tile runs and while the event loop has its turn, and while an
    answer is given."""
    tile = new_tile("compiled", run_at_once=False)
    client, theirs = socket.socketpair()
    theirs.setblocking(False)
    Client(tile, "driver").send(wire.frame(b"vCont;c"))
    asked = [READ, b"qC"] * 50
    pieces = deque(bytes((byte,)) for byte in b"".join(map(wire.frame, asked)))

    def send() -> None:
        if pieces:
            client.sendall(pieces.popleft())

    connection = Connection(tile.join("client"), "client", send, DirectSocket(theirs, Poller()))
    stream = trio.SocketStream(trio.socket.from_stdlib_socket(theirs))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(connection.serve, stream)
        for number in range(len(pieces)):
            send()
            if number % 3:
                connection.serve_ready()
            await trio.lowlevel.checkpoint()
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    came = client.recv(1 << 20)
    await trio.aclose_forcefully(stream)
    client.close()
    check(asked, [one for one in wire.answers(came) if one != wire.ACK])


# Without a server


def test_what_comes_amid_work_is_not_lost() -> None:
    """`receive` may be called before everything was answered: no packet is lost, and the order is
    kept."""
    session = Client(new_tile()).session
    asked = [CRC, READ] * 3
    for payload in asked:
        session.receive(wire.frame(payload) + wire.frame(b"qC"))
    out = session.stream.take_outgoing()
    while session.unanswered:
        session.proceed()
        out += session.stream.take_outgoing()
    came = [one for one in wire.answers(out) if one != wire.ACK]
    check([one for payload in asked for one in (payload, b"qC")], came)


def test_one_slow_packet_ends_its_own_batch_and_no_other() -> None:
    session = Client(new_tile()).session
    session.receive(wire.frame(CRC))
    assert not session.unanswered
    session.receive(wire.frame(READ) * 2)
    assert not session.unanswered
    session.receive(wire.frame(CRC) + wire.frame(READ))
    assert session.unanswered


def test_packets_that_were_kept_do_not_fill_memory() -> None:
    """They are answered as they are sent, and what comes afterwards does not overtake them."""
    client = Client(new_tile())
    memory = client.tile.target.memory
    memory.write_memory(1, 0x40000, CONTENT)
    session = client.session
    asked = [MUCH] * 40
    session.receive(wire.frame(b"vCont;c") + b"".join(map(wire.frame, asked)))
    session.receive(b"\x03")
    assert len(session.stream.outgoing) < FULL + 2 * PACKET_SIZE
    session.receive(wire.frame(b"qC"))
    out = session.stream.take_outgoing()
    while session.unanswered:
        session.proceed()
        out += session.stream.take_outgoing()
    came = [one for one in wire.answers(out) if one not in (wire.ACK, wire.NAK)]
    assert came[0].startswith(b"T02")
    check([*asked, b"qC"], came[1:])
