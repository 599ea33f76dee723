# SPDX-License-Identifier: Apache-2.0
"""Counting what passes the wait gates, what is held there and why, and which units are busy.

A key says what was counted, its fields from the lowest bit on:

    1   is held, not issued
    2   thread
    3   hart that has pushed the instruction
    19  word of L1 where it did
    8   opcode
    3   issued: `via` (frontend/fifo.py)             4  held: Held
                                           16  held: the conditions of the latched wait, of SEMWAIT
                                               with the semaphores above them
                                            2  held: the kind of the latched wait
"""

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.counting.fields import (
    CONFIGURATION,
    KERNELS_ONLY,
    MATRIX,
    MOVER,
    PACKER,
    SCALAR,
    UNPACKER_0,
    VECTOR,
    WORDS,
    add,
)
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.config import pipeline as config_pipe
from tensix_gdb.core.tensix.frontend.fifo import C
from tensix_gdb.core.tensix.gate.latch import NONE, SEMWAIT
from tensix_gdb.core.tensix.gate.wait_gate import Held
from tensix_gdb.core.tensix.scalar import pipeline as thcon
from tensix_gdb.core.tensix.wormhole import of_one_packer

# Where fields begin.
THREAD, HART, WORD, OPCODE, REST = 1, 3, 6, 25, 33
DETAIL, KIND = REST + 4, REST + 20
SEMAPHORES = 8  # above the conditions of SEMWAIT


def at_gate(S: View, thread: int) -> int:
    """Return the part of a key that says which instruction is at the gate."""
    at = S.fifo.head[thread, C]
    word = min(S.fifo.pc[thread, C, at] >> 2, WORDS)
    opcode = S.fifo.word[thread, C, at] >> 24
    hart = S.fifo.hart[thread, C, at]
    return thread << THREAD | hart << HART | word << WORD | opcode << OPCODE


def issued(S: View, thread: int) -> int:
    """The instruction at the gate leaves it. (A key is never 0: bit 63 stays free for this.)"""
    if S.counted.on == KERNELS_ONLY:
        return 0
    via = S.fifo.via[thread, C, S.fifo.head[thread, C]]
    return add(S, at_gate(S, thread) | via << REST | 1 << KIND)


def cycle(S: View) -> int:
    """At the end of a cycle in which the coprocessor was active."""
    if S.counted.on == KERNELS_ONLY:
        units(S)
        return 0
    for thread in range(THREADS):
        held = S.gate.held[thread]
        if held != Held.NOT and S.fifo.count[thread, C]:
            key = 1 | at_gate(S, thread) | held << REST
            kind = S.latch.kind[thread]
            if held == Held.LATCHED_WAIT and kind != NONE:
                detail = of_one_packer(S.latch.conditions[thread])
                if kind == SEMWAIT:
                    detail |= S.latch.semaphores[thread] << SEMAPHORES
                key |= detail << DETAIL | kind << KIND
            add(S, key)
    units(S)
    return 0


def units(S: View) -> int:
    """Return a bit for each unit that has something to do."""
    scalar = 0
    config = 0
    packer = 0
    matrix = 0
    vector = 0
    for thread in range(THREADS):
        scalar |= thcon.executing(S, thread) | thcon.outstanding(S, thread)
        config |= config_pipe.in_flight(S, thread)
        packer |= S.busy.packer[thread]
        matrix |= S.busy.matrix[thread]
        vector |= S.busy.vector[thread]
    for unpacker in range(2):
        busy = 0
        for thread in range(THREADS):
            busy |= S.busy.unpacker[unpacker, thread]
        if busy:
            S.counted.busy[UNPACKER_0 + unpacker] += 1
    if packer:
        S.counted.busy[PACKER] += 1
    if matrix:
        S.counted.busy[MATRIX] += 1
    if vector:
        S.counted.busy[VECTOR] += 1
    if scalar:
        S.counted.busy[SCALAR] += 1
    if config:
        S.counted.busy[CONFIGURATION] += 1
    if S.busy.mover:
        S.counted.busy[MOVER] += 1
    return 0
