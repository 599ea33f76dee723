# SPDX-License-Identifier: Apache-2.0
"""Random sessions of several clients with state: trace state variables, conditions, agent commands,
tracepoints, a history, forwards and backwards.

`python -m tests.gdbstub.protocol.server.fuzz_history --sessions 10000` is the long form. Each
packet that has to be answered is, no defect is met, and afterwards a new client can reset and step.
"""

from __future__ import annotations

import argparse
import logging
from random import Random

from tensix_gdb.core.debug.conditions import Op
from tensix_gdb.gdbstub.protocol.session.states import State
from tests.gdbstub import wire
from tests.gdbstub.tiles import Client, new_tile

PACKETS = 40  # of a session
CYCLES = 200  # that the tile runs after a packet, at most
SLICES = 200  # of a run, or of a search of the history, before it is interrupted
PLACES = (0x8, 0xC, 0x10, 0x18, 0x6004, 0x6010, 0xA000)
VARIABLES = 3


def program(random: Random) -> str:
    """An agent expression: counts in a variable, compares one or a register, is damaged."""
    variable = random.randrange(VARIABLES)
    count = bytes([Op.GETV, 0, variable, Op.CONST8, 1, Op.ADD, Op.SETV, 0, variable])
    number = random.randrange(8)
    compare = bytes([Op.CONST8, number, random.choice((Op.LESS_SIGNED, Op.EQUAL)), Op.END])
    whole = random.choice(
        (
            count + compare,
            bytes([Op.GETV, 0, variable]) + compare,
            bytes([Op.REG, 0, 5]) + compare,
            count + bytes([Op.END]),
            bytes([Op.CONST8, number & 1, Op.END]),
            count[: random.randrange(1, len(count))],
        )
    )
    return f"X{len(whole):x},{whole.hex()}"


def packet(random: Random) -> str:
    """One packet."""
    place = f"{random.choice(PLACES):x}"
    thread = random.choice((1, 2, 3))
    rcmd = random.choice(
        ("record on", "record on", "record off", "reset", "schedule latency", "goto 100", "info")
    )
    return random.choice(
        (
            f"QTDV:{random.randrange(VARIABLES):x}:{random.randrange(9):x}:0:78",
            f"Z0,{place},4;{program(random)}",
            f"Z0,{place},4;{program(random)}",
            f"Z0,{place},4;cmds:0,{program(random)}",
            f"Z0,{place},4",
            f"Z{random.choice((2, 3, 4))},10000,4;{program(random)}",
            f"z0,{place},4",
            f"z{random.choice((2, 3, 4))},10000,4",
            f"QTDP:1:{place}:E:0:{random.randrange(4)}-",
            f"QTDP:-1:{place}:{program(random)}",
            "QTStart",
            "QTStop",
            "QTinit",
            f"M10000,4:{random.randrange(1 << 32):08x}",
            f"Hg{thread}",
            f"qTV:{random.randrange(VARIABLES):x}",
            "bc",
            "bc",
            "bs",
            f"vCont;s:{thread};c",
            "vCont;c",
            "vCont;c",
            f"vCont;c:{thread}",
            "?",
            "qRcmd," + rcmd.encode().hex(),
        )
    )


def settle(clients: list[Client], client: Client) -> None:
    """Let the tile run; if it does not stop, the client interrupts."""
    tile = client.tile
    for _ in range(SLICES):
        if not tile.running:
            break
        tile.advance_to(tile.target.execution.clock() + CYCLES)
    for one in clients:
        if one.session.state is State.RUNNING:
            one.send(b"\x03")
    for one in clients:
        one.read()  # fails at a defect
        assert one.session.state in (State.IDLE, State.ENDED), one.session.state


def session(seed: int) -> None:
    """One session, of two clients, then a new client."""
    random = Random(seed)
    tile = new_tile("compiled", run_at_once=True)
    clients = [Client(tile, name) for name in ("one", "two")]
    said: list[str] = []
    try:
        for client in clients:
            client.send(wire.frame(b"QStartNoAckMode"))
        clients[0].send(wire.frame(b"qRcmd," + b"record on".hex().encode()))
        for _ in range(PACKETS):
            client = random.choice(clients)
            said.append(f"{client.session.name}: {packet(random)}")
            came = client.send(wire.frame(said[-1].partition(": ")[2].encode()))
            waits = client.session.state is State.RUNNING
            settle(clients, client)
            assert came or waits, "no answer"
        for client in clients:
            client.session.end()
        last = Client(tile, "last")
        last.send(wire.frame(b"QStartNoAckMode"))
        last.send(wire.frame(b"qRcmd," + b"reset".hex().encode()))
        assert last.ask("vCont;s:1").startswith(b"T05"), "a normal step"
    except Exception as problem:
        problem.add_note(f"session {seed}:\n" + "\n".join(said))
        raise


def main() -> None:
    """The command."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--sessions", type=int, default=1000)
    arguments.add_argument("--seed", type=int, default=1, help="of the first session")
    chosen = arguments.parse_args()
    logging.disable(logging.CRITICAL)
    for seed in range(chosen.seed, chosen.seed + chosen.sessions):
        session(seed)
    print(f"{chosen.sessions} sessions of {PACKETS} packets")


if __name__ == "__main__":
    main()
