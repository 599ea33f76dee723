// SPDX-License-Identifier: Apache-2.0
// The channel between a host's process and the server of tiles: one piece of shared memory.
//
// The host posts requests into a ring and waits only for what has an answer. The server takes them
// in their order. Each side spins for a short time and then sleeps at a futex, in which the other
// one wakes it. A socket beside it has no bytes but those that wake a server that waits for
// debuggers too; when one side dies, the other one sees its end closed.
//
// channel.py has the same layout, and a test compares the two.
#ifndef TENSIX_GDB_CHANNEL_H
#define TENSIX_GDB_CHANNEL_H

#include <stdatomic.h>
#include <stdint.h>

enum { RING_BYTES = 4 << 20, BLOCK_BYTES = 1 << 18, VERSION = 2 };

// Kinds of requests. A READ, a CLOCK, an OPEN and a CLOSE are answered; a WRITE is not.
enum kind { SKIP, WRITE, READ, CLOCK, OPEN, CLOSE };

// In the ring, aligned to 8 bytes; the data of a WRITE follows, padded.
struct request {
    uint32_t kind;
    uint32_t size;  // bytes of a READ or WRITE; clocks; bytes that SKIP leaves out
    uint64_t addr;
    uint16_t x, y;          // the core, as the host has it: with translated coordinates
    uint16_t x_end, y_end;  // of a multicast: the other corner of its rectangle, else as x and y
};

// A side that sleeps: where, or for what, so that the other one knows whether to wake it and how.
enum sleeper { AWAKE, AT_FUTEX, AT_SOCKET, FOR_ROOM };

// Work for the host's callbacks, which it does while it waits: memory of its process.
enum memory { NONE, READS_HOST, WRITES_HOST };

struct channel {
    uint32_t version, spins;  // spins: rounds before a side sleeps
    uint32_t chip;  // which the tiles are of; the server says it when it has opened
    uint32_t chips;  // how many there are, too; of several, chip N adds 64 * (N + 1) to x of a core
    _Atomic uint32_t is_open;  // the host has opened the device and not closed it
    _Atomic uint32_t has_ended;  // the server has said why, and the host is to end: its status + 1

    _Alignas(64) _Atomic uint64_t head;  // bytes that the host has posted
    _Atomic uint32_t host_sleeps;
    _Atomic uint32_t in_call;  // the host waits, and can do work for its callbacks
    _Alignas(64) _Atomic uint64_t tail;  // bytes that the server has taken
    _Atomic uint32_t server_sleeps;
    _Alignas(64) _Atomic uint32_t host_bell;    // the futex of the host
    _Alignas(64) _Atomic uint32_t server_bell;  // the futex of the server
    _Alignas(64) _Atomic uint32_t answers;      // how many the server has given

    _Alignas(64) _Atomic uint32_t memory;  // enum memory: what the host is asked for
    uint32_t memory_size;
    uint64_t memory_addr;
    uint32_t memory_chip;  // by the iATU of which chip

    _Alignas(64) uint8_t answer[BLOCK_BYTES];
    uint8_t block[BLOCK_BYTES];  // of the host's memory
    uint8_t ring[RING_BYTES];
};

#endif
