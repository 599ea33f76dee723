# SPDX-License-Identifier: Apache-2.0
"""The work of many clients at one place adds up to little at each stop: others are served."""

from __future__ import annotations

import pytest

from tensix_gdb.core.debug.conditions import Op
from tensix_gdb.gdbstub.protocol.agent import budget
from tensix_gdb.gdbstub.protocol.agent.expression import Context, evaluate
from tensix_gdb.gdbstub.protocol.agent.printf import formatted
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.tensix.capabilities.stop_filter import STOPS_IN_A_SLICE
from tests.gdbstub import wire
from tests.gdbstub.protocol.commands.test_breakpoint_actions import LOOP, printf, x
from tests.gdbstub.tiles import Client, new_tile

L1_TEXT = 0x40000
ENDLESS = bytes([Op.GOTO, 0, 0])
# Each of them ends, after 900 operations.
LONG = bytes([Op.CONST8, 0, Op.CONST8, 0]) + bytes([Op.DUP, Op.POP]) * 449 + bytes([Op.END])


def const(value: int) -> bytes:
    return bytes([Op.CONST32]) + value.to_bytes(4, "big")


def texts(came: list[bytes]) -> list[str]:
    """The lines for the console."""
    parts = [bytes.fromhex(one[1:].decode()) for one in came if one[:1] == b"O" and one != b"OK"]
    return b"".join(parts).decode().splitlines()


def running(*packets: str) -> Client:
    """A client of a tile that runs, for as long as the test says."""
    client = Client(new_tile())
    for packet in packets:
        assert client.ask(packet) == b"OK"
    client.send(wire.frame(b"vCont;c"))
    return client


def slices(tile: SharedTile, count: int) -> None:
    for _ in range(count):
        tile.advance(lambda: False)


def test_a_hundred_endless_commands_end_together() -> None:
    """One sentence at each hit, and a hit in each slice."""
    client = running(f"Z0,{LOOP:x},4;cmds:0,{x(ENDLESS) * 100}")
    for _ in range(5):
        slices(client.tile, 1)
        said = texts(client.read())
        assert len(said) <= 1
        assert all(
            line
            == "B at 0x00000010: a command cannot be run: all expressions at one stop have 10000 "
            "operations together, and a look at memory counts as 8; attach fewer or shorter ones."
            for line in said
        )
    assert said
    assert client.tile.running


def test_many_long_conditions_stop_with_a_sentence() -> None:
    """Ten fit the budget; of sixteen the last ones are not known, so the tile stops."""
    client = running(f"Z0,{LOOP:x},4;{x(LONG) * 10}")
    slices(client.tile, 5)
    assert client.tile.running
    client = running(f"Z0,{LOOP:x},4;{x(LONG) * 16}")
    slices(client.tile, 5)
    came = client.read()
    (line,) = texts(came)
    assert line.startswith("B at 0x00000010: a condition cannot be evaluated: all expressions at")
    assert came[-1].startswith(b"T05")


def test_what_all_clients_print_at_one_stop_is_bounded() -> None:
    """`printf("%s")` in a loop, of a text that fills L1."""
    client = Client(new_tile())
    text = b"x" * 0x4000
    for at in range(0, 0x40000, len(text)):
        assert client.ask(b"X%x,%x:" % (L1_TEXT + at, len(text)) + text) == b"OK"
    form = b"%s\0"
    show = const(L1_TEXT) + const(0) * 2 + bytes([Op.PRINTF, 1, 0, len(form)]) + form
    loop = x(show + bytes([Op.GOTO, 0, 0]))
    assert client.ask(f"Z0,{LOOP:x},4;cmds:0,{loop * 20}") == b"OK"
    client.send(wire.frame(b"vCont;c"))
    slices(client.tile, 2)
    said = texts(client.read())
    assert 0 < len("".join(said)) < 2 * budget.MAX_TEXT + 500
    assert "cannot be run: all expressions at one stop " in said[-1]
    assert client.tile.running


def test_what_is_printed_is_bounded_whatever_makes_it_long() -> None:
    place = Context(lambda number: 0, lambda addr, length: bytes(length), said := [].append)
    wide = b"%4096d\0"
    program = bytes([Op.CONST8, 1]) + const(0) * 2 + bytes([Op.PRINTF, 1, 0, len(wide)]) + wide
    with pytest.raises(budget.Exhausted, match="print no more than 65536 characters together"):
        evaluate(program * 20 + bytes([Op.END]), place)
    assert len(said.__self__) == 15  # type: ignore[attr-defined]


def test_small_stops_share_a_slice_and_a_client_ends_it() -> None:
    client = running(f"Z0,{LOOP:x},4;cmds:0,{printf('hit ')}")
    client.tile.advance_to(500)
    client.read()
    clock, came = client.tile.target.execution.clock, []
    before = clock()
    client.tile.target.execution.slice.cycles = 1 << 16  # type: ignore[attr-defined]
    client.tile.advance(lambda: False)
    came = texts(client.read())
    assert came == ["hit " * STOPS_IN_A_SLICE]
    assert clock() - before >= 5 * (STOPS_IN_A_SLICE - 1)
    client.tile.target.execution.slice.cycles = 1 << 16  # type: ignore[attr-defined]
    client.tile.advance(lambda: True)
    assert texts(client.read()) in (["hit "], [])


def test_tracing_ends_where_it_would_take_too_long() -> None:
    client = running(
        f"QTDP:1:{LOOP:x}:E:0:0-",
        f"QTDP:-1:{LOOP:x}:M-1,0,180000",
        "QTStart",
    )
    client.tile.advance_to(100)
    client.send(b"\x03")
    status = client.ask("qTStatus").decode()
    text = "all tracepoints at one stop collect no more than 1048576 bytes together"
    assert f"terror:{text.encode().hex()}:1;" in status
    client = running(
        *(f"QTDP:{number:x}:{LOOP:x}:E:0:0" for number in range(1, 500)),
        "QTStart",
    )
    client.tile.advance_to(100)
    client.send(b"\x03")
    assert "terror:" in client.ask("qTStatus").decode()
    assert len(client.session.trace.frames) == budget.MAX_OPERATIONS // budget.FRAME


def test_what_was_collected_is_read_piece_by_piece() -> None:
    """Pieces that overlap, and a hole."""
    client = running(
        f"QTDP:1:{LOOP:x}:E:0:1-",
        f"QTDP:-1:{LOOP:x}:M-1,0,8M-1,c,4M-1,4,8M-1,14,4M-1,10000,4",
        "QTStart",
    )
    client.tile.advance_to(100)
    client.send(b"\x03")
    whole = client.ask("m0,18")
    assert client.ask("QTFrame:0") == b"F0T1"
    assert client.ask("m0,18") == whole[:32]
    assert client.ask("m6,4") == whole[12:20]
    assert client.ask("m12,4").startswith(b"E")
    assert client.ask("m10000,4") == b"01000000"


@pytest.mark.parametrize("form", ["%" + "9" * 5000 + "d", "%." + "9" * 5000 + "d"])
def test_no_width_is_too_long_to_read(form: str) -> None:
    """It ended the server: a number of more than 4300 digits is none to Python."""
    assert len(formatted(form, [1], lambda addr, most: b"")) == 4096
    assert formatted("%0010d|%.0003d|%.2s", [1, 2, 3], lambda addr, most: b"abc"[:most]) == (
        "0000000001|002|ab"
    )


def test_a_format_is_read_in_one_way() -> None:
    """Digits are flags or a width; all the ways of sharing these take hours."""
    assert formatted("%" + "0" * 1_000_000, [1], lambda addr, most: b"").endswith("0000")


def test_a_string_ends_where_memory_does() -> None:
    """It is read in pieces, and byte by byte where a piece cannot be read."""
    memory = b"a" * 100 + b"end\0"

    def read(addr: int, length: int) -> bytes:
        if addr + length > len(memory):
            raise budget.AgentError("nothing is there")
        return memory[addr : addr + length]

    said: list[str] = []
    place = Context(lambda number: 0, read, said.append)
    form = b"%s\0"
    show = bytes([Op.CONST8, 0]) + const(0) * 2 + bytes([Op.PRINTF, 1, 0, len(form)]) + form
    evaluate(show + bytes([Op.END]), place)
    assert said == ["a" * 100 + "end"]
    memory = memory[:-1]
    with pytest.raises(budget.AgentError, match="nothing is there"):
        evaluate(show + bytes([Op.END]), place)


def test_a_monitor_command_is_not_long() -> None:
    """`break gate` with a thousand instructions and fields took 17 s."""
    client = Client(new_tile())
    line = "break gate " + "SFPOR " * 1200 + "if " + "vb=0," * 1400
    came = client.send(wire.frame(b"qRcmd," + line.encode().hex().encode()))
    assert texts(came) == ["a `monitor` command has no more than 1000 bytes"]
