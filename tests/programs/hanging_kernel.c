// SPDX-License-Identifier: Apache-2.0
// Five kernels for Tenstorrent's firmware, of which T2's waits for a semaphore that nobody posts.
#include "tile.h"

void kernel_main(void)
{
#if HART == 3
    TTINSN(0xa6ff8009u); /* SEMWAIT block=ALL, sem=S1, wait=C0 */
    TTINSN(TT_NOP);
#endif
}
