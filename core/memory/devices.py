# SPDX-License-Identifier: Apache-2.0
"""The table of devices: one row for each region of the address map (BabyRISCV/README.md).

A region processes requests in order, by itself (MemoryOrdering.md). From its row come

    map.py                             its pages, for which harts, and its name in messages
    streams.py                         the streams that lead to it
    regions.py                         the functions that process a request
    riscv/pipeline/load_store.py       how long a load takes
    devices/blocks.py                  the names of its registers
    machine/parts.py                   its rows of the record
    litmus/symbols.py                  its name in litmus tests

A row names the module of a device and not its functions: devices import what is made from the
table, so the table cannot import them. The module is in `core/devices` and has

    read(S, hart, addr, size)          the value, zero-extended, or WAIT or STOPPED
    write(S, hart, addr, size, value)  0, or WAIT or STOPPED
    peek(S, hart, addr)                the word as a debugger sees it, without side effects, or -1;
                                       a module without it shows nothing
    PARTS                              its parts of the record; none if it has none
    BLOCK, or WINDOW                   its registers (devices/registers.py); WINDOW has those of a
                                       device without a Block, from its first address on
    power_up(S)                        sets what is not 0 when the tile gets power; may be missing
"""

from __future__ import annotations

import importlib
from types import ModuleType

from tensix_gdb.core.arch.blackhole import NC, T0, T1, T2, B
from tensix_gdb.core.arch.chips import BLACKHOLE
from tensix_gdb.core.dataclass import dataclass

PACKAGE = "tensix_gdb.core.devices"
ALL = (B, T0, T1, T2, NC)
B_AND_T = (B, T0, T1, T2)
T = (T0, T1, T2)


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range of addresses and the harts that see it; multiples of a page."""

    start: int
    end: int
    harts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Device:
    """A region.

    `latencies` has the cycles of a load by stream; a region with several has the choice among them
    in `streams.stream_of`. `module` is empty where harts access a memory without a request.
    `wormhole` and `wormhole_spans` are what is otherwise on Wormhole, None if nothing is: its
    module, and its pages with the harts that see them (WormholeB0 BabyRISCV/README.md, memory map).
    """

    key: str
    name: str
    spans: tuple[Span, ...]
    latencies: tuple[int, ...] = ()
    module: str = ""
    wormhole: str | None = None
    wormhole_spans: tuple[Span, ...] | None = None

    def load(self, chip: int = BLACKHOLE) -> ModuleType | None:
        """Import the module of a chip; None where there is none."""
        own = self.module if chip == BLACKHOLE or self.wormhole is None else self.wormhole
        return importlib.import_module(f"{PACKAGE}.{own}") if own else None

    def spans_on(self, chip: int) -> tuple[Span, ...]:
        """Return the spans of the device on a chip."""
        if chip == BLACKHOLE or self.wormhole_spans is None:
            return self.spans
        return self.wormhole_spans


# The number of a region is its place here; `map.Region` has the names that code uses.
# fmt: off
DEVICES: tuple[Device, ...] = (
    Device("NONE", "nothing", ()),
    Device("L1", "L1", (Span(0x00000000, 0x00180000, ALL),), (8,),
           wormhole_spans=(Span(0x00000000, 0x0016E000, ALL),)),
    Device("LOCAL", "local RAM",
           (Span(0xFFB00000, 0xFFB01000, ALL), Span(0xFFB01000, 0xFFB02000, (B, NC))), (2,),
           wormhole_spans=(Span(0xFFB00000, 0xFFB01000, ALL),)),
    Device("SLOW_LOCAL", "local RAM (slow access path)",
           (Span(0xFFB14000, 0xFFB1E000, ALL),), (8, 8, 8, 8, 8), "slow_local",
           wormhole_spans=()),
    Device("TDMA", "the TDMA-RISC registers",
           (Span(0xFFB11000, 0xFFB12000, B_AND_T),), (4,), "tdma",
           wormhole_spans=(Span(0xFFB11000, 0xFFB12000, ALL),)),
    Device("TILE_CONTROL", "the tile control registers",
           (Span(0xFFB12000, 0xFFB13000, ALL),), (7,), "tile_control",
           "wormhole.tile_control"),
    Device("PIC", "the PIC", (Span(0xFFB13000, 0xFFB14000, ALL),), (7,), "pic", "wormhole.pic"),
    Device("NOC0", "NoC 0",
           (Span(0xFFB20000, 0xFFB30000, ALL),), (7,), "niu", "wormhole.niu"),
    Device("NOC1", "NoC 1",
           (Span(0xFFB30000, 0xFFB40000, ALL),), (7,), "niu", "wormhole.niu"),
    Device("OVERLAY", "the NoC overlay",
           (Span(0xFFB40000, 0xFFB80000, ALL),), (7,), "overlay", "wormhole.overlay"),
    Device("MOP_CONFIG", "the MOP expander configuration",
           (Span(0xFFB80000, 0xFFB81000, T),), (4,), "mop_config"),
    Device("DST", "Dst",
           (Span(0xFFBD8000, 0xFFBE0000, T),), (4,), "dst_window", wormhole_spans=()),
    Device("GPR", "the Tensix GPRs", (Span(0xFFE00000, 0xFFE01000, B_AND_T),), (4,), "gprs"),
    Device("PUSH", "the push window",
           (Span(0xFFE40000, 0xFFE70000, B_AND_T),), (3, 3, 3), "push"),
    Device("PCBUF", "the PCBufs, TTSync and semaphores",
           (Span(0xFFE80000, 0xFFE90000, B_AND_T), Span(0xFFE90000, 0xFFEB0000, (B,))),
           (3, 3, 3), "pcbufs"),
    Device("MAILBOX", "the mailboxes",
           (Span(0xFFEC0000, 0xFFEC4000, B_AND_T),), (3, 3, 3, 3, 3, 3, 3, 3), "mailboxes"),
    Device("CONFIG", "the Tensix backend configuration",
           (Span(0xFFEF0000, 0xFFF00000, B_AND_T),), (4,), "backend_config",
           "wormhole.backend_config"),
)
# fmt: on
