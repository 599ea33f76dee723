// SPDX-License-Identifier: Apache-2.0
// `.ttinsn WORD` for an assembler that does not know it: the word, rotated left by two bits, is a
// RISC-V instruction that pushes it (BlackholeA0 BabyRISCV/PushTensixInstruction.md).
#pragma once
__asm__(".macro .ttinsn word\n"
        ".4byte (((\\word) << 2) | (((\\word) >> 30) & 3)) & 0xffffffff\n"
        ".endm\n");
