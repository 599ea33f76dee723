/* SPDX-License-Identifier: Apache-2.0
 * Speed of loads and stores: a sieve of bytes, a table of words, and a checksum over both. */
#include "bench.h"

#define BYTES 32768
#define WORDS 4096

SHARED static u8 composite[BYTES];
SHARED static u32 words[WORDS];
SHARED static u32 table[256];

static void make_table(void)
{
    for (u32 i = 0; i < 256; i++) {
        u32 entry = i;
        for (int bit = 0; bit < 8; bit++)
            entry = (entry >> 1) ^ (entry & 1 ? 0xedb88320u : 0);
        table[i] = entry;
    }
}

u32 bench(u32 rounds)
{
    u32 checksum = 0;

    make_table();
    for (u32 round = 0; round < rounds; round++) {
        for (u32 i = 0; i < BYTES; i++)
            composite[i] = 0;
        for (u32 i = 2; i * i < BYTES; i++)
            if (!composite[i])
                for (u32 j = i * i; j < BYTES; j += i)
                    composite[j] = 1;
        for (u32 i = 0; i < WORDS; i++)
            words[i] = words[(i * 7 + round) % WORDS] + composite[i * 8] + i;
        for (u32 i = 0; i < WORDS; i++)
            checksum = (checksum >> 8) ^ table[(checksum ^ words[i]) & 255];
    }
    return checksum;
}
