// SPDX-License-Identifier: Apache-2.0
// DRAM as the pump reads and writes it, as core/memory/segments.py has it; a test compares the two.
//
// A channel has a table of the addresses of its segments, 0 where nothing was ever written. After the
// bytes of a segment there is one for each of its pages: 1 if it was written since a snapshot.
#ifndef TENSIX_GDB_DRAM_H
#define TENSIX_GDB_DRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { CHANNELS = 8, CORES = 64 * 64, SEGMENT_BYTES = 1 << 20, PAGE_BYTES = 4096 };

struct dram {
    uint8_t **segments[CHANNELS];
    uint64_t bytes;  // of a channel
    uint32_t is_plain, unused;  // is_plain: no observer is told of accesses
    int8_t channel[CORES];  // of the core at x + 64 * y; -1 for none
};

// True if all of it is there. A segment of what is written is added by Python; none reads as zeros.
static inline bool dram_has(const struct dram *dram, int channel, uint64_t addr, uint64_t size, bool writes) {
    if (!dram->is_plain || !size || addr > dram->bytes || size > dram->bytes - addr) return false;
    for (uint64_t number = addr / SEGMENT_BYTES; writes && number <= (addr + size - 1) / SEGMENT_BYTES; number++)
        if (!dram->segments[channel][number]) return false;
    return true;
}

static inline void dram_read(const struct dram *dram, int channel, uint64_t addr, uint8_t *to, uint64_t size) {
    while (size) {
        uint64_t offset = addr % SEGMENT_BYTES, room = SEGMENT_BYTES - offset, run = size < room ? size : room;
        const uint8_t *segment = dram->segments[channel][addr / SEGMENT_BYTES];
        if (segment) memcpy(to, segment + offset, run);
        else memset(to, 0, run);
        to += run, addr += run, size -= run;
    }
}

static inline void dram_write(const struct dram *dram, int channel, uint64_t addr, const uint8_t *from, uint64_t size) {
    while (size) {
        uint64_t offset = addr % SEGMENT_BYTES, room = SEGMENT_BYTES - offset, run = size < room ? size : room;
        uint8_t *segment = dram->segments[channel][addr / SEGMENT_BYTES];
        uint64_t first = offset / PAGE_BYTES, last = (offset + run - 1) / PAGE_BYTES;
        memcpy(segment + offset, from, run);
        memset(segment + SEGMENT_BYTES + first, 1, last - first + 1);
        from += run, addr += run, size -= run;
    }
}

#endif
