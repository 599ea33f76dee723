/* SPDX-License-Identifier: Apache-2.0
 * 256 MVMULs, pushed by T1 in four ways; STEP says which. The bound is one in each cycle. */
#include "../tensix/tensix.h"

#define MVMULS 256
#define SAME_BLOCK 0x26000000u  /* MVMUL */
#define NEXT_BLOCK 0x26004000u  /* MVMUL addr_mod=ADDR_MOD_1: Dst moves on by 8 rows */
#define SETDVALID_AB() TTINSN(0x57000003u)
#define SET_ADDR_MOD_1() TTINSN(0xb21d0008u) /* SETC16: ADDR_MOD_DST_SEC1, 8 rows */
#define RECORD_16() TTINSN(0x04000101u) /* REPLAY: put the next 16 into the buffer */
#define REPLAY_16() TTINSN(0x04000100u) /* REPLAY: pass them again */

#define FOUR(word) \
    TTINSN(word); TTINSN(word); TTINSN(word); TTINSN(word)

/* As tt-metal's firmware: .ttinsn are not fused, and loads do not use the L0 cache. */
#define CFG0 0x40008

static void multiply(void)
{
#if STEP == 1
    for (u32 i = 0; i < MVMULS; i++)
        TTINSN(SAME_BLOCK);
#elif STEP == 2
    for (u32 i = 0; i < MVMULS; i++)
        TTINSN(NEXT_BLOCK);
#elif STEP == 3
    for (u32 i = 0; i < MVMULS / 4; i++) {
        FOUR(NEXT_BLOCK);
    }
#else
    RECORD_16();
    FOUR(NEXT_BLOCK);
    FOUR(NEXT_BLOCK);
    FOUR(NEXT_BLOCK);
    FOUR(NEXT_BLOCK);
    for (u32 i = 0; i < MVMULS / 16; i++)
        REPLAY_16();
#endif
}

u32 main(void)
{
    __asm__ volatile("csrs 0x7c0, %0" : : "r"(CFG0));
    SET_ADDR_MOD_1();
    SETDVALID_AB();
    multiply();
    wait_for_tensix();
    return 0;
}
