# SPDX-License-Identifier: Apache-2.0
"""Attack the sessions of tiles with streams of bad packets, and see that nothing gives way.

`python -m tests.gdbstub.protocol.server.fuzz --packets 5000000` prints what it has seen. For each
stream:

- nothing raises: an exception in a session is a death;
- every packet is answered exactly once (`k` and `R` are not): fewer is silence, and counts;
- what comes back is acks and whole packets with right checksums and run lengths;
- none takes much work, counted in calls of functions;
- no file is opened, whatever the packets name, but the tile's programs, which a restart compares
  with what was loaded;
- nothing is kept: when the caches are emptied, there are as many objects as before;
- afterwards a new client has a normal session: it resets, steps, hits a breakpoint and a watch.
"""

from __future__ import annotations

import argparse
import ctypes
import functools
import gc
import logging
import re
import sys
from dataclasses import dataclass, field
from random import Random
from time import perf_counter

from tensix_gdb.gdbstub.protocol.session.states import State
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tests.gdbstub import wire
from tests.gdbstub.protocol.server.fuzz_streams import CLIENTS, KINDS, Chunk, noise
from tests.gdbstub.tiles import PROGRAMS, Client, new_tile
from tests.work import calls_in

CYCLES = 300  # that the tile runs after each packet
MAX_WAITING = 20  # packets to a client that waits for a stop, then it is interrupted
WARM = 0.1  # of the packets, after which memory should not grow any more

OWN = [f"/nowhere/{hart}.elf" for hart in PROGRAMS]  # files of the programs (tiles.py)

_Cache = functools._lru_cache_wrapper

_watching: list[str] | None = None


def _audit(event: str, arguments: tuple[object, ...]) -> None:
    if _watching is not None and event == "open" and str(arguments[0]) not in OWN:
        _watching.append(str(arguments[0]))


@dataclass
class Report:
    """The work that was done, and what went wrong."""

    packets: int = 0
    streams: int = 0
    answers: int = 0
    silent: int = 0
    seconds: float = 0
    most_calls: int = 0  # of functions, for one packet
    longest: bytes = b""
    left: int = 0
    grown_bytes: int = 0
    grown_blocks: int = 0
    opened: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        """The figures, for people."""
        return [
            f"{self.packets} packets in {self.streams} streams, {self.answers} answers, "
            f"{self.seconds:.0f} s ({self.packets / self.seconds:.0f} packets/s)",
            f"deaths 0, bad frames 0, silent packets {self.silent}, files opened "
            f"{len(self.opened)}, clients that left or were dropped {self.left}",
            f"most work for a packet: {self.most_calls} calls of functions ({self.longest[:40]!r})",
            f"after the first {WARM:.0%}: {self.grown_blocks} more blocks of memory are kept, and "
            f"{self.grown_bytes / 1e6:.1f} MB of large ones",
        ]


class Failed(AssertionError):
    """Something gave way; names the stream, which `--seed` and `--only` bring back."""


@dataclass
class _Attacker:
    """A client and the answers it still has to get."""

    client: Client
    exact: bool
    owed: int = 0
    waiting: int = 0

    def take(self, came: list[bytes]) -> int:
        """Count answers; console output and notifications are none."""
        answers = [one for one in came if one not in (wire.ACK, wire.NAK) and not _console(one)]
        answers = [one for one in answers if one[:1] != b"%"]
        self.owed -= len(answers)
        return len(answers)


def _console(payload: bytes) -> bool:
    """Text in hex; what LLDB gets for `x` may begin with an O too."""
    return _CONSOLE.fullmatch(payload) is not None


_CONSOLE = re.compile(rb"O([0-9a-f]{2})+")


class Fuzzer:
    """One tile under attack."""

    def __init__(self, seed: int, engine: str = "compiled") -> None:
        self.seed = seed
        # One without processes and one with them, attacked in turn.
        self._tiles = [new_tile(engine, run_at_once=True, processes=p) for p in (False, True)]
        self.tile: SharedTile = self._tiles[0]
        self.report = Report()

    def stream(self, number: int) -> None:
        """Send one stream, then have a normal session."""
        kind = KINDS[number % len(KINDS)]
        self.tile = self._tiles[number // len(KINDS) % len(self._tiles)]
        exact = kind is not noise
        random = Random(self.seed << 32 | number)
        attackers: list[_Attacker | None] = [None] * CLIENTS
        try:
            for who, chunk in kind(random):
                attacker = attackers[who]
                if attacker is None or attacker.client.session.ended:
                    self._settled(attacker)
                    attacker = _Attacker(Client(self.tile, f"client{who}"), exact)
                    attackers[who] = attacker
                    if random.random() < 0.5:
                        self._send(attacker, Chunk(wire.frame(b"QStartNoAckMode")), attackers)
                        attacker.owed += 1
                self._send(attacker, chunk, attackers)
            for attacker in attackers:
                self._settled(attacker, attackers)
                if attacker is not None:
                    attacker.client.session.end()
            self._normal_session()
        except Exception as problem:
            raise Failed(
                f"stream {number} of seed {self.seed} ({kind.__name__}): "
                f"{type(problem).__name__}: {problem}"
            ) from problem
        self.report.streams += 1

    def _send(self, attacker: _Attacker, chunk: Chunk, everybody: list[_Attacker | None]) -> None:
        session = attacker.client.session
        attacker.owed += _answers_owed(chunk)
        came = b""

        def exchange() -> None:
            nonlocal came
            came = attacker.client.exchange(chunk.data)

        calls = calls_in(exchange)
        if calls > self.report.most_calls:
            self.report.most_calls, self.report.longest = calls, chunk.data
        self.report.packets += 1
        self.report.answers += attacker.take(wire.answers(came))
        if self.tile.running:
            self.tile.advance_to(self.tile.target.execution.clock() + CYCLES)
        attacker.waiting = attacker.waiting + 1 if session.state is State.RUNNING else 0
        if attacker.waiting > MAX_WAITING:
            self.report.answers += attacker.take(attacker.client.send(b"\x03"))
        self._read(everybody)

    def _read(self, everybody: list[_Attacker | None]) -> None:
        for one in everybody:
            if one is not None:
                self.report.answers += one.take(one.client.read())

    def _settled(
        self, attacker: _Attacker | None, everybody: list[_Attacker | None] | None = None
    ) -> None:
        """Everything this client asked for has been answered."""
        if attacker is None:
            return
        session = attacker.client.session
        for _ in range(100):
            if session.state is not State.RUNNING:
                break
            # Noise may have left the beginning of a packet, in which 0x03 is a byte like others.
            end = b"\x03" if attacker.exact else b"#00\x03"
            self.report.answers += attacker.take(attacker.client.send(end))
            self._read(everybody or [attacker])
        self.report.answers += attacker.take(attacker.client.read())
        if session.state in (State.IDLE, State.NONSTOP):
            # With an ack: without, a client that acknowledges would be taken to repeat a packet.
            # Noise may have left the beginning of a packet, in which the ack is a byte like others.
            end = wire.ACK if attacker.exact else b"#00" + wire.ACK
            asked = attacker.client.send(end + wire.frame(b"qC"))
            came = [one for one in asked if one[:1] != b"%"]
            # There is no current thread when no process is attached.
            wanted = b"QC" if session.target.threads.thread_ids() else b"E"
            assert came[-1].startswith(wanted), f"qC is answered, but {came}"
            if attacker.exact and attacker.owed:
                self.report.silent += abs(attacker.owed)
                raise AssertionError(f"{attacker.owed} answers are missing")
        else:
            assert session.ended, "the client still waits for a stop"
            self.report.left += 1

    def _normal_session(self) -> None:
        client = Client(self.tile, "normal")

        def expect(payload: str, wanted: str) -> None:
            got = client.ask(payload).decode("latin-1")
            assert got.startswith(wanted), f"{payload} is answered with {got}, not {wanted}"

        expect("qSupported:swbreak+;error-message+", "PacketSize=")
        expect("QStartNoAckMode", "OK")
        expect("qRcmd," + b"step-limit 1000000".hex(), "OK")
        expect("qRcmd," + b"ebreak at".hex(), "OK")
        expect("qRcmd," + b"schedule sc".hex(), "OK")
        expect("qRcmd," + b"reset".hex(), "OK")
        expect("?", "T05")
        expect("Hg1", "OK")
        expect("p20", "00000000")
        expect("s", "T0501:00000000;02:00000000;08:00000000;20:04000000;thread:1;")
        expect("Z0,c,4", "OK")
        expect("vCont;c:1", "T0501:00000000;02:00000000;08:00000000;20:0c000000;thread:1;swbreak:;")
        expect("z0,c,4", "OK")
        expect("Z2,10000,4", "OK")
        expect("vCont;c:1", "T0501:00000000;02:00000000;08:00000000;20:0c000000;thread:1;watch:")
        expect("m10000,4", "00000000")
        expect("vCont;s:1", "T05")
        expect("m10000,4", "01000000")
        expect("z2,10000,4", "OK")
        expect("D", "OK")
        assert client.session.ended
        assert not self.tile.sessions, "every client has left"


def _answers_owed(chunk: Chunk) -> int:
    """Return how many answers a client must get for this: one, or none for `k` and `R`."""
    if chunk.payload is None:
        return 0
    return 0 if chunk.payload == b"k" or chunk.payload[:1] == b"R" else 1


class _Allocated(ctypes.Structure):
    """The C library's `struct mallinfo2`."""

    _fields_ = [
        *[(name, ctypes.c_size_t) for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd")],
        *[(name, ctypes.c_size_t) for name in ("usmblks", "fsmblks", "uordblks", "fordblks")],
        ("keepcost", ctypes.c_size_t),
    ]


def _bytes_in_use() -> int:
    """Return how many bytes malloc has given out: large objects, which `kept_blocks` does not
    count. The size of the process says less: after clients that had MiB of answers waiting, its
    heap has holes, and it was 138 to 170 MB without a leak in 160,000 packets."""
    libc = ctypes.CDLL(None)
    libc.mallinfo2.restype = _Allocated
    found = libc.mallinfo2()
    return int(found.uordblks) + int(found.hblkhd)


def kept_blocks() -> int:
    """Return how many blocks of memory there are when what need not be kept is gone.

    A command of tensix-gdb that ran in this process has frozen all objects of its time: the garbage
    collector does not name them, and so their caches would stay full.
    """
    gc.unfreeze()
    for _ in range(2):
        for cached in [one for one in gc.get_objects() if isinstance(one, _Cache)]:
            if cached.cache_info().maxsize:
                cached.cache_clear()
        gc.collect()
    return sys.getallocatedblocks()


def fuzz(packets: int, seed: int, *, progress: bool = False) -> Report:
    """Attack until so many packets were sent."""
    global _watching
    fuzzer = Fuzzer(seed)
    report = fuzzer.report
    for number in range(len(KINDS)):
        fuzzer.stream(number)  # whatever is imported late is now
    sys.addaudithook(_audit)
    opened: list[str] = []
    start, in_use, kept = perf_counter(), 0, 0
    number = len(KINDS)
    while report.packets < packets:
        _watching = opened
        try:
            fuzzer.stream(number)
        finally:
            _watching = None
        number += 1
        if not kept and report.packets > WARM * packets:
            kept, in_use = kept_blocks(), _bytes_in_use()
        if progress and number % 1000 == 0:
            print(f"{report.packets} packets", file=sys.stderr)
    report.seconds = perf_counter() - start
    report.grown_blocks = kept_blocks() - kept
    report.grown_bytes = _bytes_in_use() - in_use
    report.opened = opened
    return report


def main() -> None:
    """The command."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--packets", type=int, default=200_000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--only", type=int, help="just this stream")
    chosen = arguments.parse_args()
    logging.disable(logging.CRITICAL)
    if chosen.only is not None:
        Fuzzer(chosen.seed).stream(chosen.only)
        return
    print("\n".join(fuzz(chosen.packets, chosen.seed, progress=True).lines()))


if __name__ == "__main__":
    main()
