# SPDX-License-Identifier: Apache-2.0
"""Stops that GDB would take for the end of its own step have no signal, so that GDB stops: of a
process that was stepped before a `run`, and of an unattached hart while another one is stepped.

The packets are those of GDB 13 and 17; tests/gdb/inside/started_beside.py has a real GDB do it.
"""

from __future__ import annotations

import re

import pytest

from tests.gdbstub.tiles import Client, new_tile

HELLO = "qSupported:multiprocess+;swbreak+"
AT_EBREAK = "P20=08a00000"  # T1's pc
EBREAK = b"08a00000"


def debugged(*pids: int) -> Client:
    """Make a client that is attached to these processes."""
    client = Client(new_tile(processes=True))
    for packet in (HELLO, "!", *(f"vAttach;{pid}" for pid in pids)):
        client.ask(packet)
    return client


def ask(client: Client, *packets: str) -> bytes:
    """Send packets; the answer to the last one."""
    for packet in packets:
        reply = client.ask(packet)
    return reply


def signal(reply: bytes, *, thread: str, pc: bytes | None = None) -> int:
    """Check the thread and the pc of a stop; its signal."""
    assert reply.endswith(b";thread:" + thread.encode() + b";"), reply
    assert pc is None or b";20:" + pc in reply
    found = re.match(rb"T(..)", reply)
    assert found
    return int(found[1], 16)


STARTED = ("vKill;2", "vRun;")  # T0
STEPPED = ("Hgp3.3", "vCont;s:p3.3", AT_EBREAK)


def test_a_stop_after_run_of_a_thread_that_was_stepped_before() -> None:
    client = debugged(2, 3)
    assert signal(ask(client, *STEPPED, *STARTED), thread="p2.2") == 5
    assert signal(ask(client, "vCont;C05:p3.3;c"), thread="p3.3", pc=EBREAK) == 0
    # GDB has stopped, and forgets its steps with the next command.
    again = ask(client, "Hgp3.3", "P20=04a00000", "vCont;c")
    assert signal(again, thread="p3.3", pc=EBREAK) == 5


@pytest.mark.parametrize("before", [(), STARTED], ids=["", "run"])
def test_a_thread_that_was_never_stepped_stops_by_sigtrap(before: tuple[str, ...]) -> None:
    client = debugged(2, 3)
    assert signal(ask(client, *before, "Hgp3.3", AT_EBREAK, "vCont;c"), thread="p3.3") == 5


def test_without_run_the_signal_is_sigtrap() -> None:
    client = debugged(2, 3)
    assert signal(ask(client, *STEPPED, "vCont;c"), thread="p3.3") == 5


def test_its_own_breakpoints_and_steps_stay_what_they_are() -> None:
    client = debugged(2, 3)
    ask(client, *STEPPED, "P20=04a00000", "Z0,a004,4", *STARTED)
    reply = ask(client, "vCont;c")
    assert reply.startswith(b"T05")
    assert reply.endswith(b"thread:p3.3;swbreak:;")
    # GDB passes its breakpoint by a step, which it may do by itself.
    ask(client, "z0,a004,4")
    assert signal(ask(client, "vCont;s:p3.3"), thread="p3.3", pc=EBREAK) == 5
    assert signal(ask(client, "vCont;c"), thread="p3.3", pc=EBREAK) == 0


def test_the_started_program_itself_was_not_stepped() -> None:
    client = debugged(2, 3)
    ask(client, "Hgp2.2", "vCont;s:p2.2", *STARTED, "Hgp2.2", AT_EBREAK)
    assert signal(ask(client, "vCont;c"), thread="p2.2", pc=EBREAK) == 5


def test_a_stop_of_a_hart_beside_ends_a_step() -> None:
    client = debugged(2)
    other = Client(client.tile, "other")
    for packet in ("Hg3", AT_EBREAK, "D"):
        other.ask(packet)
    # T0's loop has no other line than these addresses: the step would not end.
    reply = ask(client, "vCont;r6000,6100:p2.2;c")
    assert signal(reply, thread="p2.2") == 0


def test_a_stop_of_a_hart_beside_is_by_its_signal_where_nothing_is_stepped() -> None:
    client = debugged(2)
    other = Client(client.tile, "other")
    for packet in ("Hg3", AT_EBREAK, "D"):
        other.ask(packet)
    assert signal(ask(client, "vCont;c"), thread="p2.2") == 5
