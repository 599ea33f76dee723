// SPDX-License-Identifier: Apache-2.0
// Requests of a Wormhole tile by tt-metal's own functions, on both NoCs: to DRAM, to the host, and
// inline writes and atomics to the tile itself. tests/core/wormhole/test_tt_metal_noc.py builds it.

#include "internal/tt-1xx/wormhole/noc_nonblocking_api.h"

uint32_t noc_reads_num_issued[NUM_NOCS];
uint32_t noc_nonposted_writes_num_issued[NUM_NOCS];
uint32_t noc_nonposted_writes_acked[NUM_NOCS];
uint32_t noc_nonposted_atomics_acked[NUM_NOCS];
uint32_t noc_posted_writes_num_issued[NUM_NOCS];

static volatile uint32_t *words(uint32_t address)
{
    return reinterpret_cast<volatile uint32_t *>(address);
}

constexpr uint32_t SOURCE = 0x20000, RESULTS = 0x30000, COPIES = 0x40000, ANSWERS = 0x9000;
constexpr uint32_t BYTES = 16384, ATOMICS = 5, EACH = 10, FULL = 31;

static void send_and_get(uint32_t noc, uint64_t far, uint32_t from, uint32_t to, uint32_t bytes)
{
    ncrisc_noc_fast_write_any_len(noc, BRISC_WR_CMD_BUF, from, far, bytes, 1, false, false, 1, false);
    while (!ncrisc_noc_nonposted_writes_flushed(noc))
        ;
    ncrisc_noc_fast_read_any_len(noc, BRISC_RD_CMD_BUF, far, to, bytes);
    while (!ncrisc_noc_reads_flushed(noc))
        ;
}

int main()
{
    noc_init(ANSWERS);
    for (uint32_t i = 0; i < BYTES / 4; i++)
        words(SOURCE)[i] = i * 3 + 1;
    for (uint32_t noc = 0; noc < NUM_NOCS; noc++) {
        noc_local_state_init(noc);
        volatile uint32_t *result = words(RESULTS) + 8 * noc;
        uint32_t copy = COPIES + 0x10000 * noc;

        // The second channel of a group of DRAM; NoC 1 counts from the other corner.
        uint64_t dram = NOC_XY_ADDR(noc ? 9 - 5 : 5, noc ? 11 - 9 : 9, 0x40000000);
        send_and_get(noc, dram, SOURCE, copy, BYTES);
        result[0] = words(copy)[BYTES / 4 - 1];

        uint64_t host = NOC_XY_ADDR(noc ? 9 : 0, noc ? 11 - 3 : 3, 0x800000100);
        send_and_get(noc, host, copy, copy + 0x8000, 64);
        result[1] = words(copy + 0x8000)[15];

        uint32_t id = NOC_CMD_BUF_READ_REG(noc, 0, NOC_NODE_ID);
        uint64_t here = NOC_XY_ADDR(id & 63, id >> 6 & 63, copy + 0x9000);
        for (uint32_t i = 0; i < 8; i++)
            noc_fast_write_dw_inline(noc, BRISC_WR_REG_CMD_BUF, 100 + i, here + 4 * i, 0xF, 1, false);
        for (uint32_t i = 0; i < ATOMICS; i++)
            noc_fast_atomic_increment(noc, BRISC_AT_CMD_BUF, here + 4 * i, 1, EACH, FULL, false);
        while (!ncrisc_noc_nonposted_writes_flushed(noc))
            ;
        while (!ncrisc_noc_nonposted_atomics_flushed(noc))
            ;
        for (uint32_t i = 0; i < 6; i++)
            result[2 + i] = words(copy + 0x9000)[i];
    }
    return 0;
}
