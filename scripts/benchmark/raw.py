# SPDX-License-Identifier: Apache-2.0
"""The cost of debugging on the wire: one client in Python, a packet and its answer at a time."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

from scripts.benchmark.remote import Remote, frame
from scripts.benchmark.servers import Place, Server
from tensix_gdb.gdbstub.protocol.rsp.framing import escape

SECONDS = 0.15  # that a rate is measured
ATTACHES = INTERRUPTS = 15
MAX_TRIES = 1000
RUN_SECONDS = 0.004  # before an interrupt
HEAD = 40  # bytes of a packet that are not data


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure: how it is called, its unit, how it is got; whether QEMU has such a packet."""

    name: str
    unit: str
    of: Callable[[Server], float]
    in_qemu: bool = True
    less_is_better: bool = False


def _rate(remote: Remote, *payloads: bytes) -> float:
    """Return how often per second these packets are answered one after the other."""
    frames = [frame(payload) for payload in payloads]
    ask, count = remote.ask, 0
    start = time.perf_counter()
    end = start + SECONDS
    while time.perf_counter() < end:
        for one in frames:
            ask(one)
        count += 1
    return count / (time.perf_counter() - start)


def _with(work: Callable[[Remote, Place], float]) -> Callable[[Server], float]:
    """A measure that needs an attached client, which leaves the target stopped."""

    def measured(server: Server) -> float:
        remote = server.attach()
        try:
            return work(remote, server.place)
        finally:
            remote.leave()

    return measured


def _attach(server: Server) -> float:
    """Milliseconds from connecting to what a prompt needs: the median of some."""
    taken = []
    for _ in range(ATTACHES):
        start = time.perf_counter()
        remote = server.attach()
        taken.append(time.perf_counter() - start)
        remote.leave()
    return 1e3 * statistics.median(taken)


def _megabytes(payload: Callable[[int, int], bytes]) -> Callable[[Server], float]:
    """Megabytes per second in packets as large as the server says it takes: clients do so."""

    def measured(remote: Remote, place: Place) -> float:
        size = (remote.packet_size - HEAD) // 2
        return size * _rate(remote, payload(place.buffer, size)) / 1e6

    return _with(measured)


def _data(size: int) -> bytes:
    return bytes(7 * i % 251 for i in range(size))


def _write_binary(addr: int, size: int) -> bytes:
    return b"X%x,%x:%b" % (addr, size, escape(_data(size)))


def _write_hex(addr: int, size: int) -> bytes:
    return b"M%x,%x:%b" % (addr, size, _data(size).hex().encode("ascii"))


def _asked(payload: Callable[[Place], bytes]) -> Callable[[Server], float]:
    return _with(lambda remote, place: _rate(remote, payload(place)))


def _breakpoint(remote: Remote, place: Place) -> float:
    """Continue from a breakpoint as GDB does: step off it, insert it again, continue to the next
    hit."""
    insert, remove = b"Z0,%x,4" % place.beat, b"z0,%x,4" % place.beat
    remote.ask(frame(insert))
    remote.ask(frame(b"vCont;c"))
    rate = _rate(remote, remove, b"vCont;s:1", insert, b"vCont;c")
    remote.ask(frame(remove))
    return rate


def _watch(remote: Remote, place: Place) -> float:
    """Continue from a watchpoint as GDB does: take it away, step over the store, insert it again,
    and continue to the next hit. QEMU, told only to continue, stops at the same store again and
    again.
    """
    insert, remove = b"Z2,%x,4" % place.beats, b"z2,%x,4" % place.beats
    look = frame(b"m%x,4" % place.beats)
    remote.ask(frame(insert))
    remote.ask(frame(b"vCont;c"))
    before, start = remote.ask(look), time.perf_counter()
    rate = _rate(remote, remove, b"vCont;s:1", insert, b"vCont;c")
    hits = round(rate * (time.perf_counter() - start))
    remote.ask(frame(remove))
    beats = _word(remote.ask(look)) - _word(before)
    if not 0.9 * hits < beats < 1.1 * hits:
        raise ConnectionError(f"{hits} hits of a watchpoint, and {beats} stores")
    return rate


def _word(answer: bytes) -> int:
    return int.from_bytes(bytes.fromhex(answer.decode("ascii")), "little")


def _interrupt(remote: Remote, place: Place) -> float:
    """Milliseconds from a Ctrl-C to the stop reply: the median of some. On a busy machine a program
    may not have begun to run by then; there is nothing to stop, and it does not count."""
    taken: list[float] = []
    look = frame(b"m%x,4" % place.beats)
    for _ in range(MAX_TRIES):
        before = remote.ask(look)
        remote.send(frame(b"vCont;c"))
        time.sleep(RUN_SECONDS)
        start = time.perf_counter()
        remote.send(b"\x03")
        told = remote.wait()
        seconds = time.perf_counter() - start
        if not told.startswith(b"T02"):
            raise ConnectionError(f"a Ctrl-C is answered with {told!r}")
        if remote.ask(look) != before:
            taken.append(seconds)
        if len(taken) == INTERRUPTS:
            return 1e3 * statistics.median(taken)
    raise ConnectionError(f"in {MAX_TRIES} runs the program has not run {INTERRUPTS} times")


INTERRUPT = Measure("Ctrl-C", "ms", _with(_interrupt), less_is_better=True)
MEASURES = (
    Measure("attach", "ms", _attach, less_is_better=True),
    Measure("g", "per s", _asked(lambda place: b"g")),
    Measure("p", "per s", _asked(lambda place: b"p20")),
    Measure("m, 4 bytes", "per s", _asked(lambda place: b"m%x,4" % place.buffer)),
    Measure("M, largest packets", "MB/s", _megabytes(_write_hex)),
    Measure("m, largest packets", "MB/s", _megabytes(lambda addr, size: b"m%x,%x" % (addr, size))),
    Measure("X, largest packets", "MB/s", _megabytes(_write_binary), in_qemu=False),
    Measure(
        *("x, largest packets", "MB/s"),
        _megabytes(lambda addr, size: b"x%x,%x" % (addr, size)),
        in_qemu=False,
    ),
    Measure("stepi", "per s", _asked(lambda place: b"vCont;s:1")),
    Measure("breakpoint round trip", "per s", _with(_breakpoint)),
    Measure("watch hit", "per s", _with(_watch)),
    INTERRUPT,
)
