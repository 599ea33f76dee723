// SPDX-License-Identifier: Apache-2.0
// Asks its host for a file, by names and text on its own stack, and reads it again.
#include "../../scripts/examples/host/semihost.h"

char got[32];

void wrong(void)
{
    end(9);
}

int main(void)
{
    char name[] = {'a', 's', 'k', 'e', 'd', '0' + HART, 0};
    char text[] = {'h', 'a', 'r', 't', ' ', '0' + HART, 0};
    if (write(open(name, WRITE), text))
        wrong();
    if (read(open(name, READ), got, sizeof got) != 6)
        wrong();
    print(text);
    end(HART);
    return 0;
}
