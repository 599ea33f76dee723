/* SPDX-License-Identifier: Apache-2.0
 * T0 (-DHART=1) puts a sum where T1 (-DHART=2) shall take it. T1 first clears the place, as it
 * always does when it starts, and one day it starts later than T0 is ready. */
#include "tensix.h"

#define SUM (*(volatile u32 *)0x16000)
#define READY (*(volatile u32 *)0x16004)

#if HART == 1
__attribute__((noinline)) void publish(u32 sum)
{
    SUM = sum;
    READY = 1;
}

u32 main(void)
{
    u32 sum = 0;
    for (u32 i = 1; i <= 8; i++)
        sum += i * i;
    publish(sum);
    return sum;
}
#else
__attribute__((noinline)) void start(void)
{
    for (volatile u32 i = 0; i < 50; i++)
        ; /* other things to do */
    SUM = 0;
}

__attribute__((noinline)) void wrong(u32 sum)
{
    __asm__ volatile("" : : "r"(sum));
}

u32 main(void)
{
    start();
    while (!READY)
        ;
    u32 sum = SUM;
    if (sum != 204)
        wrong(sum);
    return sum;
}
#endif
