// SPDX-License-Identifier: Apache-2.0
// The host's end of the channel, as the interface (library.c) uses it: one call at a time.
//
// What cannot be done ends the process by refuse() of pci.h.
#ifndef TENSIX_GDB_HOST_END_H
#define TENSIX_GDB_HOST_END_H

#include <stdbool.h>
#include <stdint.h>

#include "channel.h"
#include "pci.h"

typedef void read_memory_fn(uint64_t paddr, void *p, uint32_t size);
typedef void write_memory_fn(uint64_t paddr, const void *p, uint32_t size);

// Map the channel and start the server, which answers when it has tiles. `forget` leaves both.
void host_end_open(void);
void host_end_forget(void);
bool host_end_is_there(void);

// The chips of the server (pci_reset), and whether the device is open, which the server is told.
uint32_t host_end_chip(void);
uint32_t host_end_chips(void);
void host_end_tell(bool is_open);

// Writes are posted and wait for nothing, all else waits for its answer.
void host_end_write(struct place place, const uint8_t *data, uint32_t size);
void host_end_read(struct place place, uint8_t *data, uint32_t size);
void host_end_ask(enum kind kind, uint32_t size);

// The memory of the host, asked for by the server while the host waits.
void host_end_callbacks(read_memory_fn *rd, write_memory_fn *wr);

// A fork of the process that has the tiles has none itself, until it forgets the channel.
void host_end_in_child(void);
bool host_end_is_of_parent(void);

#endif
