/* SPDX-License-Identifier: Apache-2.0
 * T0 writes a base address to the configuration and pushes an instruction that uses it. RDCFG
 * stands for the unpacker here: it says what it has seen, which now and then is the old value. */
#include "tensix.h"

#define CONFIG ((volatile u32 *)0xffef0000)

u32 seen;

__attribute__((noinline)) void wrong(void)
{
    __asm__ volatile("");
}

u32 main(void)
{
    CONFIG[BASE_ADDRESS] = 0x100;
    RDCFG(5, BASE_ADDRESS);
    wait_for_tensix();
    seen = GPR[5];
    if (seen != 0x100)
        wrong();
    return seen;
}
