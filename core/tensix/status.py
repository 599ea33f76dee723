# SPDX-License-Identifier: Apache-2.0
"""tt_cfg_qstatus, tt_cfg_bstatus: which types of instructions Tensix threads have (CSRs.md).

Eleven bits: REPLAY, MOP, Scalar Unit, Mover, Unpacker, Packer, Configuration Unit, Sync Unit, any
of Misc, Mover, Scalar Unit, Packer, Unpacker; Vector Unit, Matrix Unit.

UNSPECIFIED(CSRs.md): instructions that an expander has made; they have the type that they are, and
the MOP or REPLAY has its own until its expansion is over. What B has pushed does not count.
"""

from tensix_gdb.core.arch.blackhole import T0, THREADS
from tensix_gdb.core.isa.opcodes import MOP, REPLAY
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.config import pipeline as config_pipe
from tensix_gdb.core.tensix.decode import decode_tensix
from tensix_gdb.core.tensix.frontend.fifo import CAPACITIES, FIFOS
from tensix_gdb.core.tensix.frontend.replay_expander import PLAYING
from tensix_gdb.core.tensix.instruction import Unit
from tensix_gdb.core.tensix.scalar import pipeline as thcon
from tensix_gdb.core.tensix.table import FIRST, ROWS
from tensix_gdb.core.tensix.vector import scheduled
from tensix_gdb.core.tensix.vector.state import enabled

COLD = True  # little time of LLVM for it (core/engine/README.md)

REPLAY_BIT, MOP_BIT = 1 << 0, 1 << 1
SCALAR, UNPACKER, PACKER = 1 << 2 | 1 << 8, 1 << 4 | 1 << 8, 1 << 5 | 1 << 8
MOVER, CONFIG, MATRIX, VECTOR = 1 << 3 | 1 << 8, 1 << 6, 1 << 10, 1 << 9
SFPU_CC = 1 << 11 | 1 << 24
REDUCED_QUEUE, REDUCED_BUSY = 13, 11  # where the bits of all threads begin

_OF_UNIT = {
    Unit.THCON: SCALAR,
    Unit.MOVER: MOVER,
    Unit.UNPACKER: UNPACKER,
    Unit.PACKER: PACKER,
    Unit.CONFIG: CONFIG,
    Unit.SYNC: 1 << 7,
    Unit.MISC: 1 << 8,
    Unit.SFPU: VECTOR,
    Unit.FPU: MATRIX,
}
TYPES = (*(0,) * FIRST, *(_OF_UNIT.get(row.unit, 0) for row in ROWS))


def type_of(word: int) -> int:
    """Return the bits of an instruction."""
    if word >> 24 == MOP:
        return MOP_BIT
    if word >> 24 == REPLAY:
        return 0 if word & 3 == 1 else REPLAY_BIT
    return TYPES[decode_tensix(word) & 0xFF]


def queued(S: View, thread: int) -> int:
    """Types in the FIFOs of a thread and in its expanders."""
    bits = MOP_BIT if S.mop.expanding[thread] else 0
    if S.replay.mode[thread] == PLAYING:
        bits |= REPLAY_BIT
    for fifo in range(FIFOS):
        for i in range(S.fifo.count[thread, fifo]):
            at = (S.fifo.head[thread, fifo] + i) % CAPACITIES[fifo]
            if S.fifo.hart[thread, fifo, at] == T0 + thread:
                bits |= type_of(S.fifo.word[thread, fifo, at])
    return bits


def busy(S: View, thread: int) -> int:
    """Types in the frontend or executing."""
    bits = queued(S, thread)
    if thcon.executing(S, thread) or thcon.outstanding(S, thread):
        bits |= SCALAR
    if config_pipe.in_flight(S, thread):
        bits |= CONFIG
    if S.busy.unpacker[0, thread] or S.busy.unpacker[1, thread]:
        bits |= UNPACKER
    if S.busy.packer[thread]:
        bits |= PACKER
    if S.busy.matrix[thread]:
        bits |= MATRIX
    return bits | VECTOR if S.busy.vector[thread] or scheduled.pending(S, thread) else bits


def sfpu_cc(S: View) -> int:
    """True if a lane of the Vector Unit is enabled."""
    return SFPU_CC if enabled(S) else 0


def qstatus(S: View, hart: int) -> int:
    """tt_cfg_qstatus."""
    reduced = 0
    for thread in range(THREADS):
        reduced |= queued(S, thread)
    own = queued(S, hart - T0) if T0 <= hart < T0 + THREADS else reduced
    return own | reduced << REDUCED_QUEUE | sfpu_cc(S)


def bstatus(S: View, hart: int) -> int:
    """tt_cfg_bstatus."""
    reduced = 0
    for thread in range(THREADS):
        reduced |= busy(S, thread)
    own = busy(S, hart - T0) if T0 <= hart < T0 + THREADS else reduced
    return own | reduced << REDUCED_BUSY
