# SPDX-License-Identifier: Apache-2.0
"""PACR of Wormhole passes the wait gate: each packer of its mask begins (PACR.md and Packers/).

The configuration is sampled and the address counters are read for all of them, as the page has it,
before any moves. What a packer does with a datum is what Blackhole's does; what it reads is one
range of Dst, of any length, in place of rows by read interface (InputAddressGenerator.md).

UNSPECIFIED(PACR.md): masks other than one packer, 0 and 1, 2 and 3, or all: "at least one" of them.
All packers of the mask work.
UNSPECIFIED(EdgeMasking.md): when edge masks are sampled; a row at a time, when it is read.
"""

from tensix_gdb.core.arch.blackhole import SoftReset
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.decisions import PACKER as PACKER_BEGINS
from tensix_gdb.core.devices.wormhole.config_places import place
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.schedule import due_after
from tensix_gdb.core.tensix.config.unit import bank_of
from tensix_gdb.core.tensix.packer import config as C
from tensix_gdb.core.tensix.packer.addresses import (
    COLUMNS,
    DST_ROWS,
    MINUS_INFINITY,
    address,
    counters_of,
    datum_size,
    source_of,
)
from tensix_gdb.core.tensix.packer.formats import BF16_TO_FP16, E5, FP32_TO_FP16
from tensix_gdb.core.tensix.packer.four.images import PACKERS, choose
from tensix_gdb.core.tensix.packer.start import ends_in_l1, formats, move_counters
from tensix_gdb.core.tensix.packer.state import (
    DATUMS,
    EXPONENTS,
    FROM_L1,
    FROM_NOWHERE,
    NO_PADDING,
    ROW_STARTS,
)
from tensix_gdb.core.tensix.regfiles.adc import PACKERS as COUNTERS
from tensix_gdb.core.tensix.regfiles.adc import X

COLD = True  # little time of LLVM for it (core/engine/README.md)

# By packer: the thread that has the counters that it uses with OvrdThreadId.
_CONTEXTS = [
    place(f"{section}_Addr_cnt_context")
    for section in ("THCON_SEC0_REG1", "THCON_SEC0_REG8", "THCON_SEC1_REG1", "THCON_SEC1_REG8")
]
CONTEXT_WORD = tuple(field.word for field in _CONTEXTS)
CONTEXT_LOW = tuple(field.low for field in _CONTEXTS)
RELATIVE = 1 << 31  # of packer 0's L1_Dest_addr: those of the others are added to it
DST_DATUMS = (DST_ROWS + 1) * COLUMNS


def start(
    S: View,
    thread: int,
    packers: int,
    addr_mod: int,
    zero_write: int,
    override: int,
    concat: int,
    flush: int,
    last: int,
) -> int:
    """Take the instruction; 0, or the fault that it stops with."""
    bank = bank_of(S, thread)
    code = 0
    moving = 0
    for packer in range(PACKERS):
        if (packers >> packer) & 1 and code == 0:
            counters = counters_of(thread, override, context_of(S, bank, packer))
            moving |= 1 << counters
            choose(S, packer)
            S.pack.concat = concat
            S.pack.last = last
            S.pack.end_of_tile = last | flush
            code = begin(S, bank, packer, counters, zero_write, flush)
    choose(S, 0)
    if code:
        return code
    S.pack.planes = packers
    S.pack.running = thread + 1
    S.pack.due = due_after(S, 1, PACKER_BEGINS)
    for packer in range(PACKERS):
        S.busy.packer[thread] += (packers >> packer) & 1
    for counters in range(3):
        if (moving >> counters) & 1:
            move_counters(S, thread, counters, addr_mod)
    return 0


def context_of(S: View, bank: int, packer: int) -> int:
    """Addr_cnt_context."""
    return (S.config.word[bank, CONTEXT_WORD[packer]] >> CONTEXT_LOW[packer]) & 3


def begin(S: View, bank: int, packer: int, counters: int, zero_write: int, flush: int) -> int:
    """Begin the packer that the rows are of; 0, or a fault."""
    S.pack.bank = bank
    S.pack.section = packer
    S.pack.pad = NO_PADDING
    S.pack.source = source_of(S, bank, packer, zero_write | flush)
    code = formats(S, bank, packer, 1 if S.pack.source == FROM_L1 else 0)
    if code:
        return code
    # Blackhole has these besides (packer/formats.py).
    if S.pack.source != FROM_L1 and (S.pack.early == FP32_TO_FP16 or S.pack.early == BF16_TO_FP16):
        return Fault.PACR_FORMATS
    S.pack.left = 0
    if flush == 0:
        code = datums(S, bank, packer, counters)
    if code:
        return code
    outputs(S, bank, packer, counters)
    if S.pack.compress == 0 and not ends_in_l1(S, 0):
        return Fault.PACR_OUTSIDE_L1
    S.pack.open = 1
    return 0


def datums(S: View, bank: int, packer: int, counters: int) -> int:
    """InputAddressGenerator.md: the first datum, and how many; 0, or a fault."""
    first = S.adc.value[counters, COUNTERS, 0, X]
    last = S.adc.value[counters, COUNTERS, 1, X]
    if first > last:
        return Fault.PACR_ROWS
    S.pack.left = last - first + 1
    S.pack.column = 0
    if S.pack.source == FROM_NOWHERE:
        return 0
    size = datum_size(S, bank, packer)
    inside = first & (16 // size - 1)
    at = address(S, bank, counters, 0)
    if S.pack.source == FROM_L1:
        high = S.config.word[bank, C.CONTROL[packer]] >> C.L1_SOURCE
        S.pack.first = ((high << 18) + (at & 0x3FFF0) + size * inside) & 0x1FFFFF
        return 0
    if S.tile_control.soft_reset & SoftReset.DST:
        return Fault.PACR_IN_RESET
    at = ((at // size) & ~(16 // size - 1)) + inside
    at += (S.config.word[bank, C.DEST[packer]] & 0xFFF) * COLUMNS
    S.pack.first = at // COLUMNS & DST_ROWS
    S.pack.column = at % COLUMNS
    return masked(S, bank)


def masked(S: View, bank: int) -> int:
    """What masked datums become (EdgeMasking.md); 0, or a fault."""
    infinite = S.config.word[bank, C.EDGE[0]] & C.EDGE_MODE
    S.pack.masked = MINUS_INFINITY[S.pack.kind] if infinite else 0
    whole = 0xFFFF
    for i in range(4):
        whole &= S.config.word[bank, C.EDGE[i]]
    # No page says what minus infinity is of an integer.
    return Fault.PACR_EDGE if infinite and S.pack.kind > E5 and whole != 0xFFFF else 0


def outputs(S: View, bank: int, packer: int, counters: int) -> int:
    """Where the streams begin, unless they go on (OutputAddressGenerator.md)."""
    if S.pack.open:
        return 0
    at = first_address(S, bank, packer)
    base = first_address(S, bank, 0)
    if packer and base & RELATIVE:
        at += base
    at += address(S, bank, counters, 1) & ~0xF
    if S.config.word[bank, C.CONTROL[packer]] & C.ADD_OFFSET:
        at += S.pack.offset
    at &= MASK32
    if at > (S.config.word[bank, C.LIMIT[packer]] & 0x1FFFF) * 2 + 1:
        at -= (S.config.word[bank, C.FIFO_SIZE[packer]] & 0x1FFFF) * 2
    sections = S.config.word[bank, C.SECTIONS[packer]]
    if S.pack.compress:
        S.pack.addr[ROW_STARTS] = (at & 0x1FFFF) << 4
        at += sections & 0xFFFF
    if S.pack.format & 2:
        S.pack.addr[EXPONENTS] = (at & 0x1FFFF) << 4
        at += sections >> 16
    S.pack.addr[DATUMS] = (at & 0x1FFFF) << 4
    return 0


def first_address(S: View, bank: int, packer: int) -> int:
    """L1_Dest_addr, after the tile's header if there is one, in units of 16 bytes."""
    header = 0 if S.config.word[bank, C.CONTROL[packer]] & C.NO_HEADER else 1
    return (S.config.word[bank, C.ADDRESS[packer]] + header) & MASK32
