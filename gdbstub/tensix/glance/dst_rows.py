# SPDX-License-Identifier: Apache-2.0
"""Dst as a letter for each row, which is enough for a map of its tiles.

?        no column has a value        N   a column is NaN
!        some have none               I   a column is infinite
0        all are zero                 a to z   the largest magnitude: a below 2**-24, one letter
                                      for each factor of 4, z from 2**24 on

Numbers of kernels are between these two; all others would look alike if each exponent had a share.
"""

from __future__ import annotations

from functools import lru_cache

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.tensix.regfiles import dst
from tensix_gdb.gdbstub.tensix.monitor.dst import usual_format
from tensix_gdb.gdbstub.tensix.monitor.dst_text import FORMATS

ROW_BYTES = 2 * dst.COLUMNS
EXPONENT, MANTISSA = 0xFF, 0x7F00  # of the high half of a datum in Dst's own layout
SMALLEST, PER_LETTER = 102, 2  # the exponent of a, and how many exponents a letter has
MAX_KNOWN = 4096  # rows with a known letter: from picture to picture most stay as they are


def rows_of_dst(machine: Machine) -> tuple[str, str]:
    """Return the format that ALU_ACC_CTRL says, and the letters: 512 rows of 32 bits or 1024 of
    16."""
    S = machine.S
    name = usual_format(machine)
    wide = FORMATS[name][0]
    bits = S.dst.bits.raw.cast("B")
    find = dst.row32 if wide else dst.row16
    letters = []
    for row in range(dst.ROWS // 2 if wide else dst.ROWS):
        at = find(S, 0, row)
        undefined = S.dst.undefined[at]
        if undefined:
            letters.append("?" if undefined == dst.ALL_COLUMNS else "!")
            continue
        high = bytes(bits[at * ROW_BYTES : (at + 1) * ROW_BYTES])
        low = bytes(bits[(at + dst.LOW) * ROW_BYTES :][:ROW_BYTES]) if wide else b""
        letters.append(letter(high, low))
    return name, "".join(letters)


@lru_cache(MAX_KNOWN)
def letter(high: bytes, low: bytes) -> str:
    """Return the letter of a row of defined datums; `low` is empty where a datum has 16 bits."""
    largest = 0
    is_zero = not any(low)
    for column, datum in enumerate(memoryview(high).cast("H")):
        exponent = datum & EXPONENT
        if exponent == EXPONENT:
            mantissa = datum & MANTISSA or any(low[2 * column : 2 * column + 2])
            if mantissa:
                return "N"
            largest = EXPONENT
        largest = max(largest, exponent)
        is_zero = is_zero and not datum & ~0x8000
    if largest == EXPONENT:
        return "I"
    return "0" if is_zero else magnitude(largest)


def magnitude(exponent: int) -> str:
    """Return the letter of a number with this biased exponent of 8 bits."""
    at = (exponent - SMALLEST) // PER_LETTER
    return chr(ord("a") + min(max(at, 0), 25))
