/* SPDX-License-Identifier: Apache-2.0
 * B puts code at the reset pcs of T0, T1, T2 and NC and lets them out of reset, as firmware does. */
#include "tile.h"

SHARED volatile u32 came_alive[5];

/* What each of them runs: came_alive[HART] = HART + 1; ebreak; and then nothing, for ever. */
#define STUB(hart) \
    __asm__(".pushsection .rodata\n" \
            "stub" #hart ": li a0, " #hart " + 1\n" \
            "lui a1, %hi(came_alive + 4 * " #hart ")\n" \
            "sw a0, %lo(came_alive + 4 * " #hart ")(a1)\n" \
            "ebreak\n" \
            "j .\n" \
            ".popsection"); \
    extern const u32 stub##hart[5]
STUB(1);
STUB(2);
STUB(3);
STUB(4);

static void start(const u32 *code, u32 reset_pc, u32 bit, u32 hart)
{
    volatile u32 *to = (volatile u32 *)reset_pc;
    for (u32 i = 0; i < 5; i++)
        to[i] = code[i];
    /* The code is in L1 when it can be read there. Without this the hart may be let go before its
     * code has come: stores to L1 and to the reset register take different ways. */
    while (to[4] != code[4])
        ;
    SOFT_RESET_0 &= ~(1u << bit);
    while (came_alive[hart] != hart + 1)
        ;
}

u32 main(void)
{
    start(stub1, 0x6000, 12, 1);
    start(stub2, 0xa000, 13, 2);
    start(stub3, 0xe000, 14, 3);
    start(stub4, 0x12000, 18, 4);
    return 4;
}
