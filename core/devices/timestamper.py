# SPDX-License-Identifier: Apache-2.0
"""The debug timestamper: a 64-bit cycle counter, and event streams into L1 (DebugTimestamper.md).

The counter is the tile's cycle. Events are appended to an accumulator of four words, which goes out
to the first of two buffers in L1 that has space; `start`, `end` and `position` count 16 bytes.

UNSPECIFIED(DebugTimestamper.md): a buffer that reaches past the end of L1; the store that would
write there stops the hart.
"""

import enum

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.core.devices.registers import Access, Bits, Register, zero
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.memory.ram import l1_write
from tensix_gdb.core.record.layout import Chapter, Part, Tag, View, row
from tensix_gdb.core.stop import fault


class Event(enum.IntEnum):
    """The field `size` of TIMESTAMP: what is appended, or how much is flushed."""

    BITS_128 = 0
    BITS_64 = 1
    BITS_32 = 2
    FLUSH_64 = 3
    BITS_96 = 4
    FLUSH_96 = 7


BUFFERS = 2
CNTL_RESET = 3  # both buffers valid
RESET_STREAMS = 1 << 31

TIMESTAMPER = Part(
    "timestamper",
    (
        row("full", "u8", BUFFERS, Tag.ARCHITECTURAL, "sticky"),
        row("overflow", "u8", BUFFERS, Tag.ARCHITECTURAL, "sticky"),
        row("position", "u32", BUFFERS, Tag.ARCHITECTURAL, "16-byte units written"),
        row("data", "u32", 4, Tag.ARCHITECTURAL, "accum.data"),
        row("held", "u32", (), Tag.ARCHITECTURAL, "accum.position"),
        row("event_bits", "u32", (), Tag.ARCHITECTURAL, "accum.event_size; 0 for any"),
    ),
    chapter=Chapter.DEVICES,
)


def counter_low(S: View, hart: int, addr: int) -> int:
    """WALL_CLOCK_L without what a load does besides."""
    return S.tile.cycle & 0xFFFFFFFF


def read_counter_low(S: View, hart: int, addr: int) -> int:
    """WALL_CLOCK_L: also keeps the high half for WALL_CLOCK_H."""
    S.tile_control.clock_high_at = (S.tile.cycle >> 32) & 0xFFFFFFFF
    return S.tile.cycle & 0xFFFFFFFF


def write_counter_low(S: View, hart: int, addr: int, value: int) -> int:
    """A store to WALL_CLOCK_L keeps the high half and does nothing else."""
    S.tile_control.clock_high_at = (S.tile.cycle >> 32) & 0xFFFFFFFF
    return 0


def counter_high(S: View, hart: int, addr: int) -> int:
    """WALL_CLOCK_L + 4: the high half now."""
    return (S.tile.cycle >> 32) & 0xFFFFFFFF


def append_event(S: View, hart: int, addr: int, value: int) -> int:
    """TIMESTAMP: append an event, or flush the accumulator."""
    low = S.tile.cycle & 0xFFFFFFFF
    high = (S.tile.cycle >> 32) & 0xFFFFFFFF
    bits = 0
    match value & 7:
        case Event.BITS_128:
            bits = 128
        case Event.BITS_64 | Event.FLUSH_64:
            bits = 64
        case Event.BITS_32:
            bits = 32
        case Event.BITS_96 | Event.FLUSH_96:
            bits = 96
        case _:
            return fault(S, hart, Fault.TIMESTAMP_EVENT, value, 0)
    if S.timestamper.event_bits and S.timestamper.event_bits != bits:
        return fault(S, hart, Fault.TIMESTAMP_SIZE, bits, S.timestamper.event_bits)
    if would_leave_l1(S):
        return fault(S, hart, Fault.TIMESTAMP_BUFFER, value, 0)
    S.timestamper.event_bits = bits
    match value & 7:
        case Event.BITS_128:
            append(S, value)
            append(S, low)
            append(S, high)
            append(S, 0)
        case Event.BITS_64:
            append(S, value)
            append(S, low)
        case Event.BITS_32:
            append(S, (value & 0xFFFF) | ((low & 0x001FFFE0) << 11))
        case Event.BITS_96:
            append(S, value)
            append(S, low)
            append(S, high)
        case _:
            flush(S)
    # reset_streams acts in every cycle while it is set.
    return reset_streams(S)


def would_leave_l1(S: View) -> int:
    """True if the next write is past the end of L1."""
    buffer = buffer_with_space(S)
    if buffer < 0:
        return 0
    return (S.tile_control.stamp_start[buffer] + S.timestamper.position[buffer]) * 16 >= L1_BYTES


def append(S: View, word: int) -> int:
    """Put a word into the accumulator, and the accumulator out when it is full."""
    S.timestamper.data[S.timestamper.held] = word
    S.timestamper.held += 1
    if S.timestamper.held == 4:
        flush(S)
    return 0


def flush(S: View) -> int:
    """Fill the accumulator with zeros and write it out."""
    for i in range(S.timestamper.held, 4):
        S.timestamper.data[i] = 0
    S.timestamper.held = 0
    S.timestamper.event_bits = 0
    buffer = buffer_with_space(S)
    if buffer < 0:
        for i in range(BUFFERS):
            if (S.tile_control.stamp_cntl >> i) & 1:
                S.timestamper.overflow[i] = 1
        return 0
    at = (S.tile_control.stamp_start[buffer] + S.timestamper.position[buffer]) * 16
    for i in range(4):
        l1_write(S, at + 4 * i, S.timestamper.data[i], 4)
    S.timestamper.position[buffer] += 1
    if not has_space(S, buffer):
        S.timestamper.full[buffer] = 1
    return 0


def buffer_with_space(S: View) -> int:
    """Return the buffer that is written to next, or -1."""
    for i in range(BUFFERS):
        if (S.tile_control.stamp_cntl >> i) & 1 and has_space(S, i):
            return i
    return -1


def has_space(S: View, buffer: int) -> int:
    """True if the next 16 bytes of the buffer are not past its end."""
    at = S.tile_control.stamp_start[buffer] + S.timestamper.position[buffer]
    return 1 if at <= S.tile_control.stamp_end[buffer] else 0


def set_cntl(S: View, hart: int, addr: int, value: int) -> int:
    """Set which buffers are valid; bit 31 empties the streams for as long as it is set."""
    S.tile_control.stamp_cntl = value
    return reset_streams(S)


def reset_streams(S: View) -> int:
    """Empty the streams while bit 31 of TIMESTAMP_DUMP_CNTL is set; called each cycle."""
    if S.tile_control.stamp_cntl & RESET_STREAMS:
        for i in range(BUFFERS):
            S.timestamper.full[i] = 0
            S.timestamper.overflow[i] = 0
        S.timestamper.held = 0
        S.timestamper.event_bits = 0
    return 0


def status(S: View, hart: int, addr: int) -> int:
    """TIMESTAMP_DUMP_STATUS."""
    held = S.timestamper.held
    bits = S.timestamper.event_bits
    value = S.timestamper.full[0] | S.timestamper.full[1] << 1
    value |= S.timestamper.overflow[0] << 4 | S.timestamper.overflow[1] << 5
    if bits == 64:
        value |= (held // 2) << 8
    if bits == 32:
        value |= held << 9
    if bits == 96:
        value |= ((4 - held) & 3) << 11
    return value | (S.timestamper.position[0] & 0x3FFFF) << 14


def clear_status(S: View, hart: int, addr: int, value: int) -> int:
    """Stores clear the sticky bits that are set in them; `full` also the position."""
    for i in range(BUFFERS):
        if (value >> i) & 1:
            S.timestamper.full[i] = 0
            S.timestamper.position[i] = 0
        if (value >> (4 + i)) & 1:
            S.timestamper.overflow[i] = 0
    return 0


_PAGE = "DebugTimestamper.md"
_RW = Access.READ_WRITE

# fmt: off
REGISTERS = (
    Register(0x1F0, "WALL_CLOCK_L", _RW, "low half of the counter; any access keeps the high half",
             peek=counter_low, read=read_counter_low, write=write_counter_low, page=_PAGE),
    Register(0x1F4, "WALL_CLOCK_L + 4", Access.IGNORES_WRITES, "high half of the counter",
             peek=counter_high, page=_PAGE),
    Register(0x1F8, "WALL_CLOCK_H", Access.IGNORES_WRITES,
             "high half when WALL_CLOCK_L was last accessed", row="clock_high_at", page=_PAGE),
    Register(0x1FC, "TIMESTAMP", _RW, "store: append an event to the stream; reads 0",
             peek=zero, write=append_event, page=_PAGE, fields=(
                 Bits(0, 3, "size", "0: 128 bits, 1: 64, 2: 32, 4: 96, 3: flush 64, 7: flush 96"),
                 Bits(3, 29, "token"))),
    Register(0x200, "TIMESTAMP_DUMP_CNTL", _RW, "which buffers are valid", CNTL_RESET,
             write=set_cntl, row="stamp_cntl", page=_PAGE, fields=(
                 Bits(0, 1, "bufs[0].valid"), Bits(1, 1, "bufs[1].valid"),
                 Bits(31, 1, "reset_streams", "empties the streams while set"))),
    Register(0x204, "TIMESTAMP_DUMP_STATUS", _RW, "store: clears the sticky bits set in it",
             peek=status, write=clear_status, page=_PAGE, fields=(
                 Bits(0, 1, "bufs0_full"), Bits(1, 1, "bufs1_full"), Bits(4, 1, "bufs0_overflow"),
                 Bits(5, 1, "bufs1_overflow"), Bits(8, 1, "accum_pos_64b"),
                 Bits(9, 2, "accum_pos_32b"), Bits(11, 2, "accum_pos_96b"),
                 Bits(14, 18, "bufs0_position"))),
    Register(0x208, "TIMESTAMP_DUMP_BUF{i}_START_ADDR", _RW, "first 16 bytes of the buffer in L1",
             row="stamp_start", count=2, step=8, page=_PAGE),
    Register(0x20C, "TIMESTAMP_DUMP_BUF{i}_END_ADDR", _RW, "last 16 bytes of the buffer in L1",
             row="stamp_end", count=2, step=8, page=_PAGE),
)
# fmt: on
