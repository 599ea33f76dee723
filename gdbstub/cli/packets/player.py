# SPDX-License-Identifier: Apache-2.0
"""Play a packet log against a fresh tile: the same bytes at the same cycles.

Each packet of a client is sent again at the cycle at which it came, so the same answers have to
come again: a difference is one of the tile or of this program. There are no sockets and no wall
clock.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import field

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.protocol.packet_log import Entry, Mark, shown
from tensix_gdb.gdbstub.protocol.rsp import framing
from tensix_gdb.gdbstub.protocol.session import Session
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile

MAX_SHOWN = 200  # bytes of a payload in a report
_HEX = re.compile(rb"(?:[0-9a-f]{2})+")  # after an O


@dataclass
class Outcome:
    """The counts and differences of a replay."""

    sent: int = 0
    equal: int = 0
    differences: list[str] = field(default_factory=list)


class Replay:
    """Plays one log. The tile runs only when it is told to: `run_at_once` is off."""

    def __init__(self, tile: SharedTile, report: Callable[[str], None]) -> None:
        self._tile = tile
        self._report = report
        self._sessions: dict[str, Session] = {}
        self._came: dict[str, deque[bytes]] = {}
        self._outcome = Outcome()

    def play(self, entries: Iterable[Entry]) -> Outcome:
        """Play all of it."""
        for entry in entries:
            self._advance(entry)
            if entry.mark is Mark.CONNECTED:
                self._connect(entry.client)
            elif entry.client not in self._sessions:
                self._differs(entry, f"{entry.client} has not connected")
            elif entry.mark is Mark.WENT:
                self._compare(entry)
            else:
                self._send(entry)
        for client, came in self._came.items():
            for payload in came:
                self._say(f"at the end, {client}: also got {short(payload)}")
        return self._outcome

    def _advance(self, entry: Entry) -> None:
        """Run the tile to the entry's cycle."""
        tile = self._tile
        self._answer_all()
        if tile.running:
            tile.advance_to(entry.clock)
        if entry.mark is Mark.WENT and tile.running and not self._came.get(entry.client):
            # The stop, or the text of a breakpoint, may be in the cycle that begins now.
            tile.advance_to(entry.clock + 1, lambda: self._came.get(entry.client))
        self._answer_all()

    def _answer_all(self) -> None:
        """Answer what is unanswered, as a server does after any change. Answers are recorded when
        they are made."""
        for session in self._sessions.values():
            session.stream.take_outgoing()
            while session.unanswered:
                session.proceed()
                session.stream.take_outgoing()

    def _connect(self, client: str) -> None:
        session = self._tile.join(client)
        came = self._came[client] = deque()
        self._sessions[client] = session

        def record(mark: Mark, payload: bytes) -> None:
            if mark is Mark.WENT:
                came.append(payload)

        session.stream.record = record

    def _send(self, entry: Entry) -> None:
        session = self._sessions[entry.client]
        self._outcome.sent += entry.mark is not Mark.GONE
        match entry.mark:
            case Mark.CAME:
                data = framing.encode(framing.escape(entry.payload), run_lengths=False)
            case Mark.INTERRUPT:
                data = b"\x03"
            case Mark.DAMAGED:
                data = b"$damaged#00"
            case Mark.TOO_LONG:
                data = framing.encode(b"x" * (framing.PACKET_SIZE + 1), run_lengths=False)
            case _:
                session.end()
                return
        session.receive(data)
        self._answer_all()

    def _compare(self, entry: Entry) -> None:
        came = self._came[entry.client]
        if not came:
            self._differs(entry, f"got nothing, the log has {short(entry.payload)}")
            return
        got = came.popleft()
        if got == entry.payload:
            self._outcome.equal += 1
            return
        same = _same_so_far(got, entry.payload)
        mine, theirs = short(got, same), short(entry.payload, same)
        self._differs(entry, f"got {mine}\n    the log has {theirs}")

    def _differs(self, entry: Entry, text: str) -> None:
        self._say(f"line {entry.number}, {entry.client}: {text}")

    def _say(self, text: str) -> None:
        self._outcome.differences.append(text)
        self._report(text)


def _same_so_far(left: bytes, right: bytes) -> int:
    """Count the bytes at which both agree."""
    pairs = enumerate(zip(left, right, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(left), len(right)))


def short(payload: bytes, same: int = 0) -> str:
    """Show as much of a payload as fits a line, from a little before the difference. Text in hex is
    decoded."""
    text = payload
    if payload[:1] == b"O" and _HEX.fullmatch(payload, 1):
        text, same = b"O: " + bytes.fromhex(payload[1:].decode("ascii")), 3 + (same - 1) // 2
    start = max(same - MAX_SHOWN // 2, 0)
    end = start + MAX_SHOWN
    return "..." * (start > 0) + shown(text[start:end]) + "..." * (end < len(text))
