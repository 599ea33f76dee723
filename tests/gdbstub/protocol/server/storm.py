# SPDX-License-Identifier: Apache-2.0
"""A storm of clients around a running tile, which must not notice.

One client has the tile running. Around it others connect to the same port over TCP: they read, set
breakpoints that nobody comes to, vanish in the middle of a packet, never end one, never read what
they asked for, send garbage, reset their connection, come too many at once. Then the first client
stops the tile, and the record's hash has to be that of a tile that ran as many cycles alone.

`python -m tests.gdbstub.protocol.server.storm --connections 10000` prints what it has seen.
"""

from __future__ import annotations

import argparse
import logging
import struct
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import trio

from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.protocol.rsp.framing import PACKET_SIZE
from tensix_gdb.gdbstub.protocol.server import connection
from tensix_gdb.gdbstub.protocol.server.server import MAX_CLIENTS, Server
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tests.gdbstub import wire
from tests.gdbstub.tiles import loaded
from tests.machines import machine_on
from tests.patience import HANG

AT_ONCE = MAX_CLIENTS + 4  # more than are let in
PATIENCE = 0.5  # seconds that the server gives a client here; so short that many run out
REASONS = 3  # for which the server drops a client
NOBODY_COMES_HERE = 0x40000
READS = (
    *(b"g", b"p20", b"m10000,40", b"xffb00000,100", b"?", b"qC", b"qfThreadInfo", b"Hg2"),
    *(b"qThreadExtraInfo,1", b"qXfer:features:read:target.xml:0,fff", b"qCRC:0,1000"),
    *(
        b"qXfer:threads:read::0,fff",
        b"M10000,4:00000000",
        b"vFile:open:2f,0,0",
        b"nonsense",
        b"qXfer:tensix-core:read::0,3fff",
    ),
    *(b"qRcmd,737461747573", b"qSearch:memory:0;100000;xyz"),
)


@dataclass
class Weather:
    """The events that were seen."""

    seconds: float = 0
    cycles: int = 0
    connections: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    answers: int = 0
    slowest: float = 0
    grown_bytes: int = 0
    equal: bool = False

    def lines(self) -> list[str]:
        """The figures, for people."""
        kinds = ", ".join(f"{n} {name}" for name, n in sorted(self.connections.items()))
        drops = ", ".join(f"{n} {why}" for why, n in sorted(self.dropped.items()))
        return [
            f"{self.connections.total()} connections in {self.seconds:.0f} s ({kinds})",
            f"dropped with a line in the log: {drops}",
            f"{self.answers} answers to well-behaved clients, the slowest in "
            f"{1e3 * self.slowest:.0f} ms; memory grown by {self.grown_bytes / 1e6:.1f} MB",
            f"the tile ran {self.cycles} cycles; its record's hash is "
            f"{'that of' if self.equal else 'NOT that of'} an undisturbed run",
        ]


class _Lines(logging.Handler):
    """Counts the log's lines by what follows the client's name."""

    def __init__(self, counts: Counter[str]) -> None:
        super().__init__(logging.WARNING)
        self._counts = counts

    def emit(self, record: logging.LogRecord) -> None:
        self._counts[record.getMessage().partition(": ")[2]] += 1


class Storm:
    """The clients. Each kind is a method that has a fresh connection for itself."""

    def __init__(self, port: int, weather: Weather, seed: int) -> None:
        self._port = port
        self._weather = weather
        self._random = Random(seed)
        self.kinds: tuple[Callable[[trio.SocketStream], Awaitable[None]], ...] = (
            *(self.reads, self.vanishes, self.stalls, self.is_silent, self.never_reads),
            *(self.garbage, self.resets, self.leaves),
        )

    async def blow(self, connections: int) -> None:
        """All of it, until there were so many connections, and the server has dropped some for each
        of its reasons."""
        until = self._weather.connections.total() + connections
        async with trio.open_nursery() as nursery:
            for _ in range(AT_ONCE):
                nursery.start_soon(self._again_and_again, until, nursery.cancel_scope)

    async def _again_and_again(self, until: int, scope: trio.CancelScope) -> None:
        weather = self._weather
        while weather.connections.total() < until or len(weather.dropped) < REASONS:
            kind = self._random.choice(self.kinds)
            try:
                stream = await trio.open_tcp_stream("127.0.0.1", self._port)
            except OSError:
                await trio.sleep(0.01)
                continue
            self._weather.connections[kind.__name__.replace("_", " ")] += 1
            try:
                await kind(stream)
            except (trio.BrokenResourceError, trio.ClosedResourceError, ConnectionError):
                pass  # refused, or dropped as it should be
            finally:
                await trio.aclose_forcefully(stream)
        scope.cancel()  # those that wait for nothing, too

    async def _ask(self, stream: trio.SocketStream, payload: bytes) -> bytes:
        """One packet and its answer; empty when the connection has ended."""
        start = perf_counter()
        await stream.send_all(wire.frame(payload))
        data = b""
        while True:
            came = bytes(await stream.receive_some(1 << 16))
            if not came:
                return b""
            data += came
            if data[-3:-2] == b"#":
                packets = [one for one in wire.answers(data) if one not in (wire.ACK, wire.NAK)]
                if packets and not (packets[-1][:1] == b"O" and packets[-1] != b"OK"):
                    break
        self._weather.answers += 1
        self._weather.slowest = max(self._weather.slowest, perf_counter() - start)
        return packets[-1]

    async def reads(self, stream: trio.SocketStream) -> None:
        """Looks at this and that, and sets breakpoints and watchpoints where nothing happens."""
        if not await self._ask(stream, b"QStartNoAckMode"):
            return
        at = NOBODY_COMES_HERE + 4 * self._random.randrange(64)
        for payload in (b"Z0,%x,4" % at, b"Z2,%x,4" % at):
            assert await self._ask(stream, payload) in (b"OK", b"")
        for _ in range(self._random.randrange(60)):
            await self._ask(stream, self._random.choice(READS))

    async def leaves(self, stream: trio.SocketStream) -> None:
        """Says goodbye, as editors do after a look."""
        await self._ask(stream, b"?")
        await stream.send_all(wire.frame(self._random.choice((b"D", b"k"))))
        await stream.receive_some(100)

    async def vanishes(self, stream: trio.SocketStream) -> None:
        """Is gone in the middle of a packet."""
        await self._ask(stream, b"m10000,4")
        await stream.send_all(wire.frame(self._random.choice(READS))[:-2])

    async def stalls(self, stream: trio.SocketStream) -> None:
        """Begins a packet and does not end it."""
        await stream.send_all(b"$X10000,1000:abc")
        await stream.receive_some(100)

    async def is_silent(self, stream: trio.SocketStream) -> None:
        """Connects and says nothing."""
        await stream.receive_some(100)

    async def never_reads(self, stream: trio.SocketStream) -> None:
        """Asks for more than it takes."""
        asked = wire.frame(b"x0,%x" % (PACKET_SIZE // 2 - 1)) * 64
        while True:
            await stream.send_all(asked)

    async def garbage(self, stream: trio.SocketStream) -> None:
        """Sends what is no packet."""
        for _ in range(20):
            noise = self._random.randbytes(self._random.randrange(5000))
            await stream.send_all(noise.replace(b"#", b"") + b"$m0,4#00" + b"+" * 50 + b"-" * 50)

    async def resets(self, stream: trio.SocketStream) -> None:
        """Breaks its connection with what it was sent still under way."""
        await stream.send_all(wire.frame(b"m0,4000") * 5)
        linger = struct.pack("ii", 1, 0)
        stream.setsockopt(trio.socket.SOL_SOCKET, trio.socket.SO_LINGER, linger)


def run(connections: int, seed: int = 1, engine: str = "compiled") -> Weather:
    """Let it blow; what was seen."""
    weather = Weather()
    machine = loaded(machine_on(engine))
    lines = _Lines(weather.dropped)
    logger = logging.getLogger("tensix_gdb")
    before = connection.SEND_SECONDS, connection.PACKET_SECONDS
    connection.SEND_SECONDS = connection.PACKET_SECONDS = PATIENCE
    logger.addHandler(lines)
    try:
        trio.run(_around, machine, weather, connections, seed)
    finally:
        logger.removeHandler(lines)
        connection.SEND_SECONDS, connection.PACKET_SECONDS = before
    weather.cycles = int(machine.S.tile.cycle)
    weather.equal = machine.hash() == _undisturbed(weather.cycles, engine)
    machine.close()
    return weather


async def _around(machine: Machine, weather: Weather, connections: int, seed: int) -> None:
    server = Server(SharedTile(tensix_target(machine)))
    async with trio.open_nursery() as nursery:
        ((_, port),) = await nursery.start(server.serve, "127.0.0.1", [0])
        driver = await trio.open_tcp_stream("127.0.0.1", port)
        await driver.send_all(wire.frame(b"QStartNoAckMode") + wire.frame(b"vCont;c"))
        storm = Storm(port, weather, seed)
        await storm.blow(connections // 4)
        resident, start = _resident(), perf_counter()
        await storm.blow(connections)
        weather.seconds = perf_counter() - start
        weather.grown_bytes = _resident() - resident
        # It had the tile running all the time, and gets its stop now.
        await driver.send_all(b"\x03")
        came = b""
        with trio.fail_after(HANG):
            while b"T02" not in came:
                came += bytes(await driver.receive_some(1 << 16))
        await trio.aclose_forcefully(driver)
        nursery.cancel_scope.cancel()


def _undisturbed(cycles: int, engine: str) -> str:
    """The hash of a tile that nobody looked at."""
    alone = loaded(machine_on(engine))
    try:
        while alone.S.tile.cycle < cycles:
            alone.run(cycles - alone.S.tile.cycle)
        return alone.hash()
    finally:
        alone.close()


def _resident() -> int:
    """Bytes of this process in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def main() -> int:
    """The command."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--connections", type=int, default=10_000)
    arguments.add_argument("--seed", type=int, default=1)
    chosen: Any = arguments.parse_args()
    logging.getLogger("tensix_gdb").propagate = False
    weather = run(chosen.connections, chosen.seed)
    print("\n".join(weather.lines()))
    return 0 if weather.equal else 1


if __name__ == "__main__":
    sys.exit(main())
