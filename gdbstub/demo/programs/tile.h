/* SPDX-License-Identifier: Apache-2.0
 * What a program for one hart of the tile needs to know about the tile. */
#pragma once

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned u32;

/* L1 that all harts see; otherwise variables live in the hart's own local RAM. */
#define SHARED __attribute__((section(".shared")))

/* First thing in local RAM: at 0xffb00000 on every hart, and each hart has its own. */
#define AT_LOCAL_START __attribute__((section(".data.first"), used))

/* Push one instruction to the Tensix coprocessor (T0, T1, T2). The assembler does not know
 * `.ttinsn`: its word is the instruction rotated left by two, so that its low bits are not 0b11.
 * As two halves, because only `.insn` gets a row in the line table, and it takes the word for a
 * compressed instruction. */
#define TTINSN_WORD(instruction) (((instruction) << 2) | ((u32)(instruction) >> 30))
#define TTINSN(instruction) \
    __asm__ volatile(".insn 2, %0\n\t.half %1" \
                     : \
                     : "i"(TTINSN_WORD(instruction) & 0xffff), "i"(TTINSN_WORD(instruction) >> 16))
#define TT_NOP 0x02000000u
#define TT_DMANOP 0x60000000u

#define SOFT_RESET_0 (*(volatile u32 *)0xffb121b0)
