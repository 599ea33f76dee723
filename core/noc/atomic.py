# SPDX-License-Identifier: Apache-2.0
"""Atomic requests against L1 (BlackholeA0 NoC/Atomics.md): NOC_AT_LEN_BE says which.

    bits 15:12   1 increment, 3 swap by mask, 4 compare and swap, 6 and 7 swap by index,
                 10 swap by index (bits 11:8 are 3) or what RISC-V's Zaamo has (bit 11 is 1),
                 9 parallel addition
    bits 1:0     which word of the 16 bytes (Ofs)

Wormhole has fewer (core/noc/wormhole.py); tables by chip are indexed by `S.tile.chip`.

The answer, the word at NOC_TARG_ADDR before the operation, is written to NOC_RET_ADDR with it.
Parallel addition of anything but whole words stops the hart: it needs arithmetic that the page
describes in words only.
"""

from tensix_gdb.core.arch.chips import L1_END
from tensix_gdb.core.arch.numbers import MASK32, s32
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.memory.l1_ports import niu_writes
from tensix_gdb.core.memory.ram import l1_read, l1_write
from tensix_gdb.core.noc import wormhole
from tensix_gdb.core.noc.operations import COMPARE, INCREMENT, SWAP_MASK, on_both_chips
from tensix_gdb.core.noc.request import MARKED
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.stop import fault

COLD = True  # little time of LLVM for it (core/engine/README.md)

SWAP_6, SWAP_7, ADD_ALL, MORE = 6, 7, 9, 10
SWAP_10 = 3


def atomic(S: View, niu: int, slot: int) -> int:
    """Execute the operation; 0, or STOPPED for what is no operation."""
    operands = S.noc.length[niu, slot] & MASK32
    targ = S.noc.targ[niu, slot]
    end = L1_END[S.tile.chip]
    if targ + 16 > end or S.noc.ret[niu, slot] + 4 > end:
        return fault(S, S.noc.hart[niu, slot], Fault.NOC_OUTSIDE_L1, targ, S.noc.pc[niu, slot])
    niu_writes(S, targ, 4)
    result = l1_read(S, targ, 4, 0)
    if OPERATE[S.tile.chip](S, operands, targ & ~15, S.noc.data[niu, slot]) < 0:
        return fault(S, S.noc.hart[niu, slot], Fault.NOC_ATOMIC, operands, S.noc.pc[niu, slot])
    if S.noc.ctrl[niu, slot] & MARKED:
        niu_writes(S, S.noc.ret[niu, slot], 4)
        l1_write(S, S.noc.ret[niu, slot] & ~3, result, 4)
    return 0


def operate(S: View, operands: int, line: int, data: int) -> int:
    """0, or -1 when there is no such operation."""
    kind = (operands >> 12) & 15
    addr = line + (operands & 3) * 4
    old = l1_read(S, addr, 4, 0)
    if kind == INCREMENT or kind == SWAP_MASK or kind == COMPARE:
        return on_both_chips(S, kind, operands, addr, line, data)
    if kind == SWAP_6 or kind == SWAP_7 or (kind == MORE and (operands >> 8) & 15 == SWAP_10):
        return l1_write(S, addr, data, 4)
    if kind == MORE and (operands >> 11) & 1:
        return l1_write(S, addr, zaamo((operands >> 8) & 7, old, data), 4)
    if kind == ADD_ALL and (operands & 15 == 4 or operands & 15 == 12 or operands & 15 == 13):
        for word in range(4):
            total = l1_read(S, line + 4 * word, 4, 0) + data
            l1_write(S, line + 4 * word, total & MASK32, 4)
        return 0
    return -1


def zaamo(op: int, old: int, data: int) -> int:
    """Return what `amoadd.w` and the other Zaamo operations write."""
    if op == 0:
        return (old + data) & MASK32
    if op == 1:
        return old ^ data
    if op == 2:
        return old | data
    if op == 3:
        return old & data
    if op == 4:
        return old if s32(old) < s32(data) else data
    if op == 5:
        return old if s32(old) > s32(data) else data
    return min(old, data) if op == 6 else max(old, data)


def word_of(operands: int) -> int:
    """Return which word of the 16 bytes an operation changes (Ofs)."""
    return operands & 3


def is_line(operands: int) -> int:
    """True if it may change all of the 16 bytes."""
    kind = (operands >> 12) & 15
    return 1 if kind == ADD_ALL or kind == SWAP_MASK else 0


OPERATE = (operate, wormhole.operate)
WORD_OF = (word_of, wormhole.word_of)
IS_LINE = (is_line, wormhole.is_line)
