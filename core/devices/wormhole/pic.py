# SPDX-License-Identifier: Apache-2.0
"""The PIC of Wormhole (WormholeB0 PIC.md): eleven requests that software polls, and NC's clock.

It interrupts no hart, and has no register in common with Blackhole's. It is not emulated yet: an
access stops the hart by name.
"""

from tensix_gdb.core.devices.registers import (
    Access,
    Register,
    RegisterBlock,
    missing,
    missing_write,
)
from tensix_gdb.core.record.layout import View

COLD = True  # little time of LLVM for it (core/engine/README.md)

PIC_BASE = 0xFFB13000
_NO = Access.MISSING


def kept(S: View, hart: int, addr: int) -> int:
    """No register holds what is written yet."""
    return missing(S, hart, addr)


def keep(S: View, hart: int, addr: int, value: int) -> int:
    """The same."""
    return missing_write(S, hart, addr, value)


BLOCK = RegisterBlock(
    "PIC",
    PIC_BASE,
    0x1000,
    "WormholeB0 PIC.md",
    (
        Register(0x00, "PIC_STATUS", _NO, "requests that are pending"),
        Register(0x04, "PIC_NEXT_IRQ", _NO, "the number of one of them"),
        Register(0x08, "PIC_ENABLE", _NO, "requests that are tracked"),
        Register(0x0C, "PIC_CLKGT_EN", _NO, "clock gating of NC"),
        Register(0x10, "PIC_CLKGT_HYST", _NO, "cycles before the clock stops"),
        Register(0x14, "PIC_STREAM_IRQ_TYPE[{i}]", _NO, "phase start, phase end", count=8),
    ),
    kept=kept,
    keep=keep,
)
SLOT, READ, WRITE = BLOCK.slots, BLOCK.reads, BLOCK.writes


def read(S: View, hart: int, addr: int, size: int) -> int:
    """Every load stops."""
    return READ[SLOT[(addr & 0xFFF) >> 2]](S, hart, addr)


def write(S: View, hart: int, addr: int, size: int, value: int) -> int:
    """Every store stops."""
    return WRITE[SLOT[(addr & 0xFFF) >> 2]](S, hart, addr, value)
