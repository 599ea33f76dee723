# SPDX-License-Identifier: Apache-2.0
"""The events that the running banks count in each cycle: issue, stalls and units.

    attend (core/clock/pending.py) ──► count ──► instrn_thread, fpu        this file
                                             ├─► tdma_unpack, tdma_pack    this file
                                             └─► l1                        requests.py

While a bank runs, a bit of `tile.pending` is set. So the clock looks at the start of each cycle,
takes no shortcut, and counters that are off cost nothing. A cycle has one look, however
often a stop cuts it: `perf.cycle` says up to where all is counted, and a look counts what lies
between. What passed a gate, what is held there and which unit is busy is that of the cycle that has
ended; a request of an unpacker, the packer or L1 is that of the cycle that begins.

In the schedule `sc` a cycle is one instruction of each hart, and the coprocessor takes none. Stalls
and busy units are counted by what is there at the end of a cycle, issue as one of a class in a
cycle, and requests, which take no time, never. THREAD_INSTRUCTIONS is exact there, too.
"""

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.perf import counters, requests
from tensix_gdb.core.perf.control import CONTINUOUS, UNTIL_PERIOD
from tensix_gdb.core.perf.fields import (
    BANKS,
    FPU,
    GRANT,
    INSTRN_THREAD,
    PENDING_COUNT,
    REQUEST,
    TDMA_PACK,
    TDMA_UNPACK,
)
from tensix_gdb.core.perf.math_units import (
    AVAILABLE,
    FPU_ISSUED,
    NOT_D2S,
    NOT_SCOREBOARD,
    READY,
    SFPU_ISSUED,
    STARTED,
    issued,
    math,
    unit_at_gate,
)
from tensix_gdb.core.perf.requests import add
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix import occupancy
from tensix_gdb.core.tensix.frontend.fifo import C
from tensix_gdb.core.tensix.gate.issued import PLACES, UNPACKER_1
from tensix_gdb.core.tensix.gate.latch import SEMWAIT, STALLWAIT
from tensix_gdb.core.tensix.gate.wait_gate import (
    CONDITIONS,
    Held,
)
from tensix_gdb.core.tensix.instruction import Unit
from tensix_gdb.core.tensix.packer.four.at_work import any_of

COLD = True  # little time of LLVM for it (core/engine/README.md)

_CLASSES = {
    Unit.CONFIG: counters.CFG, Unit.SYNC: counters.SYNC, Unit.THCON: counters.THCON,
    Unit.MOVER: counters.MOVE, Unit.FPU: counters.MATH, Unit.SFPU: counters.MATH,
    Unit.UNPACKER: counters.UNPACK, Unit.PACKER: counters.PACK,
}  # fmt: skip
# The class of instructions by unit, or NO_CLASS: no document says which class those of the
# Miscellaneous Unit are, and the others never reach a gate.
CLASSES = 8
NO_CLASS = CLASSES
CLASS_OF = (*(_CLASSES.get(unit, NO_CLASS) for unit in Unit), counters.UNPACK)
assert len(CLASS_OF) == PLACES == UNPACKER_1 + 1
# The reason that each condition of STALLWAIT is. C12 is none: no counter is documented for it.
REASON_OF = (
    counters.THCON_IDLE, counters.UNPACK_IDLE, counters.UNPACK_IDLE, counters.PACK_IDLE,
    counters.MATH_IDLE, -1, -1, -1, -1, counters.MOVE_IDLE, counters.CFG_IDLE, counters.SFPU_IDLE,
    -1,
)  # fmt: skip
C5, C8 = 5, 8  # the four that the threads share
SHARED = 1 << counters.OF_THREAD


def count(S: View) -> int:
    """Count what the cycles since the last look had: usually one, in which anything may have been,
    or several in which nothing moved after the first."""
    n = S.tile.cycle - S.perf.cycle
    if n <= 0:
        return 0
    S.perf.cycle = S.tile.cycle
    any_running = 0
    for bank in range(BANKS):
        if S.perf.running[bank]:
            COUNT[bank](S, refer(S, bank, n))
            any_running |= S.perf.running[bank]
    if any_running == 0:
        S.tile.pending &= ~PENDING_COUNT
    return 0


def refer(S: View, bank: int, n: int) -> int:
    """Count cycles of a bank, and stop it at the end of its period; how many of them count."""
    mode = S.tile_control.perf_mode[bank] & 0xFF
    if mode == UNTIL_PERIOD:
        n = min(n, max(S.tile_control.perf_period[bank] - S.perf.reference[bank], 0))
        if S.perf.reference[bank] + n >= S.tile_control.perf_period[bank]:
            S.perf.running[bank] = 0
    if mode == UNTIL_PERIOD or mode == CONTINUOUS:
        S.perf.reference[bank] = (S.perf.reference[bank] + n) & MASK32
    return n


# -- INSTRN_THREAD
def instrn_thread(S: View, n: int) -> int:
    """Classes, instructions, stalls and their reasons."""
    any_stall = 0
    shared = 0
    for thread in range(THREADS):
        passed = S.passed.count[thread]
        at = counters.INSTRUCTIONS + 8 * thread
        add(S, INSTRN_THREAD, GRANT, at, passed - S.perf.passed[thread])
        S.perf.passed[thread] = passed
        classes(S, thread, n)
        if is_stalled(S, thread):
            any_stall = 1
            add(S, INSTRN_THREAD, REQUEST, counters.STALLS + thread, n)
            found = reasons(S, thread)
            shared |= found // SHARED
            for i in range(counters.OF_THREAD):
                if (found >> i) & 1:
                    at = counters.REASONS + counters.OF_THREAD * thread + i
                    add(S, INSTRN_THREAD, REQUEST, at, n)
    for i in range(4):
        if (shared >> i) & 1:
            add(S, INSTRN_THREAD, REQUEST, counters.SHARED + i, n)
    if any_stall:
        add(S, INSTRN_THREAD, GRANT, counters.ANY_STALL, n)
    return 0


def is_stalled(S: View, thread: int) -> int:
    """True if a latched wait holds an instruction of one of the classes.

    UNSPECIFIED(perf-counters.md): others held. Not seen: LLK's packer thread waits in SEMWAIT with
    SETADC at the gate for most of a matrix multiplication, and its unpacker thread in STALLWAIT
    with SETDVALID; cards have stall rates of 4 % and 0 % there (tt-metal#56320).
    """
    if S.fifo.count[thread, C] == 0 or S.gate.held[thread] != Held.LATCHED_WAIT:
        return 0
    return 1 if CLASS_OF[unit_at_gate(S, thread)] != NO_CLASS else 0


def classes(S: View, thread: int, n: int) -> int:
    """The class of the instruction at the gate, if the gate lets it pass."""
    found = 0
    for place in range(PLACES):
        if issued(S, thread, place, n):
            found |= 1 << CLASS_OF[place]
    if S.fifo.count[thread, C] and S.gate.held[thread] == Held.UNIT:
        unit = unit_at_gate(S, thread)
        if (S.gate.taken >> unit) & 1:
            found |= 1 << CLASS_OF[unit]
    for i in range(CLASSES):
        if (found >> i) & 1:
            add(S, INSTRN_THREAD, REQUEST, counters.AVAILABLE + 3 * i + thread, 1)
    return 0


def reasons(S: View, thread: int) -> int:
    """Return what the latched wait of the thread still waits for: its reasons, and SHARED ones
    above."""
    found = 0
    conditions = S.latch.conditions[thread]
    if S.latch.kind[thread] == STALLWAIT:
        if conditions >> 13 and any_of(S, thread, conditions >> 13 << 1):
            found |= 1 << counters.PACK_IDLE
        for i in range(13):
            if (conditions >> i) & 1 and CONDITIONS[i](S, thread):
                if C5 <= i <= C8:
                    found |= SHARED << (i - C5)
                elif REASON_OF[i] >= 0:
                    found |= 1 << REASON_OF[i]
    if S.latch.kind[thread] == SEMWAIT:
        for i in range(8):
            if (S.latch.semaphores[thread] >> i) & 1:
                if conditions & 1 and S.semaphore.value[i] == 0:
                    found |= 1 << counters.NONZERO_SEM
                if conditions & 2 and S.semaphore.value[i] >= S.semaphore.max[i]:
                    found |= 1 << counters.NONFULL_SEM
    return found


# -- FPU
def fpu(S: View, n: int) -> int:
    """Count which of both units got an instruction."""
    found = math(S, n)
    if found & FPU_ISSUED:
        add(S, FPU, REQUEST, 0, 1)
    if found & SFPU_ISSUED:
        add(S, FPU, REQUEST, 1, 1)
    if found & (FPU_ISSUED | SFPU_ISSUED):
        add(S, FPU, GRANT, 1, 1)
    return 0


# -- TDMA_UNPACK, TDMA_PACK
def tdma_unpack(S: View, n: int) -> int:
    """Math instructions, writes to SrcA and SrcB, busy unpackers."""
    found = math(S, n)
    moved = 1 if found & STARTED else n
    if found & READY:
        add(S, TDMA_UNPACK, REQUEST, counters.DATA_READY, moved)
    if found & NOT_D2S:
        add(S, TDMA_UNPACK, REQUEST, counters.NOT_D2S, moved)
    if found & STARTED:
        add(S, TDMA_UNPACK, REQUEST, counters.STARTED, 1)
    if found & AVAILABLE:
        add(S, TDMA_UNPACK, REQUEST, counters.MATH_AVAILABLE, moved)
    for unpacker in range(2):
        for thread in range(2):
            if S.busy.unpacker[unpacker, thread]:
                add(S, TDMA_UNPACK, REQUEST, counters.BUSY + unpacker + 2 * thread, n)
        if requests.has_datums(S, unpacker):
            write_source(S, unpacker)
    return 0


def write_source(S: View, unpacker: int) -> int:
    """An unpacker has datums for its source, of which the bank may be the Matrix Unit's."""
    add(S, TDMA_UNPACK, REQUEST, counters.B_REQUEST if unpacker else counters.A_REQUEST, 1)
    if occupancy.unpackers_lack(S, unpacker):
        return 0
    first = counters.B_NOT_OVERWRITE if unpacker else counters.A_NOT_OVERWRITE
    add(S, TDMA_UNPACK, GRANT, first, 1)
    add(S, TDMA_UNPACK, GRANT, first + 1, 1)
    odd = 2 if requests.thread_of(S, unpacker) & 1 else 0
    return add(S, TDMA_UNPACK, GRANT, counters.A_EVEN + unpacker + odd, 1)


def tdma_pack(S: View, n: int) -> int:
    """The packer's reads of Dst, and what they may keep back."""
    busy = 0
    for thread in range(THREADS):
        busy |= S.busy.packer[thread]
    if busy:
        add(S, TDMA_PACK, REQUEST, counters.PACKER_BUSY, n)
    if requests.reads_dst(S):
        add(S, TDMA_PACK, REQUEST, counters.DEST_READ, 1)
        if requests.may_read_dst(S):
            add(S, TDMA_PACK, GRANT, counters.DEST_READ, 1)
    found = math(S, n)
    moved = 1 if found & STARTED else n
    if found & AVAILABLE:
        add(S, TDMA_PACK, GRANT, counters.NOT_DEST_PORT, moved)
    if found & NOT_SCOREBOARD:
        add(S, TDMA_PACK, GRANT, counters.NOT_SCOREBOARD, moved)
    return 0


COUNT = (instrn_thread, fpu, tdma_unpack, requests.l1, tdma_pack)
