# SPDX-License-Identifier: Apache-2.0
"""Every number of the Wormhole B0 Tensix tile that differs from Blackhole's, with its page.

Pages are those of Tenstorrent's ISA documentation, below `WormholeB0/TensixTile/`. What is not here
is as in blackhole.py; chips.py puts the two side by side.
"""

# L1.md: 1464 KiB. The table of BabyRISCV/README.md reserves addresses up to 0x16ffff for it.
L1_BYTES = 1464 << 10

# BabyRISCV/README.md, Local data RAM: B, T0, T1, T2, NC. There is no slow path to it.
LOCAL_BYTES = (0x1000, 0x800, 0x800, 0x800, 0x1000)

# BabyRISCV/InstructionRAM.md: NC alone fetches from it, the mover alone writes it, and the
# Load/Store Unit does not reach it.
IRAM_BASE = 0xFFC00000  # MEM_NCRISC_IRAM_BASE
IRAM_BYTES = 0x4000
# Where the record has its bytes: in the words of `l1` after the end of Wormhole's L1, so that they
# are fetched, decoded and written as L1 is, and Blackhole's record stays as it is.
IRAM_PLACE = 0x170000
assert L1_BYTES <= IRAM_PLACE

# SoftReset.md: bits from 23 on have no effect.
SOFT_RESET_WRITABLE = 0x7FFFFF

# SoftReset.md, RISCV soft reset: the words of Config that say where cores start (cfg_defines.h).
TRISC_RESET_PC = 158  # and the two after it
TRISC_RESET_PC_OVERRIDE = 161
NCRISC_RESET_PC = 162
NCRISC_RESET_PC_OVERRIDE = 163

# TensixCoprocessor/BackendConfiguration.md, and cfg_defines.h for the numbers.
CONFIG_WORDS = 188  # of a bank: CFG_STATE_SIZE * 4
THREAD_CONFIG_WORDS = 57  # THD_STATE_SIZE
THREAD_CONFIG_STRIDE = 4  # words from one to the next: a value of 16 bits, and padding
THCON_WORD = 52  # THCON_CFGREG_BASE_ADDR32
GLOBAL_WORD = 152  # GLOBAL_CFGREG_BASE_ADDR32
IC_INVALIDATE = 157
PRNG_SEED = 164
