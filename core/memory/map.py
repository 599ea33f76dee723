# SPDX-License-Identifier: Apache-2.0
"""The address map of the tile as rows, and which region an address of a hart belongs to.

BabyRISCV/README.md, memory map. A *region* is what processes requests in order by itself
(MemoryOrdering.md); rows of the same region are one queue of requests, rows of different regions
are not ordered against each other. The lookup is a table with one entry per 4 KiB page, made from
the rows below; what is smaller than a page is the device's own business.

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
    NC,
    SLOW_LOCAL_BASE,
    SLOW_LOCAL_END,
    SLOW_LOCAL_OWNER,
    T0,
    T1,
    T2,
    B,
)

PAGE_SHIFT = 12
WINDOW = LOCAL_BASE  # everything that is not L1 lies from here to the end of the address space
PAGES = (0x100000000 - WINDOW) >> PAGE_SHIFT
LOCAL_PLACE = 0x40000000


class Region(enum.IntEnum):
    """Where requests are processed; NONE where nothing is mapped."""

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


REGION_NAMES = (
    "nothing",
    "L1",
    "local RAM",
    "local RAM (slow access path)",
    "the TDMA-RISC registers",
    "the tile control registers",
    "the PIC",
    "NoC 0",
    "NoC 1",
    "the NoC overlay",
    "the MOP expander configuration",
    "Dst",
    "the Tensix GPRs",
    "the push window",
    "the PCBufs, TTSync and semaphores",
    "the mailboxes",
    "the Tensix backend configuration",
)

_ALL = (B, T0, T1, T2, NC)
_BT = (B, T0, T1, T2)
_T = (T0, T1, T2)


@dataclass(frozen=True, slots=True)
class Row:
    """Half-open range of addresses and the harts that see it."""

    start: int
    end: int
    region: Region
    harts: tuple[int, ...]


# fmt: off
ROWS: tuple[Row, ...] = (
    Row(0x00000000, 0x00180000, Region.L1,           _ALL),
    Row(0xFFB00000, 0xFFB01000, Region.LOCAL,        _ALL),
    Row(0xFFB01000, 0xFFB02000, Region.LOCAL,        (B, NC)),
    Row(0xFFB11000, 0xFFB12000, Region.TDMA,         _BT),
    Row(0xFFB12000, 0xFFB13000, Region.TILE_CONTROL, _ALL),
    Row(0xFFB13000, 0xFFB14000, Region.PIC,          _ALL),
    Row(0xFFB14000, 0xFFB1E000, Region.SLOW_LOCAL,   _ALL),
    Row(0xFFB20000, 0xFFB30000, Region.NOC0,         _ALL),
    Row(0xFFB30000, 0xFFB40000, Region.NOC1,         _ALL),
    Row(0xFFB40000, 0xFFB80000, Region.OVERLAY,      _ALL),
    Row(0xFFB80000, 0xFFB81000, Region.MOP_CONFIG,   _T),
    Row(0xFFBD8000, 0xFFBE0000, Region.DST,          _T),
    Row(0xFFE00000, 0xFFE01000, Region.GPR,          _BT),
    Row(0xFFE40000, 0xFFE70000, Region.PUSH,         _BT),
    Row(0xFFE80000, 0xFFE90000, Region.PCBUF,        _BT),
    Row(0xFFE90000, 0xFFEB0000, Region.PCBUF,        (B,)),
    Row(0xFFEC0000, 0xFFEC4000, Region.MAILBOX,      _BT),
    Row(0xFFEF0000, 0xFFF00000, Region.CONFIG,       _BT),
)
# fmt: on


def _pages() -> tuple[tuple[int, ...], tuple[int, ...]]:
    regions, harts = [0] * PAGES, [0] * PAGES
    for row in ROWS[1:]:
        for page in range((row.start - WINDOW) >> PAGE_SHIFT, (row.end - WINDOW) >> PAGE_SHIFT):
            regions[page] = int(row.region)
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
