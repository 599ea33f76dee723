# SPDX-License-Identifier: Apache-2.0
"""Every number of the Blackhole Tensix tile, each with the page it comes from.

Pages are those of Tenstorrent's ISA documentation, below `BlackholeA0/TensixTile/`.
"""

import enum

# Floating-point register f0 among the registers of a hart: column of hart.x, after x0 to x31.
F0 = 32

# BabyRISCV/README.md: five cores, here in the order of their GDB threads.
HARTS = 5
B, T0, T1, T2, NC = range(HARTS)
HART_NAMES = ("B", "T0", "T1", "T2", "NC")
THREADS = 3  # Tensix threads; thread i is fed by hart T0 + i
THREAD_NAMES = ("T0 unpack", "T1 math", "T2 pack")  # and what each is for in LLK

# BabyRISCV/README.md, memory map.
L1_BYTES = 0x180000
LOCAL_BASE = 0xFFB00000
LOCAL_STRIDE = 0x2000  # bytes of the record per hart, also the size of a slow window
LOCAL_BYTES = (0x2000, 0x1000, 0x1000, 0x1000, 0x2000)
SLOW_LOCAL_BASE = 0xFFB14000
SLOW_LOCAL_END = 0xFFB1E000
SLOW_LOCAL_OWNER = (B, NC, T0, T1, T2)  # one window of LOCAL_STRIDE each, in this order
TILE_CONTROL_BASE = 0xFFB12000
PUSH_BASE = 0xFFE40000  # INSTRN_BUF_BASE; the windows of T1 and T2 follow, 64 KiB apart
PUSH_STRIDE = 0x10000
PUSH_END = 0xFFE70000

# LOADREG.md, STOREIND_MMIO.md, PACR_SETREG.md: what addresses of the coprocessor are added to.
MMIO_BASE = 0xFFB00000

# SoftReset.md
SOFT_RESET_BIT = (11, 12, 13, 14, 18)
SOFT_RESET_HARTS = 0x47800  # all five of them
SOFT_RESET_WRITABLE = 0xFFFFFF


class SoftReset(enum.IntEnum):
    """Bits of SOFT_RESET_0 (SoftReset.md), besides those of the harts."""

    UNPACKERS = 0x83
    PACKER = 1 << 2
    MOVER = 1 << 6
    TDMA_RISC = 1 << 8
    THCON = 1 << 9  # its configuration, and the Scalar Unit
    FPU = 1 << 10  # the Matrix and the Vector Unit, and SrcA's data
    SRC_A = 1 << 15
    SRC_B = 1 << 16
    DST = 1 << 17  # the packer's connection to it, and ZEROACC


RESET_PC = (0x00000, 0x06000, 0x0A000, 0x0E000, 0x12000)
# DISABLE_RESET has two bits per core, T0 first: local RAM is not cleared, debug registers neither.
DISABLE_RESET_SHIFT = (6, 0, 2, 4, 8)

# BabyRISCV/README.md: the pc snapshots after the PIC's registers.
SNAPSHOT_ORDER = (B, NC, T0, T1, T2)

# BabyRISCV/CSRs.md
MSTATUS = 0x80006600
MISA = 0x40201123
CFG0_RESET = 16 << 13  # StMergeTimer
VLENB = 16

# BabyRISCV/PushTensixInstruction.md: `.ttinsn` holds values below this.
TTINSN_LIMIT = 0xC0000000
