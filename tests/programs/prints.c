// SPDX-License-Identifier: Apache-2.0
// Prints a line again and again, and never ends.
#include "../../scripts/examples/host/semihost.h"

volatile unsigned beats;

__attribute__((noinline)) void beat(void)
{
    beats++;
}

int main(void)
{
    for (;;) {
        print("a line\n");
        beat();
        for (volatile int i = 0; i < 10000; i++)
            ;
    }
}
