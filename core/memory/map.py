# SPDX-License-Identifier: Apache-2.0
"""The address map of the tile, and which region an address of a hart belongs to.

BabyRISCV/README.md, memory map. The rows come from the table of devices (devices.py). The lookup is
a table with one entry per 4 KiB page; what is smaller than a page is the device's own business.

A *place* names a byte of storage however it was addressed: L1 is where it is, local RAM of hart h
is at LOCAL_PLACE + h * LOCAL_STRIDE, everything else is at its address. Watches are kept by place.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

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
from tensix_gdb.core.memory.devices import DEVICES

PAGE_SHIFT = 12
WINDOW = LOCAL_BASE  # everything that is not L1 lies from here to the end of the address space
PAGES = (0x100000000 - WINDOW) >> PAGE_SHIFT
LOCAL_PLACE = 0x40000000


class Region(enum.IntEnum):
    """Where requests are processed, as far as code names it; NONE where nothing is mapped."""

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


ROWS: tuple[Row, ...] = tuple(
    sorted(
        (
            Row(span.start, span.end, number, span.harts)
            for number, device in enumerate(DEVICES)
            for span in device.spans
        ),
        key=lambda row: row.start,
    )
)


def _pages() -> tuple[tuple[int, ...], tuple[int, ...]]:
    regions, harts = [0] * PAGES, [0] * PAGES
    for row in [row for row in ROWS if row.start >= WINDOW]:
        for page in range((row.start - WINDOW) >> PAGE_SHIFT, (row.end - WINDOW) >> PAGE_SHIFT):
            regions[page] = row.region
            harts[page] = sum(1 << hart for hart in row.harts)
    return tuple(regions), tuple(harts)


PAGE_REGION, PAGE_HARTS = _pages()


def region_of(hart: int, addr: int) -> int:
    """The Region that `addr` means to `hart`; NONE where it has nothing mapped."""
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
    if LOCAL_BASE <= addr < LOCAL_BASE + LOCAL_BYTES[hart]:
        return hart * LOCAL_STRIDE + (addr - LOCAL_BASE)
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


def describe(hart: int, addr: int) -> str:
    """What `addr` is to `hart`, for people."""
    return REGION_NAMES[region_of(hart, addr)]


assert len(SLOW_LOCAL_OWNER) == HARTS
