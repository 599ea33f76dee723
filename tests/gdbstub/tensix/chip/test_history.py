# SPDX-License-Identifier: Apache-2.0
"""Back in time with a client of several tiles: one history of all of them."""

from __future__ import annotations

import re

import pytest

from tensix_gdb.core.arch.blackhole import SOFT_RESET_HARTS, B
from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.devices.soft_reset import set_soft_reset
from tensix_gdb.gdbstub.tensix.chip.execution import ChipExecution
from tensix_gdb.gdbstub.tensix.chip.history import RecordedChip
from tests.assembler import SPIN, image
from tests.core.chip.programs import ATOMIC, DATA, INCREMENT, MARKED, SEMAPHORE, at, request
from tests.gdbstub.tensix.chip import test_target
from tests.gdbstub.tensix.chip.test_target import (
    FAR,
    LOOP,
    NEAR,
    client_of,
    heard,
    monitor,
    run,
    sent,
)
from tests.gdbstub.tiles import Client
from tests.patience import turns

chip = test_target.chip


def state(client: Client) -> tuple[int, str]:
    chip = history(client)._chip
    return chip.cycle, chip.hash()


def history(client: Client) -> RecordedChip:
    reverse = client.tile.target.reverse
    assert isinstance(reverse, RecordedChip)
    return reverse


def rest(client: Client, packet: str, cycles: int) -> None:
    """Let the chip run for so many cycles, and interrupt it."""
    run(client, packet, cycles)
    client.session.interrupt()
    heard(client)


def back(client: Client, packet: str) -> bytes:
    """Go back; the stop."""
    came = [one for one in client.send_only(packet) if one != b"+"]
    while client.tile.running:
        client.tile.advance()
    return [*came, *heard(client)][-1]


@pytest.fixture
def client(chip: Chip) -> Client:
    client = client_of(chip)
    assert "the chip is at cycle 0" in monitor(client, "record on")
    return client


def test_without_a_history_nothing_goes_back(chip: Chip) -> None:
    client = client_of(chip)
    nothing = b"E.nothing is recorded: type `monitor record on` first"
    assert sent(client, "bs") == sent(client, "bc") == [nothing]
    assert "nothing is recorded" in monitor(client, "goto 3")


def test_a_step_back_of_one_hart_is_one_of_the_whole_chip(client: Client) -> None:
    rest(client, "vCont;c", 500)
    before: list[tuple[int, int]] = []
    registers = client.tile.target.registers
    for _ in range(4):
        run(client, "vCont;s:p2.9;c")
        before.append((registers.read_pc(9), registers.read_pc(1)))
    assert before[0][0] != before[1][0]
    cycle, _ = state(client)
    sent(client, "Hcp2.9")
    for pc, _ in reversed(before[:-1]):
        assert b"thread:p2.9;" in back(client, "bs")
        assert registers.read_pc(9) == pc
    assert state(client)[0] < cycle
    assert history(client).past


def test_the_thread_that_goes_back_is_the_one_that_has_stopped(client: Client) -> None:
    run(client, "vCont;c", 500)
    client.session.interrupt()
    heard(client)
    (stop,) = run(client, "vCont;s:p2.9;c")
    assert b"thread:p2.9;" in stop
    for packet in ("Hgp1.1", "Z0,4000,4", "Hc0"):  # as GDB does before it goes back
        assert sent(client, packet) == [b"OK"]
    assert b"thread:p2.9;" in back(client, "bs")
    assert sent(client, "Tp1.2") == [b"OK"], "the user selects another one"
    sent(client, "Hgp2.9")
    assert b"thread:p1.2;" in back(client, "bs")


def test_back_to_a_breakpoint_of_any_tile(client: Client) -> None:
    sent(client, "Hgp2.9")
    assert sent(client, f"Z0,{LOOP:x},4") == [b"OK"]
    counted = []
    for _ in range(3):
        (stop,) = run(client, "vCont;c")
        assert b"thread:p2.9;swbreak:;" in stop
        counted.append(sent(client, f"m{DATA:x},4"))
    sent(client, "Hcp1.1")
    for value in reversed(counted[:-1]):
        assert b"thread:p2.9;swbreak:;" in back(client, "bc")
        assert sent(client, f"m{DATA:x},4") == value
    assert b"replaylog:begin;" in back(client, "bc")
    assert state(client)[0] == 0


def test_forward_again_through_what_was_changed_and_held(client: Client, chip: Chip) -> None:
    rest(client, "vCont;c", 200)
    monitor(client, "bookmark before")
    sent(client, "Hgp2.9")
    assert sent(client, f"M{DATA + 16:x},4:78563412") == [b"OK"]
    rest(client, "vCont;c:p1.-1", 300)  # the other tile is held
    there = state(client)
    far = chip.tiles[FAR].peek(B, DATA, 4)
    monitor(client, "bookmark after")
    rest(client, "vCont;c", 300)
    end = state(client)
    assert re.search(r"before +cycle 200\nafter +cycle 500", monitor(client, "bookmark"))
    assert "The chip is at cycle 200" in monitor(client, "goto before")
    assert chip.tiles[FAR].peek(B, DATA + 16, 4).hex() == "78563412", "the start of what follows"
    monitor(client, "goto 199")
    assert chip.tiles[FAR].peek(B, DATA + 16, 4).hex() == "00000000"
    rest(client, "vCont;c", 301)
    assert state(client) == there, "it is held as it was"
    assert chip.tiles[FAR].peek(B, DATA, 4) == far
    rest(client, "vCont;c", 300)
    assert state(client) == end
    assert "Recorded from cycle 0 to 800" in monitor(client, "record")
    assert "cycle 900 is not in the history, which goes from 0 to 800" in monitor(
        client, "goto 900"
    )
    heard(client)
    run(client, "vCont;c", 100)
    assert not history(client).past
    assert chip.cycle == 900


def test_a_change_in_the_past_ends_what_followed(client: Client, chip: Chip) -> None:
    rest(client, "vCont;c", 1000)
    monitor(client, "goto 400")
    sent(client, "Hgp1.1")
    assert sent(client, f"M{DATA:x},4:00000000") == [b"OK"]
    rest(client, "vCont;c", 100)
    assert "Recorded from cycle 0 to 500" in monitor(client, "record")
    counts = [int.from_bytes(chip.tiles[p].peek(B, DATA, 4), "little") for p in (NEAR, FAR)]
    assert counts[0] > counts[1] // 2, "B of the near tile has its count in a register"


def test_the_commands_of_the_chip_at_an_earlier_time() -> None:
    chip = Chip((NEAR, FAR), engine="compiled")
    words = request(ATOMIC | MARKED, SEMAPHORE, at(FAR), DATA, at(NEAR), INCREMENT, 1)
    chip.tiles[NEAR].load(B, image([*words, SPIN], 0))
    client = client_of(chip)
    monitor(client, "rec on")
    while not any(chip.tiles[NEAR].S.noc.stage[0, slot] for slot in range(16)):
        rest(client, "vCont;c", 1)
    cycle = chip.cycle
    said = {line: monitor(client, line) for line in ("noc", "chip", "why all")}
    assert "1-2 NIU 0: increments 0x7000 of 2-2: on its way" in said["noc"]
    rest(client, "vCont;c", 1000)
    assert "No request is under way" in monitor(client, "noc")
    monitor(client, f"goto {cycle}")
    assert {line: monitor(client, line) for line in said} == said
    chip.close()


def test_it_stops_where_the_history_ends(client: Client, chip: Chip) -> None:
    """All harts are in reset, and the host that would let one go is gone."""
    for machine in chip.tiles.values():
        set_soft_reset(machine.S, SOFT_RESET_HARTS)
    came = sent(client, "vCont;c")
    for _ in turns(0):
        if not client.tile.running:
            break
        client.tile.advance()
    (text, stop) = [*came, *heard(client)]
    assert b"nothing on the chip can move any more" in bytes.fromhex(text[1:].decode())
    assert stop.startswith(b"T05")


def test_clients_read_the_programs_of_another_time(client: Client, chip: Chip) -> None:
    execution = client.tile.target.execution
    told: list[tuple[int, int]] = []
    assert isinstance(execution, ChipExecution)

    def libraries_changed(thread: int) -> bool:
        told.append((thread, execution.clock()))
        return True

    execution.libraries_changed = libraries_changed
    run(client, "vCont;c", 100)
    client.session.interrupt()
    for machine in chip.tiles.values():
        machine.poke(B, DATA, b"launch")
        machine.loader.set_hosted("kernels", [image([SPIN])])
    rest(client, "vCont;c", 100)
    monitor(client, "goto 50")
    assert not told
    for _ in range(3):  # one has to be told, the other one, none
        execution.advance(0.01)
    assert told == [(1, 50), (9, 50)]
    assert execution.clock() > 50
