# SPDX-License-Identifier: Apache-2.0
"""Run until Dst, an LReg or a source bank has a NaN: in the subset, because it looks after each
cycle."""

from tensix_gdb.core.origin.loop import run_by_cycle
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.stop import StopKind
from tensix_gdb.core.tensix.matrix.formats import BF16, STYLE, TF32
from tensix_gdb.core.tensix.regfiles.dst import COLUMNS, ROWS
from tensix_gdb.core.tensix.regfiles.src import ROWS as SRC_ROWS
from tensix_gdb.core.tensix.vector.state import LREGS

COLD = True  # little time of LLVM for it (core/engine/README.md)

LANES = 32
EXPONENT, MANTISSA = 0xFF, 0x7F00  # of a 16-bit datum of Dst: sign, mantissa, exponent
EXPONENT_32, MANTISSA_32 = 0x7F800000, 0x007FFFFF
MANTISSA_SRC = 0x3FF00  # of a datum of SrcA or SrcB, which has its exponent where Dst has it
FIRST_SRC = ROWS * COLUMNS + LREGS * LANES  # the number of the first such datum
BANK = SRC_ROWS * COLUMNS
OWN_LREGS = 8  # those from 8 on are constants, and scratch of the unit


def run_to_nan(S: View, budget: int) -> int:
    """Run at most `budget` cycles; 1 + the number of an element that is a NaN after one of them, or
    0 if there is none, or at a stop."""
    end = S.tile.cycle + budget
    before = S.passed.count[0] + S.passed.count[1] + S.passed.count[2]
    while S.tile.cycle < end:
        was = S.tile.cycle
        run_by_cycle(S, 1)
        passed = S.passed.count[0] + S.passed.count[1] + S.passed.count[2]
        # Nothing is written but by instructions, some cycles after their gates at most.
        if S.tensix.active or passed != before:
            before = passed
            found = nan(S)
            if found:
                return found
        if S.stop.kind != StopKind.NONE or S.tile.cycle == was:
            break
    return 0


def nan(S: View) -> int:
    """1 + the number of the first NaN, or 0."""
    for row in range(ROWS):
        if S.dst.undefined[row] == 0:
            for column in range(COLUMNS):
                bits = S.dst.bits[row, column]
                if bits & EXPONENT == EXPONENT and bits & MANTISSA:
                    return 1 + row * COLUMNS + column
    for number in range(min(OWN_LREGS, LREGS)):
        for lane in range(LANES):
            bits = S.vector.lreg[number, lane]
            if bits & EXPONENT_32 == EXPONENT_32 and bits & MANTISSA_32:
                return 1 + ROWS * COLUMNS + number * LANES + lane
    for source in range(2):
        for bank in range(2):
            found = nan_in_bank(S, source, bank)
            if found:
                return found
    return 0


def nan_in_bank(S: View, source: int, bank: int) -> int:
    """1 + the number of the first NaN in a bank with 8 bits of exponent, or 0."""
    style = STYLE[S.src.format[source, bank] & 15]
    if style != BF16 and style != TF32:
        return 0
    for row in range(SRC_ROWS):
        for column in range(COLUMNS):
            bits = S.src.b[bank, row, column] if source else S.src.a[bank, row, column]
            if bits & EXPONENT == EXPONENT and bits & MANTISSA_SRC:
                return 1 + FIRST_SRC + (2 * source + bank) * BANK + row * COLUMNS + column
    return 0
