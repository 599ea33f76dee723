/* SPDX-License-Identifier: Apache-2.0
 * T1 adds up by a MOP, and waits for a tile that nobody announces. */
#include "tensix.h"

#define MOP_CFG ((volatile u32 *)0xffb80000)
#define ADD_1_TO_GPR_5 0x58805045u /* ADDDMAREG */
#define MOP() TTINSN(0x01800000u)

static void set_up_mop(void)
{
    /* Template 1: two times three additions, with a DMANOP behind each three. */
    const u32 words[] = {2, 3, TT_NOP, TT_DMANOP, TT_NOP, ADD_1_TO_GPR_5, TT_NOP,
                         ADD_1_TO_GPR_5, ADD_1_TO_GPR_5};

    for (u32 i = 0; i < sizeof words / sizeof *words; i++)
        MOP_CFG[i] = words[i];
}

static void compute(void)
{
    MOP();
    SEMWAIT_WHILE_0(S1);
    WRCFG(5, BASE_ADDRESS);
    SEMGET(S1);
}

u32 main(void)
{
    set_up_mop();
    SEMINIT(1, 0, S1);
    for (u32 tile = 0; tile < 2; tile++)
        compute();
    wait_for_tensix();
    return 0;
}
