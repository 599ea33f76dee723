/* SPDX-License-Identifier: Apache-2.0
 * T0, the filter: takes samples out of the ring, keeps the last four, and publishes their sum. */
#include "pipeline.h"

#define TAPS 4

static struct status me AT_LOCAL_START = {"T0", 0};
SHARED struct pipeline pipeline;

static struct sample take(struct ring *ring)
{
    while (ring->read == ring->written)
        ;
    struct sample sample = ring->slot[ring->read % SLOTS];
    ring->read++;
    return sample;
}

__attribute__((noinline)) static int weigh(const int window[TAPS], int tap)
{
    static const int weight[TAPS] = {1, 2, 2, 1};

    return window[tap] * weight[tap];
}

__attribute__((noinline)) static int filter(const int window[TAPS])
{
    int sum = 0;

    for (int tap = 0; tap < TAPS; tap++)
        sum += weigh(window, tap);
    return sum;
}

__attribute__((noinline)) static void publish(int sum)
{
    pipeline.sum = sum;
    TTINSN(TT_DMANOP);
    TTINSN(TT_NOP);
    pipeline.sums++;
    while (pipeline.checked != pipeline.sums)
        ;
}

u32 main(void)
{
    int window[TAPS] = {0, 0, 0, 0};

    while (me.done < SAMPLES) {
        struct sample sample = take(&pipeline.ring);
        window[sample.number % TAPS] = sample.value;
        publish(filter(window));
        me.done++;
    }
    return me.done;
}
