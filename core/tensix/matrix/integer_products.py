# SPDX-License-Identifier: Apache-2.0
"""The Matrix Unit's arithmetic on integers: operands of a sign and 10 bits of magnitude.

A fidelity phase takes some bits of the magnitudes. SrcB goes through `S.fpu.b`, in which broadcast
is over.
"""

from tensix_gdb.core.engine.lanes import lanes
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.matrix.products import MANTISSA_LOW, SIGN, s16

NARROW = True  # in 32 bits where ranges allow it (core/engine/README.md)


def fetch_b(S: View, bank: int, first: int, count: int, one_row: int, column0: int) -> int:
    """Rows of SrcB into `b`: broadcast is over after this."""
    for i in range(count):
        at = first if one_row else first + i
        for j in lanes(16):
            S.fpu.b[i & 7, j] = S.src.b[bank & 1, at & 63, j]
        if column0:
            datum = S.fpu.b[i & 7, 0]
            for j in lanes(16):
                S.fpu.b[i & 7, j] = datum
    return 0


def negate_b(S: View) -> int:
    """ELWSUB."""
    for i in range(8):
        for j in lanes(16):
            S.fpu.b[i, j] = S.fpu.b[i, j] ^ 1 << SIGN
    return 0


def nothing_old(S: View) -> int:
    """Dst does not take part."""
    for i in range(8):
        for j in lanes(16):
            S.fpu.old[i, j] = 0
    return 0


def decode_integers_a(S: View, bank: int, first: int, count: int, magnitude: int) -> int:
    """Rows of SrcA as integers into `a_man`; `magnitude`: which bits.

    UNSPECIFIED(ELWMUL.md): a datum with an exponent of 0 is 0, as Tenstorrent's simulator has it;
    unpackers give such a datum no magnitude anyway.
    """
    for i in range(count):
        for j in lanes(16):
            datum = S.src.a[bank & 1, (first + i) & 63, j]
            value = datum >> MANTISSA_LOW & 0x3FF & magnitude
            value = -value if datum >> SIGN else value
            S.fpu.a_man[i & 15, j] = value & 0xFFFF if datum & 0xFF else 0
    return 0


def decode_integers_b(S: View, count: int, magnitude: int, denormals: int) -> int:
    """`b` as integers into `b_man`."""
    for i in range(count):
        for j in lanes(16):
            datum = S.fpu.b[i & 7, j]
            value = datum >> MANTISSA_LOW & 0x3FF & magnitude
            value = -value if datum >> SIGN else value
            S.fpu.b_man[i & 7, j] = value & 0xFFFF if datum & 0xFF or denormals else 0
    return 0


def multiply_integer_lanes(S: View) -> int:
    """ELWMUL."""
    for i in range(8):
        for j in lanes(16):
            product = s16(S.fpu.a_man[i, j]) * s16(S.fpu.b_man[i, j])
            S.fpu.value[0, i, j] = product & 0xFFFFFFFF
    return 0


def add_integer_lanes(S: View) -> int:
    """ELWADD."""
    for i in range(8):
        for j in lanes(16):
            total = s16(S.fpu.a_man[i, j]) + s16(S.fpu.b_man[i, j])
            S.fpu.value[0, i, j] = total & 0xFFFFFFFF
    return 0


def multiply_integer_matrices(S: View, count: int) -> int:
    """MVMUL."""
    for i in range(count):
        for j in lanes(16):
            S.fpu.value[0, i & 7, j] = 0
        for k in range(16):
            by = s16(S.fpu.b_man[i & 7, k])
            for j in lanes(16):
                value = S.fpu.value[0, i & 7, j] + s16(S.fpu.a_man[k, j]) * by
                S.fpu.value[0, i & 7, j] = value & 0xFFFFFFFF
    return 0
