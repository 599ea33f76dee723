# SPDX-License-Identifier: Apache-2.0
"""The thread that an interrupt reports, in every schedule: one that ran.

`info threads` of GDB reads registers of every thread and leaves `Hg` at the last one. So the
current thread need not be the one that the user has selected.
"""

from __future__ import annotations

import re

import pytest

from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tests.gdbstub import wire
from tests.gdbstub.tiles import Client, loaded
from tests.machines import machine_on

B, T0, T1, T2, T0_UNPACK, T1_MATH, T2_PACK = 1, 2, 3, 4, 6, 7, 8
CYCLES = 500
# A schedule, and its seed.
SCHEDULES = ((Schedule.SC, 1), (Schedule.LATENCY, 1), (Schedule.RANDOM, 7))

pytestmark = pytest.mark.parametrize("schedule", SCHEDULES, ids=lambda one: one[0].name.lower())


def new_tile(schedule: tuple[Schedule, int], *, processes: bool = False) -> SharedTile:
    """B, T0 and T1 run, and T0 pushes; T2 and NC are in reset. See tiles.py."""
    machine = loaded(machine_on("reference", *schedule))
    return SharedTile(tensix_target(machine, processes=processes), run_at_once=False)


def tell(client: Client, *packets: str) -> list[bytes]:
    """Send packets, and let the tile run a while after each; what comes to the last one."""
    came: list[bytes] = []
    for packet in packets:
        came = client.send(b"\x03" if packet == "^C" else wire.frame(packet.encode()))
        if client.tile.running:
            client.tile.advance_to(client.tile.target.execution.clock() + CYCLES)
        came += client.read()
    return came


def shown(came: list[bytes]) -> int:
    """The thread of the stop by SIGINT."""
    (stop,) = (one for one in came if b"T02" in one)
    found = re.search(rb";thread:(?:p\w+\.)?(\w+);", stop)
    assert found
    return int(found[1], 16)


@pytest.mark.parametrize("press", ["^C", "vCtrlC"])
def test_a_thread_that_nothing_was_pushed_to_is_not_shown(
    schedule: tuple[Schedule, int], press: str
) -> None:
    client = Client(new_tile(schedule))
    looks = [f"Hg{thread}" for thread in range(1, 9)]
    assert shown(tell(client, "?", *looks, "vCont;c", press)) == B
    # The same after a stop that was another thread's.
    assert b"thread:3;" in tell(client, "vCont;s:3")[-1]
    assert shown(tell(client, *looks, "vCont;c", press)) == T1


def test_the_thread_that_is_looked_at_is_shown_if_it_runs(schedule: tuple[Schedule, int]) -> None:
    client = Client(new_tile(schedule))
    for thread in (T0, T1, T0_UNPACK, B):
        assert shown(tell(client, f"Hg{thread}", "vCont;c", "^C")) == thread
    assert shown(tell(client, f"Hg{T2}", "vCont;c", "^C")) == B, "T2 is in reset"


def test_the_thread_that_was_selected_is_shown(schedule: tuple[Schedule, int]) -> None:
    client = Client(new_tile(schedule))
    # GDB's `thread 3`; then `info threads` reads registers of all threads.
    looks = [f"Hg{thread}" for thread in (*range(1, 9), T0_UNPACK)]
    assert shown(tell(client, "T3", "Hg3", *looks, "vCont;c", "^C")) == T1
    # From the stop on it is the thread of the stop.
    assert b"thread:2;" in tell(client, "T3", "vCont;s:2")[-1]
    assert shown(tell(client, "Hg8", "vCont;c", "^C")) == T0
    assert shown(tell(client, f"T{T2}", "Hg8", "vCont;c", "^C")) == T0, "T2 is in reset"


def test_a_thread_that_is_held_is_not_shown(schedule: tuple[Schedule, int]) -> None:
    client = Client(new_tile(schedule))
    assert shown(tell(client, "Hg1", "vCont;c:3", "^C")) == T1
    assert shown(tell(client, "Hg8", "vCont;c:2;c:8", "^C")) == T0


def test_what_is_stepped_is_shown_first(schedule: tuple[Schedule, int]) -> None:
    client = Client(new_tile(schedule))
    # T1 jumps to itself: a step in that range does not end.
    assert shown(tell(client, "Hg1", "vCont;ra000,a004:3;c", "^C")) == T1
    # Nothing comes to T1 math, and its client waits for that.
    assert shown(tell(client, "Hg1", "vCont;s:7;c:1", "^C")) == T1_MATH


def test_where_nothing_runs_the_current_thread_is_shown(schedule: tuple[Schedule, int]) -> None:
    client = Client(new_tile(schedule))
    # Ctrl-C while the client looks ends its next run before a cycle of it.
    assert shown(tell(client, "Hg4", "^C", "vCont;c:4;c:8")) == T2


def test_of_a_process_one_of_its_threads_is_shown(schedule: tuple[Schedule, int]) -> None:
    client = Client(new_tile(schedule, processes=True))
    came = tell(client, "qSupported:multiprocess+", "!", "vAttach;2", "Hgp2.6", "Hgp2.2", "vCont;c")
    assert not came[1:]
    assert shown(tell(client, "^C")) == T0
    assert shown(tell(client, "vAttach;4", "Hgp4.8", "vCont;c", "^C")) == T0


def test_in_non_stop_mode_a_thread_that_runs_is_stopped(schedule: tuple[Schedule, int]) -> None:
    client = Client(new_tile(schedule))
    tell(client, "QNonStop:1", "?", *["vStopped"] * 9, "Hg8", "vCont;c")
    assert shown(tell(client, "vCtrlC")) == B
    tell(client, "vStopped")
    assert shown(tell(client, "vCtrlC")) == T0


def test_in_non_stop_mode_something_is_stopped_even_if_nothing_runs(
    schedule: tuple[Schedule, int],
) -> None:
    client = Client(new_tile(schedule))
    tell(client, "QNonStop:1", "?", *["vStopped"] * 9, "Hg8", "vCont;c:8")
    assert shown(tell(client, "vCtrlC")) == T2_PACK
