# SPDX-License-Identifier: Apache-2.0
"""The prints of programs are shown while they run, and a client that reads late loses none of
it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tensix_gdb.gdbstub.protocol.server import connection, server
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tests.gdbstub import wire
from tests.gdbstub.protocol.server.printing import (
    LINES,
    PRINTING,
    SCHEDULES,
    beat,
    calling_tile,
    counting_tile,
    dprint_tile,
    dprinted,
    line,
)
from tests.gdbstub.protocol.server.talking import Talker, served

Line = Callable[[int], bytes]
# A tile, what a client sends to it first, and the lines that come.
KINDS: dict[str, tuple[Callable[[str], SharedTile], list[bytes], Line]] = {
    "semihosting": (calling_tile, [], line),
    "DPRINT": (dprint_tile, [], dprinted),
    "dprintf": (counting_tile, [PRINTING], beat),
}
LITTLE = 4096  # bytes that the system takes for a client that does not read
MANY = 20_000  # lines: some megabytes of packets
MAX_AHEAD = 10_000  # lines that a program is ahead of its reader


class Shown:
    """The lines that a client was shown: all of them and in order."""

    def __init__(self, client: Talker, of: Line) -> None:
        self._client, self._of = client, of
        self._at = self.count = 0

    def look(self) -> int:
        """Return how many there are by now; the last may still be on its way."""
        *whole, rest = bytes(self._client.text[self._at :]).split(b"\n")
        for one in whole:
            assert one + b"\n" == self._of(self.count)
            self.count += 1
        self._at = len(self._client.text) - len(rest)
        return self.count

    def wait_for(self, count: int) -> None:
        """Read until there are so many more."""
        wanted = self.look() + count
        while self.look() < wanted:
            self._client.read()


def clock(client: Talker) -> int:
    """Return how far the tile has run, as `monitor status` says."""
    before = len(client.text)
    assert client.ask(b"qRcmd," + b"status".hex().encode("ascii")) == b"OK"
    found = re.search(rb"cycle (\d+), compiled", client.text[before:])
    assert found is not None
    return int(found[1])


def wait_until_it_waits(onlooker: Talker) -> int:
    """Wait until the tile does not move any more, though it runs; the cycle."""
    now, equal = clock(onlooker), 0
    while equal < 20:
        before, now = now, clock(onlooker)
        equal = equal + 1 if now == before else 0
    assert b"runs for" in state(onlooker)
    return now


def state(onlooker: Talker) -> bytes:
    """Return what `info threads` says of the first thread."""
    return bytes.fromhex(onlooker.ask(b"qThreadExtraInfo,1").decode("ascii"))


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("kind", KINDS)
def test_text_is_shown_while_it_runs(kind: str, schedule: str) -> None:
    make, first, of = KINDS[kind]
    with served(make(schedule)) as connect:
        client = connect()
        for payload in first:
            assert client.ask(payload) == b"OK"
        client.go()
        shown = Shown(client, of)
        shown.wait_for(1000)
        client.say(b"\x03")
        assert client.answers(1)[0].startswith(b"T02")
        shown.look()


@pytest.mark.parametrize("schedule", ["sc", "latency"])
@pytest.mark.parametrize("kind", ["semihosting", "dprintf"])
def test_a_late_reader_slows_the_program(
    kind: str, schedule: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And is not dropped, and gets all of it; others look meanwhile."""
    monkeypatch.setattr(connection, "SEND_SECONDS", 0.1)
    make, first, of = KINDS[kind]
    with served(make(schedule)) as connect:
        client, onlooker = connect(room=LITTLE), connect()
        for payload in first:
            assert client.ask(payload) == b"OK"
        client.go()
        wait_until_it_waits(onlooker)
        shown = Shown(client, of)
        shown.wait_for(MANY)
        wait_until_it_waits(onlooker)
        client.say(b"\x03")
        assert client.answers(1)[0].startswith(b"T02")
        assert MANY < shown.look() < MANY + MAX_AHEAD


def test_ctrl_c_of_a_late_reader(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(server, "CROWDED_NEWS", 0.0)
    with served(calling_tile()) as connect:
        client, onlooker = connect(room=LITTLE), connect()
        client.go()
        while ": does not read what programs print; they wait" not in caplog.text:
            clock(onlooker)
        # The system may still take a little for the reader, and the program prints as much.
        wait_until_it_waits(onlooker)
        client.say(b"+++\x03" + wire.frame(b"qC"))
        while b"runs for" in state(onlooker):
            pass
        stop, answer = client.answers(2)
        assert stop.startswith(b"T02")
        assert answer == b"QC1"
        assert Shown(client, line).look() > 0


@pytest.mark.parametrize("waits", [False, True], ids=["looks", "waits too"])
def test_others_can_interrupt(waits: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stop that has to wait for text to be read is no reason to drop the client either."""
    monkeypatch.setattr(connection, "SEND_SECONDS", 0.1)
    with served(calling_tile()) as connect:
        client, onlooker, other = connect(room=LITTLE), connect(), connect()
        client.go()
        if waits:
            other.go()
        wait_until_it_waits(onlooker)
        if not waits:
            other.go()
        other.say(b"\x03")
        assert other.answers(1)[0].startswith(b"T02")
        while b"runs for" in state(onlooker):
            pass
        assert clock(onlooker) == clock(onlooker)
        assert client.answers(1)[0].startswith(b"T02")
        client.text = client.text.partition(b"127.0.0.1")[0]
        assert Shown(client, line).look() > 0
        assert client.ask(b"qC") == b"QC1"


def test_when_a_late_reader_goes() -> None:
    """Another client that waits has the run from then on."""
    with served(calling_tile()) as connect:
        client, onlooker, other = connect(room=LITTLE), connect(), connect()
        client.go()
        wait_until_it_waits(onlooker)
        other.go()
        client.socket.close()
        while b"has left; the tile continues" not in other.text:
            other.read()
        before = other.text.count(b"\n")
        while other.text.count(b"\n") < before + 100:
            other.read()
        other.say(b"\x03")
        assert other.answers(1)[0].startswith(b"T02")


def test_a_late_reader_that_does_not_drive_misses_text() -> None:
    """It is told how much it has missed."""
    with served(calling_tile()) as connect:
        client, other = connect(), connect(room=LITTLE)
        client.go()
        other.go()
        shown = Shown(client, line)
        shown.wait_for(2 * MANY)
        client.say(b"\x03")
        assert client.answers(1)[0].startswith(b"T02")
        shown.look()
        assert other.answers(1)[0].startswith(b"T02")
        (said,) = re.findall(rb"\n\((\d+) bytes of text are missing here", other.text)
        text = other.text.partition(b"\n(")[0].partition(b"waiting for its stop.\n")[2]
        begin = re.match(rb"line (\d+)", text)
        assert begin is not None
        of_lines = len(client.text) - len(line(0)) * int(begin[1]) - len(text) - int(said)
        assert of_lines % (LINES * len(line(0))) == 0
        assert other.text.endswith(b" has stopped the tile.\n")
        assert other.ask(b"qC") == b"QC1"
