# SPDX-License-Identifier: Apache-2.0
"""The instruction at a thread's wait gate, and stopping because of it."""

from tensix_gdb.core.record.layout import View
from tensix_gdb.core.stop import AT_GATE, STOPPED, fault
from tensix_gdb.core.tensix.frontend.fifo import C


def word_at_gate(S: View, thread: int) -> int:
    """Return the instruction that is at the gate."""
    return S.fifo.word[thread, C, S.fifo.head[thread, C]]


def pc_at_gate(S: View, thread: int) -> int:
    """Return where it was pushed."""
    return S.fifo.pc[thread, C, S.fifo.head[thread, C]]


def slot_at_gate(S: View, thread: int) -> int:
    """Return its slot of the Auto TTSync tracker, or NO_SLOT."""
    return S.fifo.slot[thread, C, S.fifo.head[thread, C]]


def fault_at_gate(S: View, thread: int, code: int) -> int:
    """Stop before the instruction at the gate passes it, at the hart that has pushed it.

    `a` is the instruction, `b` the address of its push, with the thread in bits 33:32.
    """
    at = S.fifo.head[thread, C]
    word = S.fifo.word[thread, C, at]
    pc = S.fifo.pc[thread, C, at]
    fault(S, S.fifo.hart[thread, C, at], code, word, thread << 32 | pc)
    S.stop.stream = AT_GATE | thread
    return STOPPED


INLINED = (slot_at_gate, word_at_gate, pc_at_gate)
