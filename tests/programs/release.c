/* SPDX-License-Identifier: Apache-2.0
 * B puts code at the reset pcs of T0, T1, T2 and NC and lets them out of reset, as firmware does. */
#include "tile.h"

SHARED volatile u32 came_alive[5];

/* What each of them runs: came_alive[HART] = HART + 1; ebreak. */
#define STUB(hart) \
    __asm__(".pushsection .rodata\n" \
            "stub" #hart ": li a0, " #hart " + 1\n" \
            "lui a1, %hi(came_alive + 4 * " #hart ")\n" \
            "sw a0, %lo(came_alive + 4 * " #hart ")(a1)\n" \
            "ebreak\n" \
            ".popsection"); \
    extern const u32 stub##hart[4]
STUB(1);
STUB(2);
STUB(3);
STUB(4);

static void start(const u32 *code, u32 reset_pc, u32 bit)
{
    for (u32 i = 0; i < 4; i++)
        ((volatile u32 *)reset_pc)[i] = code[i];
    SOFT_RESET_0 &= ~(1u << bit);
}

u32 main(void)
{
    start(stub1, 0x6000, 12);
    start(stub2, 0xa000, 13);
    start(stub3, 0xe000, 14);
    start(stub4, 0x12000, 18);
    for (u32 i = 1; i < 5; i++)
        while (came_alive[i] != i + 1)
            ;
    return 4;
}
