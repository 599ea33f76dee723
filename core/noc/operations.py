# SPDX-License-Identifier: Apache-2.0
"""Operations of atomics that Blackhole and Wormhole have alike (Atomics.md of both)."""

from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.memory.ram import l1_read, l1_write
from tensix_gdb.core.record.layout import View

COLD = True  # little time of LLVM for it (core/engine/README.md)

INCREMENT, SWAP_MASK, COMPARE = 1, 3, 4


def on_both_chips(S: View, kind: int, operands: int, addr: int, line: int, data: int) -> int:
    """Carry out INCREMENT, SWAP_MASK or COMPARE; 0."""
    old = l1_read(S, addr, 4, 0)
    if kind == INCREMENT:
        mask = (2 << ((operands >> 2) & 31)) - 1
        return l1_write(S, addr, (old + data) & mask | (old & ~mask & MASK32), 4)
    if kind == SWAP_MASK:
        for half in range(8):
            if (operands >> (2 + half)) & 1:
                l1_write(S, line + half * 2, data >> 16 if half & 1 else data & 0xFFFF, 2)
        return 0
    if old == (operands >> 2) & 15:
        l1_write(S, addr, (operands >> 6) & 15, 4)
    return 0
