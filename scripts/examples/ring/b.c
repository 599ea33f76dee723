/* SPDX-License-Identifier: Apache-2.0
 * B puts the numbers from 1 to 100 into the ring. There is a mistake in it, to be found. */
#include "ring.h"

SHARED struct ring ring;
static u32 at;

__attribute__((noinline)) static void put(int value)
{
    while (ring.written - ring.read == SLOTS)
        ;
    ring.slot[at] = value;
    if (++at > SLOTS)
        at = 0;
    ring.written++;
}

u32 main(void)
{
    for (int number = 1; number <= NUMBERS; number++)
        put(number);
    return 0;
}
