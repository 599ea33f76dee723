/* SPDX-License-Identifier: Apache-2.0
 * Speed of arithmetic: two generators of pseudo-random numbers feed a sum. ROUNDS rounds. */
#include "bench.h"

u32 bench(u32 rounds)
{
    u32 shifted = 0x9e3779b9u, linear = 12345, sum = 0;

    for (u32 i = 0; i < rounds; i++) {
        shifted ^= shifted << 13;
        shifted ^= shifted >> 17;
        shifted ^= shifted << 5;
        linear = linear * 1664525u + 1013904223u;
        sum += (shifted & linear) + (sum >> 7);
    }
    return sum;
}
