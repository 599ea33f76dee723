/* SPDX-License-Identifier: Apache-2.0
 * The Tensix instructions that these programs push; `tensix-gdb disasm` says what a word is. */
#pragma once
#include "tile.h"

#define SEMINIT(max, value, semaphores) \
    TTINSN(0xa3000000u | (max) << 20 | (value) << 16 | (semaphores) << 2)
#define SEMPOST(semaphores) TTINSN(0xa4000000u | (semaphores) << 2)
#define SEMGET(semaphores) TTINSN(0xa5000000u | (semaphores) << 2)
/* Hold everything while one of the semaphores is 0. */
#define SEMWAIT_WHILE_0(semaphores) TTINSN(0xa6000001u | ALL << 15 | (semaphores) << 2)
#define STALLWAIT(block, conditions) TTINSN(0xa2000000u | (block) << 15 | (conditions))
#define FLUSHDMA(conditions) TTINSN(0x46000000u | (conditions))
#define SETDMAREG(value, half_gpr) TTINSN(0x45000000u | (value) << 8 | (half_gpr))
#define ADDDMAREG(result, left, right) TTINSN(0x58000000u | (result) << 12 | (right) << 6 | (left))
#define WRCFG(gpr, word) TTINSN(0xb0000000u | (gpr) << 16 | (word))
#define RDCFG(gpr, word) TTINSN(0xb1000000u | (gpr) << 16 | (word))
#define SETDVALID_A() TTINSN(0x57000001u)
#define CLEARDVALID_A() TTINSN(0x36400000u)

#define LO(gpr) (2 * (gpr))
#define HI(gpr) (2 * (gpr) + 1)
#define ALL 0x1ff /* block mask */
#define UNPACKER_0 (1 << 1) /* C1 */
#define S1 (1 << 1) /* semaphores, as LLK has them: MATH_PACK is 1, UNPACK_TO_DEST is 2 */
#define S2 (1 << 2)
#define BASE_ADDRESS 76 /* THCON_SEC0_REG3_Base_address */

#define GPR ((volatile u32 *)0xffe00000) /* of the T core's own thread */

/* Until nothing of the own thread is in flight (ManualTTSync.md). */
static inline void wait_for_tensix(void)
{
    *(volatile u32 *)0xffe80004 = 0;
    u32 value = *(volatile u32 *)0xffe80004;
    __asm__ volatile("and zero, %0, zero" : : "r"(value) : "memory");
}
