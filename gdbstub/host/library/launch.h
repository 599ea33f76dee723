// SPDX-License-Identifier: Apache-2.0
// A launch of tt-metal's kernels that is the one before again: pump.c carries out its go signal, because
// there is nothing to recognise. launch_table.py fills the table, and compares its layout.
#ifndef TENSIX_GDB_LAUNCH_H
#define TENSIX_GDB_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { MESSAGES = 8, FIELDS = 8, PARTS = 32 };

struct launch {
    uint32_t pointer;  // where in L1 the number of the next launch message is
    uint32_t stride;   // bytes from one message to the next
    uint32_t go;       // the value of a go signal
    uint32_t step;     // bytes from one signal to the next
    uint32_t fields, parts;  // how many there are
    struct field {
        uint32_t at, size;  // in message 0
        uint64_t value;
    } field[FIELDS];  // which harts have a kernel, and where
    struct part {
        uint32_t at, size;
        const uint8_t *bytes;
    } part[PARTS];  // of the kernels
};

// True if a write to where signals are has one that starts kernels.
static inline bool has_go(const struct launch *launch, uint64_t first, uint64_t last, uint64_t addr, uint64_t end,
                          const uint8_t *data) {
    for (uint64_t at = first; at < last; at += launch->step)
        if (addr <= at && at < end && data[at - addr] == launch->go) return true;
    return false;
}

// True if the next launch message says what the last one said, and the kernels are there. No hart may
// have a store under way.
static inline bool is_again(const struct launch *launch, const uint8_t *l1) {
    uint32_t now;
    memcpy(&now, l1 + launch->pointer, sizeof now);
    if (now >= MESSAGES) return false;
    for (uint32_t i = 0; i < launch->fields; i++) {
        uint64_t value = 0;
        memcpy(&value, l1 + launch->field[i].at + now * launch->stride, launch->field[i].size);
        if (value != launch->field[i].value) return false;
    }
    for (uint32_t i = 0; i < launch->parts; i++)
        if (memcmp(l1 + launch->part[i].at, launch->part[i].bytes, launch->part[i].size)) return false;
    return true;
}

#endif
