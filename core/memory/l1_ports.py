# SPDX-License-Identifier: Apache-2.0
"""Ports and banks of L1, in the schedule `latency` (WormholeB0/TensixTile/L1.md).

    B, NC, T0, Scalar Unit, mover's reads       ──► a port ──┐
    T1, T2, mover's writes, writes of TDMA-RISC ──► a port ──┼──► 16 banks, 16 bytes each in turn
    unpackers, packer, NoC                      ──► ports ───┘

A write of less than 16 bytes and an atomic read, change and write: they keep the port and the bank
for several cycles, in which no other hart gets anything of that port, and no unit of that bank. All
stores of harts are such writes but those that the store queue has joined to 16 bytes. A read takes
its port and its bank for one cycle. Harts of a port take turns, and so does a unit with them.
Unpackers and packer have ports of their own, and wait for a bank that is kept.

The page is Wormhole's, and Blackhole's refers to it; that T1 and T2 share a port and T0 does not
can be seen from a card (mesham/tt-sim, rv_store_spread on three cores: 5.7, 10.9 and 10.9 cycles;
rv_load_indep on three: 1.9, 2.35 and 2.35).

A read waits if its hart has FEW or more loads under way: a stream of them. Another load takes its
cycle first, and two of these pass in one. So harts that poll do not delay each other, and their
rounds can be passed in one go (clock/polling.py); a card loses a cycle in some of them.

A NIU has ports of its own too. Its request moves all data in one cycle, in which no bank of the
data may be kept, and those that come after it wait with it; an atomic, a word, and the ends of what
does not begin or end at 16 bytes keep their bank.

Not modelled: what goes through ports of their own, and takes a bank for a cycle, delays no hart.

A request of another tile waits too, and what comes after it over the same NIU (core/noc/turns.py).
"""

from tensix_gdb.core.arch.blackhole import HARTS, NC, T0, B
from tensix_gdb.core.cost.row import Trust, cost
from tensix_gdb.core.memory import streams
from tensix_gdb.core.record.layout import Part, Tag, View, row
from tensix_gdb.core.riscv.pipeline.fields import IN_FLIGHT
from tensix_gdb.core.schedule import Schedule

_PAGE = "WormholeB0/TensixTile/L1.md"
BANKS = cost(
    "l1.banks", 16, "banks", "of L1; 16 bytes in turn", source=_PAGE, trust=Trust.UNKNOWN,
    note="the page has Wormhole's; that they are told by address bits, unhashed, is "
    "tt-metal#51902's, which has five bits (addr[4:0]): 32 banks, if they are of 16 bytes",
)  # fmt: skip
NARROW_WRITE = cost(
    "l1.narrow_write", 5, "cycles", "that a write of less than 16 bytes, or an atomic, keeps its "
    "port and its bank",
    source=_PAGE, trust=Trust.PAGE,
)  # fmt: skip

PORT_OF = tuple(0 if hart in (B, T0, NC) else 1 for hart in range(HARTS))
PORTS = 2
BANK_SHIFT = 4
OF_B_NC_T0, OF_T1_T2 = range(PORTS)
A_UNIT = HARTS  # in `last`
READS_OF_PORT = BANKS
FEW = cost(
    "l1.stream", 3, "loads", "under way, from which on a hart waits for reads of others",
    source=_PAGE, trust=Trust.UNKNOWN,
    note="a port takes one read in a cycle; with fewer under way a hart's reads go first, so that "
    "harts that poll do not delay each other",
)  # fmt: skip
_T = Tag.TIMING

# fmt: off
L1_PORT = Part("l1_port", (
    row("free",   "i64", PORTS, _T, "cycle from which the port takes a request"),
    row("last",   "u8",  PORTS, _T, "the hart, or A_UNIT, that it served last"),
    row("bank",   "i64", BANKS, _T, "cycle from which the bank is free"),
    row("until",  "i64", (),    _T, "cycle from which all banks are"),
    row("reads",  "u32", (),    _T, "bits of banks and ports that have read in this cycle, or 0"),
    row("served", "u8",  BANKS, _T, "1 + the port that the bank served last"),
))
# fmt: on


def may_wait(S: View, hart: int) -> int:
    """True if it has to be asked whether the hart's oldest request to L1, which is due, waits:
    nothing keeps a single read, or a hart that is alone, while no narrow write is under way."""
    if S.l1_port.until > S.tile.cycle or S.stream.kind[hart, streams.L1, 0] != streams.READ:
        return 1
    return 1 if S.tile.only_hart >= HARTS else 0


def keeps_waiting(S: View, hart: int) -> int:
    """True if the hart's oldest request to L1, which is due, has to wait for its port or its bank.
    A read that need not takes both for this cycle."""
    if S.schedule.kind != Schedule.LATENCY:
        return 0
    port = PORT_OF[hart]
    if S.l1_port.free[port] > S.tile.cycle:
        return 1
    addr = S.stream.addr[hart, streams.L1, 0]
    if S.l1_port.until > S.tile.cycle and is_kept(S, addr):
        return 1
    if S.stream.kind[hart, streams.L1, 0] == streams.READ:
        return 0 if S.tile.only_hart < HARTS else reads_later(S, hart, port, addr)
    bank = (addr >> BANK_SHIFT) & (BANKS - 1)
    if S.l1_port.reads & bits_of(port, bank):
        return 1
    if S.l1_port.last[port] == hart and another_waits(S, hart, port):
        return 1
    return 1 if S.l1_port.served[bank] == port + 1 and other_port_waits(S, port, bank) else 0


def bits_of(port: int, bank: int) -> int:
    """Return the bits that a read takes in `reads`."""
    return 1 << bank | 1 << (READS_OF_PORT + port)


def reads_later(S: View, hart: int, port: int, addr: int) -> int:
    """True if a read that is due has to wait for another one; if not, it has its port and bank."""
    bank = (addr >> BANK_SHIFT) & (BANKS - 1)
    if is_stream(S, hart):
        if (
            S.l1_port.reads & bits_of(port, bank)
            or goes_first(S, hart, port)
            or (S.l1_port.served[bank] == port + 1 and other_port_waits(S, port, bank))
        ):
            # What its hart has emitted comes later too, and keeps its places for longer.
            for place in range(IN_FLIGHT):
                if S.pipeline.l1_free[hart, place] > S.tile.cycle:
                    S.pipeline.l1_free[hart, place] += 1
            return 1
        S.l1_port.last[port] = hart
        S.l1_port.served[bank] = port + 1
    S.l1_port.reads |= bits_of(port, bank)
    return 0


def is_stream(S: View, hart: int) -> int:
    """True if the hart has so many loads under way that they wait for other harts' reads."""
    return 1 if S.pipeline.loads[hart] >= FEW else 0


def goes_first(S: View, hart: int, port: int) -> int:
    """True if another hart of the port has a read that is due and goes before this one's, which is
    of a stream: it is of none, or it is its turn."""
    for other in range(HARTS):
        if other != hart and PORT_OF[other] == port and is_due(S, other):
            is_read = S.stream.kind[other, streams.L1, 0] == streams.READ
            if is_read and (not is_stream(S, other) or S.l1_port.last[port] == hart):
                return 1
    return 0


def is_due(S: View, hart: int) -> int:
    """True if the hart has a request to L1 that is due, and that no debugger holds."""
    if S.stream.count[hart, streams.L1] == 0:
        return 0
    if S.hold.on and S.hold.party == hart and S.hold.stream == streams.L1:
        return 0
    return 1 if S.stream.due[hart, streams.L1, 0] <= S.tile.cycle else 0


def another_waits(S: View, hart: int, port: int) -> int:
    """True if another hart of the port has a request that is due: it is its turn."""
    for other in range(HARTS):
        if other != hart and PORT_OF[other] == port and is_due(S, other):
            return 1
    return 0


def other_port_waits(S: View, port: int, bank: int) -> int:
    """True if a hart of the other port, which is free, has a request for the bank that is due."""
    if S.l1_port.free[1 - port] > S.tile.cycle:
        return 0
    for other in range(HARTS):
        if PORT_OF[other] != port and is_due(S, other):
            addr = S.stream.addr[other, streams.L1, 0]
            if (addr >> BANK_SHIFT) & (BANKS - 1) == bank:
                return 1
    return 0


def is_kept(S: View, addr: int) -> int:
    """True if a write keeps the bank of this address."""
    return 1 if S.l1_port.bank[(addr >> BANK_SHIFT) & (BANKS - 1)] > S.tile.cycle else 0


def any_kept(S: View, addr: int, size: int) -> int:
    """True if a write keeps a bank of these bytes."""
    return 1 if kept_until(S, addr, size) > S.tile.cycle else 0


def kept_until(S: View, addr: int, size: int) -> int:
    """Return the cycle from which no bank of these bytes is kept; 0 if none is now."""
    if S.l1_port.until <= S.tile.cycle:
        return 0
    until = 0
    first = addr >> BANK_SHIFT
    for i in range(min(((addr + size - 1) >> BANK_SHIFT) - first + 1, BANKS)):
        until = max(until, S.l1_port.bank[(first + i) & (BANKS - 1)])
    return until


def take_request(S: View, hart: int) -> int:
    """The port passes the hart's oldest request, which is no read: a narrow write keeps port and
    bank."""
    if S.schedule.kind != Schedule.LATENCY or S.stream.mask[hart, streams.L1, 0] == 0xFFFF:
        return 0
    S.l1_port.last[PORT_OF[hart]] = hart
    return keep_port(S, PORT_OF[hart], S.stream.addr[hart, streams.L1, 0])


def keep_port(S: View, port: int, addr: int) -> int:
    """A narrow write or an atomic goes through the port, in `latency`."""
    S.l1_port.free[port] = S.tile.cycle + NARROW_WRITE
    return keep_bank(S, addr, port + 1)


def keep_bank(S: View, addr: int, served: int) -> int:
    """A narrow write or an atomic is at a bank: 1 + a port of harts, or 0 for a port of a NIU."""
    until = S.tile.cycle + NARROW_WRITE
    bank = (addr >> BANK_SHIFT) & (BANKS - 1)
    S.l1_port.bank[bank] = until
    S.l1_port.served[bank] = served
    S.l1_port.until = max(S.l1_port.until, until)
    return 1


def unit_waits(S: View, port: int, addr: int) -> int:
    """True if a unit that shares the port with harts has to wait for it, or for the bank."""
    if S.schedule.kind != Schedule.LATENCY:
        return 0
    if S.l1_port.until > S.tile.cycle and (S.l1_port.free[port] > S.tile.cycle or is_kept(S, addr)):
        return 1
    if S.l1_port.last[port] != A_UNIT:
        return 0
    for hart in range(HARTS):
        if PORT_OF[hart] == port and is_due(S, hart):
            return 1
    return 0


def unit_writes(S: View, port: int, addr: int, size: int) -> int:
    """A unit that need not wait writes so many bytes, or changes them; fewer than 16 keep the port
    and the bank."""
    if S.schedule.kind != Schedule.LATENCY:
        return 0
    S.l1_port.last[port] = A_UNIT
    return keep_port(S, port, addr) if size < 1 << BANK_SHIFT else 0


def niu_waits(S: View, addr: int, size: int) -> int:
    """True if a narrow write keeps a bank of the bytes that a NIU is about to read or write."""
    return any_kept(S, addr, size) if S.schedule.kind == Schedule.LATENCY else 0


def niu_writes(S: View, addr: int, size: int) -> int:
    """A NIU writes so many bytes: less than 16 of a line keep its bank."""
    if S.schedule.kind != Schedule.LATENCY or size == 0:
        return 0
    line = (1 << BANK_SHIFT) - 1
    if addr & line or size <= line:
        keep_bank(S, addr, 0)
    if (addr + size) & line and size > line:
        keep_bank(S, addr + size - 1, 0)
    return 0
