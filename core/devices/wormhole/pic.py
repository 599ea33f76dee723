# SPDX-License-Identifier: Apache-2.0
"""The PIC of Wormhole (WormholeB0 PIC.md): eleven requests that software polls, and NC's clock.

It interrupts no hart, and has no register in common with Blackhole's. Its registers are in a row
of Blackhole's PIC that Wormhole has no use for. Nothing on the tile raises a request: streams of
the NoC overlay stop by name when they are started. So STATUS is 0, and what would need more stops
by name: a request of the debug timestamper that is enabled, and clock gating that is switched on.
"""

from tensix_gdb.core.devices.niu import nothing, zero
from tensix_gdb.core.devices.registers import (
    Access,
    Bits,
    Register,
    RegisterBlock,
    extract,
    missing_write,
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
# Where they are in `pic.handler`.
ENABLE_AT, GATING_AT, HYSTERESIS_AT, TYPE_AT = 0, 1, 2, 3


def enable(S: View, hart: int, addr: int) -> int:
    """PIC_ENABLE."""
    return S.pic.handler[ENABLE_AT]


def set_enable(S: View, hart: int, addr: int, value: int) -> int:
    """The timestamper's requests are not raised here, so that nothing may wait for them."""
    if value & TIMESTAMPER:
        return missing_write(S, hart, addr, value)
    S.pic.handler[ENABLE_AT] = value & IRQS
    return 0


def gating(S: View, hart: int, addr: int) -> int:
    """PIC_CLKGT_EN: the clock of NC runs."""
    return S.pic.handler[GATING_AT] | ACTIVE


def set_gating(S: View, hart: int, addr: int, value: int) -> int:
    """No clock stops here."""
    if value & GATING_ENABLED and not value & FORCE_ACTIVE:
        return missing_write(S, hart, addr, value)
    S.pic.handler[GATING_AT] = value & (GATING_ENABLED | FORCE_ACTIVE)
    return 0


def hysteresis(S: View, hart: int, addr: int) -> int:
    """PIC_CLKGT_HYST, which the record has as what differs from its default."""
    return S.pic.handler[HYSTERESIS_AT] ^ HYSTERESIS


def set_hysteresis(S: View, hart: int, addr: int, value: int) -> int:
    """Seven bits."""
    S.pic.handler[HYSTERESIS_AT] = (value & 0x7F) ^ HYSTERESIS
    return 0


def stream_type(S: View, hart: int, addr: int) -> int:
    """PIC_STREAM_IRQ_TYPE."""
    return S.pic.handler[TYPE_AT + (((addr & 0xFFF) - 0x14) >> 2)]


def set_stream_type(S: View, hart: int, addr: int, value: int) -> int:
    """Two bits."""
    S.pic.handler[TYPE_AT + (((addr & 0xFFF) - 0x14) >> 2)] = value & 3
    return 0


_RW, _RO = Access.READ_WRITE, Access.READ_ONLY
# fmt: off
BLOCK = RegisterBlock(
    "PIC",
    PIC_BASE,
    0x1000,
    "WormholeB0 PIC.md",
    (
        Register(0x00, "PIC_STATUS", _RW, "requests that are pending", peek=zero, write=nothing),
        Register(0x04, "PIC_NEXT_IRQ", _RO, "the number of one of them", peek=zero),
        Register(0x08, "PIC_ENABLE", _RW, "requests that are tracked", peek=enable,
                 write=set_enable, kept_bits=IRQS),
        Register(0x0C, "PIC_CLKGT_EN", _RW, "clock gating of NC", peek=gating, write=set_gating,
                 kept_bits=GATING_ENABLED | FORCE_ACTIVE, fields=(
                     Bits(0, 1, "gating enabled"), Bits(8, 1, "force active"),
                     Bits(16, 1, "active"))),
        Register(0x10, "PIC_CLKGT_HYST", _RW, "cycles before the clock stops", peek=hysteresis,
                 write=set_hysteresis, kept_bits=0x7F),
        Register(0x14, "PIC_STREAM_IRQ_TYPE[{i}]", _RW, "phase start, phase end",
                 peek=stream_type, write=set_stream_type, count=STREAMS, kept_bits=3, fields=(
                     Bits(0, 1, "phase start"), Bits(1, 1, "phase end"))),
    ),
    kept=enable,
    keep=set_enable,
)
# fmt: on
SLOT, PEEK, READ, WRITE = BLOCK.slots, BLOCK.peeks, BLOCK.reads, BLOCK.writes


def peek(S: View, hart: int, addr: int) -> int:
    """The register at `addr`."""
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
