/* SPDX-License-Identifier: Apache-2.0
 * Tensix instructions in the middle of C, one after the other and in a loop. For T0, T1, T2. */
#include "tile.h"

volatile u32 rounds;

__attribute__((noinline)) void push_three(void)
{
    TTINSN(TT_NOP); /* the first push */
    TTINSN(TT_DMANOP);
    TTINSN(0xa2000001u); /* STALLWAIT */
}

u32 main(void)
{
    for (u32 i = 0; i < 4; i++) {
        push_three();
        rounds++; /* a round is over */
    }
    return rounds;
}
