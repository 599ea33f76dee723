# SPDX-License-Identifier: Apache-2.0
"""Facts that differ from chip to chip, side by side: each table is indexed by `S.tile.chip`.

0 is Blackhole (blackhole.py), 1 Wormhole (wormhole.py). README.md has why the chip is a number in
the record.
"""

from tensix_gdb.core.arch import blackhole, wormhole

CHIPS = 2
BLACKHOLE, WORMHOLE = range(CHIPS)
MOST_CHIPS = 8  # of either kind, in one emulator

L1_END = (blackhole.L1_BYTES, wormhole.L1_BYTES)
L1_EVERYWHERE = min(L1_END)  # below it every chip has L1
# Bytes of local RAM, HARTS for each chip.
LOCAL_BYTES = (*blackhole.LOCAL_BYTES, *wormhole.LOCAL_BYTES)
# InstructionRAM.md: bytes of instruction RAM, HARTS for each chip.
IRAM_OF = (*(0,) * blackhole.HARTS, 0, 0, 0, 0, wormhole.IRAM_BYTES)

# 1: harts may run in bursts (core/clock), and what is checked there is all that there is to check.
# Bursts have the sizes of Blackhole's memories as constants, and its map of L1 to the end.
BURSTS = (1, 0)
# 1: L1 or local RAM is smaller than the record's, so that no access goes unchecked.
CHECKS_ALL = (0, 1)
# SoftReset.md: 1: local RAM is cleared when a hart leaves soft reset (Wormhole's page has none).
CLEARS_LOCAL = (1, 0)

# CSRs.md: what cfg0 is at reset. Wormhole's harts have no cfg0; this is what one would say that
# turns off what they do not have: the L0 data cache (bit 3), merged stores (12) and fused `.ttinsn`
# (18), none of which BabyRISCV/README.md, MemoryOrdering.md and PushTensixInstruction.md know.
CFG0_RESET = (blackhole.CFG0_RESET, 1 << 3 | 1 << 12 | 1 << 18)
# BackendConfiguration.md, and cfg_defines.h of each chip: words of a bank of Config and of one
# ThreadConfig, where the words begin that soft reset of THCON clears and those that both banks
# share, and the words that act when they are written.
CONFIG_WORDS = (224, wormhole.CONFIG_WORDS)
THREAD_CONFIG_WORDS = (68, wormhole.THREAD_CONFIG_WORDS)
THCON_WORD = (64, wormhole.THCON_WORD)
GLOBAL_WORD = (180, wormhole.GLOBAL_WORD)
IC_INVALIDATE = (185, wormhole.IC_INVALIDATE)
PRNG_SEED = (186, wormhole.PRNG_SEED)
assert len(LOCAL_BYTES) == CHIPS * blackhole.HARTS
