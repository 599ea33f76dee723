/* SPDX-License-Identifier: Apache-2.0
 * Tiles of 32x32 through the coprocessor: T0 unpacks two of them to SrcA and SrcB, T1 multiplies or
 * adds them into Dst, T2 packs the result. For T0, T1 and T2, with HART 1, 2 and 3.
 *
 * Faces of 16x16 lie behind each other: face 0 is top left, 1 top right. The words of instructions
 * come from the compiler's command line, by name; configuration from a list at ARGUMENTS, as runtime
 * arguments would. */
#include "tile.h"

#define ARGUMENTS ((volatile u32 *)(0x30000 + 0x1000 * HART))
#define CONFIG ((volatile u32 *)0xffef0000)
#define PACKED_TILES (*(volatile u32 *)0xffe80024) /* semaphore 1 */
#define PUSH (*(volatile u32 *)0xffe40000)

#define ADDR_MOD(set) ((u32)(set) << 14)
#define FACE 16 /* rows */
#define HALF 8

u32 tiles_done;

/* Words of Config and what is in them, then instructions (SETC16 and the like). */
static void configure(void)
{
    volatile u32 *next = ARGUMENTS;
    for (u32 left = *next++; left; left--, next += 2)
        CONFIG[next[0]] = next[1];
    TTINSN(CONFIG_IS_WRITTEN);
    for (u32 left = *next++; left; left--)
        PUSH = *next++;
}

#if HART == 1
static void unpack_tiles(void)
{
    TTINSN(UNPACK_A);
    TTINSN(UNPACK_B);
}
#define WORK unpack_tiles
#elif HART == 2
/* Dst[r][c] += SrcB[r][k] * SrcA[k][c], a half of a face at a time. SrcB advances eight rows with
 * each MVMUL. SrcA goes from face to face, 32 rows on, with every second one, and to the next
 * column of faces with the eighth. All phases of fidelity, the outer loop as Dst.md has it. */
static void multiply(void)
{
    for (u32 phase = 0; phase < PHASES; phase++) {
        for (u32 c = 0; c < 2; c++)
            for (u32 r = 0; r < 2; r++)
                for (u32 k = 0; k < 2; k++)
                    for (u32 half = 0; half < 2; half++) {
                        u32 last = r && k && half;
                        u32 set = !half ? STAY : last ? NEXT_COLUMN : NEXT_FACE;
                        if (last && c)
                            set = NEXT_PHASE;
                        PUSH = MULTIPLY | ADDR_MOD(set) | ((2 * r + c) * FACE + half * HALF);
                    }
    }
}

static void add(void)
{
    for (u32 row = 0; row < 4 * FACE; row += HALF)
        PUSH = ADD | ADDR_MOD(BOTH) | row;
}

static void calculate(void)
{
    TTINSN(CLEAR_DST);
    if (MULTIPLYING)
        multiply();
    else
        add();
    TTINSN(GIVE_BANKS);
    TTINSN(MATH_IS_OVER);
    TTINSN(DST_IS_FULL);
}
#define WORK calculate
#else
static void pack_tile(void)
{
    TTINSN(DST_WANTED);
    for (u32 row = 0; row < 4 * FACE; row += 4)
        PUSH = row == 4 * FACE - 4 ? PACK_LAST : PACK_ROWS;
    TTINSN(PACKED);
    TTINSN(DST_IS_FREE);
    TTINSN(TILE_IS_PACKED);
    while (!PACKED_TILES)
        ;
}
#define WORK pack_tile
#endif

u32 main(void)
{
    configure();
    WORK();
    tiles_done++;
    return tiles_done;
}
