# SPDX-License-Identifier: Apache-2.0
"""Programs that a host loads while clients wait, and a tile that a host has in reset."""

from __future__ import annotations

from tensix_gdb.core.arch.blackhole import SOFT_RESET_BIT, T0, B
from tensix_gdb.core.devices.soft_reset import set_soft_reset
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tests.gdbstub.tiles import Client, new_tile
from tests.machines import machine_on

GDB = "qSupported:multiprocess-;swbreak+;hwbreak+"


def test_gdb_reads_the_list_again_and_goes_on() -> None:
    tile = new_tile()
    gdb, other = Client(tile), Client(tile)
    gdb.send_only(GDB)
    assert not tile.libraries_changed(), "nothing runs: GDB reads the list when it continues"
    gdb.send_only("vCont;c")
    tile.advance_to(100)
    cycle = tile.target.execution.clock()
    assert tile.libraries_changed()
    assert not tile.running
    (stop,) = gdb.read()
    assert stop.startswith(b"T05")
    assert stop.endswith(b"library:;")
    assert other.read() == []
    assert b"<library-list>" in gdb.send_only("qXfer:libraries:read::0,1000")[-1]
    gdb.send_only("vCont;c")
    assert tile.running
    assert tile.target.execution.clock() == cycle, "no instruction was executed"
    tile.advance_to(cycle + 100)
    assert gdb.read() == [], "and no other stop"


def test_a_step_goes_on_too() -> None:
    tile = new_tile()
    gdb = Client(tile)
    gdb.send_only(GDB)
    gdb.send_only("vCont;r0,6000:2;c")
    assert tile.libraries_changed()
    (stop,) = gdb.read()
    assert b"thread:2;library:;" in stop, "GDB steps the thread that it is told of"


def test_a_client_that_knows_no_libraries_is_not_told() -> None:
    tile = new_tile()
    client = Client(tile)
    client.send_only("vCont;c")
    assert not tile.libraries_changed()
    assert tile.running
    assert client.read() == []


def test_lldb_reads_the_list_again_at_a_signal_that_it_ignores() -> None:
    tile = new_tile()
    lldb = Client(tile)
    lldb.send_only("QThreadSuffixSupported")
    lldb.send_only("qXfer:libraries:read::0,1000")
    lldb.send_only("vCont;c")
    tile.advance_to(100)
    cycle = tile.target.execution.clock()
    assert tile.libraries_changed()
    assert not tile.running
    stop = lldb.read()[-1]
    assert stop.startswith(b"T0e")
    assert stop.count(b"library:;") == 1
    lldb.send_only("qXfer:libraries:read::0,1000")
    lldb.send_only("vCont;c:2;c:3;c:4;c:5;C0e:1")
    assert tile.running
    assert tile.target.execution.clock() == cycle, "no instruction was executed"
    tile.interrupt(lldb.session)
    assert b"library" not in lldb.read()[-1], "it has read the list since"


def test_lldb_that_looks_is_told_with_its_next_stop() -> None:
    tile = new_tile()
    lldb = Client(tile)
    lldb.send_only("QThreadSuffixSupported")
    lldb.send_only("qXfer:libraries:read::0,1000")
    assert not tile.libraries_changed()
    lldb.send_only("vCont;c")
    tile.interrupt(lldb.session)
    assert lldb.read()[-1].endswith(b"library:;")


def test_harts_that_a_host_has_in_reset_are_waited_for() -> None:
    machine = machine_on("reference")
    machine.host.is_present = True
    tile = SharedTile(tensix_target(machine), run_at_once=False)
    gdb = Client(tile)
    gdb.send_only("vCont;c")
    for _ in range(3):
        assert not tile.advance()
    assert tile.still, "it need not be asked again at once"
    assert gdb.read() == []
    machine.load_bytes(0, b"\x6f\x00\x00\x00")  # j 0
    set_soft_reset(machine.S, machine.S.tile_control.soft_reset & ~(1 << SOFT_RESET_BIT[B]))
    machine.S.hart.pc[B] = 0
    tile.advance()
    assert not tile.still
    assert machine.S.hart.retired[B] > 0
    assert machine.S.hart.retired[T0] == 0
    assert tile.running


def test_without_a_host_it_is_said() -> None:
    tile = SharedTile(tensix_target(machine_on("reference")), run_at_once=False)
    gdb = Client(tile)
    gdb.send_only("vCont;c")
    assert tile.advance()
    assert not tile.still
    assert gdb.read()[-1].startswith(b"T05")


def test_in_non_stop_mode_one_thread_stops_and_nothing_moves_until_it_goes_on() -> None:
    tile = new_tile()
    gdb = Client(tile)
    gdb.send_only(GDB)
    gdb.send_only("QNonStop:1")
    gdb.send_only("?")
    gdb.send_only("vStopped")
    assert not tile.libraries_changed(1), "nothing runs: GDB reads the list when it continues"
    gdb.send_only("vCont;c:1")
    gdb.read()
    tile.advance_to(100)
    cycle = tile.target.execution.clock()
    assert tile.libraries_changed(1)
    assert not tile.running
    # After the threads that were announced at the beginning.
    said = [stop for _ in range(9) for stop in gdb.send_only("vStopped")]
    (stop,) = (stop for stop in said if b"library" in stop)
    assert b"thread:1;" in stop
    assert b"<library-list>" in gdb.send_only("qXfer:libraries:read::0,1000")[-1]
    gdb.send_only("vCont;c:1")
    assert tile.running
    assert tile.target.execution.clock() == cycle, "no instruction was executed"
