# SPDX-License-Identifier: Apache-2.0
"""Transcripts: what clients send and what they get, line by line.

    # a comment
    client NAME     the lines behind it are this client's; the first one is `gdb`
    -> PAYLOAD      a packet to the server, framed here; ^C is an interrupt
    <- PAYLOAD      the next packet from the server: `...` stands for anything, at one place
    mon TEXT        the packet of `monitor TEXT`
    <o TEXT         the next packet from the server shows this text
    >> BYTES        bytes to the server as they are
    << +            the next ack from the server; acks are compared only where a transcript has them
    .. ended        the session is over; `.. nothing` nothing has come
    gone            the connection breaks

`\\xNN` is a byte. `written` makes a transcript of what clients send. After each line to the server
a running tile runs STEPS cycles, which is enough for every stop here, so that a transcript is the
same on every machine and engine.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tests.gdbstub import wire
from tests.gdbstub.tiles import Client

STEPS = 1000
MAX_WRITTEN = 160  # characters of an answer
_BYTE = re.compile(rb"\\x([0-9a-f]{2})")


@dataclass
class _Line:
    """A client of the transcript and what it has got."""

    client: Client
    packets: deque[bytes] = field(default_factory=deque)
    acks: deque[bytes] = field(default_factory=deque)


class Mismatch(AssertionError):
    """The server said something else."""


class Player:
    """Plays a transcript against a tile."""

    def __init__(self, tile: SharedTile, steps: int = STEPS) -> None:
        self.tile = tile
        self._steps = steps
        self.lines: dict[str, _Line] = {}
        self.current = self._client("gdb")

    def turn(self, name: str) -> None:
        """Switch to this client."""
        self.current = self._client(name)

    def _client(self, name: str) -> _Line:
        if name not in self.lines:
            self.lines[name] = _Line(Client(self.tile, name))
        return self.lines[name]

    def play(self, text: str) -> None:
        """Mismatch when something else comes back; also when something is left over."""
        for number, line in enumerate(text.splitlines(), 1):
            stripped = line.strip()
            if stripped and not stripped.startswith("#"):
                try:
                    self._line(stripped)
                except AssertionError as problem:
                    raise Mismatch(f"line {number}: {line}\n{problem}") from None
        self._nothing_left("the end of the transcript")

    def _line(self, line: str) -> None:
        what, _, rest = line.partition(" ")
        data = _BYTE.sub(lambda m: bytes([int(m[1], 16)]), rest.encode("latin-1"))
        match what:
            case "client":
                self._nothing_left(f"the turn of {rest}")
                self.turn(rest)
            case "->":
                self._nothing_left(rest)
                self.send(b"\x03" if rest == "^C" else wire.frame(data))
            case "mon":
                self._nothing_left(rest)
                self.send(wire.frame(b"qRcmd," + data.hex().encode("ascii")))
            case "<o":
                self._packet(data, console=True)
            case ">>":
                self._nothing_left(rest)
                self.send(data)
            case "<-":
                self._packet(data)
            case "<<":
                assert self.current.acks, "there was no ack"
                got = self.current.acks.popleft()
                assert got == data, f"got {got!r}"
            case "..":
                self._state(rest)
            case "gone":
                self.current.client.session.end()
            case _:
                raise AssertionError("this is no line of a transcript")

    def send(self, data: bytes) -> None:
        """Bytes from the current client; the tile runs as far as it should."""
        self.current.acks.clear()
        self._sort(self.current, self.current.client.send(data))
        if self.tile.running:
            self.tile.advance_to(self.tile.target.execution.clock() + self._steps)
        for line in self.lines.values():
            self._sort(line, line.client.read())

    def _sort(self, line: _Line, came: list[bytes]) -> None:
        for one in came:
            (line.acks if one in (wire.ACK, wire.NAK) else line.packets).append(one)

    def _packet(self, wanted: bytes, *, console: bool = False) -> None:
        assert self.current.packets, "nothing came"
        got = self.current.packets.popleft()
        if console:
            assert got[:1] == b"O", f"got {shown(got)}"
            got = bytes.fromhex(got[1:].decode("ascii"))
        head, dots, tail = wanted.partition(b"...")
        same = got.startswith(head) and got.endswith(tail) and len(got) >= len(head + tail)
        assert got == wanted or (dots and same), f"got {shown(got)}"

    def _nothing_left(self, before: str) -> None:
        left = [shown(one) for one in self.current.packets]
        assert not left, f"before {before} also came {left}"

    def _state(self, wanted: str) -> None:
        if wanted == "ended":
            assert self.current.client.session.ended, "the session continues"
        else:
            assert wanted == "nothing", "say ended or nothing"
            self._nothing_left("this line")


def shown(payload: bytes) -> str:
    """Write a payload as transcripts have it. A blank at its end would be lost, so it is coded."""
    text = "".join(chr(b) if 32 <= b < 127 and b != 92 else f"\\x{b:02x}" for b in payload)
    return re.sub(r" \Z", r"\\x20", text)


@dataclass(frozen=True, slots=True)
class Step:
    """The step of a client: a packet, ^C as 0x03, or None when its connection ends."""

    client: str
    payload: bytes | None


def written(player: Player, steps: Iterable[Step]) -> str:
    """A transcript of what these clients send, with the answers that the player's tile gives."""
    lines = []
    name = "gdb"
    for step in steps:
        if step.client != name:
            name = step.client
            player.turn(name)
            lines += [f"client {name}", *_came(player)]
        if step.payload is None:
            player.current.client.session.end()
            lines.append("gone")
        else:
            player.send(b"\x03" if step.payload == b"\x03" else wire.frame(step.payload))
            lines += ["-> " + (shown(step.payload) if step.payload != b"\x03" else "^C")]
            lines += _came(player)
    return "\n".join(lines) + "\n"


def _came(player: Player) -> list[str]:
    """The lines for what has come to the current client."""
    lines = []
    while player.current.packets:
        text = shown(player.current.packets.popleft())
        # Long ones are compared as far as one can read.
        cut = re.sub(r"\\(x[0-9a-f]?)?$", "", text[:MAX_WRITTEN])
        lines.append("<- " + (text if len(text) <= MAX_WRITTEN else cut + "..."))
    return lines
