/* SPDX-License-Identifier: Apache-2.0
 * T0 (-DHART=1) waits for its unpacker, which waits for a bank of SrcA, which T1 (-DHART=2) gives
 * back after one instruction of the Scalar Unit. By FLUSHDMA it waits in that unit, and nobody ever
 * gets in there: -DCURE waits at its own gate instead, as the page FLUSHDMA.md advises. */
#include "tensix.h"

#define UNPACR_NOP_ZERO_A() TTINSN(0x43000021u) /* clear a bank of SrcA, when it is the unpackers' */

#if HART == 1
u32 main(void)
{
    SETDVALID_A(); /* both banks go to the Matrix Unit */
    SETDVALID_A();
    UNPACR_NOP_ZERO_A();
#ifdef CURE
    STALLWAIT(ALL, UNPACKER_0);
#else
    FLUSHDMA(UNPACKER_0);
#endif
    SETDMAREG(1, LO(4));
    wait_for_tensix();
    return GPR[4];
}
#else
u32 main(void)
{
    for (volatile u32 i = 0; i < 20; i++)
        ; /* comes later */
    SETDMAREG(2, LO(4));
    CLEARDVALID_A(); /* the bank is the unpackers' again */
    wait_for_tensix();
    return GPR[4];
}
#endif
