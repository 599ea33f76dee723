/* SPDX-License-Identifier: Apache-2.0
 * T0 stores to words that a unit reads, pushes the instruction of the unit, and writes them again.
 * Build with -DWAIT=0 for no wait before the push, 1 for the right one, 2 for one that catches other
 * instructions, with -DUNIT=0 for the Matrix Unit, 1 for an unpacker, 2 for the Vector Unit, 3 for a
 * MOP, and with -DAFTER=0 for a store without a wait after the push, 1 with tensix_sync before it,
 * 2 with a STALLWAIT, which holds no store, 3 with a load between, 4 for RMWCIB; with -DCALLED for a
 * first store by a function, which is inlined. */
#include "tile.h"

#define CONFIG(word) (*(volatile u32 *)(0xffef0000 + 4 * (word)))
#define COPROCESSOR_DONE_CHECK (*(volatile u32 *)0xffe80004)
#define STALL_CFG 0x80
#define TRISC_CFG 0x400
#define STALLWAIT(block) TTINSN(0xa2000000u | (u32)(block) << 15 | TRISC_CFG)
#define ALU 1
#define MOP_CFG(number) (*(volatile u32 *)(0xffb80000 + 4 * (number)))
#define ELWADD 0x28000000u
#define NOP 0x02000000u

#if UNIT == 1
#define WORD 76 /* THCON_SEC0_REG3_Base_address */
#define VALUE 0x20
#define BLOCK 0x8
#define PUSH TTINSN(0x42000081u) /* UNPACR */
#elif UNIT == 2
#define WORD ALU
#define VALUE 0x40000000 /* ALU_ACC_CTRL_SFPU_Fp32_enabled */
#define BLOCK 0x100
#define PUSH TTINSN(0x70000000u) /* SFPLOAD */
#else
#define WORD ALU
#define VALUE 0x20000000 /* ALU_ACC_CTRL_Fp32_enabled */
#define BLOCK 0x40
#if UNIT == 3
#define PUSH TTINSN(0x01800000u) /* MOP */
#else
#define PUSH TTINSN(ELWADD)
#endif
#endif

#define AGAIN CONFIG(WORD)
#define RMWCIB_ALU TTINSN(0xb3800001u) /* RMWCIB0 of word 1 */
#define SEMAPHORE_0 (*(volatile u32 *)0xffe80020)

#ifdef CALLED
#include "units.h"
#endif

/* tensix_sync of LLK. */
static inline __attribute__((always_inline)) void sync(void)
{
    COPROCESSOR_DONE_CHECK = 0;
    u32 value = COPROCESSOR_DONE_CHECK;
    __asm__ volatile("and zero, %0, zero" : : "r"(value) : "memory");
}

u32 main(void)
{
    TTINSN(0x43000101u); /* UNPACR_NOP: SrcA is zero, and valid */
    TTINSN(0x43800101u); /* UNPACR_NOP: SrcB is, too */

#if UNIT == 3
    MOP_CFG(0) = MOP_CFG(1) = 1; /* once */
    for (u32 i = 2; i < 9; i++)
        MOP_CFG(i) = i == 7 ? ELWADD : NOP; /* the last of the loop */
#endif
#ifdef CALLED
    configure(WORD, VALUE);
#else
    CONFIG(WORD) = VALUE;
#endif
#if WAIT == 1
    STALLWAIT(BLOCK);
#elif WAIT == 2
    STALLWAIT(STALL_CFG);
#endif
    PUSH;
#ifdef AFTER
#if AFTER == 1
    sync();
#elif AFTER == 2
    STALLWAIT(BLOCK);
#elif AFTER == 3
    u32 seen = SEMAPHORE_0;
    __asm__ volatile("and zero, %0, zero" : : "r"(seen) : "memory");
#endif
#if AFTER == 4
    RMWCIB_ALU;
#else
    AGAIN = 0;
#endif
#endif
    sync();
    return 0;
}
