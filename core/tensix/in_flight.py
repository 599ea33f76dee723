# SPDX-License-Identifier: Apache-2.0
"""The instructions of a thread that are under way: what manual TTSync waits for
(ManualTTSync.md)."""

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.isa.opcodes import MOP
from tensix_gdb.core.memory import streams
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix import occupancy
from tensix_gdb.core.tensix.config import pipeline as config_pipe
from tensix_gdb.core.tensix.frontend import mop_expander, replay_expander
from tensix_gdb.core.tensix.frontend.fifo import A, B, C
from tensix_gdb.core.tensix.scalar import pipeline as thcon
from tensix_gdb.core.tensix.vector import scheduled


def in_flight(S: View, thread: int) -> int:
    """True if an instruction of the thread is between its first FIFO and the end of its execution.

    UNSPECIFIED(ManualTTSync.md): whether memory requests of the Scalar Unit count; they do. The
    mover's do not: it belongs to no thread.
    """
    # A thread that has anything has something here as a rule: this is asked in every cycle.
    if S.fifo.count[thread, C] or S.fifo.count[thread, B] or S.fifo.count[thread, A]:
        return 1
    if S.mop.expanding[thread] or S.replay.mode[thread] == replay_expander.PLAYING:
        return 1
    if thcon.executing(S, thread) or thcon.outstanding(S, thread):
        return 1
    if config_pipe.in_flight(S, thread) or occupancy.in_units(S, thread):
        return 1
    return 1 if scheduled.pending(S, thread) else 0


def is_idle(S: View, thread: int) -> int:
    """CoprocessorDoneCheck: nothing of the thread is in flight.

    What its T core has emitted counts although it is in no FIFO yet: ManualTTSync.md has a store to
    the register order the pushes before it.
    """
    if S.stream.count[T0 + thread, streams.PUSH]:
        return 0
    return 0 if in_flight(S, thread) else 1


def has_expanded(S: View, thread: int) -> int:
    """MOPExpanderDoneCheck: no MOP is on its way, queued or being expanded."""
    hart = T0 + thread
    for i in range(S.stream.count[hart, streams.PUSH]):
        for word in range(4):
            if S.stream.data[hart, streams.PUSH, i, word] >> 24 == MOP:
                return 0
    return mop_expander.is_done(S, thread)


INLINED = (in_flight,)
