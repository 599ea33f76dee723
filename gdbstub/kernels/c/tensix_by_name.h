/* SPDX-License-Identifier: Apache-2.0
 * What a kernel without LLK needs: instructions and configuration by name, and how they are used.
 * The names of fields are those of the ISA pages and of Tenstorrent's cfg_defines.h. */
#pragma once
#include "tensix_config.h"
#include "tensix_isa.h"
#include "tile.h"

/* Formats of tiles, as fields of the configuration have them. */
enum { FP32 = 0, FP16 = 1, TF32 = 4, BF16 = 5, BFP8 = 6, BFP4 = 7, INT32 = 8, INT8 = 14 };

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

/* Hold the instructions of `block` until all stores of configuration have been processed. */
#define wait_for_configuration(block) TTINSN(STALLWAIT | (block) | STALLWAIT_wait_C10)

/* Wait, on the T core, until its Tensix thread has no instruction in flight (ManualTTSync.md). */
static inline void wait_for_tensix(void)
{
    volatile u32 *all_done = (volatile u32 *)0xffe80004;
    *all_done = 0;
    u32 value = *all_done;
    __asm__ volatile("and zero, %0, zero" : : "r"(value) : "memory");
}
