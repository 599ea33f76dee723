# SPDX-License-Identifier: Apache-2.0
"""The differences of Wormhole's NIUs from Blackhole's (WormholeB0 NoC/).

    coordinates    translated by two tables of 32 entries that the NIU holds, as NOC_CMD_CTRL is
                   written, and written back (Coordinates.md, MemoryMap.md)
    NOC_CTRL       says then by which ports of the first router a packet goes (MemoryMap.md)
    alignment      modulo 32 where Blackhole's flits of 64 bytes want 64 (Alignment.md)
    inline writes  any of 16 bytes of L1 (MemoryMap.md); on Blackhole they are broken there
    atomics        five operations, of three bits (Atomics.md)
    a write to PCI Express that is acknowledged counts down transaction id 0 (MemoryMap.md)

UNSPECIFIED(WormholeB0 NoC/Coordinates.md): coordinates of 32 and above when they are translated:
the tables have 32 entries. They stay as they are, and no tile has them.
UNSPECIFIED(WormholeB0 NoC/MemoryMap.md): the output ports of a broadcast: they stay as written.
UNSPECIFIED(WormholeB0 NoC/MemoryMap.md, Alignment.md): one page has addresses of a byte mask
rounded down to 16, the other wants multiples of 32; one has requests of fewer than 4 bytes from
registers, the other none. What only one of them has stops the hart.
"""

from tensix_gdb.core.memory.l1_ports import niu_writes
from tensix_gdb.core.memory.ram import l1_write
from tensix_gdb.core.noc.coordinates import HOST, OURSELVES, TENSIX, at, home
from tensix_gdb.core.noc.operations import COMPARE, INCREMENT, SWAP_MASK, on_both_chips
from tensix_gdb.core.noc.request import (
    ATOMIC,
    BROADCAST,
    BYTE_ENABLE,
    HEADER_STORE,
    INLINE,
    KIND,
    MARKED,
    MMIO,
    READ,
    TO_OVERLAY,
    WRITE,
    packets,
    target,
)
from tensix_gdb.core.noc.state import CONFIG
from tensix_gdb.core.record.layout import View

COLD = True  # little time of LLVM for it (core/engine/README.md)

TRANSLATE = 1 << 14  # of NIU_CFG_0
X_TABLE, Y_TABLE = CONFIG + 6, CONFIG + 12  # four words each, among the registers of a NIU
ENTRIES = 32
# NOC_CTRL, bits 12:10
PORTS_SHIFT = 10
TO_NIU, TO_Y, TO_X = 1, 2, 4
# NOC_PACKET_TAG: a packet for a stream of the receiver's overlay, one with its head stored twice.

SWAP_6, SWAP_7 = 6, 7
SWAP_6_BIT = 1 << 2  # is part of the opcode


# Coordinates


def untranslated(S: View, niu: int, there: int) -> int:
    """Return the NoC's own coordinates of translated ones."""
    x = there & 63
    y = there >> 6 & 63
    if x >= ENTRIES or y >= ENTRIES:
        return there
    return entry(S, niu, X_TABLE, x) | entry(S, niu, Y_TABLE, y) << 6


def entry(S: View, niu: int, table: int, index: int) -> int:
    """Return an entry of four bits."""
    return (S.niu.word[niu, table + (index >> 3)] >> (4 * (index & 7))) & 15


def written(S: View, niu: int, register: int, ctrl: int) -> int:
    """Return the tile that coordinates name when the request has started: they are no longer
    translated. Of a broadcast, both corners of the rectangle."""
    return register & (0xFFFFFF if ctrl & BROADCAST else 0xFFF)


def write_back(S: View, niu: int, base: int, ctrl: int, there: int) -> int:
    """Update other registers of the initiator for a write of NOC_CMD_CTRL; `there` is the
    target."""
    if S.niu.word[niu, CONFIG] & TRANSLATE:
        translate(S, niu, base + 2, ctrl if target(ctrl) else 0)
        translate(S, niu, base + 5, 0 if target(ctrl) else ctrl)
    if not ctrl & BROADCAST:
        S.niu.word[niu, base + 7] = ctrl & ~(7 << PORTS_SHIFT) | ports(S, niu, there) << PORTS_SHIFT
    return 0


def translate(S: View, niu: int, register: int, ctrl: int) -> int:
    """Put the NoC's own coordinates into a register."""
    was = S.niu.word[niu, register]
    end = untranslated(S, niu, was & 0xFFF)
    start = was >> 12 & 0xFFF
    if ctrl & BROADCAST:
        start = untranslated(S, niu, start)
    S.niu.word[niu, register] = was >> 24 << 24 | start << 12 | end
    return 0


def ports(S: View, niu: int, there: int) -> int:
    """Return by which port of the first router a packet to one tile leaves: NoC 0 has X first, NoC
    1 Y."""
    here = home(S, niu)
    across = 1 if (here ^ there) & 63 else 0
    along = 1 if (here ^ there) >> 6 & 63 else 0
    if not across and not along:
        return TO_NIU
    if niu:
        return TO_Y if along else TO_X
    return TO_X if across else TO_Y


# What is allowed


def has_other_tag(S: View, niu: int, base: int, ctrl: int) -> int:
    """True if NOC_PACKET_TAG asks for more than a write."""
    if ctrl & KIND != WRITE:
        return 0
    return 1 if S.niu.word[niu, base + 6] & (TO_OVERLAY | HEADER_STORE) else 0


def misaligned(S: View, niu: int, base: int, ctrl: int, place: int) -> int:
    """True if addresses and length do not go together (Alignment.md)."""
    targ = S.niu.word[niu, base]
    ret = S.niu.word[niu, base + 3]
    length = S.niu.word[niu, base + 8]
    if ctrl & KIND == ATOMIC:
        if ctrl & MARKED and (ret & 3 or ret >= MMIO):
            return 1
        return 1 if targ & 3 or targ >= MMIO else 0
    if ctrl & KIND == WRITE and ctrl & INLINE:
        return 1 if targ >= MMIO and targ & 3 else 0
    is_tile = place == OURSELVES or place == TENSIX
    from_register = 1 if targ >= MMIO and (is_tile or ctrl & KIND != READ) else 0
    to_register = 1 if ret >= MMIO and (is_tile or ctrl & KIND == READ) else 0
    if ctrl & KIND == WRITE and ctrl & BYTE_ENABLE:
        return misaligned_mask(targ, ret, from_register, to_register)
    if from_register or to_register:
        if length != 4 or (targ | ret) & 3:
            return 1
        return 0 if from_register else 1 if (targ - ret) % 16 else 0
    if packets(S, ctrl, length) > 1 and (targ | ret) & 15:
        return 1  # Counters.md, Automatic request splitting
    return 1 if (targ - ret) % (16 if is_tile or ctrl & KIND != READ else 32) else 0


def misaligned_mask(targ: int, ret: int, from_register: int, to_register: int) -> int:
    """The same of a write with a byte mask."""
    if to_register:
        if ret & 3:
            return 1
        return 1 if (targ & 3 if from_register else (targ - ret) % 16) else 0
    return 1 if ret % 32 or targ % (4 if from_register else 32) else 0


# Data


def put_enabled(S: View, addr: int, value: int, ctrl: int, mask: int) -> int:
    """Make a write to L1 of one word: inline into any of 16 bytes, from a register into any of 32,
    or just the word. Byte i comes from byte i & 3 of the word."""
    if not ctrl & (INLINE | BYTE_ENABLE):
        niu_writes(S, addr & ~3, 4)
        return l1_write(S, addr & ~3, value, 4)
    enabled = (mask | mask >> 16) & 0xFFFF if ctrl & INLINE else mask
    line = addr & ~15
    for part in range(2):
        half = (enabled >> (16 * part)) & 0xFFFF
        if half and half != 0xFFFF:
            niu_writes(S, line + 16 * part, 1)
        for byte in range(16):
            if (half >> byte) & 1:
                l1_write(S, line + 16 * part + byte, (value >> (8 * (byte & 3))) & 0xFF, 1)
    return 0


def last_byte(ctrl: int) -> int:
    """Return the end of what `put_enabled` may write, in bytes from its first."""
    return 32 if ctrl & BYTE_ENABLE and not ctrl & INLINE else 16


def operate(S: View, operands: int, line: int, data: int) -> int:
    """Execute an atomic operation (Atomics.md): 0, or -1 when there is no such operation."""
    kind = (operands >> 12) & 7
    addr = line + 4 * word_of(operands)
    if kind == INCREMENT or kind == SWAP_MASK or kind == COMPARE:
        return on_both_chips(S, kind, operands, addr, line, data)
    if kind == SWAP_7 or (kind == SWAP_6 and operands & SWAP_6_BIT):
        return l1_write(S, addr, data, 4)
    return -1


def word_of(operands: int) -> int:
    """Return which word of the 16 bytes an atomic changes (Ofs)."""
    return (operands >> 2) & 3 if (operands >> 12) & 7 == SWAP_7 else operands & 3


def is_line(operands: int) -> int:
    """True if an atomic may change all of the 16 bytes."""
    return 1 if (operands >> 12) & 7 == SWAP_MASK else 0


# Counters


def answered_id(S: View, niu: int, slot: int) -> int:
    """Return the transaction id that an answer counts down: 0 if it is a write's and from PCI
    Express, which is a mistake of the hardware."""
    if S.noc.ctrl[niu, slot] & KIND == WRITE:
        there = S.noc.ret_at[niu, slot]
        if at(S, niu, there & 63, there >> 6 & 63) == HOST:
            return 0
    return S.noc.id[niu, slot]
