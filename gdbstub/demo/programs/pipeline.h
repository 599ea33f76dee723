/* SPDX-License-Identifier: Apache-2.0
 * The demo: NC produces samples into a ring in L1, T0 filters them, T1 checks the sums, and B
 * watches over all of it. One ELF per hart, started together. */
#pragma once

#include "tile.h"

#define SAMPLES 32
#define SLOTS 8

struct sample {
    u32 number;
    int value;
};

/* One producer, one consumer: each counter has a single writer, so nothing needs a lock. */
struct ring {
    volatile u32 written;
    volatile u32 read;
    struct sample slot[SLOTS];
};

/* In L1, at the same address for all harts. */
struct pipeline {
    struct ring ring;
    volatile u32 sums;      /* how many sums T0 has finished */
    volatile int sum;       /* the newest of them */
    volatile u32 checked;   /* how many of them T1 has seen; T0 waits for it */
    volatile u32 checksum;  /* T1's, over all sums so far */
    volatile u32 go_home;   /* set it, and B ends */
};

/* Each hart has its own, at the start of its local RAM. */
struct status {
    char name[4];
    u32 done;
};
