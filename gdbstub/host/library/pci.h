// SPDX-License-Identifier: Apache-2.0
// The chip as a PCI Express device: configuration space, BARs, TLB windows, iATU.
//
// What is an address of the host's becomes a core of the NoC and an address there. Nothing here
// knows of the channel. An access that no page describes is refused with a sentence.
#ifndef TENSIX_GDB_PCI_H
#define TENSIX_GDB_PCI_H

#include <stdbool.h>
#include <stdint.h>

// Where an access goes: a core, or a rectangle of cores, on NoC 0.
struct place {
    uint16_t x, y, x_end, y_end;
    uint64_t addr;
};

enum space { OF_CORE, OF_REGISTER };

// As after power-up, of so many chips of a kind: 0 is Blackhole, 1 Wormhole. Each is a device.
void pci_reset(uint32_t kind, uint32_t count);

// Configuration space, type 0. All ones for a device that is not there.
uint32_t pci_config_read(uint32_t device, uint32_t offset);

// Find what an access of the host is of: a core (then `place` has it), or a register of the device,
// which pci_register reads or writes. Refuses what is neither.
enum space pci_find(const char *call, uint64_t paddr, uint32_t size, bool writes, struct place *place);
uint32_t pci_register(const char *call, uint64_t paddr, bool writes, uint32_t value);

// The host's address of an address that a tile has given the PCI Express tile of its chip.
uint64_t pci_host_address(uint32_t device, uint64_t addr, uint32_t size);

// Print one sentence and end the process, as the interface says (library.c).
_Noreturn void refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
