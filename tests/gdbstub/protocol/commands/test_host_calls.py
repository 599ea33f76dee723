# SPDX-License-Identifier: Apache-2.0
"""Semihosting on the wire: O packets, File-I/O requests and their answers, the end of a program."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tensix_gdb.core.arch.blackhole import LOCAL_BASE, T0, B
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.semihosting.calls import Calls
from tensix_gdb.core.semihosting.operations import APPLICATION_EXIT, Errno, Op
from tensix_gdb.gdbstub.protocol.session.states import State
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.tensix.capabilities.host_calls import (
    FIRST_OF_OURS,
    ClientConsole,
    TileCalls,
)
from tensix_gdb.gdbstub.tensix.host.host import plain_host
from tensix_gdb.gdbstub.tensix.monitor.input import MAX_INPUT
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tests.assembler import image
from tests.core.semihosting.program import EXIT, answers, block, data, fill, load, program
from tests.gdbstub import wire
from tests.gdbstub.protocol.server.printing import printing
from tests.gdbstub.tiles import Client

STAT = bytes(28) + (0x123456).to_bytes(8, "big") + bytes(28)


class Served:
    """A tile with semihosting, and a client of it."""

    def __init__(
        self,
        *,
        by_gdb: bool,
        record: bool = False,
        folder: Path | None = None,
        processes: bool = False,
        stop_at_end: bool = True,
    ) -> None:
        self.machine = Machine(engine="reference")
        self.console = ClientConsole()
        self.host = Calls(self.console, folder)
        self.machine.serve_calls(self.host)
        calls = TileCalls(self.machine, self.host, self.console, by_gdb=by_gdb)
        side = replace(plain_host(self.machine), console=self.console, calls=calls)
        target = tensix_target(
            self.machine, record=record, host=side, processes=processes, stop_at_end=stop_at_end
        )
        self.tile = SharedTile(target, run_at_once=False)
        self.client = Client(self.tile, "first")

    def say(self, payload: str, client: Client | None = None) -> list[bytes]:
        """Send a packet, let the tile run as long as it does; the packets that came."""
        client = client or self.client
        came = client.send(wire.frame(payload.encode("latin-1")))
        for _ in range(100):
            if not self.tile.running:
                break
            self.tile.advance()
        came += client.read()
        return [one for one in came if one not in (wire.ACK, wire.NAK)]

    def last(self, payload: str) -> str:
        """The last packet that came."""
        return self.say(payload)[-1].decode("latin-1")


@pytest.fixture
def by_gdb() -> Iterator[Served]:
    served = Served(by_gdb=True)
    yield served
    served.machine.close()


@pytest.fixture
def by_us(tmp_path: Path) -> Iterator[Served]:
    served = Served(by_gdb=False, folder=tmp_path)
    yield served
    served.machine.close()


def shown(packets: list[bytes]) -> bytes:
    """The text of the O packets."""
    return b"".join(
        bytes.fromhex(one[1:].decode()) for one in packets if one[:1] == b"O" and one != b"OK"
    )


# Answered here


def test_text_is_shown_and_the_end_is_told(by_us: Served) -> None:
    fill(by_us.machine, 0, APPLICATION_EXIT, 7)
    by_us.machine.load_bytes(data(1), b"caf\xc3\xa9 \xff" + b"x" * 20000 + b"\0")
    load(by_us.machine, [(Op.SYS_WRITE0, data(1)), (Op.SYS_EXIT_EXTENDED, block(0))])
    came = by_us.say("vCont;c")
    assert shown(came).startswith(b"caf\xc3\xa9 \xff" + b"x" * 20000)
    assert b"the program has ended with exit status 7\n" in shown(came)
    assert came[-1] == b"W07"
    assert by_us.last("?").startswith("T05")


def test_what_is_written_before_a_stop_comes_before_it(by_us: Served) -> None:
    by_us.machine.load_bytes(data(0), b"x")
    load(by_us.machine, [(Op.SYS_WRITEC, data(0))] * 2)
    by_us.say("Z0,2c,4")  # behind the first call
    came = by_us.say("vCont;c")
    assert shown(came[:-1]) == b"x"
    assert came[-1].startswith(b"T05")
    assert shown(by_us.say("vCont;s:1")) == b""


def test_lines_are_shown_whole(by_us: Served) -> None:
    """A character at a time, one packet for each line; a prompt without an end appears too."""
    by_us.machine.load_bytes(data(0), b"ab\n?")
    calls = [(Op.SYS_WRITEC, data(0) + i) for i in (0, 1, 2, 0, 2, 3)]
    by_us.machine.load(B, image(program(calls)))
    by_us.client.send(wire.frame(b"vCont;c"))
    came = []
    for _ in range(1000):
        by_us.tile.advance_to(by_us.tile.target.execution.clock() + 10)
        came += by_us.client.read()
    assert [bytes.fromhex(one[1:].decode()) for one in came] == [b"ab\n", b"a\n", b"?"]


def test_what_the_client_prints_is_behind_what_the_program_has_printed(by_us: Served) -> None:
    by_us.machine.load_bytes(data(0), b"a line\n\0")
    load(by_us.machine, [(Op.SYS_WRITE0, data(0))] * 3)
    for addr in (0x08, 0x2C, 0x50):  # before each call
        printf = printing(b"%d\n", addr)
        assert by_us.last(printf.decode("ascii")) == "OK"
    by_us.client.send(wire.frame(b"vCont;c"))
    by_us.tile.advance_to(1000)
    text = shown(by_us.client.read())
    assert re.sub(rb"\d+", b"n", text) == b"n\na line\n" * 3


def test_monitor_input(by_us: Served) -> None:
    fill(by_us.machine, 0, 0, data(0), 64)
    load(by_us.machine, [(Op.SYS_READ, block(0)), EXIT])
    came = by_us.say("qRcmd," + b"input two words".hex())
    assert shown(came) == b"10 bytes wait for the programs to read them.\n"
    by_us.say("vCont;c")
    assert by_us.machine.peek(B, data(0), 11) == b"two words\n\0"


def test_not_everything_that_is_typed_waits(by_us: Served) -> None:
    line = "qRcmd," + (b"input " + b"x" * 990).hex()
    for _ in range(1 + MAX_INPUT // 991):
        assert b"bytes wait for the programs" in shown(by_us.say(line))
    refused = b"more than 65536 bytes wait already: let the programs read them first\n"
    assert shown(by_us.say(line)) == refused


def test_with_a_history_the_end_is_a_stop(tmp_path: Path) -> None:
    served = Served(by_gdb=False, record=True)
    load(served.machine, [EXIT])
    assert served.last("vCont;c").startswith("T05")
    assert served.last("bs").startswith("T05")
    served.machine.close()


def test_f_is_unknown_without_semihosting() -> None:
    machine = Machine(engine="reference")
    tile = SharedTile(tensix_target(machine), run_at_once=False)
    assert Client(tile).ask("F0") == b""
    machine.close()


def test_a_tile_whose_host_is_gone() -> None:
    """As in a core file of one with semihosting: the stop says what is missing."""
    machine = Machine(engine="reference")
    load(machine, [EXIT])
    machine.S.semihosting.served = 1
    tile = SharedTile(tensix_target(machine), run_at_once=False)
    client = Client(tile)
    client.send(wire.frame(b"vCont;c"))
    while tile.running:
        tile.advance()
    came = client.read()
    assert b"SYS_EXIT, a semihosting call, waits for its answer; with --semi" in shown(came)
    assert came[-1].startswith(b"T05")
    machine.close()


# Answered by the client

# What a call finds; its operation; the requests, each with its answer; what the program gets.
NAME = b"name\0"
CASES = {
    "open": ((data(0), 0, 4), Op.SYS_OPEN, [(f"Fopen,{data(0):x}/5,0,81a4", "F5")], 5),
    "append": ((data(0), 8, 4), Op.SYS_OPEN, [(f"Fopen,{data(0):x}/5,209,81a4", "F6")], 6),
    "none": ((data(0), 0, 4), Op.SYS_OPEN, [(f"Fopen,{data(0):x}/5,0,81a4", "F-1,2")], -1),
    "close": ((5,), Op.SYS_CLOSE, [("Fclose,5", "F0")], 0),
    "console": ((1,), Op.SYS_CLOSE, [], 0),
    "write": ((5, data(0), 4), Op.SYS_WRITE, [(f"Fwrite,5,{data(0):x},4", "F4")], 0),
    "partly": (
        (5, data(0), 4),
        Op.SYS_WRITE,
        [(f"Fwrite,5,{data(0):x},4", "F3"), (f"Fwrite,5,{data(0) + 3:x},1", "F0")],
        1,
    ),
    "read": ((5, data(0), 9), Op.SYS_READ, [(f"Fread,5,{data(0):x},9", "F4")], 5),
    "seek": ((5, 0x10), Op.SYS_SEEK, [("Flseek,5,10,0", "F10")], 0),
    "no seek": ((5, 0x10), Op.SYS_SEEK, [("Flseek,5,10,0", "F-1,1d")], -1),
    "length": ((5,), Op.SYS_FLEN, [(f"Ffstat,5,{LOCAL_BASE:x}", "F0")], 0x123456),
    "terminal": ((0,), Op.SYS_ISTTY, [("Fisatty,0", "F1")], 1),
    "remove": ((data(0), 4), Op.SYS_REMOVE, [(f"Funlink,{data(0):x}/5", "F0")], 0),
    "not there": ((data(0), 4), Op.SYS_REMOVE, [(f"Funlink,{data(0):x}/5", "F-1,2")], 2),
    "rename": (
        (data(0), 4, data(0), 4),
        Op.SYS_RENAME,
        [(f"Frename,{data(0):x}/5,{data(0):x}/5", "F0")],
        0,
    ),
    "system": ((data(0), 4), Op.SYS_SYSTEM, [(f"Fsystem,{data(0):x}/5", "F3")], 3),
    "refused": ((data(0), 4), Op.SYS_SYSTEM, [(f"Fsystem,{data(0):x}/5", "F-1,1")], -1),
    "time": ((), Op.SYS_TIME, [(f"Fgettimeofday,{LOCAL_BASE:x},0", "F0")], 0),
    "key": ((), Op.SYS_READC, [(f"Fread,0,{LOCAL_BASE:x},1", "F1")], 0),
    "no key": ((), Op.SYS_READC, [(f"Fread,0,{LOCAL_BASE:x},1", "F0")], -1),
    "no nul": ((data(0), 0, 3), Op.SYS_OPEN, [], -1),
    "no mode": ((data(0), 12, 4), Op.SYS_OPEN, [], -1),
    "cycles": ((), Op.SYS_CLOCK, [], 0),
}


@pytest.mark.parametrize("name", CASES)
def test_a_call_and_its_requests(name: str, by_gdb: Served) -> None:
    fields, operation, talk, result = CASES[name]
    machine = by_gdb.machine
    fill(machine, 0, *fields, text=NAME)
    load(machine, [(operation, block(0)), EXIT])
    before = machine.peek(B, LOCAL_BASE, 64)
    said = by_gdb.last("vCont;c")
    for request, answer in talk:
        assert said == request
        if name == "length":
            machine.poke(B, LOCAL_BASE, STAT)
        said = by_gdb.last(answer)
    assert said == "W00"
    assert answers(machine, 1) == [result]
    assert machine.peek(B, LOCAL_BASE, 64) == before


def test_what_gdb_says_is_the_programs_errno(by_gdb: Served) -> None:
    fill(by_gdb.machine, 0, data(0), 0, 4, text=NAME)
    load(by_gdb.machine, [(Op.SYS_OPEN, block(0)), (Op.SYS_ERRNO, 0), EXIT])
    by_gdb.say("vCont;c")
    assert by_gdb.last("F-1,d") == "W00"
    assert answers(by_gdb.machine, 2) == [-1, Errno.EACCES]


def test_the_console_has_handles_without_a_request(by_gdb: Served) -> None:
    for number, mode in enumerate((0, 4, 8)):
        fill(by_gdb.machine, number, data(0), mode, 3, text=b":tt\0")
    features = b":semihosting-features"
    fill(by_gdb.machine, 3, data(3), 0, len(features), text=features)
    fill(by_gdb.machine, 4, FIRST_OF_OURS, data(4), 5)
    calls = [(Op.SYS_OPEN, block(number)) for number in range(4)]
    load(by_gdb.machine, [*calls, (Op.SYS_READ, block(4)), EXIT])
    assert by_gdb.last("vCont;c") == "W00"
    assert answers(by_gdb.machine, 5) == [0, 1, 2, FIRST_OF_OURS, 0]
    assert by_gdb.machine.peek(B, data(4), 4) == b"SHFB"


def test_the_client_reads_and_writes_as_the_hart_that_asks(by_gdb: Served) -> None:
    """The thread that it had chosen before does not matter."""
    stack = LOCAL_BASE + 0x100
    by_gdb.machine.load(T0, image(program([(Op.SYS_WRITE0, stack)]), 0x6000))
    by_gdb.machine.poke(T0, stack, b"mine\0")
    by_gdb.say("Hg1")
    assert by_gdb.last("vCont;c") == f"Fwrite,1,{stack:x},4"
    assert by_gdb.last(f"m{stack:x},4") == b"mine".hex()
    by_gdb.say("Hg0")
    assert by_gdb.last(f"m{stack:x},4") == b"mine".hex()


def test_ctrl_c_before_the_call_was_done(by_gdb: Served) -> None:
    """It is made again when the target continues."""
    by_gdb.machine.load_bytes(data(0), b"x")
    load(by_gdb.machine, [(Op.SYS_WRITEC, data(0)), EXIT])
    request = by_gdb.last("vCont;c")
    assert by_gdb.last("F-1,4,C").startswith("T02")
    assert by_gdb.machine.S.semihosting.calls == 0
    assert by_gdb.last("vCont;c") == request
    assert by_gdb.last("F1") == "W00"


def test_ctrl_c_when_the_call_is_done(by_gdb: Served) -> None:
    by_gdb.machine.load_bytes(data(0), b"x")
    load(by_gdb.machine, [(Op.SYS_WRITEC, data(0)), EXIT])
    by_gdb.say("vCont;c")
    assert by_gdb.last("F1,0,C").startswith("T02")
    assert by_gdb.machine.S.semihosting.calls == 1
    assert by_gdb.last("vCont;c") == "W00"


def test_an_interrupt_from_the_wire_meanwhile(by_gdb: Served) -> None:
    by_gdb.machine.load_bytes(data(0), b"x")
    load(by_gdb.machine, [(Op.SYS_WRITEC, data(0)), EXIT])
    by_gdb.say("vCont;c")
    by_gdb.client.send(b"\x03")
    assert by_gdb.last("F1").startswith("T02")


@pytest.mark.parametrize("answer", ["F", "Fx", "F1,", "F1,2,D", "F-", "F1 2", "F11111111111111111"])
def test_a_malformed_answer(answer: str, by_gdb: Served) -> None:
    """An error is a stop for GDB; the call is made again."""
    by_gdb.machine.load_bytes(data(0), b"x")
    load(by_gdb.machine, [(Op.SYS_WRITEC, data(0)), EXIT])
    request = by_gdb.last("vCont;c")
    assert by_gdb.last(answer) == "E01"
    assert by_gdb.last("F1") == "E01", "nothing is asked any more"
    assert by_gdb.last("vCont;c") == request
    assert by_gdb.last("F1,0;more") == "W00"


@pytest.mark.parametrize("answer", ["F7fffffff", "F-7fffffffffffffff", "F0,ffffffff"])
def test_answers_out_of_range(answer: str, by_gdb: Served) -> None:
    """More written than there was, nothing written at all: what is left is what the program had."""
    fill(by_gdb.machine, 0, 5, data(0), 4, text=NAME)
    fill(by_gdb.machine, 1, 5, data(0), 4)
    load(by_gdb.machine, [(Op.SYS_WRITE, block(0)), (Op.SYS_READ, block(1)), EXIT])
    by_gdb.say("vCont;c")
    assert by_gdb.last(answer).startswith("Fread")
    assert by_gdb.last(answer) == "W00"
    for got in answers(by_gdb.machine, 2):
        assert -1 <= got <= 4


def test_a_client_that_vanishes_in_a_request(by_gdb: Served) -> None:
    """The tile is stopped before the call, its memory as it was, for the next client."""
    machine = by_gdb.machine
    load(machine, [(Op.SYS_READC, 0), EXIT])
    machine.poke(B, LOCAL_BASE, b"program's")
    assert by_gdb.last("vCont;c").startswith("Fread")
    machine.poke(B, LOCAL_BASE, b"k")
    by_gdb.client.session.end()
    assert not by_gdb.tile.running
    assert machine.peek(B, LOCAL_BASE, 9) == b"program's"
    second = Client(by_gdb.tile, "second")
    assert by_gdb.say("vCont;c", second)[-1].startswith(b"Fread")
    assert by_gdb.say("F0", second)[-1] == b"W00"


def test_who_waits_too_is_asked_when_the_first_one_vanishes(by_gdb: Served) -> None:
    by_gdb.machine.load_bytes(data(0), b"x")
    load(by_gdb.machine, [*[(0x99, 0)] * 9, (Op.SYS_WRITEC, data(0)), EXIT])
    second = Client(by_gdb.tile, "second")
    by_gdb.client.send(wire.frame(b"vCont;c"))
    second.send(wire.frame(b"vCont;c"))
    while by_gdb.tile.running:
        by_gdb.tile.advance()
    assert by_gdb.client.read()[-1].startswith(b"Fwrite")
    by_gdb.client.session.end()
    while by_gdb.tile.running:
        by_gdb.tile.advance()
    assert second.read()[-1].startswith(b"Fwrite")
    assert by_gdb.say("F1", second)[-1] == b"W00"


def test_another_client_lets_the_tile_go_on_meanwhile(by_gdb: Served) -> None:
    """It is asked then, and the first one's answer is for nobody."""
    by_gdb.machine.load_bytes(data(0), b"x")
    load(by_gdb.machine, [(Op.SYS_WRITEC, data(0)), EXIT])
    second = Client(by_gdb.tile, "second")
    assert by_gdb.last("vCont;c").startswith("Fwrite")
    assert by_gdb.say("vCont;c", second)[-1].startswith(b"Fwrite")
    assert by_gdb.say("F1") == []
    assert by_gdb.client.session.state is State.RUNNING
    assert by_gdb.say("F1", second)[-1] == b"W00"
    assert by_gdb.client.read()[-1] == b"W00"
    assert by_gdb.machine.S.semihosting.calls == 2


def test_leaving_in_a_request(by_gdb: Served) -> None:
    by_gdb.machine.load_bytes(data(0), b"x")
    load(by_gdb.machine, [(Op.SYS_WRITEC, data(0)), EXIT])
    by_gdb.say("vCont;c")
    assert by_gdb.last("D") == "OK"
    assert by_gdb.machine.S.semihosting.calls == 0


def test_lldb_is_asked_nothing(by_gdb: Served) -> None:
    """It knows no requests: text is shown, and there are no files."""
    fill(by_gdb.machine, 0, data(0), 0, 4, text=NAME)
    by_gdb.machine.load_bytes(data(1), b"shown\0")
    load(by_gdb.machine, [(Op.SYS_WRITE0, data(1)), (Op.SYS_OPEN, block(0)), EXIT])
    assert by_gdb.last("QThreadSuffixSupported") == "OK"
    came = by_gdb.say("vCont;c")
    assert shown(came).startswith(b"shown")
    assert came[-1] == b"W00"
    assert answers(by_gdb.machine, 2) == [0, -1]


def test_steps_and_breakpoints_over_a_request(by_gdb: Served) -> None:
    by_gdb.machine.load_bytes(data(0), b"x")
    load(by_gdb.machine, [(Op.SYS_WRITEC, data(0)), EXIT])
    by_gdb.say("Z0,1c,4")  # at the ebreak of the call
    assert by_gdb.last("vCont;c").startswith("T05")
    by_gdb.say("z0,1c,4")
    assert by_gdb.last("vCont;s:1").startswith("Fwrite")
    stop = by_gdb.last("F1")
    assert stop.startswith("T05")
    assert by_gdb.machine.read_pc(B) == 0x20


def test_a_clients_answers_are_inputs_of_the_history() -> None:
    """In the past nobody is asked; what the client had written into memory is there again."""
    served = Served(by_gdb=True, record=True)
    machine = served.machine
    fill(machine, 0, 0, data(0), 4)
    fill(machine, 1, 0, data(1), 4)
    load(machine, [(Op.SYS_READ, block(0)), (Op.SYS_READ, block(1)), EXIT])
    assert served.last("vCont;c").startswith("Fread")
    machine.poke(B, data(0), b"one!")
    assert served.last("F4").startswith("Fread")
    machine.poke(B, data(1), b"two!")
    assert served.last("F4").startswith("T05")  # the end, of which one goes back
    end, cycle = machine.hash(), machine.S.tile.cycle
    served.say("qRcmd," + b"goto 0".hex())
    assert machine.peek(B, data(0), 4) == bytes(4)
    assert served.last("vCont;c").startswith("T05")
    assert (machine.S.tile.cycle, machine.hash()) == (cycle, end)
    assert machine.peek(B, data(1), 4) == b"two!"
    machine.close()


PACKETS = (
    *("F1", "F0", "F-1,4,C", "F5,0,C", "F", "Fx,y", "F-1,2", "vCont;c", "vCont;s:1", "c", "s", "?"),
    *("D", "g", "m12000,4", "M12000,1:00", "Hg2", "qfThreadInfo", "Z0,2c,4", "z0,2c,4", "\x03"),
)


@pytest.mark.parametrize("seed", range(25))
def test_whatever_clients_do_in_requests(seed: int, by_gdb: Served) -> None:
    """Clients come, go, say what they should not, and interrupt: the tile is never lost, and who
    does as he should brings the program to its end."""
    chance = random.Random(seed)
    machine = by_gdb.machine
    machine.load_bytes(data(0), b"some text\0")
    fill(machine, 1, 0, data(1), 4)
    load(machine, [(Op.SYS_WRITE0, data(0)), (Op.SYS_READ, block(1)), (Op.SYS_READC, 0), EXIT] * 9)
    clients = [by_gdb.client]
    for number in range(200):
        if chance.random() < 0.1 or not clients:
            clients.append(Client(by_gdb.tile, f"client {number}"))
        client = chance.choice(clients)
        what = chance.choice(PACKETS)
        client.send(what.encode() if what == "\x03" else wire.frame(what.encode()))
        for _ in range(chance.randrange(3)):
            if by_gdb.tile.running:
                by_gdb.tile.advance()
        for one in clients:
            one.read()
        if chance.random() < 0.05:
            client.session.end()
        clients = [one for one in clients if not one.session.ended]
    for one in clients:
        one.session.end()
    assert not by_gdb.tile.running
    last = Client(by_gdb.tile, "last")
    came = by_gdb.say("vCont;c", last)
    for _ in range(1000):
        said = came[-1]
        if said[:1] == b"W":
            break
        answer = f"F{said.rpartition(b',')[2].decode()}" if said[:1] == b"F" else "vCont;c"
        came = by_gdb.say(answer, last)
        if machine.S.hart.paused[B]:
            return  # the end was somebody else's, and who comes later finds the hart there
    assert came[-1] == b"W00"
