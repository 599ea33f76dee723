# SPDX-License-Identifier: Apache-2.0
"""The signals of the debug daisychain that have other places on Wormhole than on Blackhole, and
those of which the page knows Wormhole's alone (WormholeB0 DebugDaisychain.md).

    DaisySel 1              Tensix frontends
    DaisySel 3              row counters, and fidelity phases in SignalSel 4
    DaisySel 6, signal 9    which client has each bank of SrcA and SrcB
    DaisySel 7, signal 28   lanes of the Vector Unit that are enabled

All others are those of signals.py. The lanes are shown whether the Matrix Unit's clock runs or not.
"""

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.devices.debug import signals
from tensix_gdb.core.devices.debug.signals import UNKNOWN, field
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.frontend.fifo import B as FIFO_B
from tensix_gdb.core.tensix.frontend.fifo import C, room
from tensix_gdb.core.tensix.occupancy import MATRIX_OWNS, UNPACKERS_OWN
from tensix_gdb.core.tensix.vector.state import enabled

COLD = True  # little time of LLVM for it (core/engine/README.md)

SRC_A, SRC_B, DST = (0, 16, 32), (48, 64, 80), (96, 128, 160)  # first bit of each thread's
CR_OF_SRC, CR_OF_DST = 8, 16  # bits after them, where each goes back to
FIDELITY_SIGNAL, FIDELITY = 4, (62, 64, 66)
BANKS_SIGNAL, BANKS = 9, (84, 100)  # first bit of SrcA's, SrcB's
LANES_SIGNAL, LANE_ROWS, LANE_COLUMNS = 28, 4, 8


def group(S: View, daisy: int, signal: int, number: int) -> int:
    """Word `number` (0 to 3) of the 128 bits that are selected."""
    if daisy == signals.FRONTEND and signal < 16 and signals.FRONTEND_OF[signal] >= 0:
        return frontend(S, signals.FRONTEND_OF[signal], number)
    if daisy == signals.COUNTERS and (
        signal == signals.RWC_SIGNAL or signal == signals.RWC_SIGNAL + 1
    ):
        return row_counters(S, number + 4 * (signal - signals.RWC_SIGNAL))
    if daisy == signals.COUNTERS and signal == FIDELITY_SIGNAL:
        return fidelity(S, number)
    if daisy == signals.ADDRESSES and signal == BANKS_SIGNAL:
        return banks(S, number)
    if daisy == signals.HARTS_SHOWN and signal == LANES_SIGNAL:
        return UNKNOWN if number else lanes(S)
    return signals.group(S, daisy, signal, number)


def frontend(S: View, thread: int, number: int) -> int:
    """Return the word at the wait gate, and whether the FIFOs around the Replay expander are
    empty."""
    at_gate = S.fifo.word[thread, C, S.fifo.head[thread, C]] if S.fifo.count[thread, C] else 0
    word = field(UNKNOWN, number, 55, 32, at_gate)
    word = field(word, number, 87, 1, 0 if S.fifo.count[thread, C] else 1)
    word = field(word, number, 89, 1, 0 if room(S, thread, FIFO_B) else 1)
    return field(word, number, 90, 1, 0 if S.fifo.count[thread, FIFO_B] else 1)


def row_counters(S: View, number: int) -> int:
    """Word `number` of both groups: rows of SrcA, SrcB and Dst, and where each goes back to."""
    word = UNKNOWN
    for thread in range(THREADS):
        word = field(word, number, SRC_A[thread], 6, S.rwc.src_a[thread])
        word = field(word, number, SRC_A[thread] + CR_OF_SRC, 6, S.rwc.src_a_cr[thread])
        word = field(word, number, SRC_B[thread], 6, S.rwc.src_b[thread])
        word = field(word, number, SRC_B[thread] + CR_OF_SRC, 6, S.rwc.src_b_cr[thread])
        word = field(word, number, DST[thread], 10, S.rwc.dst[thread])
        word = field(word, number, DST[thread] + CR_OF_DST, 10, S.rwc.dst_cr[thread])
    return word


def fidelity(S: View, number: int) -> int:
    """FidelityPhase of the three threads."""
    word = UNKNOWN
    for thread in range(THREADS):
        word = field(word, number, FIDELITY[thread], 2, S.rwc.fidelity[thread])
    return word


def banks(S: View, number: int) -> int:
    """Return for SrcA and SrcB the client of each bank, and the banks that units are at."""
    word = UNKNOWN
    for source in range(2):
        first = BANKS[source]
        unpacked = S.busy.unpack_bank[source]
        used = S.busy.matrix_bank[source]
        waits = S.busy.src_client[source, unpacked] == UNPACKERS_OWN
        word = field(word, number, first, 1, 1 if waits else 0)
        ready = S.busy.src_client[source, used] == MATRIX_OWNS
        word = field(word, number, first + 1, 1, 1 if ready else 0)
        for bank in range(2):
            is_full = S.busy.src_client[source, bank] == MATRIX_OWNS
            word = field(word, number, first + 7 - bank, 1, 1 if is_full else 0)
        word = field(word, number, first + 8, 1, used)
        word = field(word, number, first + 10, 1, unpacked)
    return word


def lanes(S: View) -> int:
    """LaneEnabled: four lanes of a column are beside each other."""
    where = enabled(S)
    word = 0
    for lane in range(LANE_ROWS * LANE_COLUMNS):
        at = LANE_ROWS * (lane % LANE_COLUMNS) + lane // LANE_COLUMNS
        word |= ((where >> lane) & 1) << at
    return word
