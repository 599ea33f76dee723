# SPDX-License-Identifier: Apache-2.0
"""PACR of Wormhole at the wait gate: does it read blocks of Dst that were just written (Dst.md)?"""

from tensix_gdb.core.isa.opcodes import PACR
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix.config.unit import bank_of
from tensix_gdb.core.tensix.matrix.pipeline import DST_CYCLES
from tensix_gdb.core.tensix.packer.addresses import COLUMNS, DST_ROWS, counters_of, first_datum
from tensix_gdb.core.tensix.packer.four.images import ONLY_PACKER_0, PACKERS
from tensix_gdb.core.tensix.packer.four.start import context_of
from tensix_gdb.core.tensix.packer.hazard import FLUSH, OVERRIDE, SELECT, ZERO_WRITE
from tensix_gdb.core.tensix.regfiles.adc import PACKERS as COUNTERS
from tensix_gdb.core.tensix.regfiles.adc import X

COLD = True  # little time of LLVM for it (core/engine/README.md)

BLOCK_ROWS = 8


def reads_what_was_written(S: View, thread: int, word: int) -> int:
    """True if a packer of the instruction reads a block of 8 rows that was written in the last
    cycles (Dst.md)."""
    if word >> 24 != PACR or word & (ZERO_WRITE | FLUSH) or S.schedule.kind == Schedule.SC:
        return 0
    bank = bank_of(S, thread)
    packers = (word >> SELECT) & 0xF
    if packers == 0:
        packers = ONLY_PACKER_0
    for packer in range(PACKERS):
        if (packers >> packer) & 1:
            counters = counters_of(thread, (word >> OVERRIDE) & 1, context_of(S, bank, packer))
            count = S.adc.value[counters, COUNTERS, 1, X] - S.adc.value[counters, COUNTERS, 0, X]
            row = first_datum(S, bank, packer, counters) // COLUMNS
            for k in range(DST_CYCLES):
                written = S.fpu_pipe.written[k]
                if written:
                    first = (written - 1) * BLOCK_ROWS
                    if (first + BLOCK_ROWS - 1 - row) & DST_ROWS < count // COLUMNS + BLOCK_ROWS:
                        return 1
    return 0
