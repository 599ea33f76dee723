/* SPDX-License-Identifier: Apache-2.0
 * T1 takes absolute values in the Vector Unit: lanes below zero are negated, the others wait. */
#include "tensix.h"

#define SFPCAST_L15_TO_L0() TTINSN(0x90000f00u)  /* 0, 2, ... 62 */
#define SFPADDI_L0(bf16) TTINSN(0x75000000u | (bf16) << 8)
#define SFPMULI_L0(bf16) TTINSN(0x74000000u | (bf16) << 8)
#define SFPSETCC_L0_BELOW_0() TTINSN(0x7b000000u)
#define SFPENCC_ALL_LANES() TTINSN(0x8a00300au)
#define SFPSTORE_L0(row) TTINSN(0x72030000u | (row))
#define MINUS_20 0xc1a0u
#define MINUS_1 0xbf80u

static void fold(void)
{
    SFPADDI_L0(MINUS_20);
    SFPSETCC_L0_BELOW_0();
    SFPMULI_L0(MINUS_1);
    SFPENCC_ALL_LANES();
}

u32 main(void)
{
    SFPENCC_ALL_LANES();
    SFPCAST_L15_TO_L0();
    for (u32 round = 0; round < 2; round++)
        fold();
    SFPSTORE_L0(0);
    wait_for_tensix();
    return 0;
}
