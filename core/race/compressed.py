# SPDX-License-Identifier: Apache-2.0
"""Compressed tiles that unpackers read: how long one is, its data say (unpacker/compressed.py).

So what an UNPACR reads is known when it has read it. In each cycle its addresses are compared with
those of the cycle before; what lies between them is an access that begins at the gate, and ends
with the instruction, as for other tiles.

UNSPECIFIED: the table of row starts, which comes before the data, is read with the addresses. It is
not observed.
"""

from tensix_gdb.core.race.fields import UNPACKING
from tensix_gdb.core.race.shadow import READ
from tensix_gdb.core.race.units import span
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.unpacker import queue
from tensix_gdb.core.tensix.unpacker.formats import BITS

COLD = True  # little time of LLVM for it (core/engine/README.md)

LONGEST = 256  # bytes in a cycle; a larger step is one to the start of the buffer


def note_reads(S: View) -> int:
    """Note in each cycle before the gates what was read since the last one."""
    for j in range(queue.JOBS):
        if (S.race.compressed >> j) & 1:
            bits = BITS[S.unpack.in_format[j]]
            reads(S, j, S.race.read_data[j], S.unpack.data[j], bits, 8)
            reads(S, j, S.race.read_deltas[j], S.unpack.deltas[j], 1, 2)
            if queue.has_own_exponents(S, j):
                reads(S, j, S.race.read_exponents[j], S.unpack.exponents[j], 1, 16)
            S.race.read_data[j] = S.unpack.data[j]
            S.race.read_deltas[j] = S.unpack.deltas[j]
            S.race.read_exponents[j] = S.unpack.exponents[j]
            unpacker = j // queue.DEPTH
            place = (j - S.unpack.head[unpacker]) % queue.DEPTH
            if place >= S.unpack.count[unpacker]:
                S.race.compressed = S.race.compressed & ~(1 << j)
    return 0


def reads(S: View, j: int, old: int, new: int, unit: int, of_byte: int) -> int:
    """Check what lies between two addresses, of which a byte has `of_byte`; at least a unit."""
    if new == old:
        return 0
    if not old < new <= old + LONGEST * of_byte:
        new = old + unit
    first = old // of_byte
    size = (new - 1) // of_byte + 1 - first
    line = S.race.unpack_line[j]
    number = S.race.unpack_number[j]
    return span(S, first, size, READ, UNPACKING + j, line, number, S.race.unpack_site[j])
