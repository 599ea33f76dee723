/* SPDX-License-Identifier: Apache-2.0
 * A tile of data goes from one Tensix tile to another one: for hart B of both. SENDER stores a datum
 * of it; HOW says whether the receiver reads it (READ), whether it goes through DRAM, or is written
 * to a rectangle of tiles (MULTICAST). */
#include "tile.h"

#define NIU(offset) (*(volatile u32 *)(0xffb20000 + (offset)))
#define SENT NIU(0x200 + 4 * 16) /* requests that are outstanding */
#define TILE ((volatile u16 *)ADDRESS)
#define BYTES 2048
#define READ 1
#define DRAM 2
#define MULTICAST 3
#define WRITES (2 | 16) /* a write, with an answer */

u32 done;

static void request(u32 control, u32 from, u32 from_at, u32 to, u32 to_at)
{
    NIU(0x00) = from;
    NIU(0x08) = from_at;
    NIU(0x0c) = to;
    NIU(0x14) = to_at;
    NIU(0x1c) = control;
    NIU(0x20) = BYTES;
    NIU(0x40) = 1;
    while (NIU(0x40))
        ;
    while (SENT)
        ;
}

#ifdef SENDER
static void fill(u32 at)
{
    TILE[at] = 0x40a0; /* 5.0: the one that is asked about */
    __asm__ volatile("fence" : : "r"(TILE[at]));
}

u32 main(void)
{
    fill(5);
    if (HOW == DRAM)
        request(WRITES, ADDRESS, SENDER, 0x1000, DRAM_AT);
    if (HOW == MULTICAST)
        request(WRITES | 1 << 5, ADDRESS, SENDER, ADDRESS, RECTANGLE);
    return ++done;
}
#else
static void fetch(void)
{
    if (HOW == READ)
        request(0, ADDRESS, FROM, ADDRESS, RECEIVER);
    if (HOW == DRAM)
        request(0, 0x1000, DRAM_AT, ADDRESS, RECEIVER);
}

u32 main(void)
{
    for (volatile u32 i = 0; i < 200; i++)
        ;
    fetch();
    return ++done;
}
#endif
