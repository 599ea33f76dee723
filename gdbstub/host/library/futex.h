// SPDX-License-Identifier: Apache-2.0
// Spin, sleep, wake: what both sides of a channel do while they have nothing else to do.
#ifndef TENSIX_GDB_FUTEX_H
#define TENSIX_GDB_FUTEX_H

#include <errno.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static inline void relax(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

// Sleep until the bell has rung since it was `seen`, at most so long; return errno or 0.
static inline int sleep_at(_Atomic uint32_t *bell, uint32_t seen, long nanoseconds) {
    struct timespec patience = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    long done = syscall(SYS_futex, bell, FUTEX_WAIT, seen, &patience, NULL, 0);
    return done < 0 ? errno : 0;
}

static inline void ring_bell(_Atomic uint32_t *bell) {
    atomic_fetch_add(bell, 1);
    syscall(SYS_futex, bell, FUTEX_WAKE, 1, NULL, NULL, 0);
}

#endif
