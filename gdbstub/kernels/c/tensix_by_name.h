/* SPDX-License-Identifier: Apache-2.0
 * What a kernel without LLK needs: instructions and configuration by name, and how they are used.
 * The names of fields are those of the ISA pages and of Tenstorrent's cfg_defines.h. */
#pragma once
#ifdef TENSIX_WORMHOLE /* `tensix-gdb build --arch wormhole` */
#include "tensix_config_wormhole.h"
#include "tensix_isa_wormhole.h"
#else
#include "tensix_config.h"
#include "tensix_isa.h"
#endif
#include "tile.h"

/* An address of L1 as the unpackers' and packers' words have it. Units of 16 bytes, and they begin
 * one unit after what the word says. */
#define L1_ADDRESS(address) ((u32)(address) / 16 - 1)

/* The word that has a field, and a value at the place of the field in it. */
#define WORD(field) WORD_(field)
#define WORD_(word, low, width) (word)
#define FIELD(field, value) FIELD_(field, value)
#define FIELD_(word, low, width, value) TT_FIELD(value, width, low)

/* Write a word of the thread's own configuration: set_thread(WORD(NAME), FIELD(NAME, 8) | ...). */
#define set_thread(word, value) \
    TTINSN(SETC16 | SETC16_cfg_index(word) | SETC16_new_value(value))

/* Write a field of the configuration, for example configure(THCON_SEC0_REG2_Out_data_format, BF16).
 * The word is loaded and stored: two harts must not do this to one word at the same time. */
static inline void configure(u32 word, u32 low, u32 width, u32 value)
{
    volatile u32 *place = (volatile u32 *)0xffef0000 + word;
    u32 mask = (width < 32 ? (1u << width) - 1 : ~0u) << low;
    *place = (*place & ~mask) | ((value << low) & mask);
}

/* Zero the words from that of one field to that of another one, so that a field that nothing sets is
 * not as a kernel before has left it: clear_words(WORD(FIRST), WORD(LAST)). */
static inline void clear_words(u32 first, u32 last)
{
    volatile u32 *place = (volatile u32 *)0xffef0000;
    for (u32 word = first; word <= last; word++)
        place[word] = 0;
}

/* Hold the instructions of `block` until all stores of configuration have been processed. On Wormhole B1 too:
 * a SEMWAIT that comes next would end this wait (SEMWAIT.md). */
#ifdef TENSIX_WORMHOLE
#define wait_for_configuration(block) \
    TTINSN(STALLWAIT | (block) | STALLWAIT_block_B1 | STALLWAIT_wait_C13)
#else
#define wait_for_configuration(block) TTINSN(STALLWAIT | (block) | STALLWAIT_wait_C10)
#endif

/* Wait, on the T core, until its Tensix thread has no instruction in flight (ManualTTSync.md). */
static inline void wait_for_tensix(void)
{
    volatile u32 *all_done = (volatile u32 *)0xffe80004;
    *all_done = 0;
    u32 value = *all_done;
    __asm__ volatile("and zero, %0, zero" : : "r"(value) : "memory");
}

/* Push a word that is not known when it is compiled; TTINSN takes constants. From B: push_word_to(0, ...). */
#define PUSH_WINDOW 0xffe40000
static inline void push_word(u32 instruction)
{
    *(volatile u32 *)PUSH_WINDOW = instruction;
}
static inline void push_word_to(u32 thread, u32 instruction)
{
    *(volatile u32 *)(PUSH_WINDOW + 0x10000 * thread) = instruction;
}

/* The registers of the thread: GPR(4) for WRCFG and the Scalar Unit. */
#define GPR(number) (((volatile u32 *)0xffe00000)[number])

/* Mailboxes of B (0), T0 (1), T1 (2) and T2 (3): a store sends to `other`, a load takes what `other` has
 * sent, and each waits if it has to. Four values in a mailbox, and four on the way from one hart. */
#define MAILBOX(other) (*(volatile u32 *)(0xffec0000 + 0x1000 * (other)))
/* 1 if `other` has sent something. */
#define HAS_MAIL(other) (*(volatile u32 *)(0xffec0004 + 0x1000 * (other)))
/* Wait for a message, and take it: after a load alone the hart continues before it is there. */
static inline u32 take_mail(u32 other)
{
    u32 value = MAILBOX(other);
    __asm__ volatile("and zero, %0, zero" : : "r"(value) : "memory");
    return value;
}

/* What the MOP Expander of the T core's own thread makes of a MOP; a word of NOP is none. These words can only
 * be written, and no wait is there for the stores: MOPExpander.md has what is kept. */
#define MOP_CONFIG ((volatile u32 *)0xffb80000)
/* TTINSN(MOP | MOP_template_DOUBLE_LOOP): `outer` times start, `inner` times loop, then end_0 and end_1. With
 * loop_1 other than NOP the two take turns, each `inner` times. */
static inline void mop_loop(u32 outer, u32 inner, u32 start, u32 loop_0, u32 loop_1, u32 end_0, u32 end_1)
{
    u32 last = loop_1 == NOP ? loop_0 : loop_1;
    u32 words[9] = {outer, inner, start, end_0, end_1, loop_0, loop_1, last, last};
    for (u32 i = 0; i < 9; i++)
        MOP_CONFIG[i] = words[i];
}
/* The last instruction of the inner loop, another one in the last round of all, and in all rounds before. */
static inline void mop_last(u32 of_all, u32 of_others)
{
    MOP_CONFIG[7] = of_all;
    MOP_CONFIG[8] = of_others;
}
/* TTINSN(MOP | MOP_template_MASK_LOOP | MOP_count1(n - 1) | MOP_mask_lo(bits)): n rounds, in each `a` and `b`, or
 * skip_a and skip_b where the mask has a 1. With `b` NOP there is none. */
static inline void mop_mask(u32 a, u32 b, u32 skip_a, u32 skip_b)
{
    MOP_CONFIG[1] = b != NOP;
    MOP_CONFIG[2] = b;
    MOP_CONFIG[3] = a;
    MOP_CONFIG[7] = skip_a;
    MOP_CONFIG[8] = skip_b;
}
