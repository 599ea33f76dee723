/* SPDX-License-Identifier: Apache-2.0
 * Variables to watch: in local RAM, in L1, on the stack; read, written, and written unchanged. */
#include "tile.h"

volatile int in_local = 10;
volatile u8 bytes[8];
SHARED volatile int in_l1;
SHARED volatile int untouched;

__attribute__((noinline)) void write_local(int value)
{
    in_local = value; /* writes in_local */
}

__attribute__((noinline)) int read_local(void)
{
    return in_local; /* reads in_local */
}

__attribute__((noinline)) void write_l1(int value)
{
    in_l1 = value; /* writes in_l1 */
}

__attribute__((noinline)) int read_l1(void)
{
    return in_l1; /* reads in_l1 */
}

__attribute__((noinline)) int scoped(int n)
{
    volatile int local = n;

    local += 5; /* writes local */
    local *= 2;
    return local;
}

int main(void)
{
    int sum = 0;

    for (int i = 1; i <= 5; i++) {
        write_l1(i);
        write_local(i * 11);
        bytes[i] = (u8)i; /* writes one byte */
        sum += read_local() + read_l1();
    }
    write_local(55); /* the value it has already */
    sum += scoped(sum);
    return sum;
}
