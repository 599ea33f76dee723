# SPDX-License-Identifier: Apache-2.0
"""A command that only looks leaves no trace: conditions, dprintf, tracepoints and ignored hits,
with a client on the wire, leave the hash of the record as it is in a run that is not watched.

In every schedule and on both engines; in those with time a store that is looked at too early, or a
cycle that is interrupted in its middle, would show.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tensix_gdb.core.arch.blackhole import LOCAL_BASE, T0
from tensix_gdb.core.debug.conditions import Op
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tests.gdbstub.tiles import Client, loaded
from tests.machines import machine_on

CYCLES = {"reference": 2500, "compiled": 100_000}
SCHEDULES = [
    (Schedule.SC, 1),
    (Schedule.LATENCY, 1),
    *((Schedule.RANDOM, seed) for seed in (1, 2, 3)),
]
LOOP, STORE, T0_LOOP = 0x10, 0xC, 0x6008
COUNTER = LOCAL_BASE + 0x100


def const(value: int) -> bytes:
    return bytes([Op.CONST32]) + value.to_bytes(4, "big")


def x(code: bytes) -> str:
    """An expression as packets have it."""
    return f"X{len(code) + 1:x},{(code + bytes([Op.END])).hex()}"


# How often something was seen, by what came from the server up to the stop.
Seen = Callable[[list[bytes]], int]

X5 = bytes([Op.REG, 0, 5])
NEVER = x(X5 + const(0xFFFFFFFF) + bytes([Op.EQUAL]))
IN_MEMORY = x(const(COUNTER) + bytes([Op.REF32]) + const(0xFFFFFFFF) + bytes([Op.EQUAL]))
# The machine leaves it to the complete evaluator, at every hit.
IN_A_DEVICE = x(const(0xFFB12000) + bytes([Op.REF32]) + const(0x12345) + bytes([Op.EQUAL]))
FORM = b"x5 is %d\n\0"
PRINT = x(X5 + const(0) * 2 + bytes([0x34, 1]) + len(FORM).to_bytes(2, "big") + FORM)
COUNT = x(bytes([0x2C, 0, 1]) + const(1) + bytes([0x02, 0x2D, 0, 1]))


def conditions(client: Client) -> Seen:
    assert client.ask(f"Z0,{LOOP:x},4;{NEVER}") == b"OK"
    assert client.ask(f"Z1,{STORE:x},4;{IN_MEMORY}") == b"OK"
    assert client.ask(f"Z0,{T0_LOOP:x},4;{NEVER}{IN_A_DEVICE}") == b"OK"
    return len


def watchpoints(client: Client) -> Seen:
    client.ask("Hg1")
    assert client.ask(f"Z2,10000,4;{NEVER}") == b"OK"
    assert client.ask(f"Z4,{COUNTER:x},4;{IN_A_DEVICE}") == b"OK"
    return len


def printing(client: Client) -> Seen:
    assert client.ask(f"Z0,{LOOP:x},4;cmds:0,{PRINT}") == b"OK"
    assert client.ask(f"Z0,{T0_LOOP:x},4;{NEVER};cmds:0,{PRINT}") == b"OK"

    def seen(came: list[bytes]) -> int:
        text = [bytes.fromhex(one[1:].decode()) for one in came if one[:1] == b"O"]
        assert all(line.startswith(b"x5 is ") for line in b"".join(text).splitlines())
        return len(b"".join(text).splitlines())

    return seen


def tracing(client: Client) -> Seen:
    for packet in (
        *("QTinit", "QTDV:1:0:0:68", f"QTDP:1:{LOOP:x}:E:0:0-"),
        *(f"QTDP:-1:{LOOP:x}:R000000ffM-1,10000,4-", f"QTDP:-1:{LOOP:x}:{COUNT}"),
        *(f"QTDP:2:{T0_LOOP:x}:E:0:0:{NEVER}-", f"QTDP:-2:{T0_LOOP:x}:R000000ff", "QTStart"),
    ):
        assert client.ask(packet) == b"OK", packet

    def seen(came: list[bytes]) -> int:
        hits = int(client.ask(f"qTP:1:{LOOP:x}")[1:].split(b":")[0], 16)
        assert int(client.ask("qTV:1")[1:], 16) == hits
        return hits

    return seen


def ignored(client: Client) -> Seen:
    assert client.ask(f"Z0,{T0_LOOP:x},4") == b"OK"
    client.ask("vCont;c")
    client.ask("qRcmd," + b"ignore 1000000".hex())
    return len


@pytest.mark.parametrize("looking", [conditions, watchpoints, printing, tracing, ignored])
@pytest.mark.parametrize(("schedule", "seed"), SCHEDULES, ids=str)
@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_the_hash_is_that_of_an_undisturbed_run(
    engine: str,
    schedule: Schedule,
    seed: int,
    looking: Callable[[Client], Seen],
) -> None:
    cycles = CYCLES[engine]
    if engine == "compiled" and looking in (printing, tracing, watchpoints):
        cycles //= 10  # each hit comes to the stub
    quiet: Machine = loaded(machine_on(engine, schedule, seed))
    watched: Machine = loaded(machine_on(engine, schedule, seed))
    try:
        assert quiet.run(cycles) is None
        client = Client(SharedTile(tensix_target(watched)))
        seen = looking(client)
        client.send_only("vCont;c")
        client.tile.advance_to(cycles)
        assert client.tile.running, "nothing has stopped it"
        assert watched.S.tile.cycle == cycles
        assert watched.hash() == quiet.hash()
        assert seen(client.send(b"\x03")) > 0
        assert watched.read_x(T0, 5) > 100
    finally:
        quiet.close()
        watched.close()
