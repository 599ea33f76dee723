/* SPDX-License-Identifier: Apache-2.0
 * T0 waits for a host, stores to configuration and pushes an RDCFG that reads it, and tells the host
 * that there is a result. Build with -DWAIT=0 or 1. */
#include "tile.h"

#define GO (*(volatile u32 *)0x20000)
#define DONE (*(volatile u32 *)0x20010)
#define RESULT ((volatile u32 *)0x20020)
#define WORD (*(volatile u32 *)(0xffef0000 + 4 * 76))
#define GPR4 (*(volatile u32 *)(0xffe00000 + 4 * 4))
#define COPROCESSOR_DONE_CHECK (*(volatile u32 *)0xffe80004)

u32 main(void)
{
    while (GO != 1) {
    }
    WORD = 0x2000;
#if WAIT
    TTINSN(0xa2400400); /* STALLWAIT block=B7, wait=C10 */
#endif
    TTINSN(0xb104004c); /* RDCFG result_reg=4, cfg_index=THCON_SEC0_REG3_Base_address */
    COPROCESSOR_DONE_CHECK = 0;
    u32 value = COPROCESSOR_DONE_CHECK;
    __asm__ volatile("and zero, %0, zero" : : "r"(value) : "memory");
    RESULT[0] = GPR4;
    RESULT[1] = 7;
    value = RESULT[1];
    __asm__ volatile("and zero, %0, zero" : : "r"(value) : "memory");
    DONE = 0xff;
    for (;;) {
    }
}
