/* SPDX-License-Identifier: Apache-2.0
 * Speed of floating point: a multiply-add and a sum that wait for each other, and conversions.
 * Products have no more bits than FP32, so that the chip and IEEE 754 agree. ROUNDS rounds. */
#include "bench.h"

u32 bench(u32 rounds)
{
    float state = 1.0f, sum = 0.0f;
    union { float value; u32 bits; } last;
    u32 result = 0;

    for (u32 i = 0; i < rounds; i++) {
        state = state * 0.5f + (float)(i & 255);
        sum = sum + state;
        last.value = sum;
        result ^= last.bits;
    }
    return result;
}
