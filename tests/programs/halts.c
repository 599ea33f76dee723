/* SPDX-License-Identifier: Apache-2.0
 * Comes to an ebreak again and again, in a function that main calls. */
#include "tile.h"

volatile u32 rounds;

__attribute__((noinline)) void halt(void)
{
    __asm__ volatile("ebreak");
}

u32 main(void)
{
    for (;;) {
        rounds++;
        halt();
    }
}
