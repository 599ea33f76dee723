// SPDX-License-Identifier: Apache-2.0
// A kernel full of addresses: constants, a table of functions, a switch with a table of jumps,
// variables in local RAM that stay where they are. It must work wherever it is put.

#include <stdint.h>

#define RESULTS ((volatile uint32_t *)0x30000)
#define LOCAL ((volatile uint32_t *)0xFFB00E00)

static uint32_t twice(uint32_t value) { return value * 2; }
static uint32_t square(uint32_t value) { return value * value; }
static uint32_t minus(uint32_t value) { return -value; }

static uint32_t (*const volatile steps[])(uint32_t) = {twice, square, minus};
static const volatile uint32_t constants[] = {7, 11, 13};
const volatile uint32_t *volatile const second = &constants[1];

__attribute__((noinline)) static uint32_t choose(uint32_t which)
{
    switch (which) {
    case 0: return 100 + constants[0];
    case 1: return RESULTS[9] + 1;
    case 2: return *LOCAL;
    case 3: return constants[2] * 3;
    case 4: return 5;
    case 5: return *second;
    default: return 0xBAD;
    }
}

uint32_t kernel_main(void)
{
    *LOCAL = 42;
    for (uint32_t i = 0; i < 3; i++)
        RESULTS[i] = steps[i](constants[i]);
    for (uint32_t i = 0; i < 6; i++)
        RESULTS[3 + i] = choose(i);
    return 0;
}
