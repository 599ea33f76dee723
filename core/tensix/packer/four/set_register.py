# SPDX-License-Identifier: Apache-2.0
"""Wormhole's PACR_SETREG: a store to the tile's MMIO addresses, in order with the packers.

TDMA-RISC has what Blackhole has in the configuration: two bases, and four scalers, of which packer
0's format chooses one.

UNSPECIFIED(PACR_SETREG.md): when the bases and the scaler are sampled; as the format is, when the
instruction starts. For which of C3 to C6 it counts; for all four, as all four are flushed.
"""

from tensix_gdb.core.arch.blackhole import MMIO_BASE
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.opcodes import PACR_SETREG
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.config.unit import bank_of
from tensix_gdb.core.tensix.packer.config import CONTROL, OUT_FORMAT
from tensix_gdb.core.tensix.packer.four.images import PACKERS, choose
from tensix_gdb.core.tensix.packer.output import flush, put_block
from tensix_gdb.core.tensix.packer.state import END, OUT, TO_DEVICE

COLD = True  # little time of LLVM for it (core/engine/README.md)

FIRST_DEVICE, END_OF_DEVICES = 0xFFB11000, 0xFFB80000
BASES = 15  # of `tdma.word`: what was stored to FIFO_PACKED_TILE_STATUS (devices/tdma.py)
# Places in the queue: of three streams of each packer, of the store, and of the four ends.
MOST = 3 * PACKERS + 1 + PACKERS


def takes(S: View, word: int) -> int:
    """True if an instruction may pass the wait gate; this one puts its blocks into the queue."""
    if S.pack.running:
        return 0
    return 1 if word >> 24 != PACR_SETREG or S.pack.out_count + MOST <= OUT else 0


def base(S: View, which: int) -> int:
    """SetRegBase (SetPackRegAddr of TDMA-RISC.md)."""
    raw = S.tdma.word[BASES]
    return ((raw >> (20 + 2 * which)) & 3) << 18 | ((raw >> (10 * which)) & 0x3FF) << 2


def value_of(S: View, thread: int, value10: int) -> int:
    """Value32."""
    form = S.config.word[bank_of(S, thread), CONTROL[0]] >> OUT_FORMAT
    return value10 + ((value10 * S.tdma.scaler[form & 3] & 0x1FFFF) << 12)


def set_register(S: View, thread: int, which: int, value10: int, middle: int) -> int:
    """Take the instruction; 0, or the fault that it stops with."""
    addr = MMIO_BASE + base(S, which) + (middle << 12)
    if addr < FIRST_DEVICE:
        return Fault.PACR_SETREG_BASE
    value = value_of(S, thread, value10)
    S.pack.running = thread + 1
    for packer in range(PACKERS):
        choose(S, packer)
        flush(S)
    choose(S, 0)
    if addr < END_OF_DEVICES:
        at = put_block(S, TO_DEVICE, addr)
        for i in range(4):
            S.pack.out_word[at, i] = value if i == 0 else 0
    for packer in range(PACKERS):
        put_block(S, END, packer)
    S.pack.running = 0
    S.busy.packer[thread] += PACKERS
    return 0
