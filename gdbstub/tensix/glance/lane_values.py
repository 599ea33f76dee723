# SPDX-License-Identifier: Apache-2.0
"""The LRegs as a letter for each lane, with the letters of a row of Dst (dst_rows.py).

An LReg has no type. It is read as FP32 here, as most kernels use it: an integer below 2**23 is a
number next to nothing, the letter a.
"""

from __future__ import annotations

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.tensix.vector.state import LANES
from tensix_gdb.gdbstub.tensix.glance.dst_rows import magnitude

SHOWN = 8  # LRegs that an instruction may write at will; the others are constants
_EXPONENT, _MANTISSA = 0xFF, (1 << 23) - 1


def lanes_of_lregs(machine: Machine) -> str:
    """Return a letter for each of the 32 lanes of LReg 0, then of LReg 1, to LReg 7."""
    words = machine.S.vector.lreg.raw.cast("B").cast("I")[: SHOWN * LANES]
    if not any(words):
        return "0" * (SHOWN * LANES)
    return "".join(map(_letter, words))


def _letter(word: int) -> str:
    exponent = word >> 23 & _EXPONENT
    if exponent == _EXPONENT:
        return "N" if word & _MANTISSA else "I"
    return magnitude(exponent) if word & 0x7FFFFFFF else "0"
