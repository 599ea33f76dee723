# SPDX-License-Identifier: Apache-2.0
"""PACR passes the wait gate: it samples its configuration and moves the address counters (PACR.md).

    start       the whole of it: 0, or the fault that it stops with
    formats     the conversions, ReLU, exponent threshold, L1 accumulation
    datums      which datums are read, from where (addresses.py)
    edges       the columns of each row that edge masking leaves (addresses.py)
    outputs     where the streams begin (OutputAddressGenerator.md)
    advance     ADDR_MOD_PACK_SEC, the tile position, the tracked context

All fields of configuration are sampled here, when the instruction starts; sampling.py has those
that may be sampled later.
"""

from tensix_gdb.core.arch.chips import L1_END
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.decisions import PACKER as PACKER_BEGINS
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.schedule import due_after
from tensix_gdb.core.tensix.config.unit import bank_of
from tensix_gdb.core.tensix.packer import config as C
from tensix_gdb.core.tensix.packer.addresses import COLUMNS, address, datums, edges, ones, source_of
from tensix_gdb.core.tensix.packer.formats import (
    BITS,
    E5,
    E8,
    FP32_TO_FP16,
    HAS_EXPONENTS,
    I8,
    INT32_TO_INT8,
    INT32_TO_UINT8,
    KIND,
    early,
    late,
    names_it,
)
from tensix_gdb.core.tensix.packer.four import addresses as four
from tensix_gdb.core.tensix.packer.output import flush, put_block
from tensix_gdb.core.tensix.packer.state import (
    ADD_BF16,
    ADD_FP16,
    ADD_FP32,
    ADD_INT32,
    DATUMS,
    END,
    EXPONENTS,
    FROM_DST32,
    FROM_L1,
    HEADER_COUNTS,
    INTERFACES,
    MIN_THRESHOLD_RELU,
    NO_PADDING,
    PAD_ALL,
    PAD_ROWS,
    ROW_STARTS,
    TO_DEVICE,
    TO_FIFO,
    WRITE,
    ZERO_ROWS,
)
from tensix_gdb.core.tensix.regfiles.adc import (
    PACKERS,
    Y,
    Z,
    add_to_counter,
    carriage_return,
    set_counter,
)

ADDS = (ADD_FP32, ADD_FP16, 0, 0, 0, ADD_BF16, 0, 0, ADD_INT32, 0, 0, 0, 0, 0, 0, 0)
# Kind of datums that PACR reads from L1, by In_data_format; 5: there are none.
L1_KIND = (E8, E5, E5, 5, 5, E8, E8, 5, 2, 3, E5, 5, 5, 5, I8, 5)


def formats(S: View, bank: int, context: int, from_l1: int) -> int:
    """Conversions and what is between them; 0, or a fault."""
    control = S.config.word[bank, C.CONTROL[context]]
    more = S.config.word[bank, C.MORE[context]]
    given = (control >> C.IN_FORMAT) & 0xF
    wanted = (control >> C.OUT_FORMAT) & 0xF
    between = C.intermediate(S, bank)
    if from_l1:
        kind = L1_KIND[given]
        S.pack.early = given
        if kind > I8 or given != between:
            return Fault.PACR_FORMATS
    else:
        conversion = early(between, S.config.word[bank, C.READ])
        if conversion < 0 or not names_it(conversion, between, given):
            return Fault.PACR_FORMATS
        S.pack.early = conversion
        kind = KIND[conversion]
    last = late(given, wanted, more & C.FOUR_BIT_EXPONENT)
    if last < 0:
        return Fault.PACR_FORMATS
    if more & C.DOWNSAMPLE_RATE or control & (C.START_INTERFACE | C.NO_Y_OFFSET):
        return Fault.PACR_CONFIG
    if control & C.NO_SHARED_EXPONENT and HAS_EXPONENTS[wanted]:
        return Fault.PACR_CONFIG
    S.pack.kind = kind
    S.pack.late = last
    S.pack.format = wanted
    S.pack.add = WRITE
    if more & C.L1_ACC:
        S.pack.add = ADDS[wanted]
        if S.pack.add == WRITE:
            return Fault.PACR_L1_ACC
    S.pack.compress = COMPRESSES[S.tile.chip](S, bank, context)
    if S.pack.compress and (S.pack.add != WRITE or BITS[wanted] < 4):
        return Fault.PACR_CONFIG
    # ExponentThresholding.md leaves integers alone.
    S.pack.exponent_threshold = 0
    if more & C.THRESHOLD_ENABLED and kind <= E5:
        S.pack.exponent_threshold = more >> C.THRESHOLD
    S.pack.downsample_mask = more & 0xFFFF if more & 0xFFFF else 0xFFFF
    S.pack.stochastic = (S.config.word[bank, C.FORMAT] >> 1) & 3
    counts = HEADER_COUNTS if control & C.HEADER_COUNTS else 0
    S.pack.header_flags = counts | (TO_FIFO if control & C.TO_FIFO else 0)
    if control & C.NO_ZERO_FLAGS == 0:
        S.pack.header_flags |= ZERO_ROWS
    return relu(S, bank, kind) if not from_l1 else 0


def compresses_blackhole(S: View, bank: int, context: int) -> int:
    """Disable_zero_compress."""
    return 0 if S.config.word[bank, C.CONTROL[context]] & C.NO_COMPRESSION else 1


def compresses_wormhole(S: View, bank: int, packer: int) -> int:
    """PerformingCompression of OutputAddressGenerator.md: one word may say it of all packers."""
    together = S.config.word[bank, C.ALL_NO_COMPRESSION_WORD]
    if S.config.word[bank, C.CONTROL[0]] & C.ALL_NO_COMPRESSION_OVERRIDE:
        return 0 if (together >> (C.ALL_NO_COMPRESSION_LOW + packer)) & 1 else 1
    return compresses_blackhole(S, bank, packer)


COMPRESSES = (compresses_blackhole, compresses_wormhole)


def relu(S: View, bank: int, kind: int) -> int:
    """ReLU, and the right shift of integers; 0, or a fault."""
    word = S.config.word[bank, C.RELU]
    mode = (word >> 2) & 3
    limit = (word >> 6) & 0xFFFF
    if mode >= MIN_THRESHOLD_RELU and (limit & 0x8000 or kind > E5):
        return Fault.PACR_RELU
    S.pack.relu = mode
    S.pack.limit = limit << 16 if kind == E8 else limit
    S.pack.shift = 0
    if S.pack.early == INT32_TO_INT8 or S.pack.early == INT32_TO_UINT8:
        descale = S.config.word[bank, C.DESCALE]
        if descale & 3 == 3:
            return Fault.PACR_CONFIG
        if descale & 1:
            S.pack.shift = S.config.word[bank, C.DESCALE_VALUE] & 0x1F
    return 0


def outputs(S: View, bank: int, context: int, counters: int) -> int:
    """Set where the streams begin, unless they continue.

    The counters move the address by bytes, of which the packer drops the last four bits: so do
    LLK's fast untilize and Tenstorrent's simulator, where Wormhole's page has units of 16 bytes.
    """
    if S.pack.open:
        return 0
    control = S.config.word[bank, C.CONTROL[context]]
    at = S.config.word[bank, C.ADDRESS[context]] + (0 if control & C.NO_HEADER else 1)
    at += address(S, bank, counters, 1) >> 4
    if control & C.ADD_OFFSET:
        at += S.pack.offset
    at &= MASK32
    if at > (S.config.word[bank, C.LIMIT[context]] & 0x1FFFF) * 2 + 1:
        at -= (S.config.word[bank, C.FIFO_SIZE[context]] & 0x1FFFF) * 2
    sections = S.config.word[bank, C.SECTIONS[context]]
    if S.pack.compress:
        S.pack.addr[ROW_STARTS] = (at & 0x1FFFF) << 4
        at += sections & 0xFFFF
    if S.pack.format & 2:
        S.pack.addr[EXPONENTS] = (at & 0x1FFFF) << 4
        at += sections >> 16
    S.pack.addr[DATUMS] = (at & 0x1FFFF) << 4
    return 0


def ends_in_l1(S: View, zeros: int) -> int:
    """True if L1 has room for the datums of this instruction, uncompressed."""
    held = S.pack.grouped + S.pack.left + zeros
    end = S.pack.addr[DATUMS] + (S.pack.fill[DATUMS] + BITS[S.pack.format] * held) // 8
    if (
        HAS_EXPONENTS[S.pack.format]
        and S.pack.addr[EXPONENTS] + held // COLUMNS >= L1_END[S.tile.chip]
    ):
        return 0
    return 1 if end <= L1_END[S.tile.chip] else 0


def padding(row_pad_zero: int, concat: int, last: int) -> int:
    """RowPadZero of assembly.yaml: where zeros are added."""
    wanted = row_pad_zero & 3
    if wanted == 0 or (wanted == 2 and concat) or (wanted == 3 and last == 0):
        return NO_PADDING
    return PAD_ALL if row_pad_zero & 4 else PAD_ROWS


def advance(
    S: View, thread: int, context: int, counters: int, addr_mod: int, rows: int, tracked: int
) -> int:
    """Advance to the state with which the next PACR begins."""
    move_counters(S, thread, counters, addr_mod)
    planes = S.pack.planes
    plane_over = position(S, S.config.word[bank_of(S, thread), C.COUNTERS[context]], rows)
    if tracked:
        every = S.config.word[bank_of(S, thread), C.COUNTERS[context]] >> 24
        planes += plane_over
        if (every and planes >= every) or (every == 0 and S.pack.last):
            S.pack.context = (S.pack.context + 1) & 3
            planes = 0
        S.pack.planes = planes
    return 0


def move_counters(S: View, thread: int, counters: int, addr_mod: int) -> int:
    """ADDR_MOD_PACK_SEC: Y and Z of both channels."""
    step = S.config.thread[thread, C.ADDR_MODS[addr_mod]]
    for channel in range(2):
        y = step >> (6 * channel)
        z = step >> (12 + 2 * channel)
        if (y >> 5) & 1:
            set_counter(S, counters, PACKERS, channel, Y, 0)
        elif (y >> 4) & 1:
            carriage_return(S, counters, PACKERS, channel, Y, y & 0xF)
        else:
            add_to_counter(S, counters, PACKERS, channel, Y, y & 0xF)
        if (z >> 1) & 1:
            set_counter(S, counters, PACKERS, channel, Z, 0)
        else:
            add_to_counter(S, counters, PACKERS, channel, Z, z & 1)
    return 0


def position(S: View, word: int, rows: int) -> int:
    """Move the tile position generator by rows; 1 if a plane is over.

    Which edge mask a row gets is settled by Blackhole's PACR.md (commit f82128b): the position
    advances by the interfaces that are enabled, the k-th of them is k rows further, its counter has
    eight bits, and it wraps only where it meets pack_reads_per_xy_plane. Tenstorrent's simulator
    counts datums instead, 16 to a row, as Wormhole's EdgeMasking.md does. Both give whole rows the
    same masks; rows of fewer datums, or interfaces that do not divide the count, tell them apart.
    UNSPECIFIED(PACR.md): when else it begins anew; with every tile, as in Tenstorrent's simulator
    and isa-documentation#56.
    """
    limit = (word >> 8) & 0xFF
    over = 0
    if word & C.TRANSPOSED:
        S.pack.tile_z = (S.pack.tile_z + rows) & 0xFF
        if S.pack.tile_z == limit and rows:
            S.pack.tile_z = 0
            S.pack.tile_y = (S.pack.tile_y + 1) & 0xFF
            over = 1
    else:
        S.pack.tile_y = (S.pack.tile_y + rows) & 0xFF
        if S.pack.tile_y == limit and rows:
            S.pack.tile_y = 0
            S.pack.tile_z = (S.pack.tile_z + 1) & 0xFF
            over = 1
    if S.pack.end_of_tile:
        S.pack.tile_y = 0
        S.pack.tile_z = 0
    return over


DATUMS_OF = (datums, four.datums)
EDGES_OF = (edges, four.masked)
OUTPUTS_OF = (outputs, four.outputs)


def begin_pack(
    S: View,
    bank: int,
    context: int,
    counters: int,
    select: int,
    strided: int,
    zero_write: int,
    flush: int,
    pad: int,
) -> int:
    """Sample the settings of the packer, or of one of Wormhole's. Return 0, or a fault."""
    chip = S.tile.chip
    S.pack.bank = bank
    S.pack.section = context
    S.pack.source = source_of(S, bank, context, zero_write | flush)
    code = formats(S, bank, context, 1 if S.pack.source == FROM_L1 else 0)
    if code:
        return code
    S.pack.left = 0
    S.pack.columns = 0
    S.pack.interfaces = 0
    if flush == 0:
        code = DATUMS_OF[chip](S, bank, context, counters, select, strided)
    if code == 0 and S.pack.source < FROM_L1:
        code = EDGES_OF[chip](S, bank, context)
    if code:
        return code
    OUTPUTS_OF[chip](S, bank, context, counters)
    if S.pack.compress == 0 and not ends_in_l1(S, COLUMNS * INTERFACES if pad else 0):
        return Fault.PACR_OUTSIDE_L1
    if S.pack.early == FP32_TO_FP16 and S.pack.source == FROM_DST32:
        S.pack.kind = E8
    S.pack.pad = pad
    S.pack.open = 1
    return 0


def start(
    S: View,
    thread: int,
    context: int,
    counters: int,
    addr_mod: int,
    select: int,
    strided: int,
    zero_write: int,
    row_pad_zero: int,
    tracked: int,
    concat: int,
    flush: int,
    last: int,
) -> int:
    """Take the instruction; 0, or the fault that it stops with."""
    S.pack.concat = concat
    S.pack.last = last
    S.pack.end_of_tile = last | flush
    pad = padding(row_pad_zero, concat, last)
    bank = bank_of(S, thread)
    code = begin_pack(S, bank, context, counters, select, strided, zero_write, flush, pad)
    if code:
        return code
    rows = ones(S.pack.interfaces) if S.pack.source < FROM_L1 else 0
    S.pack.running = thread + 1
    S.pack.due = due_after(S, 1, PACKER_BEGINS)
    S.busy.packer[thread] += 1
    advance(S, thread, context, counters, addr_mod, rows, tracked)
    return 0


def set_register(S: View, thread: int, addr: int) -> int:
    """PACR_SETREG: flush what the streams hold, then write to a register, if there is an address.

    All PACR before it are through the late conversion, or it would not be here.
    """
    S.pack.running = thread + 1
    flush(S)
    if addr:
        at = put_block(S, TO_DEVICE, addr)
        for i in range(4):
            S.pack.out_word[at, i] = S.pack.prepared if i == 0 else 0
    put_block(S, END, 0)
    S.pack.running = 0
    S.busy.packer[thread] += 1
    return 0
