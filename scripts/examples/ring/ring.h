/* SPDX-License-Identifier: Apache-2.0
 * A ring in L1: B puts numbers in, T0 takes them out and adds them up. */
#pragma once
#include "tile.h"

#define SLOTS 8
#define NUMBERS 100

struct ring {
    volatile u32 written;
    volatile u32 read;
    volatile int slot[SLOTS];
    volatile int total;
};
