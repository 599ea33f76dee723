/* SPDX-License-Identifier: Apache-2.0
 * NC, the producer: makes samples and puts them into the ring. */
#include "pipeline.h"

static struct status me AT_LOCAL_START = {"NC", 0};
SHARED struct pipeline pipeline;

static int next_value(int value)
{
    return (value * 5 + 3) % 101;
}

static void put(struct ring *ring, struct sample sample)
{
    while (ring->written - ring->read == SLOTS)
        ;
    ring->slot[ring->written % SLOTS] = sample;
    ring->written++;
}

u32 main(void)
{
    int value = 7;

    for (u32 number = 0; number < SAMPLES; number++) {
        struct sample sample = {number, value};
        put(&pipeline.ring, sample);
        me.done++;
        value = next_value(value);
    }
    return me.done;
}
