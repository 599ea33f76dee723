/* SPDX-License-Identifier: Apache-2.0
 * T0 writes a word of the backend configuration by `sw`, and pushes an instruction that reads it.
 * The store and the push take different ways: without a wait between them the instruction may come
 * first. Build with -DWAIT=0 for none, 1 for the right one, 2 for one that does not catch RDCFG. */
#include "tile.h"

#define BASE_ADDRESS (*(volatile u32 *)(0xffef0000 + 4 * 76)) /* THCON_SEC0_REG3_Base_address */
#define GPR4 (*(volatile u32 *)(0xffe00000 + 4 * 4))
#define COPROCESSOR_DONE_CHECK (*(volatile u32 *)0xffe80004)

#define OLD 0x1000
#define NEW 0x2000

u32 seen; /* what the instruction has read */

__attribute__((noinline)) void wrong(void)
{
    __asm__ volatile("");
}

/* Until the coprocessor has nothing of this thread in flight (ManualTTSync.md). */
static void wait_for_tensix(void)
{
    COPROCESSOR_DONE_CHECK = 0;
    u32 value = COPROCESSOR_DONE_CHECK;
    __asm__ volatile("and zero, %0, zero" : : "r"(value) : "memory");
}

u32 main(void)
{
    BASE_ADDRESS = OLD;
    u32 value = BASE_ADDRESS; /* read back: from here on it is there */
    __asm__ volatile("and zero, %0, zero" : : "r"(value) : "memory");

    BASE_ADDRESS = NEW; /* emitted at once, processed some time later */
#if WAIT == 1
    TTINSN(0xa2400400); /* STALLWAIT block=B7, wait=C10: holds configuration instructions */
#elif WAIT == 2
    TTINSN(0xa2200400); /* STALLWAIT block=B6, wait=C10: holds the Matrix Unit's, but not RDCFG */
#endif
    TTINSN(0xb104004c); /* RDCFG result_reg=4, cfg_index=THCON_SEC0_REG3_Base_address */
    wait_for_tensix();

    seen = GPR4;
    if (seen != NEW)
        wrong();
    return seen;
}
