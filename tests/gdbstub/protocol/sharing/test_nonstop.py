# SPDX-License-Identifier: Apache-2.0
"""Non-stop mode where transcripts do not look: a server whose tile runs by itself, tiles where
nothing can move, programs that end, logs that are played again."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from functools import partial

import pytest
import trio
import trio.testing

from tensix_gdb.core.history import History
from tensix_gdb.gdbstub.cli.packets.player import Replay
from tensix_gdb.gdbstub.protocol.packet_log import Mark, PacketLog, read_log
from tensix_gdb.gdbstub.protocol.server.server import STILL_SECONDS
from tensix_gdb.gdbstub.protocol.session.states import State
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tests.gdbstub import wire
from tests.gdbstub.protocol.server.served import Remote, served
from tests.gdbstub.tiles import Client, calling_tile, loaded, new_tile
from tests.machines import machine_on

SLICES = 5000


async def stop_of(remote: Remote) -> bytes:
    """The next announced stop, and that the client has taken it."""
    while (found := re.search(rb"%Stop:([^#]*)#..", remote.received)) is None:
        more = await remote.stream.receive_some()
        assert more, "the server is there"
        remote.received += bytes(more)
    remote.received = remote.received[: found.start()] + remote.received[found.end() :]
    assert await remote.ask(b"vStopped") == b"OK"
    return found[1]


async def all_known(remote: Remote) -> None:
    """The beginning: every thread is known to stand."""
    for packet in (b"QStartNoAckMode", b"QNonStop:1"):
        assert await remote.ask(packet) == b"OK"
    assert (await remote.ask(b"?")).startswith(b"T05")
    assert await remote.ask(b"vStopped") == b"OK"
    assert b"%Stop" not in remote.received, "GDB would not survive it here"
    assert await remote.ask(b"Hg1") == b"OK"
    assert remote.acks.count(b"%Stop") == 1, "before the answer to the next packet"
    for _ in range(7):
        last = await remote.ask(b"vStopped")
    assert last == b"OK"


async def test_answers_come_between_slices_of_what_runs() -> None:
    async with served() as here:
        gdb = here.connect()
        await all_known(gdb)
        assert await gdb.ask(b"vCont;c:2") == b"OK"
        # T0 runs, and B is stopped: its registers are read, it steps, memory is written for it.
        before = here.cycle()
        assert await gdb.ask(b"Hg1") == b"OK"
        for step in range(4):
            pc = await gdb.ask(b"p20")
            assert pc == bytes([4 * step]).hex().encode() + b"000000"
            assert await gdb.ask(b"vCont;s:1") == b"OK"
            assert (await stop_of(gdb)).startswith(b"T05")
        assert await gdb.ask(b"M10000,4:01020304") == b"OK"
        assert await gdb.ask(b"m10000,4") == b"01020304"
        assert here.cycle() > before
        # A breakpoint for the one that runs.
        assert await gdb.ask(b"Z0,6008,4") == b"OK"
        assert b"20:08600000;thread:2;" in await stop_of(gdb)
        stopped_at = here.cycle()
        await trio.testing.wait_all_tasks_blocked()
        assert here.cycle() == stopped_at, "nothing runs any more"


async def test_a_tile_where_nothing_can_move_is_not_hurried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with served() as here:
        gdb = here.connect()
        await all_known(gdb)
        # T2 is in reset: it runs, as the client wants it, and nothing happens.
        assert await gdb.ask(b"vCont;c:4") == b"OK"
        while not here.tile.still:
            await trio.lowlevel.checkpoint()
        assert here.tile.running
        slices = pauses = 0
        advance = here.tile.advance

        def counted(should_stop: Callable[[], bool] | None = None) -> bool:
            nonlocal slices
            slices += 1
            return advance(should_stop)

        sleep = trio.sleep

        async def pausing(seconds: float) -> None:
            nonlocal pauses
            pauses += seconds == STILL_SECONDS
            await sleep(seconds)

        here.tile.advance = counted  # type: ignore[method-assign]
        monkeypatch.setattr(trio, "sleep", pausing)
        while slices < 4:
            await sleep(STILL_SECONDS)
        assert pauses >= slices - 1, "a pause after each slice"
        # Another client releases it: at 0xe000 there is no instruction.
        other = here.connect()
        assert await gdb.ask(b"Hg1") == b"OK"
        assert await gdb.ask(b"Mffb121b0,4:00000000") == b"OK"
        told = await stop_of(gdb)
        assert b"thread:4;" in told
        assert told.startswith(b"T04") or told.startswith(b"T0b")
        await other.leave()


def test_a_fault_is_that_of_one_thread() -> None:
    client = Client(new_tile())
    for packet in ("QNonStop:1", "?", "vStopped", "Hg1", "P20=1c000000"):
        client.send(wire.frame(packet.encode()))
    client.send(wire.frame(b"P7=00000000"))
    client.send(wire.frame(b"vCont;c:1;c:2"))
    client.tile.advance_to(SLICES)
    assert client.session.state is State.NONSTOP
    assert client.session.non_stop is not None
    assert not client.session.non_stop.is_running(1), "B has met its ebreak"
    assert client.session.non_stop.is_running(2)
    assert client.tile.running
    assert "ebreak" in client.session.console.take_news()


def test_a_program_that_ends_is_gone_and_the_others_go_on() -> None:
    tile = calling_tile(processes=True)
    client = Client(tile)
    for packet in ("qSupported:multiprocess+", "QNonStop:1", "?", "vStopped"):
        client.send(wire.frame(packet.encode()))
    client.send(wire.frame(b"vCont;c"))
    for _ in range(100):
        tile.advance_to(tile.target.execution.clock() + 100)
        if b"W" in b"".join(got := client.read()):
            assert any(re.fullmatch(rb"%Stop:W[0-9a-f]{2};process:1", one) for one in got)
            break
    else:
        raise AssertionError("the program has not ended")
    assert b"p1.1" not in client.ask("qfThreadInfo")


def test_what_is_written_while_threads_run_is_in_the_history(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # No marks between inputs, so that everything is run again.
    monkeypatch.setattr(History, "add_checkpoint_if_due", lambda self: None)
    machine = loaded(machine_on("reference"))
    tile = SharedTile(tensix_target(machine, record=True), run_at_once=False)
    client = Client(tile)

    def tell(*packets: str, cycles: int = 0) -> None:
        for packet in packets:
            client.send_only(packet)
            if tile.running and cycles:
                tile.advance_to(tile.target.execution.clock() + cycles)

    # B adds 1 to x5 and stores it; T0 is let go, and held, while B runs; both are written to.
    tell("QNonStop:1", "?", "vStopped", "vCont;c:1", "vCont;c:2", cycles=70)
    tell("M10040,4:12345678", cycles=90)
    written, soon = machine.S.tile.cycle, machine.peek(0, 0x10040, 4)
    assert soon.hex() == "12345678"
    tell("vCont;t:2", "Hg2", "P5=00010000", "vCont;c:2", cycles=90)
    tell("Mffb00104,4:01020304", "vCont;t", "QNonStop:0", cycles=50)
    end, hashed = machine.S.tile.cycle, machine.hash()
    assert end > 500
    for cycle in (0, end, 300, end):
        client.ask("qRcmd," + f"goto {cycle}".encode().hex())
        assert machine.S.tile.cycle == cycle
    assert machine.hash() == hashed
    client.ask("qRcmd," + f"goto {written - 20}".encode().hex())
    assert machine.peek(0, 0x10040, 4) == soon


def test_who_was_started_again_goes_on_when_nobody_debugs_it_any_more() -> None:
    tile = calling_tile(processes=True)
    client = Client(tile)
    for packet in ("qSupported:multiprocess+", "!", "QNonStop:1", "vAttach;1", "vAttach;4"):
        client.send_only(packet)
    # B's program ends; T2 is in reset and runs as the client wants it.
    client.send_only("vCont;c")
    for _ in range(20):
        tile.advance_to(tile.target.execution.clock() + 100)
    assert client.session.selection.attachment is not None
    assert client.session.selection.attachment.ids == (4,)
    # Started again, and left: it runs and ends once more.
    client.send_only("vRun;")
    started = tile.target.registers.read_pc(1)
    client.send_only("D;1")
    for _ in range(20):
        tile.advance_to(tile.target.execution.clock() + 100)
    assert tile.target.registers.read_pc(1) != started


def test_a_log_of_it_plays_again() -> None:
    file = io.StringIO()
    tile = new_tile(run_at_once=True)
    log = PacketLog(file, tile.target.execution.clock, "sc", [])
    client = Client(tile, "one")
    log.note("one", Mark.CONNECTED)
    client.session.stream.record = partial(log.note, "one")
    packets = ["QStartNoAckMode", "QNonStop:1", "?", *["vStopped"] * 9, "Z0,6008,4", "vCont;c:2"]
    packets += ["vCont;c:1", "p20", "vStopped", "vStopped", "vCont;c:2", "vCtrlC", "vStopped"]
    packets += [
        "Hg1",
        "m10000,4",
        "vCont;t",
        "vStopped",
        "vStopped",
        "g",
        "QNonStop:0",
        "vCont;s:1",
        "D",
    ]
    for packet in packets:
        client.send(wire.frame(packet.encode()))
        for _ in range(3):
            if tile.running:
                tile.advance()
    text = file.getvalue()
    assert text.count("%Stop:") >= 3
    said: list[str] = []
    outcome = Replay(new_tile(), said.append).play(read_log(iter(text.splitlines())).entries)
    assert outcome.differences == []
    assert outcome.equal > len(packets)
