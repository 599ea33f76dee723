/* SPDX-License-Identifier: Apache-2.0
 * A program whose speed is measured: bench(ROUNDS) on the tile, or as a Linux program for
 * qemu-riscv32 (-DLINUX), which ends with the low byte of the result as its exit status. */
#pragma once

#include "tile.h"

#define KEEP(value) __asm__ volatile("" : "+r"(value))

u32 bench(u32 rounds);

#ifdef LINUX
__attribute__((naked, used)) void _start(void)
{
    __asm__ volatile(
        ".option push\n"
        ".option norelax\n"
        "la gp, __global_pointer$\n"
        ".option pop\n"
        "li a0, %0\n"
        "call bench\n"
        "andi a0, a0, 255\n"
        "li a7, 93\n"
        "ecall"
        :
        : "i"(ROUNDS));
}
#else
u32 main(void)
{
    return bench(ROUNDS);
}
#endif
