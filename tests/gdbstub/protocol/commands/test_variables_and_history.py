# SPDX-License-Identifier: Apache-2.0
"""A trace state variable is not part of the history: nothing that writes one is gone through again.

Otherwise a condition that counts has another answer each time that the history is searched.
"""

from __future__ import annotations

import pytest

from tensix_gdb.core.debug.conditions import Op
from tests.gdbstub.protocol.commands.test_breakpoint_actions import LOOP, printf, x
from tests.gdbstub.tiles import Client, new_tile

# `$v = $v + 1`, then whether it is more than 4 (getv 1, 1, add, setv 1, 4, swap, less, end).
COUNTED = bytes([Op.GETV, 0, 1, Op.CONST8, 1, Op.ADD, Op.SETV, 0, 1])
COUNTS = COUNTED + bytes([Op.CONST8, 4, Op.SWAP, Op.LESS_SIGNED, Op.END])
AT = f"{LOOP:x}"


def recorded() -> Client:
    client = Client(new_tile("compiled"))
    client.ask("qSupported:swbreak+;hwbreak+;error-message+")
    client.ask("QStartNoAckMode")
    client.ask("qRcmd," + b"record on".hex())
    client.ask("QTDV:1:0:0:78")
    return client


WRITERS = [
    pytest.param([f"Z0,{AT},4;{x(COUNTS)}"], id="condition"),
    pytest.param([f"Z0,{AT},4;cmds:0,{x(COUNTED + bytes([Op.END]))}"], id="command"),
    pytest.param([f"Z2,10000,4;{x(COUNTS)}"], id="watchpoint"),
    pytest.param([f"QTDP:1:{AT}:E:0:0-", f"QTDP:-1:{AT}:{x(COUNTS)}", "QTStart"], id="tracepoint"),
]


@pytest.mark.parametrize("packets", WRITERS)
def test_what_counts_is_refused_back_and_in_the_past(packets: list[str]) -> None:
    client = recorded()
    for packet in packets:
        assert client.ask(packet) == b"OK"
    client.ask("Z0,18,4;" + x(bytes([Op.REG, 0, 5, Op.CONST8, 7, Op.EQUAL, Op.END])))
    assert client.ask("vCont;c").startswith(b"T05"), "forward in the present it counts"
    counted = client.ask("qTV:1")
    assert counted != b"V0"
    refused = client.ask("bc")
    assert refused.startswith(b"E.what is attached at 0x"), refused
    assert b"trace state variable" in refused
    assert client.ask("bs").startswith(b"T05")
    assert client.ask("vCont;c").startswith(b"E.what is attached"), "in the past"
    assert client.ask("qTV:1") == counted
    # Everything else continues.
    assert client.ask("bs").startswith(b"T05")
    for packet in packets:
        if packet.startswith("Z"):
            assert client.ask("z" + packet[1:].partition(";")[0]) == b"OK"
    if "QTStart" in packets:
        assert client.ask("QTStop") == b"OK"
    assert b"T05" in client.ask("vCont;c")


def test_back_nothing_is_printed_collected_or_counted() -> None:
    """A dprintf, a tracepoint and a breakpoint that ignores hits, gone through in a search."""
    client = recorded()
    client.ask(f"QTDP:1:{AT}:E:0:0-")
    client.ask(f"QTDP:-1:{AT}:R20")
    client.ask("QTStart")
    client.ask(f"Z0,{AT},4;cmds:0,{printf('hit')}")
    client.ask("Z0,18,4;" + x(bytes([Op.REG, 0, 5, Op.CONST8, 7, Op.EQUAL, Op.END])))
    assert client.ask("vCont;c").startswith(b"T05")
    frames = client.ask("qTStatus")
    client.read()
    came = client.send_only("bc")
    while client.tile.running:
        client.tile.advance()
    came += client.read()
    assert [one for one in came if one.startswith(b"O")] == []
    assert b"replaylog:begin" in came[-1]
    assert client.ask("qTStatus") == frames


def test_hits_that_are_ignored_are_ignored_forward_only() -> None:
    client = recorded()
    machine = client.tile.target.memory._machine  # type: ignore[attr-defined]
    client.ask(f"Z0,{AT},4")
    assert client.ask("vCont;c").startswith(b"T05")
    machine.armed.ignore(LOOP, 3)
    for _ in range(5):
        client.ask("vCont;c")
    machine.armed.ignore(LOOP, 3)
    assert b"swbreak" in client.ask("bc")
    assert machine.S.condition.ignored_left[0] == 3
