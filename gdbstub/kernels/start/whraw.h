// SPDX-License-Identifier: Apache-2.0
// What Tenstorrent's compiler does for Wormhole (-mtt-fix-whraw, which is on there), for one that
// does not know it: each store of a byte or a halfword is followed by a load of what it has stored.
// A load waits for an earlier store with the same first byte only, and later loads come after it
// (WormholeB0 BabyRISCV/MemoryOrdering.md). A byte of a word that `sw` has stored is not guarded, and
// SFPI does not guard it either (tt-metal#55505).
#pragma once
__asm__(".macro sb value, place\n"
        ".insn s 0x23, 0, \\value, \\place\n"
        "lbu zero, \\place\n"
        ".endm\n"
        ".macro sh value, place\n"
        ".insn s 0x23, 1, \\value, \\place\n"
        "lhu zero, \\place\n"
        ".endm\n");
