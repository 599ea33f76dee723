/* SPDX-License-Identifier: Apache-2.0
 * A thousand functions f000 to f999, called in order, for a thousand breakpoints. */
#include "tile.h"

volatile u32 hits;

#define TEN(apply, n) \
    apply(n##0) apply(n##1) apply(n##2) apply(n##3) apply(n##4) \
    apply(n##5) apply(n##6) apply(n##7) apply(n##8) apply(n##9)
#define HUNDRED(apply, n) \
    TEN(apply, n##0) TEN(apply, n##1) TEN(apply, n##2) TEN(apply, n##3) TEN(apply, n##4) \
    TEN(apply, n##5) TEN(apply, n##6) TEN(apply, n##7) TEN(apply, n##8) TEN(apply, n##9)
#define THOUSAND(apply) \
    HUNDRED(apply, 0) HUNDRED(apply, 1) HUNDRED(apply, 2) HUNDRED(apply, 3) HUNDRED(apply, 4) \
    HUNDRED(apply, 5) HUNDRED(apply, 6) HUNDRED(apply, 7) HUNDRED(apply, 8) HUNDRED(apply, 9)

#define DEFINE(n) __attribute__((noinline, noipa)) void f##n(void) { hits++; }
#define CALL(n) f##n();

THOUSAND(DEFINE)

u32 main(void)
{
    THOUSAND(CALL)
    return hits;
}
