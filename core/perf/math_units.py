# SPDX-License-Identifier: Apache-2.0
"""The events of the wait gates and of instructions for the Matrix and the Vector Unit: what three
of the banks count by.

A gate keeps an instruction for those units back for a latched wait, which is a stall of the thread,
or for a bank, for Dst or for another thread, which only these counters see.
"""

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.decode import decode_as
from tensix_gdb.core.tensix.frontend.fifo import C
from tensix_gdb.core.tensix.gate.head import word_at_gate
from tensix_gdb.core.tensix.gate.wait_gate import (
    MATRIX,
    UNITS,
    VECTOR,
    WAITS_FOR,
    Held,
    source_bank_unavailable,
)
from tensix_gdb.core.tensix.table import by_number

COLD = True  # little time of LLVM for it (core/engine/README.md)

# Instructions of the Matrix Unit that compute and move nothing. With CLEARDVALID alone cards have
# an FPU utilisation of 0 (tt-metal#56320, UNPACK_ISOLATE); the others by analogy.
_BOOKKEEPING = ("CLEARDVALID", "CLREXPHIST", "GATESRCRST", "INCRWC", "SETIBRWC", "SETRWC")
BOOKKEEPING = by_number(lambda row: int(row.mnemonic in _BOOKKEEPING))
# What `math` finds, for all threads together.
AVAILABLE, STARTED, READY, NOT_D2S, NOT_SCOREBOARD, FPU_ISSUED, SFPU_ISSUED = (
    1 << i for i in range(7)
)


def issued(S: View, thread: int, place: int, n: int) -> int:
    """True if a unit got an instruction of the thread in the last `n` cycles."""
    return 1 if S.passed.to_when[thread, place] > S.tile.cycle - n else 0


def unit_at_gate(S: View, thread: int) -> int:
    """Return the unit of the instruction that is held at a gate."""
    return UNITS[decode_as(word_at_gate(S, thread), S.tile.chip) & 0xFF]


def math(S: View, n: int) -> int:
    """Return the events of instructions for the Matrix and the Vector Unit, of all threads
    together."""
    found = 0
    for thread in range(THREADS):
        if issued(S, thread, VECTOR, n):
            found |= SFPU_ISSUED | AVAILABLE | STARTED | NOT_D2S | NOT_SCOREBOARD
        if issued(S, thread, MATRIX, n):
            found |= AVAILABLE | STARTED | NOT_D2S | NOT_SCOREBOARD
            number = decode_as(S.passed.to_word[thread, MATRIX], S.tile.chip) & 0xFF
            if WAITS_FOR[number]:
                found |= READY
            if not BOOKKEEPING[number]:
                found |= FPU_ISSUED
        if S.fifo.count[thread, C] and S.gate.held[thread] > Held.LATCHED_WAIT:
            found |= held_math(S, thread)
    return found


def held_math(S: View, thread: int) -> int:
    """The same for an instruction that waits at its gate for something else than STALLWAIT."""
    number = decode_as(word_at_gate(S, thread), S.tile.chip) & 0xFF
    unit = UNITS[number]
    if unit != MATRIX and unit != VECTOR:
        return 0
    found = AVAILABLE
    if unit == MATRIX and WAITS_FOR[number] and not source_bank_unavailable(S, WAITS_FOR[number]):
        found |= READY
    if S.gate.held[thread] != Held.UNIT or (S.gate.taken >> unit) & 1:
        return found | NOT_D2S | NOT_SCOREBOARD
    if unit == MATRIX and S.fpu_pipe.nothing | S.fpu_pipe.only_d2b | S.fpu_pipe.only_2a:
        return found | NOT_SCOREBOARD
    return found | NOT_D2S
