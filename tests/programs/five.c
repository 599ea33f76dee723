/* SPDX-License-Identifier: Apache-2.0
 * One program for all five harts: each counts its own rounds and all take turns in a ring, so that
 * nobody gets ahead of the others. Build with -DHART=0..4. */
#include "tile.h"

#define HARTS 5
#define ROUNDS 10

static volatile u32 rounds AT_LOCAL_START = 100 * HART;
SHARED volatile u32 turn;
SHARED volatile u32 total;

__attribute__((noinline)) void work(u32 round)
{
    rounds++;
    total += HART * round; /* everybody comes here */
}

u32 main(void)
{
    for (u32 round = 0; round < ROUNDS; round++) {
        while (turn != round * HARTS + HART)
            ;
        work(round);
        turn++;
    }
    return rounds;
}
