/* SPDX-License-Identifier: Apache-2.0
 * A kernel for T1 that pushes a MOP, waits for a semaphore that nothing posts, and continues. */
#include "tile.h"

#define MOP_CFG ((volatile u32 *)0xffb80000)
#define ADD_1_TO_GPR_5 0x58805045u
#define SEMINIT_1 0xa3100008u
#define SEMWAIT_1 0xa6ff8009u
#define SEMGET_1 0xa5000008u
#define SET_GPR_7 0x4500770eu
#define WRCFG_3 0xb0050003u
#define MOP 0x01800000u

volatile u32 rounds;

static void set_up_mop(void)
{
    /* Template 1: two times three additions, with a DMANOP behind the three. */
    static const u32 words[9] = {2, 3, TT_NOP, TT_DMANOP, TT_NOP, ADD_1_TO_GPR_5, TT_NOP,
                                 ADD_1_TO_GPR_5, ADD_1_TO_GPR_5};

    for (u32 i = 0; i < 9; i++)
        MOP_CFG[i] = words[i];
}

__attribute__((noinline)) void compute(void)
{
    TTINSN(MOP); /* six additions */
    TTINSN(SEMWAIT_1); /* wait for a tile */
    TTINSN(SET_GPR_7); /* behind the wait */
    TTINSN(SEMGET_1); /* take the tile */
    TTINSN(WRCFG_3); /* configure */
    rounds++; /* a round is over */
}

u32 main(void)
{
    set_up_mop();
    TTINSN(SEMINIT_1);
    for (u32 i = 0; i < 3; i++)
        compute();
    return rounds;
}
