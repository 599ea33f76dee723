# SPDX-License-Identifier: Apache-2.0
"""PACR at the wait gate: the blocks of Dst that it would read, and those just written (Dst.md)."""

from tensix_gdb.core.isa.opcodes import PACR
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix.config.unit import bank_of
from tensix_gdb.core.tensix.matrix.pipeline import DST_CYCLES
from tensix_gdb.core.tensix.packer.addresses import (
    COLUMNS,
    DST_ROWS,
    STRIDE,
    counters_of,
    first_datum,
    interfaces_of,
)
from tensix_gdb.core.tensix.packer.state import INTERFACES

# Where the fields of the word are, or their bits.
CONTEXT, COUNTERS, SELECT, OVERRIDE = 21, 13, 8, 7
STRIDED, ZERO_WRITE, TRACKED, FLUSH = 1 << 17, 1 << 12, 1 << 2, 1 << 1


def reads_what_was_written(S: View, thread: int, word: int) -> int:
    """True if a PACR at the gate reads a block of 8 rows that was written in the last cycles
    (Dst.md).

    The hardware keeps it back then.
    """
    if word >> 24 != PACR or word & (ZERO_WRITE | FLUSH) or S.schedule.kind == Schedule.SC:
        return 0
    bank = bank_of(S, thread)
    context = S.pack.context if word & TRACKED else (word >> CONTEXT) & 3
    counters = counters_of(thread, (word >> OVERRIDE) & 1, (word >> COUNTERS) & 3)
    row = first_datum(S, bank, context, counters) // COLUMNS
    apart = STRIDE if word & STRIDED else 1
    interfaces = interfaces_of(S, bank, context, (word >> SELECT) & 0xF)
    for i in range(INTERFACES):
        if (interfaces >> i) & 1:
            block = 1 + (((row + i * apart) & DST_ROWS) >> 3)
            for k in range(DST_CYCLES):
                if S.fpu_pipe.written[k] == block:
                    return 1
    return 0
