// SPDX-License-Identifier: Apache-2.0
// The PCI Express side of both chips (pci.h): a row of each, and what is done with it.
//
// Sources: tt-umd, device/api/umd/device/arch/*_implementation.hpp (windows and where their
// configuration is, fields of tlb_configuration), tt_sim_tt_device.cpp (which BARs it looks for, how
// it writes an iATU region); tt-kmd, pci_ids.h (numbers of vendor and device); ttsim 1.10.0,
// libttsim.cpp (sizes of BARs, host address of each, windows of the host's memory); of Wormhole,
// WormholeB0 PCIExpressTile/README.md and TLBs.md.
#include "pci.h"

#include <string.h>

#define GIB (1ull << 30)
#define MIB (1ull << 20)

struct bar {
    uint32_t config;  // offset of its base in configuration space
    uint64_t base, size;
};

struct windows {  // TLB windows of one size, one after the other
    uint64_t first, size;  // first: offset in their BAR
    uint32_t bar, count, number;  // number: of the first of them, in the configuration
    uint32_t coordinates;  // the first bit of x_end; bits of the address before it
};

struct seen {  // what BAR 0 shows of a core of NoC 0
    uint64_t first, end, addr;  // first, end: offsets in the BAR; addr: of the first, there
    uint16_t x, y;
};

struct chip {
    uint32_t identity;  // device and vendor
    uint32_t class_revision;
    struct bar bar[3];
    uint64_t bar4_shows;  // the offset in BAR 0 that BAR 4 shows, if it shows that; else 0
    struct windows windows[3];
    struct seen seen[2];
    uint64_t configuration;  // of the windows: offset in BAR 0
    uint32_t words;  // of one window
    uint32_t noc_bits;  // of the field that selects the NoC
    uint64_t niu[2];  // registers of the NIUs of the PCI Express tile: offset in BAR 0
    uint64_t iatu;  // offset in BAR 2 of 16 regions, outbound and inbound in turn, 256 bytes each
    uint64_t host_span;  // bytes of the host that the PCI Express tile shows, from `host_first` on
    uint64_t host_first;
};

static const struct chip chips[] = {
    {
        .identity = 0xB140u << 16 | 0x1E52,
        .class_revision = 0x12000000,  // a processing accelerator
        .bar = {{0x10, 4 * GIB, 512 * MIB}, {0x18, 4 * GIB + 512 * MIB, MIB}, {0x20, 32 * GIB, 32 * GIB}},
        .windows = {{0, 2 * MIB, 0, 202, 0, 43}, {0, 4 * GIB, 2, 8, 202, 32}},
        .configuration = 0x1FC00000,
        .words = 3,
        .noc_bits = 2,
        .niu = {0x1FD04000, 0x1FD14000},
        .iatu = 0x1000,
    },
    {
        .identity = 0x401Eu << 16 | 0x1E52,
        .class_revision = 0x12000001,
        .bar = {{0x10, 4 * GIB, 512 * MIB}, {0x18, 4 * GIB + 512 * MIB, MIB}, {0x20, 32 * GIB, 32 * MIB}},
        .bar4_shows = 480 * MIB,
        .windows = {{0, MIB, 0, 156, 0, 16},
                    {0x9C00000, 2 * MIB, 0, 10, 156, 15},
                    {0xB000000, 16 * MIB, 0, 20, 166, 12}},
        .seen = {{0x1FE80000, 0x1FF00000, 0x810000000, 0, 10}, {0x1FF00000, 0x20000000, 0x880000000, 0, 10}},
        .configuration = 0x1FC00000,
        .words = 2,
        .noc_bits = 1,
        .iatu = 0x1200,
        .host_first = 0x800000000,
        .host_span = 0xFFFE0000,
    },
};
static const struct chip *chip = chips;

enum { WINDOWS = 210, WORDS = 3, REGIONS = 16 };
enum { NODE_ID = 0x44, NIU_CFG_0 = 0x100, NIU_BYTES = 0x2000, TRANSLATES = 1 << 14 };
// Fields after the coordinates, as bits after x_end (tlb_configuration of tt-umd).
enum { Y_END = 6, X_START = 12, Y_START = 18, NOC_SELECT = 24 };
enum { CTRL_1, CTRL_2, LOWER_BASE, UPPER_BASE, LIMIT, LOWER_TARGET, UPPER_TARGET, CTRL_3, UPPER_LIMIT, IATU_WORDS };
#define ENABLE (1u << 31)
#define INBOUND 0x100

// Of several chips each is a device, with BARs so far after those of the one before (ttsim, libttsim.cpp).
#define DEVICE_STRIDE (64 * GIB)
enum { DEVICES = 8, NOC_SIDE = 64 };
struct device {
    uint32_t window[WINDOWS][WORDS];
    uint32_t region[REGIONS][IATU_WORDS];  // outbound
};
static struct device devices[DEVICES];
static uint32_t count = 1;
static uint32_t (*window)[WORDS] = devices[0].window;  // of the device that is accessed
static uint32_t (*region)[IATU_WORDS] = devices[0].region;

static void select_device(uint32_t device) {
    window = devices[device].window;
    region = devices[device].region;
}

// Select the device that has an address; return the address as the first device would have it.
static uint64_t of_device(const char *call, uint64_t paddr) {
    uint64_t device = paddr / DEVICE_STRIDE;
    if (device >= count)
        refuse("%s: 0x%llx is of device %llu, and there are %u", call, (unsigned long long)paddr,
               (unsigned long long)device, count);
    select_device(device);
    return paddr % DEVICE_STRIDE;
}

void pci_reset(uint32_t kind, uint32_t number) {
    chip = &chips[kind];
    count = number ? number : 1;
    memset(devices, 0, sizeof devices);
    select_device(0);
}

uint32_t pci_config_read(uint32_t device, uint32_t offset) {
    if (device >= count) return 0xFFFFFFFF;
    switch (offset) {
        case 0x00: return chip->identity;
        case 0x08: return chip->class_revision;
        case 0x3C: return 0xFF;  // no interrupt
        case 0x04: case 0x0C: case 0x28: case 0x2C: case 0x30: case 0x34: case 0x38: return 0;
    }
    for (int i = 0; i < 3; i++) {
        const struct bar *bar = &chip->bar[i];
        uint64_t base = bar->base + device * DEVICE_STRIDE;
        if (offset == bar->config) return (uint32_t)base | 4;  // 64 bits, not prefetchable
        if (offset == bar->config + 4) return base >> 32;
    }
    refuse("libttsim_pci_config_rd32: offset 0x%x is after the 64 bytes of a header", offset);
}

static uint64_t bits(const uint32_t *words, uint32_t first, uint32_t count) {
    unsigned __int128 all = words[0] | (unsigned __int128)words[1] << 32 | (unsigned __int128)words[2] << 64;
    return (uint64_t)(all >> first) & ((1ull << count) - 1);
}

static void of_window(
    const char *call, const struct windows *kind, uint64_t offset, uint32_t size, bool writes, struct place *place) {
    uint32_t number = kind->number + offset / kind->size, at = kind->coordinates;
    uint64_t within = offset % kind->size;
    const uint32_t *words = window[number];
    if (within + size > kind->size)
        refuse("%s: %u bytes at 0x%llx leave TLB window %u of %llu MiB", call, size,
               (unsigned long long)within, number, (unsigned long long)(kind->size / MIB));
    if (bits(words, at + NOC_SELECT, chip->noc_bits))
        refuse("%s: TLB window %u is of NoC 1; only NoC 0 is here for a host", call, number);
    place->addr = bits(words, 0, at) * kind->size + within;
    place->x = place->x_end = bits(words, at, 6);
    place->y = place->y_end = bits(words, at + Y_END, 6);
    if (!bits(words, at + NOC_SELECT + chip->noc_bits, 1)) return;  // not a multicast
    place->x = bits(words, at + X_START, 6);
    place->y = bits(words, at + Y_START, 6);
    if (!writes) refuse("%s: TLB window %u is a multicast, which can be written only", call, number);
    if (place->x > place->x_end || place->y > place->y_end)
        refuse("%s: the multicast of TLB window %u ends at %u-%u, before its start %u-%u", call, number,
               place->x_end, place->y_end, place->x, place->y);
}

static const struct bar *bar_of(const char *call, uint64_t paddr, uint32_t size) {
    for (int i = 0; i < 3; i++) {
        const struct bar *bar = &chip->bar[i];
        if (paddr >= bar->base && paddr - bar->base < bar->size && size <= bar->size - (paddr - bar->base)) return bar;
    }
    refuse("%s: no BAR has the %u bytes at 0x%llx", call, size, (unsigned long long)paddr);
}

static enum space find(const char *call, uint64_t paddr, uint32_t size, bool writes, struct place *place) {
    const struct bar *bar = bar_of(call, paddr, size);
    uint64_t offset = paddr - bar->base;
    if (bar == &chip->bar[2] && chip->bar4_shows)
        return find(call, chip->bar[0].base + chip->bar4_shows + offset, size, writes, place);
    for (int i = 0; i < 3; i++) {
        const struct windows *kind = &chip->windows[i];
        if (bar == &chip->bar[kind->bar] && offset - kind->first < kind->size * kind->count) {
            of_window(call, kind, offset - kind->first, size, writes, place);
            return OF_CORE;
        }
    }
    for (int i = 0; i < 2; i++) {
        const struct seen *seen = &chip->seen[i];
        if (bar == &chip->bar[0] && offset >= seen->first && offset + size <= seen->end) {
            *place = (struct place){seen->x, seen->y, seen->x, seen->y, seen->addr + offset - seen->first};
            return OF_CORE;
        }
    }
    bool is_pair = size == 8 && chip->words == 2 && offset - chip->configuration < WINDOWS * 4 * chip->words;
    if ((size != 4 && !is_pair) || offset & 3)
        refuse("%s: registers of BAR %u take one aligned word, not %u bytes at 0x%llx", call,
               (bar->config - 0x10) / 4, size, (unsigned long long)offset);
    return OF_REGISTER;
}

enum space pci_find(const char *call, uint64_t paddr, uint32_t size, bool writes, struct place *place) {
    enum space space = find(call, of_device(call, paddr), size, writes, place);
    uint16_t of_chip = count > 1 ? NOC_SIDE * (1 + paddr / DEVICE_STRIDE) : 0;  // as core/chip/places.py
    if (space == OF_CORE) place->x += of_chip, place->x_end += of_chip;
    return space;
}

static uint32_t *iatu_word(const char *call, uint64_t offset) {
    uint64_t at = offset - chip->iatu;
    if (at & INBOUND)
        refuse("%s: offset 0x%llx of BAR 2 is of an inbound iATU region; windows are fixed here", call,
               (unsigned long long)offset);
    if (at / 0x200 < REGIONS && at % 0x100 / 4 < IATU_WORDS) return &region[at / 0x200][at % 0x100 / 4];
    refuse("%s: offset 0x%llx of BAR 2 is no register that this device has", call, (unsigned long long)offset);
}

static uint32_t niu_register(const char *call, uint64_t offset, bool writes) {
    for (int noc = 0; noc < 2; noc++) {
        uint64_t at = offset - chip->niu[noc];
        if (writes || !chip->niu[noc] || at >= NIU_BYTES) continue;
        // The PCI Express tile is at (2, 0), of 17 columns and 12 rows (NoC/Coordinates.md).
        if (at == NODE_ID) return (noc ? 14 | 11 << 6 : 2) | 17 << 12 | 12 << 19 | !noc << 28;
        if (at == NIU_CFG_0) return TRANSLATES;
    }
    refuse("%s: offset 0x%llx of BAR 0 is no register that this device has", call, (unsigned long long)offset);
}

uint32_t pci_register(const char *call, uint64_t paddr, bool writes, uint32_t value) {
    paddr = of_device(call, paddr);
    const struct bar *bar = bar_of(call, paddr, 4);
    if (bar == &chip->bar[2] && chip->bar4_shows) {
        paddr += chip->bar[0].base + chip->bar4_shows - bar->base;
        bar = &chip->bar[0];
    }
    uint64_t offset = paddr - bar->base, at = offset - chip->configuration;
    uint32_t *word;
    if (bar == &chip->bar[1]) {
        word = iatu_word(call, offset);
    } else if (bar == &chip->bar[0] && at < WINDOWS * 4 * chip->words) {
        word = &window[at / 4 / chip->words][at / 4 % chip->words];
    } else {
        return niu_register(call, offset, writes);
    }
    if (writes) *word = value;
    return *word;
}

static uint64_t of_halves(uint32_t low, uint32_t high) { return low | (uint64_t)high << 32; }

uint64_t pci_host_address(uint32_t device, uint64_t addr, uint32_t size) {
    select_device(device);
    // Blackhole: of 64 windows of 2^58 bytes, 0 to 3 lead to the host as they are, 4 to 7 by the iATU.
    uint64_t offset = chip->host_span ? addr - chip->host_first : addr & ((1ull << 58) - 1);
    bool is_there = chip->host_span ? offset < chip->host_span : addr >> 58 < 8;
    bool is_direct = !chip->host_span && addr >> 58 < 4;
    if (!is_there)
        refuse("a tile has sent a request to 0x%llx of the PCI Express tile, where nothing is known to be",
               (unsigned long long)addr);
    for (int i = 0; !is_direct && i < REGIONS; i++) {
        const uint32_t *words = region[i];
        uint64_t base = of_halves(words[LOWER_BASE], words[UPPER_BASE]);
        uint32_t high = chip->host_span ? words[UPPER_BASE] : words[UPPER_LIMIT];
        uint64_t limit = of_halves(words[LIMIT], high);
        if (words[CTRL_2] & ENABLE && offset >= base && offset + size - 1 <= limit)
            return of_halves(words[LOWER_TARGET], words[UPPER_TARGET]) + (offset - base);
    }
    return offset;
}
