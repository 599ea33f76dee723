// SPDX-License-Identifier: Apache-2.0
// `.ttinsn WORD` for an assembler that does not know it: the word, rotated left by two bits, is a
// RISC-V instruction that pushes it (BlackholeA0 BabyRISCV/PushTensixInstruction.md). As two halves,
// because only `.insn` gets a row in the line table, and it takes the word for a compressed one.
#pragma once
__asm__(".macro .ttinsn word\n"
        ".insn 2, ((((\\word) << 2) | (((\\word) >> 30) & 3)) & 0xffff)\n"
        ".half ((\\word) >> 14) & 0xffff\n"
        ".endm\n");
