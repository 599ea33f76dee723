# SPDX-License-Identifier: Apache-2.0
"""Every performance counter of Blackhole as a row: select, name, what it counts here, and how far
that is what silicon counts.

Names and selects are those of tt-metal's perf_counters/blackhole.h, which lists what drives a live
wire; `WIRED_TO_0` and `ALIASES` have selects that other versions of that table name. What an event
is comes from tech_reports/PerfCounters/perf-counters.md. What a counter sees of a stall comes from
cards: in tt-metal#56320 threads that only wait for a busy unit have a stall rate of 0, and threads
in STALLWAIT one of up to 89 %.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.perf.fields import (
    BANKS,
    FPU,
    GRANT,
    INSTRN_THREAD,
    L1,
    REQUEST,
    SELECTS,
    TDMA_PACK,
    TDMA_UNPACK,
)

SELECT_MASK = (63, 1, 31, 7, 31)  # 6 bits, 1, 5, 3, 5 (perf-counters.md)
TIED, UNKNOWN = -1, -2


class Trust(enum.Enum):
    """The agreement of a count with silicon; the value is how tables spell it."""

    DOCUMENTED = "documented"  # the event is described, and is one of the tile
    MEASURED = "measured"  # what published figures of cards say
    NEAREST = "nearest"  # the tile's event that is nearest
    ABSENT = "reads 0"  # the tile has nothing that could be counted


@dataclass(frozen=True, slots=True)
class Counter:
    """`count` counters, `step` selects apart; one of L1 is for one value of the mux."""

    bank: int
    kind: int
    select: int
    name: str
    event: str
    trust: Trust
    count: int = 1
    step: int = 1
    mux: int = 0

    def title(self, index: int) -> str:
        """Return the name of one of `count`."""
        return self.name.format(i=index)


_D, _M, _N, _0 = Trust.DOCUMENTED, Trust.MEASURED, Trust.NEAREST, Trust.ABSENT

# Selects that events.py counts to.
AVAILABLE = 0  # 3 * class + thread
CFG, SYNC, THCON, XSEARCH, MOVE, MATH, UNPACK, PACK = range(8)  # classes
STALLS = 24  # + thread
SHARED = 27  # SrcA clear, SrcB clear, SrcA valid, SrcB valid
REASONS, OF_THREAD = 31, 9  # + 9 * thread + reason
(THCON_IDLE, UNPACK_IDLE, PACK_IDLE, MATH_IDLE, NONZERO_SEM, NONFULL_SEM, MOVE_IDLE, CFG_IDLE,
 SFPU_IDLE) = range(OF_THREAD)  # fmt: skip
INSTRUCTIONS = 0  # grant; + 8 * thread
ANY_STALL = 27  # grant
# fmt: off
(DATA_READY, NOT_D2S, FIDELITY, STARTED, MATH_AVAILABLE, B_REQUEST, A_REQUEST) = range(7)
BUSY = 7  # unpacker + 2 * thread, of threads 0 and 1
(B_NOT_OVERWRITE, B_NOT_PORT, A_NOT_OVERWRITE, A_NOT_PORT,
 A_EVEN, B_EVEN, A_ODD, B_ODD) = range(3, 11)  # grants
# fmt: on
DEST_READ, PACKER_BUSY = 11, 18
NOT_DEST_PORT, NOT_SCOREBOARD = 15, 16  # grants

_ISSUED = "the instruction at the gate of thread {i} is one of %s, and passes or is kept back only "
_ISSUED += "because another thread's instruction goes first"
_CLASSES = (
    ("CFG", "the Configuration Unit"), ("SYNC", "the Sync Unit"), ("THCON", "the Scalar Unit"),
    ("", ""), ("MOVE", "the mover"), ("MATH", "the Matrix or the Vector Unit"),
    ("UNPACK", "an unpacker"), ("PACK", "the packer"),
)  # fmt: skip
_HELD = "an instruction of thread {i} is held by STALLWAIT for "
_REASONS = (
    ("THCON_IDLE", "C0"), ("UNPACK_IDLE", "C1 or C2"), ("PACK_IDLE", "C3"), ("MATH_IDLE", "C4"),
    ("NONZERO_SEM", ""), ("NONFULL_SEM", ""), ("MOVE_IDLE", "C9"), ("CFG_IDLE", "C10"),
    ("SFPU_IDLE", "C11"),
)  # fmt: skip
_SEMAPHORES = {
    "NONZERO_SEM": "an instruction of thread {i} is held by SEMWAIT: a semaphore is 0",
    "NONFULL_SEM": "an instruction of thread {i} is held by SEMWAIT: a semaphore is at its maximum",
}

# fmt: off
COUNTERS: tuple[Counter, ...] = (
    *(Counter(INSTRN_THREAD, REQUEST, 3 * number, f"{name}_INSTRN_AVAILABLE_{{i}}",
              _ISSUED % unit, _N, count=3)
      for number, (name, unit) in enumerate(_CLASSES) if name),
    Counter(INSTRN_THREAD, REQUEST, STALLS, "THREAD_STALLS_{i}",
            "an instruction of thread {i} is held by STALLWAIT, SEMWAIT or STREAMWAIT, not by a "
            "unit that is busy, and not one of the Miscellaneous Unit", _M, count=3),
    Counter(INSTRN_THREAD, REQUEST, SHARED, "WAITING_FOR_SRCA_CLEAR", "any is held for C5", _N),
    Counter(INSTRN_THREAD, REQUEST, SHARED + 1, "WAITING_FOR_SRCB_CLEAR", "any is held for C6", _N),
    Counter(INSTRN_THREAD, REQUEST, SHARED + 2, "WAITING_FOR_SRCA_VALID", "any is held for C7", _N),
    Counter(INSTRN_THREAD, REQUEST, SHARED + 3, "WAITING_FOR_SRCB_VALID", "any is held for C8", _N),
    *(Counter(INSTRN_THREAD, REQUEST, REASONS + number, f"WAITING_FOR_{name}_{{i}}",
              _SEMAPHORES.get(name, _HELD + condition), _N, count=3, step=OF_THREAD)
      for number, (name, condition) in enumerate(_REASONS)),
    Counter(INSTRN_THREAD, GRANT, INSTRUCTIONS, "THREAD_INSTRUCTIONS_{i}",
            "instructions that have passed the gate of thread {i}", _D, count=3, step=8),
    Counter(INSTRN_THREAD, GRANT, ANY_STALL, "ANY_THREAD_STALL", "any THREAD_STALLS", _D),

    Counter(FPU, REQUEST, 0, "FPU_COUNTER",
            "the Matrix Unit gets an instruction that computes or moves datums: not CLEARDVALID",
            _M),
    Counter(FPU, REQUEST, 1, "SFPU_COUNTER",
            "the Vector Unit gets an instruction; what SFPLOADMACRO schedules is not counted", _N),
    Counter(FPU, GRANT, 1, "MATH_COUNTER", "one of them does", _D),

    Counter(TDMA_UNPACK, REQUEST, DATA_READY, "MATH_SRC_DATA_READY",
            "an instruction that reads banks of SrcA and SrcB passes, or waits though they are "
            "there", _N),
    Counter(TDMA_UNPACK, REQUEST, NOT_D2S, "MATH_NOT_D2S_STALLED",
            "MATH_INSTRN_AVAILABLE, and no move from Dst keeps it back", _N),
    Counter(TDMA_UNPACK, REQUEST, STARTED, "MATH_INSTRN_STARTED",
            "the Matrix or the Vector Unit gets an instruction", _N),
    Counter(TDMA_UNPACK, REQUEST, MATH_AVAILABLE, "MATH_INSTRN_AVAILABLE",
            "an instruction for one of them is at a gate and not held by a latched wait", _N),
    Counter(TDMA_UNPACK, REQUEST, B_REQUEST, "SRCB_WRITE_REQ",
            "unpacker 1 has datums for SrcB, or waits for the bank with them", _N),
    Counter(TDMA_UNPACK, REQUEST, A_REQUEST, "SRCA_WRITE_REQ",
            "unpacker 0 has datums for SrcA, or waits for the bank with them", _N),
    Counter(TDMA_UNPACK, REQUEST, BUSY, "UNPACK{i}_BUSY_THREAD0",
            "unpacker {i} has instructions of thread 0", _D, count=2),
    Counter(TDMA_UNPACK, REQUEST, BUSY + 2, "UNPACK{i}_BUSY_THREAD1",
            "unpacker {i} has instructions of thread 1", _D, count=2),
    Counter(TDMA_UNPACK, GRANT, B_NOT_OVERWRITE, "SRCB_WRITE_NOT_BLOCKED_OVR",
            "SRCB_WRITE_REQ, and the bank is the unpackers'", _N),
    Counter(TDMA_UNPACK, GRANT, B_NOT_PORT, "SRCB_WRITE_NOT_BLOCKED_PORT",
            "the same: nothing else has the port", _N),
    Counter(TDMA_UNPACK, GRANT, A_NOT_OVERWRITE, "SRCA_WRITE_NOT_BLOCKED_OVR",
            "SRCA_WRITE_REQ, and the bank is the unpackers'", _N),
    Counter(TDMA_UNPACK, GRANT, A_NOT_PORT, "SRCA_WRITE_NOT_BLOCKED_PORT",
            "the same: nothing else has the port", _N),
    Counter(TDMA_UNPACK, GRANT, A_EVEN, "SRCA_WRITE_TID_EVEN", "that, of thread 0 or 2", _D),
    Counter(TDMA_UNPACK, GRANT, B_EVEN, "SRCB_WRITE_TID_EVEN", "that, of thread 0 or 2", _D),
    Counter(TDMA_UNPACK, GRANT, A_ODD, "SRCA_WRITE_TID_ODD", "that, of thread 1", _D),
    Counter(TDMA_UNPACK, GRANT, B_ODD, "SRCB_WRITE_TID_ODD", "that, of thread 1", _D),

    Counter(TDMA_PACK, REQUEST, DEST_READ, "PACKER0_DEST_READ_REQ",
            "the packer has rows of Dst to read", _N),
    Counter(TDMA_PACK, REQUEST, PACKER_BUSY, "PACKER_BUSY", "the packer has instructions", _M),
    Counter(TDMA_PACK, GRANT, DEST_READ, "DEST_READ_GRANTED_0", "it reads them", _N),
    Counter(TDMA_PACK, GRANT, NOT_DEST_PORT, "MATH_NOT_STALLED_DEST_WR_PORT",
            "MATH_INSTRN_AVAILABLE: no port to Dst is ever taken here", _N),
    Counter(TDMA_PACK, GRANT, NOT_SCOREBOARD, "MATH_NOT_SCOREBOARD_STALLED",
            "MATH_INSTRN_AVAILABLE, and no write of Dst under way keeps it back", _N),
)
# fmt: on

# A port of L1: its name, what it counts, and which request of the tile that is.
Port = tuple[str, str, int]
# Ports of L1, by mux and slot: name, and which request of the tile it is.
(UNPACKER_0, UNPACKER_1, PACKER, RISC_0, RISC_1, NO_PORT) = (0, 8, 16, 24, 25, 26)
_U0, _U1 = "unpacker 0 fetches", "unpacker 1 fetches"
_P = "the packer writes"
_NOC = ("the tile's NoC requests take no port of L1", NO_PORT)


def _noc(ring: int, first: int) -> tuple[Port, ...]:
    return tuple(
        (f"NOC_RING{ring}_{way}_{first + i}", *_NOC) for way in ("OUTGOING", "INCOMING")
        for i in range(2)
    )  # fmt: skip


def _interfaces(name: str, event: str, port: int, numbers: range) -> tuple[Port, ...]:
    return tuple(
        (f"{name}_{i}", f"{event} more than {16 * i} bytes in the cycle", port + i) for i in numbers
    )


PORTS: tuple[tuple[Port, ...], ...] = (
    (("UNPACKER_0", _U0, UNPACKER_0), ("UNPACKER_1_ECC", _U1, UNPACKER_1),
     ("TDMA_BUNDLE_0_RISC", "a request of B, T0, NC, the mover or the Scalar Unit", RISC_0),
     ("TDMA_BUNDLE_1_TRISC", "a request of T1 or T2", RISC_1), *_noc(0, 0)),
    (("PACKER_IF_0", _P, PACKER), *_interfaces("UNPACKER1_EXT_IF", _U1, UNPACKER_1, range(1, 4)),
     *_noc(1, 0)),
    (*_interfaces("UNPACKER1_EXT_IF", _U1, UNPACKER_1, range(4, 8)), *_noc(0, 2)),
    (*_noc(1, 2), *_interfaces("EXT_PACKER", _P, PACKER, range(2, 6))),
    (*_interfaces("EXT_PACKER", _P, PACKER, range(6, 8)),
     ("PACKER_IF_1_TAG_SEARCH", f"{_P} more than 16 bytes in the cycle", PACKER + 1),
     *_interfaces("UNPACKER0_EXT_IF", _U0, UNPACKER_0, range(1, 6))),
    _interfaces("UNPACKER0_EXT_IF", _U0, UNPACKER_0, range(6, 8)),
)  # fmt: skip
SLOTS = 8
MUXES = len(PORTS)
# Which request each slot counts: values 6 and 7 of the mux are 0 (blackhole.h).
PORT_OF = tuple(
    PORTS[mux if mux < MUXES else 0][slot][2] if slot < len(PORTS[mux % MUXES]) else NO_PORT
    for mux in range(8)
    for slot in range(SLOTS)
)


def _grant(name: str) -> str:
    """blackhole.h leaves the end of two names out."""
    return f"{name.removesuffix('_RISC').removesuffix('_TRISC')}_GRANT"


L1_COUNTERS: tuple[Counter, ...] = tuple(
    Counter(L1, kind, slot, f"L1_{mux}_{_grant(name) if kind == GRANT else name}",
            event, Trust.ABSENT if port == NO_PORT else Trust.NEAREST, mux=mux)
    for mux, ports in enumerate(PORTS)
    for kind in (REQUEST, GRANT)
    for slot, (name, event, port) in enumerate(ports)
)  # fmt: skip
ALL = (*COUNTERS, *L1_COUNTERS)

# Selects that are tied to 0: blackhole.h, perf-counters.md, BH_RTL_DEAD_COUNTERS of earlier ones.
WIRED_TO_0 = (
    *((INSTRN_THREAD, REQUEST, 3 * XSEARCH + i, f"XSEARCH_INSTRN_AVAILABLE_{i}") for i in range(3)),
    (TDMA_UNPACK, REQUEST, FIDELITY, "MATH_FIDELITY_STALL"),
    *((TDMA_UNPACK, GRANT, i, f"MATH_INSTRN_HF_{4 >> i}_CYCLE") for i in range(3)),
    *((TDMA_PACK, REQUEST, 11 + i, f"PACKER_DEST_READ_{i}") for i in (2, 3)),
    *((TDMA_PACK, REQUEST, 15 + i, f"PACKER_BUSY_{i}") for i in range(3)),
    *((TDMA_PACK, GRANT, 11 + i, f"DEST_READ_GRANTED_{i}") for i in (2, 3)),
    (TDMA_PACK, GRANT, 18, "PACK_BANK7_GRANT"),
)
# Selects that show another counter: (bank, kind, select), and (kind, select) of that.
ALIASES = (
    *((INSTRN_THREAD, GRANT, i, GRANT, i // 8 * 8) for i in range(24)),
    *((INSTRN_THREAD, GRANT, REASONS + i, REQUEST, STALLS + i // OF_THREAD)
      for i in range(3 * OF_THREAD)),
    (TDMA_PACK, GRANT, DEST_READ + 1, REQUEST, DEST_READ),
)  # fmt: skip


def _canonical() -> tuple[int, ...]:
    """Return where each select's count is, as kind * SELECTS + select; TIED, or UNKNOWN."""
    places = [UNKNOWN] * (BANKS * 2 * SELECTS)
    for row in COUNTERS:
        for i in range(row.count):
            select = row.select + i * row.step
            places[(2 * row.bank + row.kind) * SELECTS + select] = row.kind * SELECTS + select
    for kind in (REQUEST, GRANT):
        for slot in range(SLOTS):
            places[(2 * L1 + kind) * SELECTS + slot] = kind * SELECTS + slot
    for bank, kind, select, _ in WIRED_TO_0:
        places[(2 * bank + kind) * SELECTS + select] = TIED
    for bank, kind, select, other, at in ALIASES:
        places[(2 * bank + kind) * SELECTS + select] = other * SELECTS + at
    return tuple(places)


def fields_of(bank: int) -> Iterator[tuple[str, int, tuple[int, ...]]]:
    """Yield a name for each counter of a bank, with its kind and its selects: THREAD_STALLS has one
    of each thread. Those of L1 depend on the mux: its ports come first, by requests and grants."""
    if bank == L1:
        yield "request", REQUEST, tuple(range(SLOTS))
        yield "grant", GRANT, tuple(range(SLOTS))
    for one in COUNTERS:
        if one.bank == bank:
            selects = tuple(one.select + i * one.step for i in range(one.count))
            yield one.name.replace("_{i}", "").replace("{i}", ""), one.kind, selects


CANONICAL = _canonical()
