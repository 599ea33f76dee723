# SPDX-License-Identifier: Apache-2.0
"""A program that ends while other harts run: told, and no stop unless that is wanted."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import T0, T1, B
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.semihosting.operations import APPLICATION_EXIT, Op
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tests.assembler import EBREAK, asm, image
from tests.core.semihosting.program import block, fill, load
from tests.gdbstub.protocol.commands.test_host_calls import Served, shown
from tests.gdbstub.tiles import Client

NOP, SELF = asm("addi", rd=0, rs1=0, imm=0), asm("jal")
B_THREAD, T0_THREAD, T1_THREAD = "1", "2", "3"
BACK = asm("jal", imm=-4)
TO_SELF = [asm("jal", imm=8), NOP, SELF]  # over what the linker has put between
LONG = [*[NOP] * 40, EBREAK, SELF]


def tile_of(programs: dict[int, list[int]], *, stop_at_end: bool = False) -> Client:
    machine = Machine(engine="reference")
    for hart, words in programs.items():
        machine.load(hart, image(words, 0x1000 * (hart + 1)))
    target = tensix_target(machine, stop_at_end=stop_at_end)
    return Client(SharedTile(target, run_at_once=False))


def said(client: Client, packet: str) -> tuple[bytes, bytes]:
    """The text that came, and the stop."""
    came = client.send_only(packet)
    while client.tile.running:
        client.tile.advance_to(client.tile.target.execution.clock() + 1000)
    came += client.read()
    return shown(came), came[-1]


@pytest.mark.parametrize("follows", [[SELF], [BACK], TO_SELF])
def test_the_first_end_is_told_and_the_last_one_stops(follows: list[int]) -> None:
    client = tile_of({T0: [EBREAK, *follows], T1: LONG})
    text, stop = said(client, "vCont;c")
    assert text.splitlines() == [
        b"T0 at 0x00002000: its program has ended; the others continue",
        b"T1 at 0x000030a0: its program has ended",
    ]
    assert stop.startswith(b"T05")
    assert b"thread:" + T1_THREAD.encode() in stop
    # What has ended stays where it is.
    text, stop = said(client, "vCont;c")
    assert text.startswith(b"no hart can continue: B in reset; T0 paused at 0x00002000; T1 paused")
    assert b"thread:" + T0_THREAD.encode() in stop


def test_with_stop_at_end_each_stops() -> None:
    client = tile_of({T0: [EBREAK, SELF], T1: LONG}, stop_at_end=True)
    text, stop = said(client, "vCont;c")
    assert text == b"T0 at 0x00002000: ebreak; a resume continues after it\n"
    assert b"thread:2;" in stop


@pytest.mark.parametrize("follows", [[NOP, SELF], [asm("jal", imm=4), NOP, SELF], [0]])
def test_an_ebreak_in_the_middle_stops(follows: list[int]) -> None:
    client = tile_of({T0: [EBREAK, *follows], T1: LONG})
    assert b"thread:2;" in said(client, "vCont;c")[1]


def test_a_hart_that_steps_stops_at_its_end() -> None:
    client = tile_of({T0: [NOP, EBREAK, SELF], T1: LONG})
    said(client, "vCont;s:2;c")
    text, stop = said(client, "vCont;s:2;c")
    assert (text, b"thread:2;" in stop) == (b"T0 at 0x00002004: its program has ended\n", True)
    # Stepped again, it continues.
    assert b"20:08200000" in said(client, "vCont;s:2")[1]


def test_others_that_are_held_do_not_run() -> None:
    client = tile_of({T0: [EBREAK, SELF], T1: LONG})
    assert b"thread:2;" in said(client, "vCont;c:2")[1]


def test_in_non_stop_mode_the_thread_stops() -> None:
    client = tile_of({T0: [EBREAK, SELF], T1: LONG})
    client.send_only("QNonStop:1")
    assert client.tile.target.execution.stop_at_end
    client.send_only("QNonStop:0")
    assert not client.tile.target.execution.stop_at_end


def test_with_a_history_each_stops() -> None:
    client = tile_of({T0: [EBREAK, SELF], T1: LONG})
    client.send_only("qRcmd," + b"record on".hex())
    assert b"thread:2;" in said(client, "vCont;c")[1]


@pytest.mark.parametrize(("status", "last"), [(0, b"T05"), (7, b"W07")])
def test_an_exit_with_success_is_told(status: int, last: bytes) -> None:
    served = Served(by_gdb=False, stop_at_end=False)
    fill(served.machine, 0, APPLICATION_EXIT, status)
    load(served.machine, [(Op.SYS_EXIT_EXTENDED, block(0))])
    served.machine.load(T1, image([*[NOP] * 400, EBREAK, SELF], 0x3000))
    *before, stop = served.say("vCont;c")
    text = b"B has ended with exit status 0; the others continue\n"
    assert (text in shown(before)) is (status == 0)
    assert stop.startswith(last)
    assert served.machine.S.hart.paused[B]
    served.machine.close()
