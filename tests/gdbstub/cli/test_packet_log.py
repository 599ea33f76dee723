# SPDX-License-Identifier: Apache-2.0
"""The packet log says what happened, and plays again with the same answers."""

from __future__ import annotations

import errno
import io
import re
from functools import partial
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.cli.main import main
from tensix_gdb.gdbstub.cli.packets.player import Outcome, Replay, short
from tensix_gdb.gdbstub.protocol.client.packet_stream import MAX_OUTGOING
from tensix_gdb.gdbstub.protocol.packet_log import (
    LogError,
    Mark,
    PacketLog,
    bytes_of,
    read_log,
    shown,
)
from tests.gdbstub import wire
from tests.gdbstub.protocol.server.printing import printing
from tests.gdbstub.tiles import Client, new_tile

DEMO = Path(__file__).resolve().parents[3] / "gdbstub" / "demo" / "programs"


def session() -> str:
    """The log of two clients of a tile that runs in slices, as the server runs it."""
    file = io.StringIO()
    tile = new_tile(run_at_once=True)
    log = PacketLog(file, tile.target.execution.clock, "sc", [])

    def connect(name: str) -> Client:
        client = Client(tile, name)
        log.note(name, Mark.CONNECTED)
        client.session.stream.record = partial(log.note, name)
        return client

    def send(client: Client, *payloads: bytes, slices: int = 3) -> None:
        for payload in payloads:
            client.send(b"\x03" if payload == b"^C" else wire.frame(payload))
            for _ in range(slices):
                if tile.running:
                    tile.advance()

    one = connect("one")
    send(one, b"qSupported:error-message+", b"QStartNoAckMode", b"?", b"Z0,600c,2", b"vCont;c")
    send(one, b"z0,600c,2", b"vCont;c", slices=7)
    two = connect("two")
    send(two, b"mffb00100,4", b"p5", b"M10000,1:00", b"vCont;s:1", b"X10000,1:\x00")
    send(one, b"^C", b"g", b"vCont;s:1", b"vCont;r8,14:1", b"vCont;c", b"m10000,4", b"^C")
    two.send(b"$g#00" + b"$" + b"x" * 0x9000 + b"#00")
    send(one, b"qRcmd,737465702d6c696d69742031303030", b"vCont;s:4;c", slices=200)
    assert not tile.running
    send(one, b"vCont;c")
    log.note("two", Mark.GONE)
    two.session.end()
    send(one, b"vCtrlC", b"g", b"k")
    return file.getvalue()


def played(text: str, said: list[str] | None = None) -> Outcome:
    """Return the outcome of a log on another fresh tile."""
    report = [].append if said is None else said.append
    return Replay(new_tile(), report).play(read_log(iter(text.splitlines())).entries)


def test_a_log_plays_again() -> None:
    text = session()
    outcome = played(text)
    assert outcome.differences == []
    assert outcome.equal == sum(f" {Mark.WENT.value}" in line for line in text.splitlines()) > 20


def test_packets_that_had_to_wait_play_again() -> None:
    """More than one batch of them, and another client that stops the tile."""
    file = io.StringIO()
    tile = new_tile()
    log = PacketLog(file, tile.target.execution.clock, "sc", [])
    clients = [Client(tile, name) for name in ("one", "two")]
    for client in clients:
        log.note(client.session.name, Mark.CONNECTED)
        client.session.stream.record = partial(log.note, client.session.name)
        client.send(wire.frame(b"vCont;c"))
    one, two = clients
    one.send(wire.frame(b"qCRC:0,100") * 5)
    tile.advance()
    two.send(b"\x03")
    one.read()
    outcome = played(file.getvalue())
    assert outcome.differences == []
    assert outcome.equal == 9, "two stops, a text for each client, five answers"


def test_much_text_plays_again() -> None:
    """More than is kept for a client that does not read, as none does when a log is played."""
    file = io.StringIO()
    tile = new_tile(run_at_once=True)
    client = Client(tile, "one")
    log = PacketLog(file, tile.target.execution.clock, "sc", [])
    log.note("one", Mark.CONNECTED)
    client.session.stream.record = partial(log.note, "one")
    client.send(wire.frame(printing(b"x" * 15_000 + b"%d\n")))
    client.send(wire.frame(b"vCont;c"))
    while file.tell() <= MAX_OUTGOING:
        tile.advance()
        client.read()
    client.send(b"\x03")
    assert played(file.getvalue()).differences == []


def test_a_difference_is_found_and_named() -> None:
    lines = session().splitlines()
    at = next(n for n, line in enumerate(lines) if "<- 40" in line or "<- T05" in line)
    lines[at] += "0"
    said: list[str] = []
    outcome = played("\n".join(lines), said)
    assert said == outcome.differences
    assert len(said) == 1
    assert f"line {at + 1}, one: got T05" in said[0]


def test_an_answer_too_many_or_too_few_is_a_difference() -> None:
    head = "0.1 @0 one connected\n0.1 @0 one -> qC\n"
    assert played(head + "0.1 @0 one <- QC1\n0.1 @0 one <- QC1\n").differences == [
        "line 4, one: got nothing, the log has QC1"
    ]
    assert played(head).differences == ["at the end, one: also got QC1"]
    assert played("0.1 @0 two -> qC\n").differences == ["line 1, two: two has not connected"]


@pytest.mark.parametrize(
    "line", ["hello", "0.1 5 one -> g", "0.1 @x one -> g", "0.1 @0 one => g", "x @0 one -> g"]
)
def test_what_is_no_log_is_refused(line: str) -> None:
    with pytest.raises(LogError, match="line 2 is not one of a packet log"):
        read_log(iter(["# a comment\n", line + "\n"]))


def test_any_byte_can_be_written_and_read() -> None:
    every = bytes(range(256)) + b"\\x41 \\"
    text = shown(every)
    assert text.isascii()
    assert text.isprintable()
    assert bytes_of(text) == every


def test_a_full_disk_ends_the_log_and_nothing_else(caplog: pytest.LogCaptureFixture) -> None:
    class Full(io.StringIO):
        def write(self, text: str) -> int:
            if self.tell() > 200:
                raise OSError(errno.ENOSPC, "No space left on device")
            return super().write(text)

    log = PacketLog(Full(), lambda: 0, "sc", [])
    for _ in range(10):
        log.note("one", Mark.CAME, b"m0,4")
        log.flush()
    assert [record.getMessage() for record in caplog.records] == [
        "the packet log ends here: No space left on device"
    ]


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "a.log"
    body = (
        "schedule sc\nelf b 0123456789abcdef {elf}\n0.1 @0 one connected\n"
        "0.1 @0 one -> vCont;c\n0.2 @9 one ^C\n0.2 @9 one {stop}\n"
    )
    stop = "<- T0201:00000000;02:f00fb0ff;08:00000000;20:08000000;thread:1;"
    log.write_text(body.format(elf=DEMO / "b.elf", stop=stop))
    assert main(["replay", str(log), "--engine", "reference"]) == 1
    out, err = capsys.readouterr()
    assert "2 sent again, 0 answers equal, 1 differences" in out
    assert "b.elf is not the file that the log was made with" in err
    good = out.splitlines()[0].split(": got ")[1]
    log.write_text(body.format(elf=DEMO / "b.elf", stop="<- " + good))
    assert main(["replay", str(log), "--engine", "reference"]) == 0
    assert main(["replay", str(log), "--elf", f"b={DEMO / 'b.elf'}"]) == 0


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (None, "cannot be read: No such file"),
        ("", "names no program"),
        ("elf b 0\n", "line 1 is not one of a packet log, and it is no recording"),
        (
            "\x7fELF\0\x1b[2J",
            "log, and it is no recording: it is no text",
        ),
        ("elf x 0 /a\n", "x is no hart"),
    ],
)
def test_a_log_that_cannot_be_used(
    text: str | None, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "a.log"
    if text is not None:
        log.write_text(text)
    assert main(["replay", str(log)]) == 2
    assert sentence in capsys.readouterr().err


def test_architecture() -> None:
    file = io.StringIO()
    PacketLog(file, lambda: 0, "sc", [], "wormhole")
    assert read_log(iter(file.getvalue().splitlines())).arch == "wormhole"
    assert read_log(iter([])).arch == "blackhole"
    with pytest.raises(LogError, match="line 1"):
        read_log(iter(["arch vax"]))


def test_what_is_shown_is_where_the_difference_is() -> None:
    """Of a long text, and in words."""
    log = session()
    line = next(one for one in log.splitlines() if re.search(" <- O[0-9a-f]{9}", one))
    said: list[str] = []
    played(log.replace(line, f"{line[:-2]}21"), said)
    got, _, logged = said[0].partition("\n")
    assert ": got O: The tile runs for one: no step is possible until it stops.\\x0a" in got
    assert logged.endswith(
        "the log has O: The tile runs for one: no step is possible until it stops.!"
    )
    text = b"O" + (b"x" * 500 + b"end").hex().encode("ascii")
    assert short(text, len(text) - 2).startswith("...xxx")
    assert short(text, len(text) - 2).endswith("xxend")
