# SPDX-License-Identifier: Apache-2.0
# A hart comes out of reset here: stack, global pointer, initialised and zeroed variables, main.
# When main returns the hart stops at the ebreak with main's result in a0. When a debugger continues
# it, for the sake of the other harts, it stays in the loop after the ebreak.

    .file "crt0.S"
    .cfi_sections .debug_frame
    .section .text.start, "ax"
    .globl _start
    .type _start, @function
_start:
    .cfi_startproc
    .cfi_undefined ra
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    la sp, __stack_top
    la t0, __data_start
    la t1, __data_end
    la t2, __data_load
.Lcopy:
    bgeu t0, t1, .Lcopied
    lw t3, 0(t2)
    sw t3, 0(t0)
    addi t0, t0, 4
    addi t2, t2, 4
    j .Lcopy
.Lcopied:
    la t1, __bss_end
.Lzero:
    bgeu t0, t1, .Lzeroed
    sw zero, 0(t0)
    addi t0, t0, 4
    j .Lzero
.Lzeroed:
    call main
    ebreak
.Lend:
    j .Lend
    .cfi_endproc
    .size _start, . - _start
