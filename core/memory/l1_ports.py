# SPDX-License-Identifier: Apache-2.0
"""Ports and banks of L1, in the schedule `latency` (WormholeB0/TensixTile/L1.md).

    B, NC, T0 ──► a port ──┐
    T1, T2    ──► a port ──┼──► 16 banks of 16 bytes each in turn
    unpackers, packer, ... ┘

A write of less than 16 bytes and an atomic read, change and write: they keep the port and the bank
for several cycles, in which no other hart gets anything of that port, and no unit of that bank. All
stores of harts are such writes but those that the store queue has joined to 16 bytes. Harts of a
port take turns. Unpackers and packer have ports of their own, and wait for a bank that is kept.

The page is Wormhole's, and Blackhole's refers to it; that T1 and T2 share a port and T0 does not
can be seen from a card (mesham/tt-sim, rv_store_spread on three cores: 5.7, 10.9 and 10.9 cycles).

Not modelled: two reads that meet at a port or a bank. Cores that read L1 at their full rate, T1 and
T2 together, need 2.35 cycles for each on a card and 1.79 here. Polling cores would have to be
simulated cycle by cycle for it (clock/polling.py). NoC requests and the mover take no part.
"""

from tensix_gdb.core.arch.blackhole import HARTS, NC, T0, B
from tensix_gdb.core.cost.row import Trust, cost
from tensix_gdb.core.memory import streams
from tensix_gdb.core.record.layout import Part, Tag, View, row
from tensix_gdb.core.schedule import Schedule

_PAGE = "WormholeB0/TensixTile/L1.md"
_BENCH = "mesham/tt-sim, rv_store_spread"
BANKS = cost(
    "l1.banks", 16, "banks", "of L1; 16 bytes in turn", source=_PAGE, trust=Trust.UNKNOWN,
    note="the page has Wormhole's; how addresses are spread over them is not told",
)  # fmt: skip
NARROW_WRITE = cost(
    "l1.narrow_write", 5, "cycles", "that a write of less than 16 bytes, or an atomic, keeps its "
    "port and its bank",
    source=_PAGE, trust=Trust.PAGE,
)  # fmt: skip
LONGER_WRITES = cost(
    "l1.longer_writes", 4, "writes", "of a port, of which one keeps it for a cycle more",
    source=_BENCH, trust=Trust.FITTED,
    note="fitted to one core's 5.29 cycles for each of a stream of stores, of which the page "
    "explains 5; two and three cores (5.50, 5.44 for each) were kept out; the mechanism is unknown",
)  # fmt: skip

PORT_OF = tuple(0 if hart in (B, T0, NC) else 1 for hart in range(HARTS))
PORTS = 2
BANK_SHIFT = 4
_T = Tag.TIMING

# fmt: off
L1_PORT = Part("l1_port", (
    row("free",   "i64", PORTS, _T, "cycle from which the port takes a request"),
    row("last",   "u8",  PORTS, _T, "the hart that kept it last"),
    row("writes", "u8",  PORTS, _T, "narrow writes, modulo LONGER_WRITES"),
    row("bank",   "i64", BANKS, _T, "cycle from which the bank is free"),
    row("until",  "i64", (),    _T, "cycle from which all banks are"),
))
# fmt: on


def may_wait(S: View, hart: int) -> int:
    """True if it has to be asked whether the hart's oldest request to L1 waits: nothing keeps a
    read while no narrow write is under way."""
    if S.l1_port.until > S.tile.cycle:
        return 1
    return 1 if S.stream.kind[hart, streams.L1, 0] != streams.READ else 0


def keeps_waiting(S: View, hart: int) -> int:
    """True if the hart's oldest request to L1 has to wait for its port or its bank."""
    if S.schedule.kind != Schedule.LATENCY:
        return 0
    port = PORT_OF[hart]
    if S.l1_port.free[port] > S.tile.cycle:
        return 1
    if S.l1_port.until > S.tile.cycle and is_kept(S, S.stream.addr[hart, streams.L1, 0]):
        return 1
    if S.l1_port.last[port] != hart or S.stream.kind[hart, streams.L1, 0] == streams.READ:
        return 0
    return another_waits(S, hart, port)


def another_waits(S: View, hart: int, port: int) -> int:
    """True if another hart of the port has a write or an atomic that is due: it is its turn."""
    for other in range(HARTS):
        if other != hart and PORT_OF[other] == port and S.stream.count[other, streams.L1]:
            is_due = S.stream.due[other, streams.L1, 0] <= S.tile.cycle
            if is_due and S.stream.kind[other, streams.L1, 0] != streams.READ:
                return 1
    return 0


def is_kept(S: View, addr: int) -> int:
    """True if a write keeps the bank of this address."""
    return 1 if S.l1_port.bank[(addr >> BANK_SHIFT) & (BANKS - 1)] > S.tile.cycle else 0


def any_kept(S: View, addr: int, size: int) -> int:
    """True if a write keeps a bank of these bytes."""
    if S.l1_port.until <= S.tile.cycle:
        return 0
    first = addr >> BANK_SHIFT
    for i in range(min(((addr + size - 1) >> BANK_SHIFT) - first + 1, BANKS)):
        if S.l1_port.bank[(first + i) & (BANKS - 1)] > S.tile.cycle:
            return 1
    return 0


def take(S: View, hart: int) -> int:
    """The port passes the hart's oldest request, which is no read: a narrow write keeps port and
    bank."""
    if S.schedule.kind != Schedule.LATENCY or S.stream.mask[hart, streams.L1, 0] == 0xFFFF:
        return 0
    port = PORT_OF[hart]
    count = S.l1_port.writes[port] + 1
    cycles = NARROW_WRITE
    if count == LONGER_WRITES:
        count = 0
        cycles += 1
    until = S.tile.cycle + cycles
    S.l1_port.writes[port] = count
    S.l1_port.last[port] = hart
    S.l1_port.free[port] = until
    S.l1_port.bank[(S.stream.addr[hart, streams.L1, 0] >> BANK_SHIFT) & (BANKS - 1)] = until
    S.l1_port.until = max(S.l1_port.until, until)
    return 1
