# SPDX-License-Identifier: Apache-2.0
"""The PIC of Wormhole (WormholeB0 PIC.md): eleven requests that software polls, and NC's clock.

It interrupts no hart, and has no register in common with Blackhole's. Its registers are in
`pic.word`, which has names for Blackhole's registers alone. Nothing on the tile raises a
request: streams of the NoC overlay stop by name when they are started. So STATUS is 0, and what
would need more stops by name: a request of the debug timestamper that is enabled, and clock gating
that is switched on.
"""

from tensix_gdb.core.devices.registers import (
    Access,
    Bits,
    Register,
    RegisterBlock,
    extract,
    ignored,
    missing_write,
    zero,
)
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.stop import fault

COLD = True  # little time of LLVM for it (core/engine/README.md)

PIC_BASE = 0xFFB13000
TIMESTAMPER = 3 << 17  # bits of PIC_ENABLE
IRQS = 0xFF | 1 << 16 | TIMESTAMPER
GATING_ENABLED, FORCE_ACTIVE, ACTIVE = 1 << 0, 1 << 8, 1 << 16  # of PIC_CLKGT_EN
HYSTERESIS = 3  # the default
STREAMS = 8


def kept(S: View, hart: int, addr: int) -> int:
    """Return the word that was written."""
    return S.pic.word[SLOT[(addr & 0xFFF) >> 2]]


def keep(S: View, hart: int, addr: int, value: int) -> int:
    """Hold what is written, as far as it has bits."""
    slot = SLOT[(addr & 0xFFF) >> 2]
    S.pic.word[slot] = value & KEPT_BITS[slot]
    return 0


def set_enable(S: View, hart: int, addr: int, value: int) -> int:
    """The timestamper's requests are not raised here, so that nothing may wait for them."""
    if value & TIMESTAMPER:
        return missing_write(S, hart, addr, value)
    return keep(S, hart, addr, value)


def gating(S: View, hart: int, addr: int) -> int:
    """PIC_CLKGT_EN: the clock of NC runs."""
    return kept(S, hart, addr) | ACTIVE


def set_gating(S: View, hart: int, addr: int, value: int) -> int:
    """No clock stops here."""
    if value & GATING_ENABLED and not value & FORCE_ACTIVE:
        return missing_write(S, hart, addr, value)
    return keep(S, hart, addr, value)


_RW, _RO = Access.READ_WRITE, Access.READ_ONLY
# fmt: off
BLOCK = RegisterBlock(
    "PIC",
    PIC_BASE,
    0x1000,
    "WormholeB0 PIC.md",
    (
        Register(0x00, "PIC_STATUS", _RW, "requests that are pending", peek=zero, write=ignored),
        Register(0x04, "PIC_NEXT_IRQ", _RO, "the number of one of them", peek=zero),
        Register(0x08, "PIC_ENABLE", _RW, "requests that are tracked", kept_bits=IRQS,
                 write=set_enable),
        Register(0x0C, "PIC_CLKGT_EN", _RW, "clock gating of NC", peek=gating, write=set_gating,
                 kept_bits=GATING_ENABLED | FORCE_ACTIVE, fields=(
                     Bits(0, 1, "gating enabled"), Bits(8, 1, "force active"),
                     Bits(16, 1, "active"))),
        Register(0x10, "PIC_CLKGT_HYST", _RW, "cycles before the clock stops", HYSTERESIS,
                 kept_bits=0x7F),
        Register(0x14, "PIC_STREAM_IRQ_TYPE[{i}]", _RW, "phase start, phase end",
                 count=STREAMS, kept_bits=3, fields=(
                     Bits(0, 1, "phase start"), Bits(1, 1, "phase end"))),
    ),
    kept=kept,
    keep=keep,
    row="pic.word",
)
# fmt: on
SLOT, KEPT_BITS = BLOCK.slots, BLOCK.kept_bits
PEEK, READ, WRITE = BLOCK.peeks, BLOCK.reads, BLOCK.writes


def peek(S: View, hart: int, addr: int) -> int:
    """Return the register at `addr`."""
    return PEEK[SLOT[(addr & 0xFFF) >> 2]](S, hart, addr)


def read(S: View, hart: int, addr: int, size: int) -> int:
    """Sub-word loads pick their bytes."""
    value = READ[SLOT[(addr & 0xFFF) >> 2]](S, hart, addr & 0xFFFFFFFC)
    return extract(value, addr, size) if value >= 0 else value


def write(S: View, hart: int, addr: int, size: int, value: int) -> int:
    """`sw` only."""
    if size != 4:
        return fault(S, hart, Fault.STORE_WIDTH, addr, size)
    return WRITE[SLOT[(addr & 0xFFF) >> 2]](S, hart, addr, value)


def power_up(S: View) -> None:
    """Set what is not 0 when the tile gets power."""
    for slot in range(1, BLOCK.count):
        S.pic.word[slot] = BLOCK.resets[slot]
