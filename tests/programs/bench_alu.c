/* SPDX-License-Identifier: Apache-2.0
 * Speed of arithmetic: shifts and exclusive-ors that wait for each other, and a product.
 * ROUNDS rounds. */
#include "bench.h"

u32 bench(u32 rounds)
{
    u32 state = 0x9e3779b9u, sum = 0;

    for (u32 i = 0; i < rounds; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        sum += (i ^ 1) * state;
    }
    return sum;
}
