# SPDX-License-Identifier: Apache-2.0
"""The address map of the tile, and which region an address of a hart belongs to.

BabyRISCV/README.md, memory map. The rows come from the table of devices (devices.py). The lookup is
a table with one entry per 4 KiB page; what is smaller than a page is the device's own business.

A *place* names a byte of storage however it was addressed: L1 is where it is, local RAM of hart h
is at LOCAL_PLACE + h * LOCAL_STRIDE, everything else is at its address. Watches are kept by place.
"""

from __future__ import annotations

import enum

from tensix_gdb.core.arch.blackhole import (
    HARTS,
    L1_BYTES,
    LOCAL_BASE,
    LOCAL_BYTES,
    LOCAL_STRIDE,
    SLOW_LOCAL_BASE,
    SLOW_LOCAL_END,
    SLOW_LOCAL_OWNER,
)
from tensix_gdb.core.arch.chips import BLACKHOLE, CHIPS, IRAM_OF, L1_END, L1_EVERYWHERE
from tensix_gdb.core.arch.chips import LOCAL_BYTES as LOCAL_BYTES_ON
from tensix_gdb.core.arch.wormhole import IRAM_BASE, IRAM_PLACE
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.memory.devices import DEVICES
from tensix_gdb.core.record.layout import View

PAGE_SHIFT = 12
WINDOW = LOCAL_BASE  # everything that is not L1 lies from here to the end of the address space
PAGES = (0x100000000 - WINDOW) >> PAGE_SHIFT
LOCAL_PLACE = 0x40000000


class Region(enum.IntEnum):
    """The region where requests are processed, as far as code names it; NONE where nothing is
    mapped."""

    NONE = 0
    L1 = 1
    LOCAL = 2
    SLOW_LOCAL = 3
    TDMA = 4
    TILE_CONTROL = 5
    PIC = 6
    NOC0 = 7
    NOC1 = 8
    OVERLAY = 9
    MOP_CONFIG = 10
    DST = 11
    GPR = 12
    PUSH = 13
    PCBUF = 14
    MAILBOX = 15
    CONFIG = 16


# Every region that code names has its row, and the others come after them.
assert tuple(Region.__members__) == tuple(device.key for device in DEVICES[: len(Region)])
REGION_NAMES = tuple(device.name for device in DEVICES)


@dataclass(frozen=True, slots=True)
class Row:
    """Half-open range of addresses and the harts that see it; `region` is a number of DEVICES."""

    start: int
    end: int
    region: int
    harts: tuple[int, ...]


def rows_on(chip: int) -> tuple[Row, ...]:
    """Return the map of a chip, by address."""
    rows = (
        Row(span.start, span.end, number, span.harts)
        for number, device in enumerate(DEVICES)
        for span in device.spans_on(chip)
    )
    return tuple(sorted(rows, key=lambda row: row.start))


ROWS = rows_on(BLACKHOLE)


def _pages(chip: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    regions, harts = [0] * PAGES, [0] * PAGES
    for row in [row for row in rows_on(chip) if row.start >= WINDOW]:
        for page in range((row.start - WINDOW) >> PAGE_SHIFT, (row.end - WINDOW) >> PAGE_SHIFT):
            regions[page] = row.region
            harts[page] = sum(1 << hart for hart in row.harts)
    return tuple(regions), tuple(harts)


PAGE_REGION, PAGE_HARTS = _pages(BLACKHOLE)
# The same, of each chip after the one before.
REGION_ON = tuple(region for chip in range(CHIPS) for region in _pages(chip)[0])
HARTS_ON = tuple(harts for chip in range(CHIPS) for harts in _pages(chip)[1])


def region_on(S: View, hart: int, addr: int) -> int:
    """Return the Region that `addr` means to `hart` on the chip that `S` is; NONE where nothing
    is."""
    return Region.L1 if addr < L1_EVERYWHERE else region_of_chip(S.tile.chip, hart, addr)


def region_of_chip(chip: int, hart: int, addr: int) -> int:
    """The same, of a chip by its number (core/arch/chips.py)."""
    if addr < WINDOW:
        return Region.L1 if addr < L1_END[chip] else Region.NONE
    page = chip * PAGES + ((addr - WINDOW) >> PAGE_SHIFT)
    if (HARTS_ON[page] >> hart) & 1:
        return REGION_ON[page]
    return Region.NONE


def is_mapped(S: View, hart: int, addr: int) -> int:
    """True if `hart` has something at `addr` on the chip that `S` is."""
    if LOCAL_BASE <= addr < LOCAL_BASE + LOCAL_STRIDE:
        return 1 if addr - LOCAL_BASE < LOCAL_BYTES_ON[S.tile.chip * HARTS + hart] else 0
    return 1 if region_on(S, hart, addr) != Region.NONE else 0


def fetched_at(S: View, hart: int, pc: int) -> int:
    """Return where the record has the instruction at `pc`, as a byte of `l1`; -1 where `hart`
    fetches nothing: outside L1, and outside the instruction RAM that NC has on Wormhole."""
    chip = S.tile.chip
    if pc < L1_END[chip]:
        return pc
    return pc - IRAM_BASE + IRAM_PLACE if 0 <= pc - IRAM_BASE < IRAM_OF[chip * HARTS + hart] else -1


def region_of(hart: int, addr: int) -> int:
    """Return the Region that `addr` means to `hart` of a Blackhole; NONE where it has nothing
    mapped."""
    if addr < L1_BYTES:
        return Region.L1
    if addr < WINDOW:
        return Region.NONE
    page = (addr - WINDOW) >> PAGE_SHIFT
    if (PAGE_HARTS[page] >> hart) & 1:
        return PAGE_REGION[page]
    return Region.NONE


def local_offset(hart: int, addr: int) -> int:
    """Byte offset into `local` of the core-local address `addr`, or -1 when it is not one."""
    size = LOCAL_BYTES[hart]  # first, so that callers answer for the number of the hart
    offset = addr - LOCAL_BASE
    if 0 <= offset < size:
        return hart * LOCAL_STRIDE + offset
    return -1


def slow_local_offset(addr: int) -> int:
    """Byte offset into `local` of an address of the slow windows, or -1 when it is not one.

    UNSPECIFIED(BabyRISCV/README.md): the map gives T0..T2 two windows of 4 KiB each, their RAM
    has 4 KiB; the second window repeats the first, because that is what leaving an address bit
    undecoded gives.
    """
    if not SLOW_LOCAL_BASE <= addr < SLOW_LOCAL_END:
        return -1
    owner = SLOW_LOCAL_OWNER[(addr - SLOW_LOCAL_BASE) // LOCAL_STRIDE]
    return owner * LOCAL_STRIDE + (addr - SLOW_LOCAL_BASE) % LOCAL_BYTES[owner]


def place_of(hart: int, addr: int) -> int:
    """Name the byte that `addr` means to `hart` (see the module's docstring)."""
    offset = local_offset(hart, addr)
    if offset < 0:
        offset = slow_local_offset(addr)
    return addr if offset < 0 else LOCAL_PLACE + offset


def ram_at(S: View, hart: int, addr: int) -> tuple[int, int]:
    """Return the place of the RAM that a debugger sees at `addr` of `hart`, and how many bytes
    follow from there: L1, NC's instruction RAM, local RAM. (-1, 0) where there is none."""
    chip = S.tile.chip
    fetched = fetched_at(S, hart, addr)
    if fetched >= 0:
        end = L1_END[chip] if addr < L1_END[chip] else IRAM_PLACE + IRAM_OF[chip * HARTS + hart]
        return fetched, end - fetched
    size = LOCAL_BYTES_ON[chip * HARTS + hart]
    if LOCAL_BASE <= addr < LOCAL_BASE + size:
        # The windows are whole pages, so a run of bytes ends no later than its page.
        left = min(0x1000 - addr % 0x1000, LOCAL_BASE + size - addr)
        return LOCAL_PLACE + hart * LOCAL_STRIDE + addr - LOCAL_BASE, left
    slow = slow_local_offset(addr) if region_on(S, hart, addr) == Region.SLOW_LOCAL else -1
    return (LOCAL_PLACE + slow, 0x1000 - addr % 0x1000) if slow >= 0 else (-1, 0)


def describe(hart: int, addr: int) -> str:
    """Return the name of the region of `addr` for `hart` of a Blackhole."""
    return REGION_NAMES[region_of(hart, addr)]


def describe_on(S: View, hart: int, addr: int) -> str:
    """The same, of the chip that `S` is."""
    return REGION_NAMES[region_on(S, hart, addr)]


assert len(SLOW_LOCAL_OWNER) == HARTS
