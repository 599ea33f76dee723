# SPDX-License-Identifier: Apache-2.0
"""The server with its clients: over TCP, and over streams in memory with a clock that jumps."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from types import SimpleNamespace

import pytest
import trio
import trio.testing

from tensix_gdb.gdbstub.protocol.rsp import packet
from tensix_gdb.gdbstub.protocol.server import fast_path
from tensix_gdb.gdbstub.protocol.server import warm_up as first_questions
from tensix_gdb.gdbstub.protocol.server.connection import PACKET_SECONDS, SEND_SECONDS
from tensix_gdb.gdbstub.protocol.server.fast_path import TURN_SECONDS, DirectSocket, Poller
from tensix_gdb.gdbstub.protocol.server.server import MAX_CLIENTS, Server
from tensix_gdb.gdbstub.usage import UsageError
from tests.gdbstub import wire
from tests.gdbstub.tiles import new_tile
from tests.patience import HANG

LIMIT_SECONDS = HANG  # for a test, not on the clock that jumps
TALK_PACKETS = 1000
TALK = """
import socket, sys
client = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
packet = sys.argv[3].encode()
for _ in range(int(sys.argv[2])):
    client.sendall(b"+" + packet)
    assert client.recv(1 << 16)
"""

Connect = Callable[[], Awaitable[trio.SocketStream]]


@asynccontextmanager
async def served() -> AsyncIterator[tuple[int, Connect]]:
    """A server on a free port, and what connects to it."""
    server = Server(new_tile(run_at_once=True))
    async with trio.open_nursery() as nursery, AsyncExitStack() as streams:
        ((_, port),) = await nursery.start(server.serve, "127.0.0.1", [0])

        async def connect() -> trio.SocketStream:
            stream = await trio.open_tcp_stream("127.0.0.1", port)
            return await streams.enter_async_context(stream)

        with trio.fail_after(LIMIT_SECONDS):
            yield port, connect
        nursery.cancel_scope.cancel()


async def ask(stream: trio.abc.Stream, payload: bytes) -> bytes:
    """One packet and the answer to it."""
    await stream.send_all(wire.frame(payload))
    data = b""
    while data[-3:-2] != b"#":
        came = bytes(await stream.receive_some(1 << 16))
        assert came, "the connection has ended"
        data += came
    return [one for one in wire.answers(data) if one != wire.ACK][-1]


@pytest.mark.parametrize("poll", [True, False], ids=["poll", "no poll here"])
async def test_over_tcp(poll: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not poll:
        monkeypatch.delattr("select.poll")
    assert (Poller()._poll is not None) is poll
    async with served() as (_, connect):
        one, two = await connect(), await connect()
        # More than one turn without the event loop, and another client all the while.
        for count in range(200):
            assert await ask(one, b"qC") == b"QC1"
            if count % 20 == 0:
                assert await ask(two, b"m0,4") == b"37030100"
        assert (await ask(one, b"s")).startswith(b"T05")
        await one.send_all(wire.frame(b"vCont;c:1"))
        state = bytes.fromhex((await ask(two, b"qThreadExtraInfo,1")).decode("ascii"))
        assert b"runs for 127.0.0.1:" in state
        await one.send_all(b"\x03")
        data = b""
        while b"T02" not in data:
            data += bytes(await one.receive_some(1 << 16))


async def test_who_talks_without_a_pause_leaves_time_to_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A client in another process, which sends as soon as it has the answer: others have turns.

    On the clock here each packet takes a millisecond.
    """
    packets = in_a_row = longest = 0
    receive = DirectSocket.receive

    def counted(client: DirectSocket, most: int) -> bytes:
        nonlocal packets, in_a_row, longest
        packets, in_a_row = packets + 1, in_a_row + 1
        longest = max(longest, in_a_row)
        return receive(client, most)

    monkeypatch.setattr(DirectSocket, "receive", counted)
    monkeypatch.setattr(fast_path, "perf_counter", lambda: packets / 1000)
    async with served() as (port, _), trio.open_nursery() as nursery:
        command = [sys.executable, "-c", TALK, str(port), str(TALK_PACKETS)]
        command.append(wire.frame(b"qC").decode("ascii"))
        run = partial(trio.run_process, command, capture_stdout=True)
        talker = await nursery.start(run)
        while talker.poll() is None:
            in_a_row = 0
            await trio.lowlevel.checkpoint()
    # Trio takes tasks in any order: the client may come last in one round and first in the next.
    assert 1 < longest <= 2 * (1000 * TURN_SECONDS + 2)


async def test_a_port_that_is_taken() -> None:
    async with served() as (port, _):
        with pytest.raises(UsageError, match="choose another with --port"):
            await Server(new_tile()).serve("127.0.0.1", [port])


async def test_no_such_host() -> None:
    with pytest.raises(UsageError, match="there is no such host"):
        await Server(new_tile()).serve("no.such.host.invalid", [0])


@pytest.mark.parametrize("beginning", [b"", b"$m0,", b"$m0,4#", b"garbage"])
async def test_who_does_not_end_a_packet_is_dropped(
    beginning: bytes, autojump_clock: trio.testing.MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    ours, theirs = trio.testing.memory_stream_pair()
    start = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(Server(new_tile()).handle, theirs)
        if beginning:
            await ours.send_all(beginning)
        assert await ours.receive_some(10) == b""
    assert trio.current_time() - start == pytest.approx(PACKET_SECONDS, abs=1)
    assert caplog.messages == ["client: does not end its packet; dropped it"]


async def test_who_thinks_long_is_not_dropped(autojump_clock: trio.testing.MockClock) -> None:
    ours, theirs = trio.testing.memory_stream_pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(Server(new_tile()).handle, theirs)
        assert await ask(ours, b"qC") == b"QC1"
        await trio.sleep(100 * PACKET_SECONDS)
        assert await ask(ours, b"qC") == b"QC1"
        await ours.aclose()


async def test_who_takes_nothing_is_dropped(
    autojump_clock: trio.testing.MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    ours, theirs = trio.testing.lockstep_stream_pair()
    start = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(Server(new_tile()).handle, theirs)
        await ours.send_all(wire.frame(b"m0,4000"))
    assert trio.current_time() - start == pytest.approx(SEND_SECONDS, abs=1)
    assert caplog.messages == ["client: takes nothing any more; dropped it"]


async def test_who_leaves_gets_the_answers_before(
    autojump_clock: trio.testing.MockClock,
) -> None:
    ours, theirs = trio.testing.lockstep_stream_pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(Server(new_tile()).handle, theirs)
        await ours.send_all(wire.frame(b"qCRC:0,100") + wire.frame(b"qC") + wire.frame(b"D"))
        came = b"".join([bytes(piece) async for piece in ours])
    assert [one[:2] for one in wire.answers(came) if one != wire.ACK] == [b"C0", b"QC", b"OK"]


async def test_too_many(caplog: pytest.LogCaptureFixture) -> None:
    async with served() as (_, connect):
        streams = [await connect() for _ in range(MAX_CLIENTS)]
        for stream in streams:
            assert await ask(stream, b"qC") == b"QC1"
        refused = await connect()
        assert await refused.receive_some(10) == b""
        await ask(streams[0], b"D")
        while await streams[0].receive_some(10):
            pass
        again = await connect()
        assert await ask(again, b"qC") == b"QC1"
    assert [message.partition(": ")[2] for message in caplog.messages] == [
        f"refused, there are {MAX_CLIENTS} clients already"
    ]


@pytest.mark.parametrize("learns_after", [0.0, 30.0])
def test_what_clients_need_is_made_ready_when_a_host_has_its_device(
    learns_after: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    warmed: list[float] = []
    learned: list[float] = []
    piece = SimpleNamespace(compile=lambda: learned.append(trio.current_time()))
    monkeypatch.setattr(packet, "PATTERNS", {"any": piece})
    monkeypatch.setattr(first_questions, "warm_up", lambda _: warmed.append(trio.current_time()))

    async def main() -> None:
        server = Server(new_tile(), learns_after=learns_after)
        async with trio.open_nursery() as nursery:
            begun = trio.current_time()
            await nursery.start(server.serve, "127.0.0.1", [0])
            assert len(warmed) == (learns_after == 0)
            await trio.sleep(29)
            assert len(learned) == (learns_after == 0)
            await trio.sleep(29)
            assert len(learned) == 1
            assert learned[0] - begun >= learns_after
            nursery.cancel_scope.cancel()

    trio.run(main, clock=trio.testing.MockClock(autojump_threshold=0))
