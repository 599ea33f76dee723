# SPDX-License-Identifier: Apache-2.0
"""Conditions and commands that clients attach to breakpoints: what stops, what is printed."""

from __future__ import annotations

import pytest

from tensix_gdb.core.debug.conditions import Op
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tests.gdbstub import wire
from tests.gdbstub.tiles import Client, new_tile

CYCLES = 5000
LOOP = 0x10
X5 = bytes([Op.REG, 0, 5])
NEVER = bytes([Op.CONST8, 0, Op.END])
# With a reference to a device, which the machine itself does not decide.
DEVICE = bytes([Op.CONST32, 0xFF, 0xB1, 0x21, 0xB0, Op.REF32, Op.POP])


def x(program: bytes) -> str:
    return f"X{len(program):x},{program.hex()}"


def equals(value: int) -> bytes:
    return X5 + bytes([Op.CONST32]) + value.to_bytes(4, "big") + bytes([Op.EQUAL, Op.END])


def printf(form: str, *values: bytes) -> str:
    text = form.encode("ascii") + b"\0"
    head = b"".join(reversed(values)) + bytes([Op.CONST8, 0, Op.CONST8, 0])
    return x(head + bytes([Op.PRINTF, len(values)]) + len(text).to_bytes(2, "big") + text + b"\x27")


def hash_of(tile: SharedTile) -> str:
    return tile.target.memory._machine.hash()  # type: ignore[attr-defined]


def run_for(*packets: str, engine: str = "reference") -> tuple[Client, list[bytes], str]:
    """A client that sends these, and `c`, after CYCLES cycles: what came, and the tile's hash."""
    client = Client(new_tile(engine))
    for packet in packets:
        assert client.ask(packet) == b"OK"
    came = client.send(wire.frame(b"vCont;c"))
    client.tile.advance_to(CYCLES)
    came += client.read()
    return client, [one for one in came if one not in (wire.ACK, wire.NAK)], hash_of(client.tile)


@pytest.mark.parametrize(
    "packet",
    [
        pytest.param(f"Z0,{LOOP:x},4;{x(NEVER)}", id="false"),
        pytest.param(f"Z1,{LOOP:x},2;{x(equals(0))}{x(NEVER)}", id="two, both false"),
        pytest.param(f"Z0,{LOOP:x},4;{x(DEVICE + NEVER)}", id="decided in Python"),
        pytest.param(f"Z2,10000,4;{x(NEVER)}", id="of a watchpoint"),
        pytest.param(f"Z4,ffb00100,4;{x(NEVER)}", id="of a watchpoint of any access"),
        pytest.param(f"Z0,{LOOP:x},4;cmds:0,{printf('hit')}", id="dprintf"),
        pytest.param(f"Z0,{LOOP:x},4;{x(NEVER)};cmds:1,{printf('hit')}", id="conditional dprintf"),
    ],
)
@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_what_does_not_stop_leaves_no_trace(packet: str, engine: str) -> None:
    _, quiet, undisturbed = run_for(engine=engine)
    _, came, hashed = run_for(packet, engine=engine)
    assert quiet == []
    assert came == (
        [b"O" + b"hit".hex().encode()] * 1000
        if packet.endswith("0027") and f"4;{x(NEVER)}" not in packet and "cmds" in packet
        else []
    )
    assert hashed == undisturbed


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_tracing_leaves_no_trace_in_the_tile(engine: str) -> None:
    """A frame at each hit, from registers and memory, and the execution is the undisturbed one."""
    _, _, undisturbed = run_for(engine=engine)
    client, came, hashed = run_for(
        f"QTDP:1:{LOOP:x}:E:0:0-",
        f"QTDP:-1:{LOOP:x}:R20MFFFFFFFF,10000,4",
        "QTStart",
        engine=engine,
    )
    assert came == []
    assert hashed == undisturbed
    assert len(client.session.trace.frames) == 1000
    assert client.session.trace.frames[-1].memory == [(0x10000, (1000).to_bytes(4, "little"))]


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_who_stops_takes_nothing_from_who_collects(engine: str) -> None:
    """A plain breakpoint at a tracepoint: a frame at every stop, and none twice."""
    define = (f"QTDP:1:{LOOP:x}:E:0:0-", f"QTDP:-1:{LOOP:x}:R20", "QTStart", f"Z0,{LOOP:x},4")
    client, came, _ = run_for(*define, engine=engine)
    for hits in range(1, 4):
        assert came[-1].startswith(b"T05")
        assert len(client.session.trace.frames) == hits
        came = client.send(wire.frame(b"vCont;c"))
        client.tile.advance_to(CYCLES)
        came += client.read()


def test_what_becomes_true_stops() -> None:
    for packet in (
        f"Z0,{LOOP:x},4;{x(equals(300))}",
        f"Z0,{LOOP:x},4;{x(DEVICE + equals(300))}",
        f"Z1,{LOOP:x},4;{x(NEVER)}{x(equals(300))}",
        f"Z2,ffb00100,4;{x(equals(300))}",
    ):
        client, came, _ = run_for(packet)
        assert len(came) == 1
        assert came[0].startswith(b"T05")
        assert client.ask("p5") == b"2c010000"


def test_a_second_insertion_replaces_the_first() -> None:
    client, _, _ = run_for(f"Z0,{LOOP:x},4;{x(NEVER)}", f"Z0,{LOOP:x},4;{x(equals(7))}")
    assert client.ask("p5") == b"07000000"
    assert client.ask(f"z0,{LOOP:x},4") == b"OK"
    client.send(wire.frame(b"vCont;c"))
    client.tile.advance_to(CYCLES)
    assert client.tile.running


def test_what_a_command_prints() -> None:
    values = (X5, bytes([Op.CONST32, 0, 0, 0xA0, 4]), bytes([Op.CONST8, 0xFF, Op.EXT, 8]))
    # What the last value points to is code of T1: `addi x5, x5, 1`, whose first byte is 0x93.
    form = "x5 is %d, 100%%, %08x %s|%-4u|\\n"
    client, came, _ = run_for(
        f"Z0,{LOOP:x},4;{x(equals(3))};cmds:0,{printf(form, *values[:2], values[1], X5)}"
    )
    assert [bytes.fromhex(one[1:].decode()).decode("latin-1") for one in came] == [
        "x5 is 3, 100%, 0000a004 "
        + b"\x93\x82\x12".decode("utf-8", "replace").encode("utf-8").decode("latin-1")
        + "|3   |\n"
    ]
    assert client.tile.running


def test_a_command_that_cannot_be_run_says_so_and_goes_on() -> None:
    bad = bytes([Op.CONST32, 0x20, 0, 0, 0, Op.REF32, Op.END])
    client, came, _ = run_for(f"Z0,{LOOP:x},4;{x(equals(2))};cmds:0,{x(bad)}")
    text = bytes.fromhex(came[0][1:].decode()).decode()
    assert text.startswith("B at 0x00000010: a command cannot be run: 0x20000000 cannot be read")
    assert client.tile.running


def test_a_condition_that_cannot_be_evaluated_stops() -> None:
    bad = bytes([Op.CONST32, 0x20, 0, 0, 0, Op.REF32, Op.END])
    _, came, _ = run_for(f"Z0,{LOOP:x},4;{x(bad)}")
    assert [one[:1] for one in came] == [b"O", b"T"]


def test_two_clients_with_conditions_of_their_own() -> None:
    """Each is told of its own; the other's is news."""
    tile = new_tile()
    ours, other = Client(tile, "ours"), Client(tile, "other")
    ours.ask("qSupported:swbreak+")
    assert ours.ask(f"Z0,{LOOP:x},4;{x(equals(50))}") == b"OK"
    assert other.ask(f"Z0,{LOOP:x},4;{x(equals(20))}") == b"OK"
    ours.ask("vCont;c")
    assert ours.ask("p5") == b"14000000"
    other.session.end()
    ours.ask("vCont;c")
    assert ours.ask("p5") == b"32000000"


def test_ignored_hits() -> None:
    client = Client(new_tile())
    assert client.ask(f"Z0,{LOOP:x},4;{x(DEVICE + bytes([Op.CONST8, 1, Op.END]))}") == b"OK"
    for command, x5 in (("ignore 10 0x10", 11), ("ignore 5", 17)):
        client.ask(f"qRcmd,{command.encode().hex()}")
        client.ask("vCont;c")
        assert client.ask("p5") == bytes([x5, 0, 0, 0]).hex().encode()
    for wrong in ("ignore", "ignore x", "ignore 1 nowhere", "ignore 1 0x", "ignore 1 2 3"):
        came = client.send(wire.frame(f"qRcmd,{wrong.encode().hex()}".encode()))
        text = b"".join(
            bytes.fromhex(one[1:].decode()) for one in came if one[:1] == b"O" and one != b"OK"
        )
        assert b"type `monitor" in text or b"no symbol" in text or b"no address" in text


@pytest.mark.parametrize(
    "rest", ["X", "X1", "X1,", "X2,27", "X1,2g", "cmds:", "cmds:0", "cmds:0,X9,27", "Y", "X1,27,"]
)
def test_malformed(rest: str) -> None:
    client = Client(new_tile())
    assert client.ask(f"Z0,{LOOP:x},4;{rest}") == b"E01"
    assert not client.session.selection.inserted
