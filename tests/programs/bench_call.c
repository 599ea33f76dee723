/* SPDX-License-Identifier: Apache-2.0
 * Speed of calls: recursion twice over, and sorting by recursion. */
#include "bench.h"

#define NUMBERS 512

SHARED static int numbers[NUMBERS];

__attribute__((noinline)) static u32 hanoi(u32 discs, u32 from, u32 to)
{
    if (discs == 0)
        return from;
    u32 moves = hanoi(discs - 1, from, 6 - from - to);
    KEEP(moves);
    return moves + 1 + hanoi(discs - 1, 6 - from - to, to);
}

__attribute__((noinline)) static void sort(int *first, int *last)
{
    if (first >= last)
        return;
    int pivot = *first, *low = first, *high = last;
    while (low <= high) {
        while (*low < pivot)
            low++;
        while (*high > pivot)
            high--;
        if (low <= high) {
            int kept = *low;
            *low++ = *high;
            *high-- = kept;
        }
    }
    sort(first, high);
    sort(low, last);
}

u32 bench(u32 rounds)
{
    u32 sum = 0, seed = 1;

    for (u32 round = 0; round < rounds; round++) {
        sum += hanoi(10, 1, 3);
        for (u32 i = 0; i < NUMBERS; i++) {
            seed = seed * 1103515245u + 12345u;
            numbers[i] = (int)(seed >> 8);
        }
        sort(numbers, numbers + NUMBERS - 1);
        sum += (u32)numbers[round % NUMBERS];
    }
    return sum;
}
