# SPDX-License-Identifier: Apache-2.0
"""The units that touch rows of Dst: Matrix Unit, Vector Unit, packer, unpacker 0, T cores.

A cell of the shadow is a block of eight rows of DstBits, with two bits of a mask for each row: its
even and its odd columns. A unit touches Dst from the gate to the end of the instruction. Besides
waits these orders hold (Dst.md, SFPLOAD.md):

    in a unit      instructions end in the order in which they began, of all threads
    Dst.md         a block that was written is not read by the Matrix Unit and PACR before the write
                   is done, so what is known to have begun is done for them
    SFPLOAD.md     what the Matrix Unit has written is there for SFPLOAD three instructions later

MOVD2B may overlook what MVMUL and DOTPV have just written (llk_math_hadamard.h), and the pages
promise nothing to T cores, and to SFPSTORE after a write of the Matrix Unit.

UNSPECIFIED(UNPACR_Regular.md): whether an unpacker waits for what the Matrix Unit has under way. It
reads L1 first, which takes longer than the five cycles of that: what has begun is done for it.

What SFPLOADMACRO stores is an access when it is made (macros.py).
"""

from tensix_gdb.core.arch.blackhole import T0, THREADS
from tensix_gdb.core.devices import dst_window
from tensix_gdb.core.memory import streams
from tensix_gdb.core.race.clocks import copy, reach
from tensix_gdb.core.race.fields import (
    DST_BLOCK,
    DST_CELLS,
    GATE,
    IN_MATRIX,
    IN_VECTOR,
    OVERLOOKED,
    SCRATCH,
    UNIT_RING,
    VECTOR_KEPT,
)
from tensix_gdb.core.race.lines import LOAD, STORE, Line, Region, of_hart, of_thread
from tensix_gdb.core.race.shadow import READ, WRITE, WRITES, access, site_of
from tensix_gdb.core.race.stages import dst as stages
from tensix_gdb.core.race.state import contract
from tensix_gdb.core.race.state.table import Group
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.decode import field
from tensix_gdb.core.tensix.instruction import Unit
from tensix_gdb.core.tensix.matrix import pipeline as matrix_pipe
from tensix_gdb.core.tensix.matrix import zeroacc as zero
from tensix_gdb.core.tensix.matrix.by_chip import MOVD2B_OVERLOOKS
from tensix_gdb.core.tensix.matrix.dst_before import PLACES
from tensix_gdb.core.tensix.matrix.formats import FORMAT_WORD, FP32_BIT, INT8_BIT, config
from tensix_gdb.core.tensix.matrix.formats import dst_row_of as matrix_row
from tensix_gdb.core.tensix.packer.four import images
from tensix_gdb.core.tensix.packer.state import FROM_DST16, FROM_DST32, INTERFACES
from tensix_gdb.core.tensix.regfiles.dst import (
    COLUMNS,
    DST16B_IN_DST32B,
    EVEN_COLUMNS,
    LOW,
    ODD_COLUMNS,
    ROWS,
    adj32,
    row16,
    row32,
)
from tensix_gdb.core.tensix.state_use import State, touches
from tensix_gdb.core.tensix.table import by_number
from tensix_gdb.core.tensix.unpacker import queue
from tensix_gdb.core.tensix.unpacker.target import FIRST_ROW, ROWS_WITHOUT_OVERRIDE
from tensix_gdb.core.tensix.vector import address

BOTH = 3  # of a row: even and odd columns
ALL = (1 << 2 * DST_BLOCK) - 1
LATER = 4  # SFPLOAD.md: an instruction so many places after a write finds it
# By number: 1 if an instruction of the Vector Unit reads Dst, and if it writes Dst.
VECTOR_READS = by_number(lambda row: int(row.unit is Unit.SFPU and touches(row.reads, State.DST)))
VECTOR_WRITES = by_number(lambda row: int(row.unit is Unit.SFPU and touches(row.writes, State.DST)))
STORES = by_number(
    lambda row: int(
        row.unit is Unit.SFPU and touches(row.writes, State.DST) and row.mnemonic != "SFPLOADMACRO"
    )
)
WIDE_STORES = address.WIDE | 1 << address.LO16 | 1 << address.HI16


# -- clocks
def known_units(S: View, thread: int, matrix: int) -> int:
    """SCRATCH = the gate's clock, and what of the Matrix (if wanted) and the Vector Unit has begun
    as far as that knows. The number of the clock."""
    copy(S, SCRATCH, GATE + thread)
    for other in range(THREADS):
        begun = S.race.clock[SCRATCH, of_thread(other, Line.GATE)]
        if begun and S.race.ends[other, Line.GATE] - begun < UNIT_RING:
            at = begun & (UNIT_RING - 1)
            vectors = S.race.units_at[other, IN_VECTOR, at]
            products = S.race.units_at[other, IN_MATRIX, at]
            if other == thread:
                vectors = S.race.ends[thread, Line.VECTOR]
                products = S.race.ends[thread, Line.MATRIX]
            reach(S, SCRATCH, of_thread(other, Line.VECTOR), vectors)
            if matrix:
                reach(S, SCRATCH, of_thread(other, Line.MATRIX), products)
    return SCRATCH


# -- rows
def rows(
    S: View, at: int, count: int, columns: int, what: int, clock: int, line: int, number: int,
    site: int,
) -> int:  # fmt: skip
    """Check an access to rows of DstBits; they lie together in a block, from `at` on."""
    mask = ((columns * 0x5555) & ((1 << 2 * count) - 1)) << (2 * (at & (DST_BLOCK - 1)))
    cell = DST_CELLS + (at & (ROWS - 1)) // DST_BLOCK
    return access(S, cell, mask & ALL, what, clock, line, number, site)


# -- the Matrix Unit
def matrix_begins(S: View, thread: int, number: int, word: int, site: int) -> int:
    """An instruction of the Matrix Unit is at the gate: check what it reads, and ZEROACC."""
    kind = matrix_pipe.KINDS[number]
    end = S.race.ends[thread, Line.MATRIX] + 1
    line = of_thread(thread, Line.MATRIX)
    if kind & matrix_pipe.CLEARS:
        known_units(S, thread, 1)
        reach(S, SCRATCH, line, end)  # its rows may be places that it has already
        return zeroacc(S, thread, number, word, line, end, site)
    if kind & matrix_pipe.READS and not kind & matrix_pipe.WRITES:
        known_units(S, thread, 1)
        if kind & matrix_pipe.D2B:
            ignore_late_writes(S, thread)
        at = row_of(S, thread, matrix_row(S, thread, word & matrix_pipe.DST_ROW))
        first = at & ~3
        if S.state.on & Group.STAGES:
            stages.matrix_reads(S, thread, number, first, is_wide(S, thread), site)
        rows(S, first, 4, BOTH, READ, SCRATCH, line, end, site)
        if is_wide(S, thread):
            rows(S, first + LOW, 4, BOTH, READ, SCRATCH, line, end, site)
    return 0


def is_wide(S: View, thread: int) -> int:
    """True if the Matrix Unit has Dst32b."""
    word = config(S, thread, FORMAT_WORD)
    return (word >> FP32_BIT | word >> INT8_BIT) & 1


def row_of(S: View, thread: int, row: int) -> int:
    """Return where a row of the Matrix Unit is."""
    return row32(S, thread, row) if is_wide(S, thread) else row16(S, thread, row)


def ignore_late_writes(S: View, thread: int) -> int:
    """For MOVD2B on Blackhole, ignore last writes of MVMUL and DOTPV, which may come later."""
    line = of_thread(thread, Line.MATRIX)
    known = S.race.clock[GATE + thread, line]
    now = S.race.ends[thread, Line.GATE]
    for i in range(OVERLOOKED * MOVD2B_OVERLOOKS[S.tile.chip]):
        number = S.race.overlooked[thread, i]
        if number > known and now - S.race.overlooked_gate[thread, i] <= LATER:
            S.race.clock[SCRATCH, line] = min(S.race.clock[SCRATCH, line], number - 1)
    return 0


def matrix_passed(S: View, thread: int, number: int, site: int) -> int:
    """The Matrix Unit has taken an instruction: its rows are those that are kept of it."""
    kind = matrix_pipe.KINDS[number]
    if not kind & matrix_pipe.WRITES:
        return 0
    end = S.race.ends[thread, Line.MATRIX]
    if kind & matrix_pipe.OVERLOOKED:
        i = end & (OVERLOOKED - 1)
        S.race.overlooked[thread, i] = end
        S.race.overlooked_gate[thread, i] = S.race.ends[thread, Line.GATE]
    known_units(S, thread, 1)
    place = (S.fpu_pipe.first + S.fpu_pipe.count - 1) & (PLACES - 1)
    which = S.fpu_stale.columns[place]
    columns = (1 if which & EVEN_COLUMNS else 0) | (2 if which & ODD_COLUMNS else 0)
    line = of_thread(thread, Line.MATRIX)
    block = -1
    mask = 0
    if S.state.on & Group.MEMORY and S.fpu_stale.count[place]:
        contract.row(S, thread, S.fpu_stale.at[place, 0], site)
    for i in range(S.fpu_stale.count[place]):
        at = S.fpu_stale.at[place, i]
        if at // DST_BLOCK != block:
            if mask:
                access(S, DST_CELLS + block, mask, WRITE, SCRATCH, line, end, site)
            block = at // DST_BLOCK
            mask = 0
        mask = mask | columns << (2 * (at & (DST_BLOCK - 1)))
    if mask:
        access(S, DST_CELLS + block, mask, WRITE, SCRATCH, line, end, site)
    return 0


def zeroacc(S: View, thread: int, number: int, word: int, line: int, end: int, site: int) -> int:
    """Rows that become undefined are written."""
    # The fields of the row of each chip (matrix/zeroacc.py).
    mode = field(word, number, 1 if S.tile.chip else 0)
    imm10 = word & 0x3FF
    if mode == zero.ONE_ROW:
        at = row_of(S, thread, matrix_row(S, thread, imm10))
        return rows(S, at, 1, BOTH, WRITE, SCRATCH, line, end, site)
    if mode == zero.ROWS_16:
        wide = field(word, number, 0 if S.tile.chip else 1)
        half = zero.HALF_ROWS // (32 if wide else 16)
        group = imm10 & 0xFF
        absolute = S.tile.chip | (S.config.word[0, zero.ABSOLUTE_WORD] >> zero.ABSOLUTE_BIT)
        if not absolute & 1:
            group += half if zero.in_upper_half(S, thread, group, wide) else 0
        if group >= 2 * half:
            return 0
        for i in range(0, 16, 4):
            row = group * 16 + i
            at = row32(S, thread, row) if wide else row16(S, thread, row)
            rows(S, at, 4, BOTH, WRITE, SCRATCH, line, end, site)
        return 0
    first = (imm10 & 1) * zero.HALF_ROWS if mode == zero.HALF_OF_DST else 0
    count = zero.HALF_ROWS if mode == zero.HALF_OF_DST else ROWS
    for block in range(first // DST_BLOCK, (first + count) // DST_BLOCK):
        access(S, DST_CELLS + block, ALL, WRITE, SCRATCH, line, end, site)
    return 0


# -- the Vector Unit
def vector_begins(S: View, thread: int, number: int, word: int, site: int) -> int:
    """An instruction of the Vector Unit that reads or writes Dst is at the gate."""
    form = address.resolve(S, thread, (word >> 16) & 15)
    at = address.address(S, thread, word & 0x3FF, form)
    wide = ((address.WIDE if VECTOR_READS[number] else WIDE_STORES) >> form) & 1
    first = address.first_of_four(S, thread, at, wide)
    columns = 2 if (at >> 1) & 1 else 1
    if S.state.on & Group.STAGES:
        stages.vector_begins(S, word, first, form, columns, VECTOR_WRITES[number], wide, site)
    if S.state.on & Group.MEMORY:
        contract.vector(S, thread, word, first, site)
    vector_knows(S, thread)
    line = of_thread(thread, Line.VECTOR)
    what = WRITE if STORES[number] else READ
    end = S.race.ends[thread, Line.VECTOR] + 1
    S.race.vector_rows[thread, end & (VECTOR_KEPT - 1)] = packed(end, first, columns)
    rows(S, first, 4, columns, what, SCRATCH, line, end, site)
    if wide:
        rows(S, first + LOW, 4, columns, what, SCRATCH, line, end, site)
    return 0


def packed(number: int, first: int, columns: int) -> int:
    """Return an access of the Vector Unit as one number: its place on VECTOR, rows and columns."""
    return (number & 0xFFFF) << 16 | first << 2 | columns


def vector_knows(S: View, thread: int) -> int:
    """SCRATCH = what an instruction of the Vector Unit finds done in Dst. That number."""
    known_units(S, thread, 0)
    far_back = S.race.ends[thread, Line.GATE] - LATER
    if far_back > 0:
        count = S.race.units_at[thread, IN_MATRIX, far_back & (UNIT_RING - 1)]
        reach(S, SCRATCH, of_thread(thread, Line.MATRIX), count)
    return SCRATCH


# -- packer and unpacker
def packs_wormhole(S: View, thread: int, site: int) -> int:
    """PACR of Wormhole has passed its gate: each of its packers reads rows that lie together. What
    packers 1 to 3 hold is in words of their own (packer/four/images.py)."""
    known_units(S, thread, 1)
    for packer in range(images.PACKERS):
        if (S.pack.planes >> packer) & 1:
            if packer == 0:
                packer_reads(
                    S, thread, S.pack.source, S.pack.first, S.pack.column + S.pack.left, site
                )
            else:
                at = images.PLACE + images.WORDS * packer
                datums = S.local.word[at + images.COLUMN_AT] + S.local.word[at + images.LEFT_AT]
                first = S.local.word[at + images.FIRST_AT]
                packer_reads(S, thread, S.local.word[at], first, datums, site)
    return 0


def packer_reads(S: View, thread: int, source: int, first: int, datums: int, site: int) -> int:
    """So many datums from the begin of a row of Dst on, by one of Wormhole's packers."""
    if source != FROM_DST16 and source != FROM_DST32:
        return 0
    line = of_thread(thread, Line.PACKER)
    end = S.race.ends[thread, Line.PACKER]
    wide = 1 if source == FROM_DST32 else 0
    block = -1
    mask = 0
    for row in range(first, first + min((datums + COLUMNS - 1) // COLUMNS, ROWS)):
        at = row32(S, 0, row) if wide else row16(S, 0, row)
        if at // DST_BLOCK != block:
            block_read(S, block, mask, wide, line, end, site)
            block = at // DST_BLOCK
            mask = 0
        mask = mask | BOTH << (2 * (at & (DST_BLOCK - 1)))
    return block_read(S, block, mask, wide, line, end, site)


def packs(S: View, thread: int, site: int) -> int:
    """PACR has passed its gate."""
    if S.tile.chip:
        return packs_wormhole(S, thread, site)
    if S.pack.running == 0 or S.pack.left == 0:
        return 0
    if S.pack.source != FROM_DST16 and S.pack.source != FROM_DST32:
        return 0
    known_units(S, thread, 1)
    line = of_thread(thread, Line.PACKER)
    end = S.race.ends[thread, Line.PACKER]
    wide = 1 if S.pack.source == FROM_DST32 else 0
    block = -1
    mask = 0
    for i in range(INTERFACES):
        if (S.pack.interfaces >> i) & 1:
            row = S.pack.first + i * S.pack.apart
            at = row32(S, 0, row) if wide else row16(S, 0, row)
            if at // DST_BLOCK != block:
                block_read(S, block, mask, wide, line, end, site)
                block = at // DST_BLOCK
                mask = 0
            mask = mask | BOTH << (2 * (at & (DST_BLOCK - 1)))
    return block_read(S, block, mask, wide, line, end, site)


def block_read(S: View, block: int, mask: int, wide: int, line: int, end: int, site: int) -> int:
    """The packer reads rows of a block, and the low halves of them."""
    if mask == 0:
        return 0
    access(S, DST_CELLS + block, mask, READ, SCRATCH, line, end, site)
    if wide:
        low = (block + LOW // DST_BLOCK) & (ROWS // DST_BLOCK - 1)
        access(S, DST_CELLS + low, mask, READ, SCRATCH, line, end, site)
    return 0


def unpacks(S: View, thread: int, j: int, number: int, site: int) -> int:
    """UNPACR to Dst has passed its gate; it is at `j` of the queue."""
    wide = 1 if S.unpack.target[j] == queue.DST_32 else 0
    line = of_thread(thread, Line.UNPACKER_0)
    row = (S.unpack.out[j] >> 4) - FIRST_ROW
    last = ((S.unpack.out[j] + S.unpack.total[j] * (S.unpack.zeros[j] + 1) + 15) >> 4) - FIRST_ROW
    mask = ROWS_WITHOUT_OVERRIDE - 1 if S.unpack.flags[j] & queue.OVERRIDE else ROWS - 1
    last = min(last, row + mask + 1)
    # UNPACR of one unpacker end in their order. Its own rows may be places that it has already.
    known_units(S, thread, 1)
    reach(S, SCRATCH, line, number)
    while row < last:
        count = min(last - row, 4 - (row & 3))
        at = row32(S, 0, row & mask) if wide else row16(S, 0, row & mask)
        rows(S, at, count, BOTH, WRITE, SCRATCH, line, number, site)
        if wide:
            rows(S, at + LOW, count, BOTH, WRITE, SCRATCH, line, number, site)
        row += count
    return 0


# -- harts
def by_hart(S: View, hart: int, addr: int, what: int, clock: int) -> int:
    """The oldest request of a T core to Dst is about to be processed."""
    mode = dst_window.control(S, hart - T0)
    fmt = mode >> 2
    if fmt > dst_window.Fmt.INT8:
        return 0
    size = dst_window.SIZE[fmt]
    index = (addr - dst_window.DST_BASE) // size
    row = index // 16
    wide = 1 if size == 4 else 0
    at = adj32(S, row) if wide else row16(S, 0, row)
    several = S.stream.size[hart, streams.DST, 0] > size
    columns = BOTH if several else 1 + (index & 1)
    line = of_hart(hart, Region.DST, LOAD if what == READ else STORE)
    site = site_of(S, hart, 0, 0, 0, S.stream.pc[hart, streams.DST, 0])
    number = S.race.number[clock]
    if S.state.on & Group.STAGES and what & WRITES:
        stages.by_hart(S, at, columns, wide, site)
    rows(S, at, 1, columns, what, clock, line, number, site)
    if wide or S.tile_control.feature_disable & DST16B_IN_DST32B:
        rows(S, at + LOW, 1, columns, what, clock, line, number, site)
    return 0
