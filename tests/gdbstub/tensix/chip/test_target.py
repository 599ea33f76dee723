# SPDX-License-Identifier: Apache-2.0
"""A chip of two tiles for clients: processes, breakpoints of one and of all, stops, monitor."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.semihosting.console import OUT
from tensix_gdb.gdbstub.host.simulator.grid import places_of
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.tensix.chip import why
from tensix_gdb.gdbstub.tensix.chip.execution import ChipExecution
from tensix_gdb.gdbstub.tensix.chip.processes import ChipProcesses
from tensix_gdb.gdbstub.tensix.chip.target import chip_target
from tests.assembler import SPIN, asm, image, li
from tests.core.chip.programs import (
    ATOMIC,
    BROADCAST,
    COUNTERS,
    DATA,
    INCREMENT,
    MARKED,
    NIU,
    SEMAPHORE,
    WRITE,
    at,
    request,
    wait_for,
)
from tests.gdbstub.tiles import Client
from tests.work import calls_in

NEAR, FAR = (1, 2), (2, 2)
MULTI = "qSupported:multiprocess+;swbreak+;hwbreak+"
COUNTS = [*li(10, DATA), asm("addi", rd=11, rs1=11, imm=1), asm("sw", rs1=10, rs2=11)]
LOOP = 4 * len(COUNTS) - 8
PROGRAM = [*COUNTS, asm("jal", imm=-8)]
ATTACH = 6000  # calls of functions, with 140 tiles


@pytest.fixture
def chip() -> Iterator[Chip]:
    chip = Chip((NEAR, FAR), engine="compiled")
    for tile in chip.tiles.values():
        tile.load(B, image(PROGRAM, 0))
    yield chip
    chip.close()


def client_of(chip: Chip) -> Client:
    """A GDB that knows processes, attached to all."""
    client = Client(SharedTile(chip_target(chip)))
    client.send_only(MULTI)
    return client


def sent(client: Client, packet: str) -> list[bytes]:
    """The payloads that come back."""
    return [one for one in client.send_only(packet) if one != b"+"]


def run(client: Client, packet: str, cycles: int = 2000) -> list[bytes]:
    """Let the chip run for so many cycles, unless it stops; the payloads that come."""
    end = client.tile.target.execution.clock() + cycles
    came = client.send_only(packet)
    if client.tile.running:
        client.tile.advance_to(end)
    return [one for one in (*came, *client.read()) if one != b"+"]


def heard(client: Client) -> list[bytes]:
    """The payloads that have come meanwhile."""
    return [one for one in client.read() if one != b"+"]


def monitor(client: Client, line: str) -> str:
    parts = [part.removeprefix(b"O") for part in sent(client, "qRcmd," + line.encode().hex())]
    return "".join(bytes.fromhex(part.decode()).decode() for part in parts if part != b"K")


def test_each_tile_is_a_process(chip: Chip) -> None:
    client = client_of(chip)
    (threads,) = sent(client, "qfThreadInfo")
    assert threads.decode().removeprefix("m").split(",") == [
        f"p{process:x}.{thread:x}"
        for process, first in ((1, 1), (2, 9))
        for thread in range(first, first + 8)
    ]
    (rows,) = sent(client, "qXfer:osdata:read:processes:0,2000")
    assert re.findall(r'"cores">(\S+?)<', rows.decode()) == ["1-2", "2-2"]
    (threads,) = sent(client, "qXfer:threads:read::0,4000")
    assert 'id="p2.a" name="2-2 T0"' in threads.decode()


def test_registers_and_memory_are_those_of_the_threads_tile(chip: Chip) -> None:
    client = client_of(chip)
    for thread, value in (("p1.1", "01000000"), ("p2.9", "02000000")):
        client.send_only(f"Hg{thread}")
        assert sent(client, f"M{DATA:x},4:{value}") == [b"OK"]
    client.send_only("Hgp1.1")
    assert sent(client, f"m{DATA:x},4") == [b"01000000"]
    client.send_only("Hgp2.9")
    assert sent(client, f"m{DATA:x},4") == [b"02000000"]
    assert chip.tiles[FAR].peek(B, DATA, 4) == b"\2\0\0\0"


def test_a_breakpoint_stops_its_own_tile_and_with_it_the_chip(chip: Chip) -> None:
    client = client_of(chip)
    client.send_only("Hgp2.9")
    assert sent(client, f"Z0,{LOOP:x},4") == [b"OK"]
    (stop,) = run(client, "vCont;c")
    assert stop.startswith(b"T05")
    assert b"thread:p2.9;swbreak:;" in stop
    assert chip.cycle < 100, "the other tile has stopped too, though it executes the same code"
    (stop,) = run(client, "vCont;s:p2.9;c")
    assert b"thread:p2.9;" in stop
    assert client.tile.target.registers.read_pc(9) == LOOP + 4
    assert sent(client, f"z0,{LOOP:x},4") == [b"OK"]
    before = chip.cycle
    assert run(client, "vCont;c") == []
    assert chip.cycle == before + 2000


def test_a_breakpoint_of_a_client_without_processes_is_one_of_all_tiles(chip: Chip) -> None:
    client = Client(SharedTile(chip_target(chip)))
    client.send_only("qSupported:swbreak+")
    client.send_only(f"Z0,{LOOP:x},4")
    hit = set()
    for _ in range(20):
        (stop,) = run(client, "vCont;c")
        hit.add(re.search(rb"thread:(\w+);", stop).group(1))  # type: ignore[union-attr]
    assert hit == {b"1", b"9"}


def test_a_tile_that_no_action_names_is_held(chip: Chip) -> None:
    client = client_of(chip)
    assert run(client, "vCont;c:p1.-1") == []
    counted = [int.from_bytes(chip.tiles[p].peek(B, DATA, 4), "little") for p in (NEAR, FAR)]
    assert counted[0] > 0
    assert counted[1] == 0


def test_a_tile_that_no_client_sees_goes_on(chip: Chip) -> None:
    client = client_of(chip)
    client.send_only("D;2")
    assert run(client, "vCont;c:p1.-1") == []
    assert int.from_bytes(chip.tiles[FAR].peek(B, DATA, 4), "little") > 0


def test_a_fault_names_its_tile(chip: Chip) -> None:
    chip.tiles[FAR].load_bytes(LOOP, bytes(4))
    client = client_of(chip)
    said = b" ".join(run(client, "vCont;c")).decode()
    text = "".join(
        bytes.fromhex(part).decode() for part in re.findall(r"\bO((?:[0-9a-f]{2})+)", said)
    )
    assert "2-2: B at 0x" in text
    assert ";thread:p2." in said


def test_monitor_of_the_chip_and_of_a_tile(chip: Chip) -> None:
    client = client_of(chip)
    grid = monitor(client, "chip").splitlines()
    assert grid[1].split() == ["x=1", "x=2"]
    assert grid[2] == "y=2  K....  K...."
    client.send_only("Hgp2.9")
    assert "tile 2-2" in monitor(client, "help")
    assert "B: runs" in monitor(client, "why")
    assert "is for a tile alone" in monitor(client, "reset")


def test_what_a_tile_prints_has_its_name(chip: Chip) -> None:
    client = client_of(chip)
    client.send_only("Hgp2.9")
    assert "Debug prints are read from 0x15000" in monitor(client, "dprint 0x15000")
    target = client.tile.target
    assert isinstance(target.processes, ChipProcesses)
    target.processes.tile(2).host.console.write(OUT, b"one\ntwo\n")
    said = b" ".join(run(client, "vCont;c")).decode()
    client.session.interrupt()
    assert b"2-2: one\n2-2: two\n".hex() in said
    assert chip.cycle == 2000


def test_races_are_those_of_the_threads_tile(chip: Chip) -> None:
    client = client_of(chip)
    client.send_only("Hgp2.9")
    monitor(client, "races on")
    run(client, "vCont;c")
    client.session.interrupt()
    heard(client)
    client.send_only("Hgp2.9")
    assert "not observed" in monitor(client, "races")
    assert "there is no report 1" in monitor(client, "races witness 1")
    client.send_only("Hgp1.1")
    assert "races are not observed" in monitor(client, "races")


def test_monitor_noc_shows_what_is_under_way() -> None:
    chip = Chip((NEAR, FAR), engine="compiled")
    words = request(ATOMIC | MARKED, SEMAPHORE, at(FAR), DATA, at(NEAR), INCREMENT, 1)
    chip.tiles[NEAR].load(B, image([*words, SPIN], 0))
    client = client_of(chip)
    assert "No request is under way" in monitor(client, "noc")
    while not any(chip.tiles[NEAR].S.noc.stage[0, slot] for slot in range(16)):
        assert chip.run(1) is None
    said = monitor(client, "noc")
    assert f"1-2 NIU 0: increments {SEMAPHORE:#x} of 2-2: on its way" in said
    assert "1-2 NIU 0: transaction 0 waits for 1 answer: increments" in said
    chip.run(200)
    assert "No request is under way" in monitor(client, "noc")
    said = monitor(client, "noc 1-2")
    assert f"increments {SEMAPHORE:#x} of 2-2: done; by B at 0x" in said
    assert "ATOMIC_RESP_RECEIVED 1" in said
    assert "SLV_NONPOSTED_ATOMIC_RECEIVED 1" in monitor(client, "noc 2-2")
    assert "there is no tile 9-9: they are 1-2 to 2-2" in monitor(client, "noc 9-9")
    chip.close()


def test_a_broadcast_over_a_hole_is_said() -> None:
    """It waits for two acknowledgements, and one comes."""
    chip = Chip((NEAR, FAR), engine="compiled")
    there = at(FAR) | 1 << 6 | at(NEAR) << 12  # to 2-3
    ctrl = WRITE | MARKED | BROADCAST
    words = [*request(ctrl, DATA, at(NEAR), DATA, there, 64), *wait_for(NIU + COUNTERS + 4, 3)]
    chip.tiles[NEAR].load(B, image([*words, SPIN], 0))
    client = client_of(chip)
    chip.run(2000)
    hole = "a rectangle that has no tile at 1-3 2-3: nothing there receives it"
    assert "1-2 B at 0x" in monitor(client, "noc")
    assert hole in monitor(client, "noc")
    assert hole in monitor(client, "why all")
    chip.close()


def test_why_begins_with_the_faults_of_all_tiles() -> None:
    """One tile is in the way of all, and may be none of those that a client looks at."""
    chip = Chip((NEAR, FAR, (1, 3), (2, 3)), engine="compiled")
    for place in (FAR, (1, 3)):
        chip.tiles[place].load(B, image([0xFFFFFFFF], 0))  # the same in both
    chip.tiles[2, 3].load(B, image([*wait_for(SEMAPHORE, 2), SPIN], 0))
    client = client_of(chip)
    *_, stop = run(client, "vCont;c")
    assert b"thread:p2." in stop, stop
    client.send_only("Hgp1.1")
    fault = "B at 0x00000000: UndefinedBehavior: 0xffffffff is not an instruction"
    said = monitor(client, "why all")
    assert said.startswith(f"At a fault: 2-2 1-3: {fault}")
    assert "\n2-2 B: stopped by a fault at 0x00000000\n" in said
    said = monitor(client, "why")
    assert said.startswith(f"At a fault: 2-2 1-3: {fault}")
    assert said.endswith("\nNothing to do: B, T0, T1, T2, NC, T0 unpack, T1 math, T2 pack.\n")
    client.send_only("Hgp2.9")
    first, second, hart, _ = monitor(client, "why").splitlines()
    assert first.startswith(f"At a fault: 1-3: {fault}")
    assert second.startswith(f"At a fault: {fault}")
    assert hart == "B: at the fault, pc 0x00000000"
    chip.close()


def test_why_across_tiles_and_a_standstill_when_no_host_is_there() -> None:
    chip = Chip((NEAR, FAR), engine="compiled")
    sends = request(ATOMIC | MARKED, SEMAPHORE, at(FAR), DATA, at(NEAR), INCREMENT, 1)
    chip.tiles[NEAR].load(B, image([*sends, SPIN], 0))
    chip.tiles[FAR].load(B, image([*wait_for(SEMAPHORE, 2), SPIN], 0))  # one more than is sent
    client = client_of(chip)
    assert run(client, "vCont;c", 20_000) == [], "a host may still do something"
    client.session.interrupt()
    assert heard(client)[-1].startswith(b"T02")
    said = monitor(client, "why all")
    assert f"2-2 B: polls L1 {SEMAPHORE:#x}, at 0x00000014: it is 1, and the loop ends when" in said
    assert f"reads {SEMAPHORE:#x}, which is 0x1: 1-2 increments {SEMAPHORE:#x} of 2-2" in said
    execution = client.tile.target.execution
    assert isinstance(execution, ChipExecution)
    execution.host_has_gone()
    *_, text, stop = run(client, "vCont;c", 100_000)
    shown = bytes.fromhex(text[1:].decode()).decode()
    assert "nothing on the chip can move any more" in shown
    assert f"\n2-2 B: polls L1 {SEMAPHORE:#x}, at 0x00000014: it is 1, and the loop" in shown
    assert stop.startswith(b"T05")
    *_, stop = run(client, "vCont;s:p2.a;c", 100_000)
    assert stop.startswith(b"T00")
    assert b"thread:p2.a;" in stop
    chip.close()


def test_why_reads_the_requests_of_each_tile_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not for each word that another one polls: with 140 tiles that took a second."""
    places = [(x, y) for x in (1, 2) for y in (2, 3)]
    chip = Chip(places, engine="compiled")
    for place in places:
        words = [word for addr in range(4) for word in wait_for(SEMAPHORE + 4 * addr, 2)]
        chip.tiles[place].load(B, image([*words, SPIN], 0))
    client = client_of(chip)
    read: list[str] = []
    kept = why.last_ones
    monkeypatch.setattr(why, "last_ones", lambda tile: read.append(tile.name) or kept(tile))
    chip.run(100)
    assert "2-3 B: polls L1 0x" in monitor(client, "why all")
    assert sorted(read) == ["1-2", "1-3", "2-2", "2-3"]
    chip.close()


def test_attaching_to_a_whole_chip_is_fast() -> None:
    chip = Chip(places_of("14x10"), engine="compiled")
    tile = SharedTile(chip_target(chip))

    def attach() -> None:
        client = Client(tile)
        for packet in (MULTI, "?", "qfThreadInfo", "qXfer:threads:read::0,ffff", "g"):
            client.send_only(packet)
        client.session.end()

    attach()
    assert calls_in(attach) < ATTACH
    chip.close()
