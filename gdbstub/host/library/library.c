// SPDX-License-Identifier: Apache-2.0
// The interface of simulators that drivers load (ttsim, "libttsim API and ABI"), with the
// tiles in a server of their own: README.md says why. The way in is at the end of the file.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host_end.h"
#include "pci.h"

enum { SIDE = 64 };  // of a NoC, in coordinates

static const pthread_mutex_t not_held = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t one_call = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static bool is_open;
static bool has_written;  // to a core: else the tiles are as they were at first

_Noreturn void refuse(const char *format, ...) {
    va_list words;
    va_start(words, format);
    fflush(stdout);
    fputs("tensix-gdb: ", stderr);
    vfprintf(stderr, format, words);
    fputc('\n', stderr);
    va_end(words);
    _exit(1);
}

// One call at a time, by whichever thread

static void leave(const int *held) {
    (void)held;
    pthread_mutex_unlock(&one_call);
}

static void begin(const char *call) {
    if (pthread_mutex_lock(&one_call))
        refuse("%s: a call within a call; callbacks and signal handlers of the host cannot make any", call);
}

static void enter(const char *call) {
    if (host_end_is_of_parent())
        refuse("%s: this is a fork of the process that has the tiles, and has none itself: open the device "
               "after the fork", call);
    begin(call);
    if (!is_open) refuse("%s: libttsim_init comes first", call);
}

// The first line of a function: of those that come before libttsim_init, and of the others.
#define CALL_BEFORE(name)                               \
    __attribute__((cleanup(leave))) const int held = 0; \
    begin(name)
#define CALL(name)                                      \
    __attribute__((cleanup(leave))) const int held = 0; \
    enter(name)
#define EXPORTED __attribute__((visibility("default")))

static void in_child(void) {
    if (!host_end_is_there()) return;
    host_end_in_child();
    is_open = false;
    one_call = not_held;  // another thread, which is not here, may have held it
}

// Arguments

static void check_bytes(const char *call, uint64_t addr, const void *p, uint32_t size) {
    if (!size) refuse("%s: 0 bytes at 0x%llx", call, (unsigned long long)addr);
    if (!p) refuse("%s: the %u bytes at 0x%llx are at NULL in the host", call, size, (unsigned long long)addr);
    if (addr + size - 1 < addr) refuse("%s: %u bytes at 0x%llx end after 64 bits", call, size, (unsigned long long)addr);
}

static struct place place_of(const char *call, uint32_t x, uint32_t y, uint64_t addr) {
    if (host_end_chips() > 1) refuse("%s: of which chip? Of several, a core is accessed over PCI Express", call);
    if (x >= SIDE || y >= SIDE) refuse("%s: core %u-%u: a coordinate of a NoC has 6 bits", call, x, y);
    return (struct place){x, y, x, y, addr};
}

static void write_core(struct place place, const uint8_t *data, uint32_t size) {
    has_written = true;
    host_end_write(place, data, size);
}

// The interface

EXPORTED void libttsim_set_pci_dma_mem_callbacks(
    void (*rd)(uint64_t paddr, void *p, uint32_t size), void (*wr)(uint64_t paddr, const void *p, uint32_t size)) {
    CALL_BEFORE("libttsim_set_pci_dma_mem_callbacks");
    if (is_open) refuse("libttsim_set_pci_dma_mem_callbacks: this comes before libttsim_init");
    host_end_callbacks(rd, wr);
}

EXPORTED void libttsim_init(void) {
    static bool knows_forks;
    CALL_BEFORE("libttsim_init");
    if (is_open) refuse("libttsim_init: the tiles are there already");
    if (host_end_is_of_parent()) host_end_forget();
    if (!knows_forks) knows_forks = !pthread_atfork(NULL, NULL, in_child);
    if (!host_end_is_there()) host_end_open();
    pci_reset(host_end_chip(), host_end_chips());
    has_written = false;
    is_open = true;
    host_end_tell(true);
}

EXPORTED void libttsim_exit(void) {
    CALL("libttsim_exit");
    is_open = false;
    host_end_tell(false);
    if (!has_written) return;  // a driver that only looks which chips there are opens again
    host_end_ask(CLOSE, 0);
    host_end_forget();
}

EXPORTED uint32_t libttsim_pci_config_rd32(uint32_t bdf, uint32_t offset) {
    CALL("libttsim_pci_config_rd32");
    if (bdf >> 8 || bdf & 7) refuse("libttsim_pci_config_rd32: 0x%x is no device of bus 0 and function 0", bdf);
    if (offset & 3) refuse("libttsim_pci_config_rd32: offset 0x%x is not a multiple of 4", offset);
    return pci_config_read(bdf >> 3, offset);
}

EXPORTED void libttsim_pci_config_wr32(uint32_t bdf, uint32_t offset, uint32_t data) {
    CALL("libttsim_pci_config_wr32");
    refuse("libttsim_pci_config_wr32: configuration space cannot be written here (0x%x at 0x%x of device 0x%x)",
           data, offset, bdf);
}

EXPORTED void libttsim_pci_mem_rd_bytes(uint64_t paddr, void *p, uint32_t size) {
    CALL("libttsim_pci_mem_rd_bytes");
    struct place place;
    uint32_t value;
    check_bytes("libttsim_pci_mem_rd_bytes", paddr, p, size);
    if (pci_find("libttsim_pci_mem_rd_bytes", paddr, size, false, &place) == OF_CORE) {
        host_end_read(place, p, size);
    } else {
        for (uint32_t at = 0; at < size; at += sizeof value) {
            value = pci_register("libttsim_pci_mem_rd_bytes", paddr + at, false, 0);
            memcpy((uint8_t *)p + at, &value, sizeof value);
        }
    }
}

EXPORTED void libttsim_pci_mem_wr_bytes(uint64_t paddr, const void *p, uint32_t size) {
    CALL("libttsim_pci_mem_wr_bytes");
    struct place place;
    uint32_t value;
    check_bytes("libttsim_pci_mem_wr_bytes", paddr, p, size);
    if (pci_find("libttsim_pci_mem_wr_bytes", paddr, size, true, &place) == OF_CORE) {
        write_core(place, p, size);
    } else {
        for (uint32_t at = 0; at < size; at += sizeof value) {
            memcpy(&value, (const uint8_t *)p + at, sizeof value);
            pci_register("libttsim_pci_mem_wr_bytes", paddr + at, true, value);
        }
    }
}

EXPORTED void libttsim_tile_rd_bytes(uint32_t x, uint32_t y, uint64_t addr, void *p, uint32_t size) {
    CALL("libttsim_tile_rd_bytes");
    check_bytes("libttsim_tile_rd_bytes", addr, p, size);
    host_end_read(place_of("libttsim_tile_rd_bytes", x, y, addr), p, size);
}

EXPORTED void libttsim_tile_wr_bytes(uint32_t x, uint32_t y, uint64_t addr, const void *p, uint32_t size) {
    CALL("libttsim_tile_wr_bytes");
    check_bytes("libttsim_tile_wr_bytes", addr, p, size);
    write_core(place_of("libttsim_tile_wr_bytes", x, y, addr), p, size);
}

EXPORTED void libttsim_clock(uint32_t n_clocks) {
    CALL("libttsim_clock");
    if (n_clocks) host_end_ask(CLOCK, n_clocks);
}
