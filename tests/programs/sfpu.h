/* SPDX-License-Identifier: Apache-2.0
 * Words of the Vector Unit's instructions, as far as sfpu.c uses them (the pages' syntax). */
#pragma once

#define WORD_VD(opcode, vd, mod0, low) ((u32)(opcode) << 24 | (vd) << 20 | (mod0) << 16 | (low))
#define WORD_4(opcode, va, vb, vc, vd, mod1) \
    ((u32)(opcode) << 24 | (va) << 16 | (vb) << 12 | (vc) << 8 | (vd) << 4 | (mod1))

#define FMT_FP32 3
#define FMT_INT32 4
#define SFPLOAD(vd, mod0, row) TTINSN(WORD_VD(0x70, vd, mod0, row))
#define SFPSTORE(vd, mod0, row) TTINSN(WORD_VD(0x72, vd, mod0, row))
#define BF16 0
#define UPPER 8
#define LOWER 10
#define SFPLOADI(vd, mod0, imm16) TTINSN(WORD_VD(0x71, vd, mod0, imm16))
#define SFPLOADI32(vd, value) \
    do { \
        SFPLOADI(vd, UPPER, (u32)(value) >> 16); \
        SFPLOADI(vd, LOWER, (value) & 0xffff); \
    } while (0)

#define ZERO 9 /* LRegs that are constants */
#define ONE 10
#define NEGATE_VB 1
#define SFPMAD(va, vb, vc, vd, mod1) TTINSN(WORD_4(0x84, va, vb, vc, vd, mod1))
#define SFPMUL(va, vb, vd) TTINSN(WORD_4(0x86, va, vb, ZERO, vd, 0))
#define TABLE_6_TO_4 3
#define SFPLUTFP32(vd, mod1) TTINSN(WORD_4(0x95, 0, 0, 0, vd, mod1))
#define SFPARECIP(vc, vd) TTINSN(WORD_4(0x99, 0, 0, vc, vd, 0))
#define TO_INT16 7
#define SFP_STOCH_RND(vc, vd, mod1) TTINSN(WORD_4(0x8e, 0, vc, vc, vd, mod1))
#define TO_FP32 0
#define TWOS_COMPLEMENT 3
#define SFPCAST(vc, vd, mod1) TTINSN(WORD_4(0x90, 0, 0, vc, vd, mod1))
#define MIN_MAX 1
#define SFPSWAP(vc, vd, mod1) TTINSN(WORD_4(0x92, 0, 0, vc, vd, mod1))
#define IS_NEGATIVE 0
#define SFPSETCC(vc, mod1) TTINSN(WORD_4(0x7b, 0, 0, vc, 0, mod1))
/* Conditional execution on, all lane flags true. */
#define SFPENCC TTINSN(0x8a00300au)
#define NEXT_ROWS TTINSN(0x38000000u | 4 << 14) /* INCRWC: four rows of Dst on */
#define FIRST_ROW TTINSN(0x37000004u) /* SETRWC: row 0 of Dst */
