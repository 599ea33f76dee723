/* SPDX-License-Identifier: Apache-2.0
 * The NoC, for a kernel without tt-metal: copies between L1 and another tile, DRAM or the host, and waits for
 * them (NoC/MemoryMap.md, NoC/Counters.md). Initiator 0 of the NIU; one hart for each NIU. Addresses are
 * below 4 GiB, and x and y those of the NoC that carries the request. */
#pragma once
#include "tile.h"

#ifdef TENSIX_WORMHOLE
#define NOC_CMD_CTRL 0x28
#else
#define NOC_CMD_CTRL 0x40
#endif
#define NOC_REGISTER(noc, offset) (*(volatile u32 *)(0xffb20000 + 0x10000 * (noc) + (offset)))
#define NOC_PLACE(x, y) ((x) | (y) << 6)
#define NOC_COUNTER(noc, number) NOC_REGISTER(noc, 0x200 + 4 * (number))
enum {
    NOC_ATOMIC_RESP_RECEIVED = 0,
    NOC_WR_ACK_RECEIVED = 1,
    NOC_RD_RESP_RECEIVED = 2,
    NOC_RD_REQ_SENT = 5,
    NOC_NONPOSTED_WR_REQ_SENT = 10,
};
enum { NOC_CTRL_READ = 0, NOC_CTRL_WRITE = 2, NOC_CTRL_MARKED = 16 }; /* MARKED: an answer is wanted */

/* This tile. */
#define NOC_HERE(noc) (NOC_REGISTER(noc, NOC_CMD_CTRL + 4) & 0xfff)

/* One side of a request: the address, and where it is. */
static inline void noc_side(u32 noc, u32 offset, u32 place, u32 address)
{
    NOC_REGISTER(noc, offset) = address;
#ifdef TENSIX_WORMHOLE
    NOC_REGISTER(noc, offset + 4) = place << 4;
#else
    NOC_REGISTER(noc, offset + 4) = 0;
    NOC_REGISTER(noc, offset + 8) = place;
#endif
}

static inline void noc_start(u32 noc, u32 control, u32 bytes)
{
    NOC_REGISTER(noc, 0x18) = 0;
    NOC_REGISTER(noc, 0x1c) = control;
    NOC_REGISTER(noc, 0x20) = bytes;
    NOC_REGISTER(noc, NOC_CMD_CTRL) = 1;
    while (NOC_REGISTER(noc, NOC_CMD_CTRL))
        ; /* taken: it is counted now */
}

/* Read from a tile into L1: noc_read(0, NOC_PLACE(0, 0), 0x1000, 0x20000, 2048), then noc_wait_reads. */
static inline void noc_read(u32 noc, u32 place, u32 address, u32 l1, u32 bytes)
{
    noc_side(noc, 0x00, place, address);
    noc_side(noc, 0x0c, NOC_HERE(noc), l1);
    noc_start(noc, NOC_CTRL_READ | NOC_CTRL_MARKED, bytes);
}

/* Write from L1 to a tile. What this hart has stored to L1 has to be read back and used before. */
static inline void noc_write(u32 noc, u32 place, u32 address, u32 l1, u32 bytes)
{
    noc_side(noc, 0x00, NOC_HERE(noc), l1);
    noc_side(noc, 0x0c, place, address);
    noc_start(noc, NOC_CTRL_WRITE | NOC_CTRL_MARKED, bytes);
}

/* Wait until all data that was read is in L1. */
static inline void noc_wait_reads(u32 noc)
{
    while (NOC_COUNTER(noc, NOC_RD_RESP_RECEIVED) != NOC_COUNTER(noc, NOC_RD_REQ_SENT))
        ;
}

/* Wait until all writes are where they go. */
static inline void noc_wait_writes(u32 noc)
{
    while (NOC_COUNTER(noc, NOC_WR_ACK_RECEIVED) != NOC_COUNTER(noc, NOC_NONPOSTED_WR_REQ_SENT))
        ;
}
