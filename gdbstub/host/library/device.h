// SPDX-License-Identifier: Apache-2.0
// What the pump does by itself of registers and of cores that are neither tiles nor DRAM: SOFT_RESET_0
// while nothing enters or leaves reset, and memory of an ARC. Tests compare both with Python.
#ifndef TENSIX_GDB_DEVICE_H
#define TENSIX_GDB_DEVICE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "dram.h"

enum { SOFT_RESET_0 = 0xFFB121B0, REGISTER_CYCLES = 100, FIRST_MEMORY = -2 };

// Where SOFT_RESET_0 of a tile is, and what a request of a register leaves in the record
// (core/memory/regions.py): the pc of NC, since it counts as a request of NC.
struct soft_reset {
    const uint32_t *value, *pc;
    uint32_t *request_pc;
};

// True for a read, and for a write of what it has: then no hart and no unit changes.
static inline bool keeps_reset(const struct soft_reset *reset, bool writes, const uint8_t *data) {
    return !writes || !memcmp(data, reset->value, sizeof *reset->value);
}

// A core with memory that is nothing but bytes, from one address to another: an ARC's CSM.
struct memory_of_core {
    uint64_t first, end;
    uint8_t *bytes;
};

static inline bool memory_has(const struct memory_of_core *memory, uint64_t addr, uint64_t size) {
    return size && addr >= memory->first && addr <= memory->end && size <= memory->end - addr;
}

#endif
