// SPDX-License-Identifier: Apache-2.0
// Five small kernels for Tenstorrent's firmware: one function each, position independent, that
// returns. A number goes from B round T0, T1 and T2 by mailbox, each adding its own; NC, which has
// no mailbox, fills a table. HART says which of them this is.

#include <stdint.h>

#define RESULTS ((volatile uint32_t *)0x30000)
#define MAILBOX(hart) ((volatile uint32_t *)(0xFFEC0000 + 0x1000 * (hart)))

static const volatile uint32_t own[] = {1, 10, 100, 1000, 7};

uint32_t kernel_main(void)
{
#if HART == 0
    *MAILBOX(1) = own[0];
    RESULTS[0] = *MAILBOX(3);
#elif HART == 4
    for (uint32_t i = 0; i < 8; i++)
        RESULTS[8 + i] = i * own[4];
#else
    uint32_t value = *MAILBOX(HART - 1) + own[HART];
    RESULTS[HART] = value;
    *MAILBOX(HART == 3 ? 0 : HART + 1) = value;
#endif
    return 0;
}
