/* SPDX-License-Identifier: Apache-2.0
 * Races that were found in LLK and tt-metal, each with the lines that were wrong and little else.
 * Build for T0 and T1 with -DBUG=name's number, -DFIXED=0 or 1. bugs.py has the table. What main
 * returns differs between the orders of events where the bug has a value to show. */
#include "tile.h"

#define CONFIG(word) (*(volatile u32 *)(0xffef0000 + 4 * (word)))
#define GPR(number) (*(volatile u32 *)(0xffe00000 + 4 * (number)))
#define SEMAPHORE(number) (*(volatile u32 *)(0xffe80020 + 4 * (number)))
#define COPROCESSOR_DONE_CHECK (*(volatile u32 *)0xffe80004)
#define MAILBOX_T0 (*(volatile u32 *)0xffec1000)
#define MAILBOX_T1 (*(volatile u32 *)0xffec2000)

/* The hart continues when it has the value. */
#define USE(value) __asm__ volatile("and zero, %0, zero" : : "r"(value) : "memory")
#define POST 0
#define GET 1

/* Instructions, as LLK names their operands. */
#define STALL_SYNC 0x2
#define STALL_UNPACK 0x8
#define STALL_MATH 0x40
#define STALL_CFG 0x80
#define THCON 0x1
#define UNPACK 0x6
#define PACK 0x8
#define MATH 0x10
#define SRCA_CLR 0x20
#define SRCA_VLD 0x80
#define TRISC_CFG 0x400
#define STALLWAIT(block, wait) TTINSN(0xa2000000u | (u32)(block) << 15 | (wait))
#define SETDMAREG(value, half) TTINSN(0x45000000u | (u32)(value) << 8 | (half))
#define WRCFG(gpr, word) TTINSN(0xb0000000u | (u32)(gpr) << 16 | (word))
#define RDCFG(gpr, word) TTINSN(0xb1000000u | (u32)(gpr) << 16 | (word))
#define RMWCIB0(mask, data, word) TTINSN(0xb3000000u | (mask) << 16 | (data) << 8 | (word))
#define RMWCIB1(mask, data, word) TTINSN(0xb4000000u | (mask) << 16 | (data) << 8 | (word))
#define SETRWC_CLR_A TTINSN(0x37400000u)
#define UNPACR_NOP_SET_DVALID TTINSN(0x43000101u) /* SrcA is zero, and valid */
#define MOVD2A TTINSN(0x08000000u)
#define RELU 2 /* STACC_RELU_ApplyRelu; ALU_ACC_CTRL_Zero_Flag_disabled_src has bit 0 */
#define ALU 1
#define WORD 100

__attribute__((unused)) static inline void tensix_sync(void)
{
    COPROCESSOR_DONE_CHECK = 0;
    u32 value = COPROCESSOR_DONE_CHECK;
    USE(value);
}

__attribute__((unused)) static inline void pause(u32 times)
{
    for (u32 i = 0; i < times; i++)
        __asm__ volatile("nop");
}

#if BUG == 1 /* get_tile: the message is sent before the semaphore is posted */
__attribute__((unused)) static u32 t0(void)
{
#if FIXED
    SEMAPHORE(0) = POST;
    u32 value = SEMAPHORE(0); /* as tt-metal#22080 asks for */
    USE(value);
    MAILBOX_T1 = 7;
#else
    MAILBOX_T1 = 7;
    SEMAPHORE(0) = POST;
#endif
    pause(200);
    return SEMAPHORE(0);
}
__attribute__((unused)) static u32 t1(void)
{
    u32 value = MAILBOX_T0;
    USE(value);
    SEMAPHORE(0) = GET;
    return value;
}
#elif BUG == 2 /* relu: a write of the whole word has the bits of another thread, too */
__attribute__((unused)) static u32 t0(void)
{
    SETDMAREG(0x40, 8); /* GPR 4, low half: relu */
    SETDMAREG(0, 9);
    STALLWAIT(STALL_CFG, THCON | PACK);
#if FIXED
    RMWCIB0(0xc0, 0x40, RELU);
#else
    WRCFG(4, RELU);
#endif
    tensix_sync();
    u32 done = MAILBOX_T1;
    USE(done);
    return CONFIG(RELU);
}
__attribute__((unused)) static u32 t1(void)
{
    RMWCIB0(0x01, 0x01, RELU); /* zero flag */
    tensix_sync();
    MAILBOX_T0 = 1;
    return 0;
}
#elif BUG == 3 /* SETDMAREG and WRCFG without a wait for the Scalar Unit */
__attribute__((unused)) static u32 t0(void)
{
    SETDMAREG(0x100, 8);
    tensix_sync();
    SETDMAREG(0x200, 8);
#if FIXED
    STALLWAIT(STALL_CFG, THCON);
#endif
    WRCFG(4, WORD);
    tensix_sync();
    pause(20);
    return CONFIG(WORD);
}
#elif BUG == 4 /* tensix_sync does not use what it has loaded */
__attribute__((unused)) static u32 t0(void)
{
    RDCFG(4, WORD);
    COPROCESSOR_DONE_CHECK = 0;
    u32 value = COPROCESSOR_DONE_CHECK;
#if FIXED
    USE(value);
#endif
    CONFIG(WORD) = 9;
    (void)value;
    tensix_sync();
    return GPR(4);
}
#elif BUG == 5 /* mailbox_read does not wait for the message */
__attribute__((unused)) static u32 t0(void)
{
    u32 message = MAILBOX_T1;
#if FIXED
    USE(message);
#endif
    u32 value = CONFIG(WORD);
    (void)message;
    return value;
}
__attribute__((unused)) static u32 t1(void)
{
    CONFIG(WORD) = 9;
    u32 value = CONFIG(WORD);
    USE(value);
    MAILBOX_T0 = 1;
    return 0;
}
#elif BUG == 6 /* p_stall::UNPACK, a condition, where STALL_UNPACK, a block, is meant */
__attribute__((unused)) static u32 t0(void)
{
    CONFIG(WORD) = 9;
#if FIXED
    STALLWAIT(STALL_CFG, TRISC_CFG);
#else
    STALLWAIT(UNPACK, TRISC_CFG);
#endif
    RDCFG(4, WORD);
    tensix_sync();
    return GPR(4);
}
#elif BUG == 7 /* a STALLWAIT holds no store */
__attribute__((unused)) static u32 t0(void)
{
    RDCFG(4, WORD);
    STALLWAIT(STALL_CFG, PACK);
#if FIXED
    tensix_sync();
#endif
    CONFIG(WORD) = 9;
    tensix_sync();
    return GPR(4);
}
#elif BUG == 8 /* MOVD2A waits for no bank */
__attribute__((unused)) static u32 t0(void)
{
    pause(50);
    UNPACR_NOP_SET_DVALID;
    return 0;
}
__attribute__((unused)) static u32 t1(void)
{
#if FIXED
    STALLWAIT(STALL_MATH, MATH | SRCA_VLD);
#endif
    MOVD2A;
    return 0;
}
#elif BUG == 9 /* a wait for SRCA_VLD right after the bank was given back */
__attribute__((unused)) static u32 t0(void)
{
    UNPACR_NOP_SET_DVALID;
    UNPACR_NOP_SET_DVALID;
    return 0;
}
__attribute__((unused)) static u32 t1(void)
{
    STALLWAIT(STALL_MATH, SRCA_VLD);
    SETRWC_CLR_A;
#if FIXED
    STALLWAIT(STALL_MATH, MATH | SRCA_VLD);
#else
    STALLWAIT(STALL_MATH, SRCA_VLD);
#endif
    MOVD2A;
    return 0;
}
#elif BUG == 10 /* the bank is given back before the unpacker has handed it over */
__attribute__((unused)) static u32 t0(void)
{
    pause(50);
    UNPACR_NOP_SET_DVALID;
    return 0;
}
__attribute__((unused)) static u32 t1(void)
{
#if FIXED
    STALLWAIT(STALL_MATH, SRCA_VLD);
#endif
    SETRWC_CLR_A;
    return 0;
}
#elif BUG == 11 /* two harts load, change and store one word */
__attribute__((unused)) static u32 change(u32 bit)
{
    u32 value = CONFIG(WORD);
    CONFIG(WORD) = value | bit;
    value = CONFIG(WORD);
    USE(value);
    return value;
}
__attribute__((unused)) static u32 t0(void)
{
#if FIXED
    RMWCIB0(0x01, 0x01, WORD);
    tensix_sync();
#else
    change(0x001);
#endif
    u32 done = MAILBOX_T1;
    USE(done);
    return CONFIG(WORD);
}
__attribute__((unused)) static u32 t1(void)
{
#if FIXED
    RMWCIB1(0x01, 0x01, WORD);
    tensix_sync();
#else
    change(0x100);
#endif
    MAILBOX_T0 = 1;
    return 0;
}
#elif BUG == 12 /* a word of configuration is written right before the instruction that reads it */
__attribute__((unused)) static u32 t0(void)
{
    return 0;
}
__attribute__((unused)) static u32 t1(void)
{
    WRCFG(4, ALU);
#if FIXED
    TTINSN(TT_NOP);
#endif
    TTINSN(0x10000000u); /* ZEROACC */
    return 0;
}
#endif

#if BUG != 1 && BUG != 2 && BUG != 5 && BUG < 8
__attribute__((unused)) static u32 t1(void)
{
    return 0;
}
#endif

u32 main(void)
{
#if HART == 0
    return t0();
#else
    return t1();
#endif
}
