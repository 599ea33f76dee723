/* SPDX-License-Identifier: Apache-2.0
 * A hart that stays in its own local RAM: calls, a stack, and an array there. */
#include "bench.h"

#define WORDS 256

static u32 words[WORDS];

static __attribute__((noinline)) u32 mix(u32 value, u32 at)
{
    return (value ^ (value << 13)) + (value >> 7) + at;
}

u32 bench(u32 rounds)
{
    u32 checksum = 1;

    for (u32 round = 0; round < rounds; round++)
        for (u32 i = 0; i < WORDS; i++) {
            u32 value = mix(words[i], i);
            value = (value & 0xffff) * 3 + (value >> 16);
            checksum = (checksum << 5) - checksum + value;
            words[i] = value + checksum;
        }
    return checksum;
}
