# SPDX-License-Identifier: Apache-2.0
"""The lines of the tile: sequences of events that the hardware performs in order.

A component of a clock counts the events of one line. What a hart stores to a region is one line,
what it loads from there another: a load may be emitted before an older store that is still queued.
A Tensix thread has a line for what begins at its wait gate, and one for each unit in which its
instructions end.
"""

import enum
from dataclasses import dataclass

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS, NC, T0, THREADS, B
from tensix_gdb.core.memory import streams


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
_NC = (Region.L1, Region.LOCAL, Region.SLOW_LOCAL)
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
FIRST_OF_THREADS = 1 + len(_ROWS)
MOVER = FIRST_OF_THREADS + THREADS * THREAD_LINES
LINES = MOVER + 1
CLOCKS = -(-LINES // 8) * 8
assert LINES <= 128, "a slot of the shadow has seven bits for a line"


def of_hart(hart: int, region: int, way: int) -> int:
    """The line of what a hart stores to, or loads from, a region."""
    return LINE_OF[(hart * (REGIONS + 1) + region) * 2 + way]


def of_thread(thread: int, line: int) -> int:
    """A line of a Tensix thread."""
    return FIRST_OF_THREADS + thread * THREAD_LINES + line


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


def name(number: int) -> Named:
    """What a line is."""
    if number == SPARE:
        return Named("nothing")
    if number < FIRST_OF_THREADS:
        hart, region, way = _ROWS[number - 1]
        return Named(HART_NAMES[hart], hart, region, way)
    if number == MOVER:
        return Named("mover")
    thread, line = divmod(number - FIRST_OF_THREADS, THREAD_LINES)
    return Named(f"thread {thread}{_UNIT_NAMES[Line(line)]}", thread=thread, line=Line(line))


assert T0 == B + 1
