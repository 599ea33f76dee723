/* SPDX-License-Identifier: Apache-2.0
 * Never ends by itself. */
#include "tile.h"

volatile u32 beats;
volatile u32 stop;

__attribute__((noinline)) void beat(void)
{
    beats++;
}

u32 main(void)
{
    while (!stop)
        beat();
    return beats;
}
