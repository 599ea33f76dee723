/* SPDX-License-Identifier: Apache-2.0
 * The same global names in the program of every hart, at other addresses in each: build with
 * -DHART=0..4. */
#include "tile.h"

/* In front of the others, which it moves. */
volatile u32 before[1 + 4 * HART] AT_LOCAL_START = {1};
volatile u32 counter = 100 * HART;
struct limits {
    u32 low, high;
} limits = {HART, 10 * HART};

#if HART == 3
__attribute__((noinline)) void more(void)
{
    counter++;
    counter++;
}
#endif

__attribute__((noinline)) u32 count(u32 by)
{
    u32 limits = by; /* hides the global one */
    counter += limits;
    return counter;
}

u32 main(void)
{
#if HART == 3
    more();
#endif
    return count(HART) + before[0] + limits.low;
}
