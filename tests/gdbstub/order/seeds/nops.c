// SPDX-License-Identifier: Apache-2.0
/* A kernel with two sites of TT-NOP, and a replay buffer whose SEMPOST is none. */
typedef unsigned int u32;
#define TTINSN(word) __asm__ volatile(".word %0" : : "i"((((word) << 2) | ((word) >> 30)) & 0xffffffff))

__attribute__((noinline, used)) void run_kernel(void)
{
    TTINSN(0xa3010004u); /* SEMINIT max=1 value=0 sem=S0 */
    TTINSN(0x04000011u); /* REPLAY: load one */
    TTINSN(0xa4000004u); /* SEMPOST, recorded */
    TTINSN(0xa4000004u); /* SEMPOST */
    TTINSN(0xa5000004u); /* SEMGET */
}

u32 main(void)
{
    run_kernel();
    return 7;
}
