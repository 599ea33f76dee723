/* SPDX-License-Identifier: Apache-2.0
 * A kernel that leaves one thing changed: -DLEFT=2 for K2, and so on. */
#include "tile.h"

static void done(void)
{
    volatile u32 *all_done = (volatile u32 *)0xffe80004;
    *all_done = 0;
    u32 value = *all_done;
    __asm__ volatile("and zero, %0, zero" : : "r"(value) : "memory");
}

u32 main(void)
{
#if LEFT == 2
    TTINSN(0x51210049u); /* SETADCXY u0=1, y1_val=2, y1=1, x0_val=1, x0=1 */
    TTINSN(0x542000c1u); /* SETADCZW u0=1, z0_val=3, z0=1 */
#elif LEFT == 3
    TTINSN(0xa3f10004u); /* SEMINIT new_max=15, new_value=1, S0 */
    TTINSN(0xa4000004u); /* SEMPOST S0 */
#elif LEFT == 4
    TTINSN(0xa0000000u); /* ATGETM 0 */
#elif LEFT == 5
    TTINSN(0x43000121u); /* UNPACR_NOP.ClearSrc which_unpacker=0, set_dvalid=1, stall_clr_cntrl=1 */
#elif LEFT == 6
    TTINSN(0x71000002u); /* SFPLOADI vd=0, imm16=2 */
    TTINSN(0x910000b0u); /* SFPCONFIG vd=11 */
#elif LEFT == 7
    TTINSN(0x8a00100au); /* SFPENCC imm2=1, mod1=EI|RI: on, with all flags 0 */
#endif
    done();
    return 0;
}
