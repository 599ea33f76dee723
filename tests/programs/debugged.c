/* SPDX-License-Identifier: Apache-2.0
 * What the speed of debuggers is measured on: it counts for ever. On the tile, or (-DBOARD) on a
 * board whose memory begins where the program is linked to. */
#include "tile.h"

volatile u32 beats;

__attribute__((noinline)) void beat(void)
{
    beats++;
}

int main(void)
{
    for (;;)
        beat();
}

#ifdef BOARD
__attribute__((naked, used, section(".boot"))) void _start(void)
{
    __asm__ volatile("la sp, __stack_top\n"
                     "call main");
}
#endif
