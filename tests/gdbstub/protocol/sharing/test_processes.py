# SPDX-License-Identifier: Apache-2.0
"""Processes where transcripts do not look: LLDB and old clients, logs, the command line."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.cli.attach.processes import attach_processes
from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.cli.serve import attach_command
from tensix_gdb.gdbstub.protocol.packet_log import PacketLog, read_log
from tensix_gdb.gdbstub.protocol.session.states import State
from tests.gdbstub import wire
from tests.gdbstub.tiles import Client, new_tile

DEMO = Path(__file__).resolve().parents[4] / "gdbstub" / "demo" / "programs"


def test_multiprocess_is_offered_only_where_it_is_kept_and_asked_for() -> None:
    for processes, asked, offered in (
        (False, b"multiprocess+", False),
        (True, b"swbreak+", False),
        (True, b"multiprocess+", True),
        (True, b"multiprocess-", False),
    ):
        client = Client(new_tile(processes=processes))
        reply = client.ask(b"qSupported:" + asked).split(b";")
        assert (b"multiprocess+" in reply) is offered
        assert client.ask("qC") == (b"QCp1.1" if offered else b"QC1")


def test_a_breakpoint_of_a_process_stops_no_other_hart_there() -> None:
    tile = new_tile(processes=True)
    client = Client(tile)
    client.ask("qSupported:multiprocess+;swbreak+")
    # B and T1 execute the same L1: T1 is sent into B's loop.
    for packet in ("Hgp3.3", "P20=08000000", "Hgp1.1", "Z0,8,4"):
        assert client.ask(packet) == b"OK"
    for _ in range(3):
        reply = client.ask("vCont;c:p1.-1;c:p3.-1")
        assert reply.endswith(b"thread:p1.1;swbreak:;"), reply
    assert client.ask("Hgp3.3") == b"OK"
    assert client.ask("p5") != b"00000000", "T1 passes there"


def test_a_second_client_is_told_of_a_breakpoint_of_the_first() -> None:
    tile = new_tile(processes=True)
    one, two = Client(tile, "one"), Client(tile, "two")
    for client in (one, two):
        client.ask("qSupported:multiprocess+;swbreak+")
    one.ask("Hgp1.1")
    one.ask("Z0,10,4")
    reply = two.ask("vCont;c")
    assert reply.endswith(b"thread:p1.1;"), "a stop, and none of its own breakpoints"


def test_held_threads_of_a_client_that_waits_stay_held_for_another_one() -> None:
    tile = new_tile(processes=True)
    one, two = Client(tile, "one"), Client(tile, "two")
    for client, pids in ((one, (1,)), (two, (2, 3))):
        client.ask("qSupported:multiprocess+")
        client.ask("!")
        for pid in pids:
            client.ask(f"vAttach;{pid}")
    two.send(wire.frame(b"vCont;c:p3.-1"))
    assert two.session.state is State.RUNNING
    before = tile.target.registers.read_pc(2)
    for _ in range(5):
        one.ask("vCont;s:p1.1")
    assert tile.target.registers.read_pc(2) == before, "T0, which two holds"


def test_lldb_has_one_process() -> None:
    """It could not choose another one than the first."""
    client = Client(new_tile(processes=True))
    hello = "qSupported:xmlRegisters=i386,arm,mips,arc;multiprocess+;fork-events+;swbreak+"
    assert b"multiprocess+" not in client.ask(hello)
    assert client.ask("QThreadSuffixSupported") == b"OK"
    assert client.ask("qProcessInfo").startswith(b"pid:1;")
    assert client.ask("qfThreadInfo") == b"m1,2,3,4,5,6,7,8"


def test_what_lldb_asks_is_about_the_process_of_the_current_thread() -> None:
    client = Client(new_tile(processes=True))
    client.ask("qSupported:multiprocess+")
    client.ask("QListThreadsInStopReply")
    assert b"threads:p1.1,p2.2," in client.ask("vCont;s:p1.1")
    assert client.ask("Hgp2.2") == b"OK"
    assert client.ask("qProcessInfo").startswith(b"pid:2;")


def test_a_log_says_that_there_were_processes() -> None:
    for processes in (False, True):
        file = io.StringIO()
        PacketLog(file, lambda: 0, "sc", [], processes=processes)
        assert read_log(iter(file.getvalue().splitlines())).processes is processes


def test_a_port_for_each_hart_and_processes_exclude_each_other(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["serve", "--processes", "--ports", "--elf", f"b={DEMO / 'b.elf'}"]) == 2
    assert "leave out --ports or --processes" in capsys.readouterr().err


def test_the_commands_that_attach() -> None:
    assert attach_processes("localhost:1", [2]) == [
        "set schedule-multiple on",
        "target extended-remote localhost:1",
        "attach 2",
    ]
    command = attach_command(["a.elf", "b.elf"], "127.0.0.1", 7, (1, 5))
    wanted = "-ex 'attach 1' -ex 'add-inferior' -ex 'inferior 2' -ex 'attach 5' -ex 'inferior 1'"
    assert command.startswith("gdb-multiarch -ex 'set sysroot'")
    assert command.endswith(wanted)
