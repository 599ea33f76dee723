/* SPDX-License-Identifier: Apache-2.0
 * T0 takes the numbers out of the ring. Their sum should be 5050. */
#include "ring.h"

SHARED struct ring ring;

__attribute__((noinline)) static void add(int value)
{
    ring.total += value;
}

u32 main(void)
{
    while (ring.read < NUMBERS) {
        while (ring.read == ring.written)
            ;
        add(ring.slot[ring.read % SLOTS]);
        ring.read++;
    }
    return (u32)ring.total;
}
