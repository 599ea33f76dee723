/* SPDX-License-Identifier: Apache-2.0
 * T0 adds an offset to an address in GPRs. The second sum is wrong. */
#include "tensix.h"

u32 sums[2];

__attribute__((noinline)) void wrong(void)
{
    __asm__ volatile("");
}

int main(void)
{
    SETDMAREG(0x0040, LO(5)); /* the offset */
    SETDMAREG(0x0000, HI(5));

    SETDMAREG(0x2000, LO(4));
    SETDMAREG(0x0012, HI(4));
    ADDDMAREG(6, 4, 5);
    wait_for_tensix();
    sums[0] = GPR[6];

    SETDMAREG(0x3000, LO(4)); /* an address below 64 KiB needs no high half */
    ADDDMAREG(6, 4, 5);
    wait_for_tensix();
    sums[1] = GPR[6];

    if (sums[0] != 0x122040 || sums[1] != 0x3040)
        wrong();
    return 0;
}
