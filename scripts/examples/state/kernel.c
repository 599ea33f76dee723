/* SPDX-License-Identifier: Apache-2.0
 * T0 makes one mistake of each kind that `--check` looks for: it stores an LReg that nothing has
 * loaded, leaves a field of the unpacker and a semaphore changed, and has more on its stack than
 * fits. Build with -DMENDED=1 for the same without them. */
#include "tile.h"

#define REG2 (*(volatile u32 *)(0xffef0000 + 4 * 72)) /* THCON_SEC0_REG2: Tileize_mode is bit 9 */
#define DONE (*(volatile u32 *)0xffe80004)
#define TILEIZE (1 << 9)
#define SCRATCH_WORDS (MENDED ? 16 : 1200)

volatile u32 sum;

static void wait_for_tensix(void)
{
    DONE = 0;
    u32 value = DONE;
    __asm__ volatile("and zero, %0, zero" : : "r"(value) : "memory");
}

static void store_row(void)
{
#if MENDED
    TTINSN(0x71303f80u); /* SFPLOADI vd=L3, imm16=0x3f80 */
#endif
    TTINSN(0x72330000u); /* SFPSTORE vd=L3, mod0=FP32, imm10=0 */
}

static void tilize_init(void)
{
    REG2 = TILEIZE;
    TTINSN(0xa3200008); /* SEMINIT new_max=2, new_value=0, semaphore_mask=2 */
    TTINSN(0xa4000008); /* SEMPOST semaphore_mask=2 */
}

static void tilize_uninit(void)
{
#if MENDED
    REG2 = 0;
    TTINSN(0xa5000008); /* SEMGET semaphore_mask=2 */
#endif
}

static __attribute__((noinline)) u32 scratch(u32 seed)
{
    volatile u32 words[SCRATCH_WORDS];
    words[0] = seed;
    words[SCRATCH_WORDS - 1] = seed + 1;
    return words[0] + words[SCRATCH_WORDS - 1];
}

u32 main(void)
{
    tilize_init();
    store_row();
    tilize_uninit();
    wait_for_tensix();
    sum = scratch(1);
    return sum;
}
