/* SPDX-License-Identifier: Apache-2.0
 * T1 (-DHART=2) computes tiles and tells T2 (-DHART=3) of each by semaphore 1; T2 packs them. It
 * hangs. */
#include "tensix.h"

#define TILES 4

#if HART == 2
static void compute(void)
{
    SETDMAREG(0x1234, LO(4)); /* stands for the mathematics */
    SEMPOST(S2);
}

u32 main(void)
{
    SEMINIT(2, 0, S1 | S2);
    for (u32 tile = 0; tile < TILES; tile++)
        compute();
    wait_for_tensix();
    return 0;
}
#else
static void pack(void)
{
    SEMWAIT_WHILE_0(S1);
    SETDMAREG(0x5678, LO(4)); /* stands for the packing */
    SEMGET(S1);
}

u32 main(void)
{
    for (u32 tile = 0; tile < TILES; tile++)
        pack();
    wait_for_tensix();
    return 0;
}
#endif
