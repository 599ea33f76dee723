/* SPDX-License-Identifier: Apache-2.0
 * Kernels of the Vector Unit: a tile of 1024 floats goes from L1 to Dst, through the kernel that
 * KERNEL names, and back. For T1. */
#include "tile.h"
#include "sfpu.h"

#define INPUT ((volatile u32 *)0x30000)
#define OUTPUT ((volatile u32 *)0x32000)
#define DST ((volatile u32 *)0xffbd8000)
#define COPROCESSOR_DONE (*(volatile u32 *)0xffe80004)
#define DATUMS 1024
#define INLINE inline __attribute__((always_inline, unused))
#define GROUPS 16 /* of four rows */

static void constants(void)
{
    SFPENCC;
#ifdef TABLE
    /* Slopes in LReg 0 to 2, offsets in 4 to 6, two of 16 bits in each. */
    SFPLOADI32(0, SLOPE_0);
    SFPLOADI32(1, SLOPE_1);
    SFPLOADI32(2, SLOPE_2);
    SFPLOADI32(4, OFFSET_0);
    SFPLOADI32(5, OFFSET_1);
    SFPLOADI32(6, OFFSET_2);
#endif
}

/* max(x, 0) */
static INLINE void relu(u32 row)
{
    SFPLOAD(0, FMT_FP32, row);
    SFPSETCC(0, IS_NEGATIVE); /* lanes below zero stay enabled */
    SFPLOADI(0, BF16, 0);
    SFPENCC; /* all lanes again */
    SFPSTORE(0, FMT_FP32, row);
}

static INLINE void square(u32 row)
{
    SFPLOAD(1, FMT_FP32, row);
    SFPMUL(1, 1, 2);
    SFPSTORE(2, FMT_FP32, row);
}

/* e to the power of -|x|, six straight lines up to 4 and beyond */
static INLINE void decay(u32 row)
{
    SFPLOAD(3, FMT_FP32, row);
    SFPLUTFP32(7, TABLE_6_TO_4);
    SFPSTORE(7, FMT_FP32, row);
}

/* 1 / x: approximately, and twice y = y * (2 - x * y) */
static INLINE void reciprocal(u32 row)
{
    SFPLOAD(0, FMT_FP32, row);
    SFPLOADI(2, BF16, 0x4000);
    SFPARECIP(0, 1);
    SFPMAD(0, 1, 2, 3, NEGATE_VB);
    SFPMUL(1, 3, 1);
    SFPMAD(0, 1, 2, 3, NEGATE_VB);
    SFPMUL(1, 3, 1);
    SFPSTORE(1, FMT_FP32, row);
}

/* To an integer of 16 bits in sign and magnitude, there and back through two's complement, to FP32 */
static INLINE void typecast(u32 row)
{
    SFPLOAD(0, FMT_FP32, row);
    SFP_STOCH_RND(0, 1, TO_INT16);
    SFPCAST(1, 2, TWOS_COMPLEMENT);
    SFPCAST(2, 3, TWOS_COMPLEMENT);
    SFPCAST(3, 4, TO_FP32);
    SFPSTORE(4, FMT_FP32, row);
}

/* A step of sorting: even columns get the smaller of two neighbours, odd ones the larger. */
static INLINE void top_k_step(u32 row)
{
    SFPLOAD(0, FMT_FP32, row);
    SFPLOAD(1, FMT_FP32, row + 2);
    SFPSWAP(1, 0, MIN_MAX);
    SFPSTORE(0, FMT_FP32, row);
    SFPSTORE(1, FMT_FP32, row + 2);
}

u32 main(void)
{
    for (u32 i = 0; i < DATUMS; i++)
        DST[i] = INPUT[i];
    while (DST[DATUMS - 1] != INPUT[DATUMS - 1]) /* the stores are there before what is pushed */
        ;
    constants();
    FIRST_ROW;
    for (u32 group = 0; group < GROUPS; group++) {
        KERNEL(0); /* even columns, or pairs of columns */
#if !PAIRS
        KERNEL(2); /* odd columns */
#endif
        NEXT_ROWS;
    }
    (void)COPROCESSOR_DONE;
    for (u32 i = 0; i < DATUMS; i++)
        OUTPUT[i] = DST[i];
    return 0;
}
