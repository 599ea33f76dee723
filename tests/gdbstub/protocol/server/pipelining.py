# SPDX-License-Identifier: Apache-2.0
"""Clients that do not wait for answers, around a tile that runs, stops and prints.

Several clients of one tile send bursts of packets, cut anywhere, with and without acks, while the
tile runs for one of them or another. They interrupt, damage packets, ask for a packet again, read
late, vanish. What is checked: every packet is acked once and answered once, answers come in the
order of the packets, and each is that of its packet: most packets ask for bytes that are known.

`python -m tests.gdbstub.protocol.server.pipelining --bursts 20000` prints what it has seen.
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from time import perf_counter

from tensix_gdb.gdbstub.protocol.rsp.framing import PACKET_SIZE
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tests.gdbstub import wire
from tests.gdbstub.protocol.server.printing import (
    PRINTING,
    SCHEDULES,
    calling_tile,
    counting_tile,
    dprint_tile,
)
from tests.gdbstub.protocol.server.talking import Connect, Talker, served
from tests.patience import HANG

CLIENTS = 4
ROUND_BURSTS = 60  # of the clients of one tile
MAX_KEPT = 50  # packets that a client sends after one that runs the tile; the server keeps 64
CONTENT = Random(1).randbytes(PACKET_SIZE // 2)
PLACE = 0x40000  # of the content
PATIENCE = HANG  # seconds after which an answer is taken for lost, on a machine that is busy
LITTLE = 4096  # bytes that the system takes for a client that reads late

TILES: dict[str, Callable[[str], SharedTile]] = {
    "silent": counting_tile,
    "calls": calling_tile,
    "debug prints": dprint_tile,
}
Check = Callable[[bytes], bool]


@dataclass
class Seen:
    """The work that was done."""

    rounds: int = 0
    clients: int = 0
    packets: Counter[str] = field(default_factory=Counter)
    bursts: int = 0
    longest: int = 0
    text: int = 0
    slowest: float = 0
    seconds: float = 0
    failures: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        """The figures, for people."""
        kinds = ", ".join(f"{n} {name}" for name, n in sorted(self.packets.items()))
        return [
            f"{self.packets.total()} packets ({kinds}) of {self.clients} clients in {self.rounds} "
            f"rounds, {self.seconds:.0f} s; {self.bursts} bursts of up to {self.longest} packets",
            f"every one answered once and in order, the slowest burst in {self.slowest:.1f} s; "
            f"{self.text / 1e6:.1f} MB of text"
            if not self.failures
            else "FAILED: " + "; ".join(self.failures[:5]),
        ]


@dataclass(frozen=True, slots=True)
class Asked:
    """A packet, and whether an answer is one to it."""

    payload: bytes
    kind: str
    check: Check


def _is(answer: bytes) -> Check:
    return lambda came: came == answer


def _starts(*heads: bytes) -> Check:
    return lambda came: came.startswith(heads)


def question(random: Random) -> Asked:
    """A packet that is answered at once when the client does not wait."""
    at = random.randrange(len(CONTENT) - 8)
    length = random.choice((1, 4, 4, 4, 8, 64, 64, 1000, 0x3FFF))
    data = CONTENT[at : at + length]
    size = len(data)
    match random.randrange(10):
        case 0:
            return Asked(b"qCRC:%x,%x" % (PLACE + at, size), "checksum", _starts(b"C"))
        case 1:
            found = _is(b"1,%x" % (PLACE + at))
            # The content is random: eight bytes of it are there once.
            payload = b"qSearch:memory:%x;%x;" % (PLACE, len(CONTENT)) + CONTENT[at : at + 8]
            return Asked(payload, "search", found)
        case 2:
            return Asked(b"qRcmd," + b"status".hex().encode("ascii"), "monitor", _is(b"OK"))
        case 3:
            return Asked(b"vFlashErase:%x,1000" % 0x60000, "erase", _starts(b"OK", b"E"))
        case 4:
            return Asked(b"M50000,4:00000000", "write", _starts(b"OK", b"E"))
        case 5:
            return Asked(b"Z0,%x,4" % (0x48000 + 4 * random.randrange(9)), "insert", _is(b"OK"))
        case _:
            hexed = data.hex().encode("ascii")
            return Asked(b"m%x,%x" % (PLACE + at, size), "read", _is(hexed))


def run(random: Random) -> Asked:
    """A packet that is answered by a stop."""
    payload = random.choice((b"vCont;c", b"vCont;c", b"c", b"vCont;s:1;c", b"s"))
    return Asked(payload, "run", _starts(b"T", b"S"))


class Client:
    """One client, as it comes: with or without acks, hasty or not."""

    def __init__(self, connect: Connect, random: Random, seen: Seen) -> None:
        self._random, self._seen = random, seen
        self._late = random.random() < 0.2
        self.talker: Talker = connect(LITTLE if self._late else 0)
        self.talker.socket.settimeout(PATIENCE)
        self._acks = True
        self._good = self._damaged = 0  # packets that the server acks, and that it wants again
        self._owed: deque[Asked] = deque()
        if random.random() < 0.3:
            assert self._alone(b"QStartNoAckMode") == b"OK"
            self._acks = False
        if random.random() < 0.3:
            assert self._alone(PRINTING) == b"OK"

    def prepare(self) -> None:
        """Have the content in memory."""
        for at in range(0, len(CONTENT), 0x1000):
            piece = CONTENT[at : at + 0x1000].hex().encode("ascii")
            assert self._alone(b"M%x,1000:" % (PLACE + at) + piece) == b"OK"

    def _alone(self, payload: bytes) -> bytes:
        self._good += self._acks
        answer = self.talker.ask(payload)
        self.talker.say(self._acked())
        return answer

    def talk(self, until: int) -> None:
        """Send bursts, and check the answers, until there were so many or the client vanishes."""
        while self._seen.bursts < until:
            start = perf_counter()
            self._burst()
            self._seen.bursts += 1
            if self._random.random() < 0.03:
                return
            self._settle()
            self._seen.slowest = max(self._seen.slowest, perf_counter() - start)

    def _burst(self) -> None:
        """Some packets in pieces. After one that runs the tile, few others, and an interrupt."""
        random = self._random
        runs = random.random() < 0.4
        before = [question(random) for _ in range(random.choice((0, 1, 1, 2, 5, 20, 70, 200)))]
        kept = [question(random) for _ in range(random.randrange(MAX_KEPT))] if runs else []
        asked = [*before, *([run(random)] if runs else []), *kept[: random.randrange(MAX_KEPT)]]
        if self._acks:
            # The same packet again, before anything was acknowledged, is a repetition.
            same = [None, *(one.payload for one in asked)]
            asked = [one for one, last in zip(asked, same, strict=False) if one.payload != last]
        self._seen.longest = max(self._seen.longest, len(asked))
        data = b""
        for one in asked:
            self._seen.packets[one.kind] += 1
            self._owed.append(one)
            self._good += self._acks
            data += self._acked() + self._wrong() + wire.frame(one.payload)
        self._send(data)
        if runs:
            if self._late:
                time.sleep(random.random() / 2)
            elif random.random() < 0.5:
                time.sleep(random.random() / 50)
            self._send(self._acked() + b"\x03")

    def _acked(self) -> bytes:
        return wire.ACK * self.talker.take_received() if self._acks else b""

    def _wrong(self) -> bytes:
        """Now and then a packet with a wrong checksum, which a client with acks sends again."""
        if not self._acks or self._random.random() > 0.02:
            return b""
        self._damaged += 1
        return b"$m0,4#00"

    def _send(self, data: bytes) -> None:
        for piece in self._cut(data):
            self.talker.say(piece)
            if self._random.random() < 0.3:
                time.sleep(self._random.choice((0, 0.0001, 0.001, 0.005)))

    def _cut(self, data: bytes) -> Iterator[bytes]:
        """In pieces anywhere: in a packet, before its checksum, after each."""
        random = self._random
        longest = random.choice((5, 100, 3000, len(data) + 1))
        at = 0
        while at < len(data):
            end = at + random.randrange(1, longest + 1) if len(data) - at < 4000 else at + 3000
            yield data[at:end]
            at = end

    def _settle(self) -> None:
        """Everything that was asked is answered, and nothing else comes."""
        if self._late:
            time.sleep(self._random.random() / 5)
        came = b""
        while self._owed:
            one = self._owed.popleft()
            (came,) = self.talker.answers(1)
            assert one.check(came), f"{one.payload[:40]!r} was answered with {came[:60]!r}"
            if self._random.random() < 0.1:
                self.talker.say(self._acked())
        if came and self._acks and self._random.random() < 0.1:
            self.talker.say(self._acked() + wire.NAK)
            assert self.talker.answers(1)[0] == came
        self.talker.say(self._acked())
        self._seen.text += len(self.talker.text)
        self.talker.text.clear()

    def leave(self) -> None:
        """Check that nothing else has come, and go, politely or not."""
        if not self._owed:
            answer = self._alone(b"qC")
            assert answer.startswith(b"QC"), f"qC was answered with {answer[:60]!r}"
            signs, wanted = (self.talker.acks, self.talker.naks), (self._good, self._damaged)
            assert signs == wanted, f"{signs} acks and requests to repeat came, not {wanted}"
            if self._random.random() < 0.5:
                self.talker.packet(b"D")
                assert self.talker.answers(1) == [b"OK"]
        self.talker.socket.close()


class Round:
    """Some clients of one tile."""

    def __init__(self, seed: int, seen: Seen) -> None:
        self._random = Random(seed)
        self._seed, self._seen = seed, seen

    def play(self, bursts: int) -> None:
        """All of it: so many bursts of all clients together."""
        kind = self._random.choice(list(TILES))
        schedule = self._random.choice(list(SCHEDULES))
        until = self._seen.bursts + bursts
        with served(TILES[kind](schedule)) as connect:
            first = Client(connect, self._random, self._seen)
            first.prepare()
            names = [f"seed {self._seed}, {kind} in {schedule}, client {n}" for n in range(CLIENTS)]
            threads = [
                threading.Thread(target=self._clients, args=(name, n, connect, until))
                for n, name in enumerate(names)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            first.talker.socket.close()
        self._seen.rounds += 1

    def _clients(self, name: str, number: int, connect: Connect, until: int) -> None:
        """One client after the other."""
        random = Random(self._seed << 8 | number)
        try:
            while self._seen.bursts < until and not self._seen.failures:
                client = Client(connect, random, self._seen)
                self._seen.clients += 1
                client.talk(until)
                client.leave()
        except (AssertionError, OSError, ValueError) as problem:
            self._seen.failures.append(f"{name}: {type(problem).__name__}: {str(problem)[:300]}")


def play(bursts: int, seed: int = 1, *, progress: bool = False) -> Seen:
    """Play rounds with so many bursts in all, or until one fails."""
    seen, start = Seen(), perf_counter()
    while (left := bursts - seen.bursts) > 0 and not seen.failures:
        Round(seed + seen.rounds, seen).play(min(ROUND_BURSTS, left))
        if progress and seen.rounds % 10 == 0:
            print(seen.packets.total(), "packets", file=sys.stderr)
    seen.seconds = perf_counter() - start
    return seen


def main() -> int:
    """The command."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--bursts", type=int, default=2000)
    arguments.add_argument("--seed", type=int, default=1)
    chosen = arguments.parse_args()
    seen = play(chosen.bursts, chosen.seed, progress=True)
    print("\n".join(seen.lines()))
    return 1 if seen.failures else 0


if __name__ == "__main__":
    sys.exit(main())
