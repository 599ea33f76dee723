# SPDX-License-Identifier: Apache-2.0
"""The lines of the tile: sequences of events that the hardware performs in order.

A component of a clock counts the events of one line. What a hart stores to a region is one line,
what it loads from there another: a load may be emitted before an older store that is still queued.
A Tensix thread has a line for what begins at its wait gate, and one for each unit in which its
instructions end. An NIU has lines for what becomes of its requests, and the host has one.
"""

import enum

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS, NC, T0, THREADS, B
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.memory import streams
from tensix_gdb.core.noc.state import NIUS


class Region(enum.IntEnum):
    """Regions with data. PUSH and SEMAPHORE are counted, too: waits are about them."""

    L1 = 0
    CONFIG = 1
    GPR = 2
    TDMA = 3
    MOP_CONFIG = 4
    DST = 5
    LOCAL = 6
    SLOW_LOCAL = 7
    SEMAPHORE = 8
    PUSH = 9


REGIONS = len(Region)
NO_REGION = REGIONS  # requests there are neither data nor counted


def _region(stream: int) -> int:
    if streams.SLOW_LOCAL <= stream < streams.TDMA:
        return Region.SLOW_LOCAL
    if streams.PUSH <= stream < streams.PCBUF:
        return Region.PUSH
    return {
        streams.L1: Region.L1,
        streams.CONFIG: Region.CONFIG,
        streams.GPR: Region.GPR,
        streams.TDMA: Region.TDMA,
        streams.MOP_CONFIG: Region.MOP_CONFIG,
        streams.DST: Region.DST,
        streams.LOCAL: Region.LOCAL,
        streams.SEMAPHORE: Region.SEMAPHORE,
    }.get(stream, NO_REGION)


REGION_OF = tuple(int(_region(stream)) for stream in range(streams.STREAMS))


class Line(enum.IntEnum):
    """Lines of a Tensix thread."""

    GATE = 0  # an instruction begins
    PIPE = 1  # it has left the configuration pipe
    LATE_GPR = 2  # RDCFG has written its GPR
    SCALAR = 3  # the Scalar Unit has ended it
    MEMORY = 4  # its memory request is over
    EXPANDER = 5  # its MOP is expanded
    UNPACKER_0 = 6
    UNPACKER_1 = 7
    PACKER = 8
    MATRIX = 9
    VECTOR = 10


THREAD_LINES = len(Line)
MEANING = {
    Line.GATE: "instructions that have begun",
    Line.PIPE: "instructions that have left the configuration pipe",
    Line.LATE_GPR: "RDCFG that have written their GPR, and STREAMWRCFG",
    Line.SCALAR: "instructions that the Scalar Unit has ended",
    Line.MEMORY: "its memory requests that are over",
    Line.EXPANDER: "pushes whose MOPs are expanded",
    Line.UNPACKER_0: "UNPACR of unpacker 0 that are over",
    Line.UNPACKER_1: "UNPACR of unpacker 1 that are over",
    Line.PACKER: "PACR that are over",
    Line.MATRIX: "instructions of the Matrix Unit that are over",
    Line.VECTOR: "instructions of the Vector Unit that are over",
}
_B = (Region.L1, Region.CONFIG, Region.GPR, Region.TDMA, Region.LOCAL, Region.SLOW_LOCAL)
_T = (*_B, Region.MOP_CONFIG, Region.DST, Region.SEMAPHORE)
_NC = (Region.L1, Region.TDMA, Region.LOCAL, Region.SLOW_LOCAL)
_OF_HART = {hart: _T for hart in range(HARTS)} | {B: _B, NC: _NC}
STORE, LOAD = 0, 1
SPARE = 0  # a line of no data; requests to other regions count on it
_ROWS = [(hart, region, way) for hart in _OF_HART for region in _OF_HART[hart] for way in (0, 1)]
_NUMBERS = {row: number for number, row in enumerate(_ROWS, 1)}
# [hart, region, STORE or LOAD]
LINE_OF = tuple(
    _NUMBERS.get((hart, region, way), SPARE)
    for hart in range(HARTS)
    for region in (*Region, NO_REGION)
    for way in (STORE, LOAD)
)
HART_OF = (0, *(hart for hart, _, _ in _ROWS))  # by line, below FIRST_OF_THREADS
FIRST_OF_THREADS = 1 + len(_ROWS)
TDMA_RISC, THE_HOST, OTHER_TILE = "TDMA-RISC", "host", "another tile"  # agents
PACKET = "a packet"  # of a cable, of this tile or another one
MOVER = FIRST_OF_THREADS + THREADS * THREAD_LINES
COMMANDS = MOVER + 1  # of TDMA-RISC


class Noc(enum.IntEnum):
    """Lines of an NIU. Requests that nothing orders are on different lines as far as there are
    enough."""

    LANDED = 0  # the data of a read is in L1; four, by transaction id
    ACKED = 4  # a write was acknowledged; the second one is of words
    ANSWERED = 6  # an atomic was answered
    SENT = 7  # the data of a write was read
    POSTED = 8  # a posted write is at its target; the second one is of words, and atomics


NOC_LINES = 10
READ_LINES, WRITE_LINES = 4, 2
WORDS = 1  # what signals are made of has a line of its own, ACKED + WORDS or POSTED + WORDS
MEANING_OF_NOC = {
    Noc.LANDED: "reads that are over, four lines by transaction id",
    Noc.ACKED: "writes that were acknowledged; words, that were",
    Noc.ANSWERED: "atomics that were answered",
    Noc.SENT: "writes of which the data was read",
    Noc.POSTED: "posted writes that are at their target; words and atomics, that are",
}
FIRST_OF_NOC = COMMANDS + 1
HOST = FIRST_OF_NOC + NIUS * NOC_LINES
SENDS = HOST + 1  # of each T core: words that it had pushed when it made a request (heard.py)
FOREIGN = SENDS + THREADS  # lines of other tiles' NIUs and harts, as they are met
FOREIGN_LINES = 18
LINES = FOREIGN + FOREIGN_LINES
CLOCKS = -(-LINES // 8) * 8
assert LINES <= 256, "a slot of the shadow has eight bits for a line"


def of_hart(hart: int, region: int, way: int) -> int:
    """Return the line of what a hart stores to, or loads from, a region."""
    return LINE_OF[(hart * (REGIONS + 1) + region) * 2 + way]


def of_thread(thread: int, line: int) -> int:
    """Return a line of a Tensix thread."""
    return FIRST_OF_THREADS + thread * THREAD_LINES + line


def of_niu(niu: int, line: int) -> int:
    """Return a line of an NIU."""
    return FIRST_OF_NOC + niu * NOC_LINES + line


@dataclass(frozen=True, slots=True)
class Foreign:
    """An agent that is met during a run, and has one of the FOREIGN lines then."""

    name: str
    is_packet: bool = False

    @property
    def instruction(self) -> str:
        """The instruction that has it act."""
        return f"a store to {'ETH_TXQ_CMD' if self.is_packet else 'NOC_CMD_CTRL'}"


_UNIT_NAMES = {
    Line.GATE: "",
    Line.PIPE: " configuration",
    Line.LATE_GPR: " configuration",
    Line.SCALAR: " scalar",
    Line.MEMORY: " scalar",
    Line.EXPANDER: " MOP expander",
    Line.UNPACKER_0: " unpack 0",
    Line.UNPACKER_1: " unpack 1",
    Line.PACKER: " pack",
    Line.MATRIX: " math",
    Line.VECTOR: " vector",
}


@dataclass(frozen=True, slots=True)
class Named:
    """A line as reports need it: a hart and a region, or a thread and its Line."""

    agent: str
    hart: int | None = None
    region: Region | None = None
    way: int | None = None
    thread: int | None = None
    line: Line | None = None
    niu: int | None = None
    noc: Noc | None = None


def name(number: int) -> Named:
    """Return the name of a line."""
    if number == SPARE:
        return Named("nothing")
    if number < FIRST_OF_THREADS:
        hart, region, way = _ROWS[number - 1]
        return Named(HART_NAMES[hart], hart, region, way)
    if number == MOVER:
        return Named("mover")
    if number == COMMANDS:
        return Named(TDMA_RISC)
    if number == HOST:
        return Named(THE_HOST)
    if SENDS <= number < FOREIGN:
        return Named(HART_NAMES[T0 + number - SENDS])
    if number >= FOREIGN:
        return Named(OTHER_TILE)
    if number >= FIRST_OF_NOC:
        niu, line = divmod(number - FIRST_OF_NOC, NOC_LINES)
        return Named(f"NoC {niu}", niu=niu, noc=max(each for each in Noc if each <= line))
    thread, line = divmod(number - FIRST_OF_THREADS, THREAD_LINES)
    return Named(f"thread {thread}{_UNIT_NAMES[Line(line)]}", thread=thread, line=Line(line))


assert T0 == B + 1
