# SPDX-License-Identifier: Apache-2.0
"""The server with clients that come, run the tile, interrupt, vanish, or take nothing."""

from __future__ import annotations

import logging

import pytest
import trio
from trio.testing import MockClock, lockstep_stream_pair, wait_all_tasks_blocked

from gdbstub.commands import HANDLERS
from gdbstub.commands.handler import Handler
from gdbstub.connection import SEND_SECONDS
from gdbstub.rsp import packets
from gdbstub.server import MOST_CLIENTS, Server
from tests.gdbstub import wire
from tests.gdbstub.served import INTERRUPT, Remote, served
from tests.gdbstub.tiles import new_tile

B_PC = b"p20"
X5 = b"p5"


def number(reply: bytes) -> int:
    """A register in a reply."""
    return int.from_bytes(bytes.fromhex(reply.decode("ascii")), "little")


async def test_a_client_is_answered() -> None:
    async with served() as at:
        client = at.connect()
        assert b"QStartNoAckMode+" in await client.ask(b"qSupported:swbreak+")
        assert client.acks == b"+"
        assert b"thread:1;" in await client.ask(b"?")
        assert await client.ask(b"qC") == b"QC1"
        assert number(await client.ask(B_PC)) == 0


async def test_packets_may_come_in_any_pieces() -> None:
    async with served() as at:
        client = at.connect()
        data = wire.frame(b"qC") + wire.frame(B_PC) + wire.frame(b"m0,4")
        for i in range(len(data)):
            await client.stream.send_all(data[i : i + 1])
        piecemeal = [await client.answer() for _ in range(3)]
        await client.stream.send_all(data)
        assert [await client.answer() for _ in range(3)] == piecemeal
        assert client.acks == b"++++++"


async def test_no_ack_mode_is_that_of_one_connection() -> None:
    async with served() as at:
        first, second = at.connect(), at.connect()
        assert await first.ask(b"QStartNoAckMode") == b"OK"
        await first.ask(b"qC")
        await second.ask(b"qC")
        assert (first.acks, second.acks) == (b"+", b"+")


async def test_a_running_tile_is_interrupted() -> None:
    async with served() as at:
        client = at.connect()
        for _ in range(3):
            before = at.cycle()
            await client.send(b"vCont;c")
            await trio.sleep(0.005)
            assert at.tile.running
            assert at.cycle() > before
            await client.stream.send_all(INTERRUPT)
            assert (await client.answer()).startswith(b"T02")
            assert not at.tile.running


async def test_steps_are_answered_at_once() -> None:
    async with served() as at:
        client = at.connect()
        for pc in (0x4, 0x8, 0xC, 0x10, 0x14, 0x18, 0x8, 0xC):
            assert b"thread:1;" in await client.ask(b"vCont;s:1")
            assert not at.tile.running
            assert number(await client.ask(B_PC)) == pc


async def test_who_vanishes_leaves_the_tile_as_it_was() -> None:
    async with served() as at:
        first = at.connect()
        assert await first.ask(b"Z0,8,4") == b"OK"
        await first.send(b"vCont;c:1")
        assert b"thread:1;" in await first.answer()
        await first.ask(b"vCont;s:1")
        pc, cycle = number(await first.ask(B_PC)), at.cycle()
        await first.leave()
        await at.wait_until_gone()

        second = at.connect()
        assert (number(await second.ask(B_PC)), at.cycle()) == (pc, cycle)
        # Its breakpoint went with it: B now runs past 0x8 until it is interrupted.
        await second.send(b"vCont;c:1")
        await trio.sleep(0.005)
        assert at.tile.running
        await second.stream.send_all(INTERRUPT)
        assert (await second.answer()).startswith(b"T02")


async def test_who_vanishes_while_the_tile_runs_stops_it() -> None:
    async with served() as at:
        first = at.connect()
        await first.send(b"vCont;c")
        await trio.sleep(0.005)
        await first.leave()
        await at.wait_until_gone()
        assert not at.tile.running
        cycle = at.cycle()
        await wait_all_tasks_blocked()
        assert at.cycle() == cycle

        second = at.connect()
        assert (await second.ask(b"?")).startswith(b"T")
        assert number(await second.ask(X5)) > 0


async def test_one_runs_while_the_other_looks() -> None:
    async with served() as at:
        first, second = at.connect(), at.connect()
        await first.send(b"vCont;c")
        seen = []
        for _ in range(5):
            seen.append(number(await second.ask(X5)))
            await trio.sleep(0.002)
        assert seen == sorted(seen)
        assert seen[0] < seen[-1]
        # Who only looks does not change anything.
        assert (await second.ask(b"P5=00000000")).startswith(b"E")
        await first.stream.send_all(INTERRUPT)
        assert (await first.answer()).startswith(b"T02")
        assert await second.ask(b"P5=00000000") == b"OK"


async def test_there_are_not_too_many_clients(caplog: pytest.LogCaptureFixture) -> None:
    async with served() as at:
        clients = [at.connect() for _ in range(MOST_CLIENTS)]
        for client in clients:
            assert await client.ask(b"qC") == b"QC1"
        refused = at.connect()
        with pytest.raises((trio.EndOfChannel, trio.BrokenResourceError)):
            await refused.ask(b"qC")
        assert f"refused, there are {MOST_CLIENTS} clients already" in caplog.text
        await clients[0].leave()
        await at.wait_until_gone(MOST_CLIENTS - 1)
        assert await at.connect().ask(b"qC") == b"QC1"


async def test_who_takes_nothing_is_dropped(
    autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    """Time is trio's: it jumps to the next deadline when everybody waits."""
    ours, theirs = lockstep_stream_pair()  # whatever is sent waits for its reader
    async with served() as at:
        at.connect(theirs)
        await ours.send_all(wire.frame(b"qXfer:features:read:target.xml:0,ffb"))
        await trio.sleep(SEND_SECONDS - 1)
        assert len(at.tile.sessions) == 1
        await trio.sleep(2)
        assert at.tile.sessions == []
        assert "takes nothing any more; dropped it" in caplog.text
        assert await at.connect().ask(b"qC") == b"QC1"


async def test_a_defect_of_ours_costs_one_client(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> bytes:
        raise ZeroDivisionError("for the test")

    monkeypatch.setitem(HANDLERS, packets.CurrentThread, Handler(broken))
    async with served() as at:
        first, second = at.connect(), at.connect()
        with pytest.raises((trio.EndOfChannel, trio.BrokenResourceError)):
            await first.ask(b"qC")
        assert number(await second.ask(B_PC)) == 0
        (record,) = [r for r in caplog.records if r.levelno == logging.ERROR]
        assert "a defect of ours at the packet b'qC'" in record.getMessage()


async def test_it_listens_on_loopback_only_and_stops_when_told() -> None:
    with trio.fail_after(20):
        async with trio.open_nursery() as nursery:
            server = Server(new_tile())
            ((host, port),) = await nursery.start(server.serve, "127.0.0.1", [0])
            assert host == "127.0.0.1"
            stream = await trio.open_tcp_stream(host, port)
            client = Remote(stream)
            assert await client.ask(b"qC") == b"QC1"
            with pytest.raises(OSError, match=str(port)):
                await trio.open_tcp_stream("127.0.0.2", port)
            nursery.cancel_scope.cancel()
    assert await stream.receive_some() == b""
    await stream.aclose()
