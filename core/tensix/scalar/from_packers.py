# SPDX-License-Identifier: Apache-2.0
"""SETDMAREG: from what the packers know to GPRs (SETDMAREG_Special.md).

Blackhole has packer 0 alone; what Wormhole's four know is in packer/four/sizes.py.
"""

from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.packer import metadata
from tensix_gdb.core.tensix.packer.four import sizes
from tensix_gdb.core.tensix.packer.metadata import HEADER, ResultSize, Source

COLD = True  # little time of LLVM for it (core/engine/README.md)

# By chip.
IS_KNOWN = (metadata.is_known, sizes.is_known)
VALUE = (metadata.value, sizes.value)
CLEAR_SIZES = (metadata.clear_sizes, sizes.clear_sizes)


def to_gprs(
    S: View, thread: int, size: int, which: int, source: int, half: int, result: int
) -> int:
    """Write 16, 32 or 128 bits; 128 may leave reserved bits as they are."""
    chip = S.tile.chip
    first = thread * 64 + (result >> 1)
    match size:
        case ResultSize.BITS_16:
            shifted = VALUE[chip](S, thread, which, source, half >> 1) >> (16 * (half & 1))
            S.gpr.half[thread * 128 + result] = shifted & 0xFFFF
        case ResultSize.BITS_32:
            S.gpr.word[first] = VALUE[chip](S, thread, which, source, half >> 1)
        case _:
            first = thread * 64 + ((result >> 1) & 0x3C)
            for word in range(4):
                keep = HEADER[word] if size == ResultSize.HEADER else 0xFFFFFFFF
                old = S.gpr.word[first + word] & ~keep
                S.gpr.word[first + word] = VALUE[chip](S, thread, which, source, word) & keep | old
    if source == Source.CLEAR_SIZE:
        CLEAR_SIZES[chip](S, which)
    return 0
