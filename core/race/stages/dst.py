# SPDX-License-Identifier: Apache-2.0
"""F1, F2: each row of Dst as a stage has written it, and as another reads it.

The layout is that of the *address*: what a stage takes for Dst16b is in other rows of DstBits than
what it takes for Dst32b, so both have to agree whatever the datums are. The kind is what the bits
of a datum are. Even and odd columns are kept apart, because the Vector Unit writes one or the
other. Columns that ZEROACC has left undefined are 0 in every format, and nothing is said of them.

While Dst16b is the high halves of Dst32b (DBG_FEATURE_DISABLE), both have the same rows.
"""

from tensix_gdb.core.race.fields import SITES
from tensix_gdb.core.race.stages import whole
from tensix_gdb.core.race.stages.fields import FORM, By, Kind, Layout, add, now
from tensix_gdb.core.race.stages.table import Number
from tensix_gdb.core.race.state.fields import is_kernel
from tensix_gdb.core.race.state.reads import ADDS_IF
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.decode import field
from tensix_gdb.core.tensix.matrix import dst_undo
from tensix_gdb.core.tensix.matrix import pipeline as matrix_pipe
from tensix_gdb.core.tensix.matrix.dst_before import PLACES
from tensix_gdb.core.tensix.matrix.formats import FP16, INT8, moved_format, style_of_a
from tensix_gdb.core.tensix.packer import config as packer
from tensix_gdb.core.tensix.packer import formats as packed
from tensix_gdb.core.tensix.packer.state import FROM_DST16, FROM_DST32, INTERFACES
from tensix_gdb.core.tensix.regfiles.dst import (
    ALL_COLUMNS,
    DST16B_IN_DST32B,
    EVEN_COLUMNS,
    LOW,
    ODD_COLUMNS,
    ROWS,
    row16,
    row32,
)
from tensix_gdb.core.tensix.regfiles.src import SRC_A, SRC_B
from tensix_gdb.core.tensix.table import by_number
from tensix_gdb.core.tensix.unpacker import queue
from tensix_gdb.core.tensix.unpacker.target import FIRST_ROW, ROWS_WITHOUT_OVERRIDE
from tensix_gdb.core.tensix.vector import address
from tensix_gdb.core.tensix.vector.opcodes import Sfp

E8, E5, I32, I16, I8 = Kind.E8, Kind.E5, Kind.I32, Kind.I16, Kind.I8
# By data format.
KINDS = (E8, E5, E5, E5, E8, E8, E8, E8, I32, I16, E5, E5, 0, 0, I8, E8)
# By format of the Vector Unit (vector/address.py): SRCB is resolved, halves of an LReg are bits.
_VECTOR = {
    address.FP16: E5, address.BF16: E8, address.FP32: E8, address.INT32: I32, address.INT8: I8,
    address.UINT16: I16, address.INT16: I16, address.LO16: I16, address.INT32_SM: I32,
    address.INT8_COMP: I8, address.LO16_ONLY: I16, address.INT32_TWOS: I32, address.INT8_TWOS: I8,
    address.INT8_OF_7: I8,
}  # fmt: skip
VECTOR_KINDS = tuple(int(_VECTOR.get(form, 0)) for form in range(address.INT8_OF_7 + 1))
# What the packer reads, by early conversion (packer/formats.py): of some it makes another kind.
PACKED_KINDS = tuple(
    E8 if early in (packed.FP32_TO_FP16, packed.BF16_TO_FP16)
    else I32 if packed.INT32_AS_IT_IS <= early <= packed.INT32_LOW_UINT8
    else (E8, E5, I32, I16, I8)[kind]
    for early, kind in enumerate(packed.KIND)
)  # fmt: skip
WIDE_STORES = address.WIDE | 1 << address.LO16 | 1 << address.HI16
# By number: 1 for instructions of which not all rows matter, a product or a pool.
POOLS = by_number(lambda row: int(row.mnemonic in ("MVMUL", "GAPOOL", "GMPOOL", "DOTPV")))


# -- what is kept of a row
def note(
    S: View, at: int, columns: int, layout: int, kind: int, fmt: int, by: int, site: int
) -> int:
    """A row of DstBits is written."""
    for odd in range(2):
        if columns & (ODD_COLUMNS if odd else EVEN_COLUMNS):
            S.stages.layout[at & (ROWS - 1), odd] = layout
            S.stages.kind[at & (ROWS - 1), odd] = kind
            S.stages.format[at & (ROWS - 1), odd] = fmt
            S.stages.by[at & (ROWS - 1), odd] = by
            S.stages.site[at & (ROWS - 1), odd] = site
            S.stages.at[at & (ROWS - 1), odd] = now(S)
    return 0


def shares_rows(S: View) -> int:
    """True if Dst16b is the high halves of Dst32b."""
    return 1 if S.tile_control.feature_disable & DST16B_IN_DST32B else 0


def check(
    S: View, at: int, columns: int, undefined: int, wide: int, kind: int, fmt: int, by: int,
    site: int,
) -> int:  # fmt: skip
    """A row of DstBits is read, of Dst32b the one with the high halves."""
    row = at & (ROWS - 1)
    for odd in range(2):
        half = ODD_COLUMNS if odd else EVEN_COLUMNS
        if columns & half == 0 or undefined & half or S.stages.by[row, odd] == 0:
            continue
        if S.stages.layout[row, odd] == 0 or is_kernel(S, site) == 0:
            continue
        was_wide = 1 if S.stages.layout[row, odd] != Layout.NARROW else 0
        other = S.stages.site[row, odd] & (SITES - 1)
        detail = S.stages.by[row, odd] << 4 | by
        wrote = S.stages.format[row, odd] | was_wide << 8
        read = fmt | wide << 8
        when = S.stages.at[row, odd]
        if was_wide != wide and shares_rows(S) == 0:
            add(S, Number.F1, site, other, detail, row, wrote, read, when)
        elif clash(S, row, odd, kind, wide, by):
            add(S, Number.F2, site, other, detail, row, wrote, read, when)
    return 0


def clash(S: View, row: int, odd: int, read: int, wide: int, by: int) -> int:
    """True if datums of one kind are read as another, and not on purpose.

    Kernels take floats for integers and back: LLK's topk has both in one datum of 32 bits, and the
    Vector Unit selects among either by their bits. What a move or an unpacker has brought to 16
    bits and the packer takes away has had no such use.
    """
    wrote = S.stages.kind[row, odd]
    if wrote == read or wrote == 0 or read == 0:
        return 0
    if wrote <= Kind.E5 and read <= Kind.E5:
        return 1
    if wrote > Kind.E5 and read > Kind.E5:
        return 0
    brought = S.stages.by[row, odd] == By.MOVE or S.stages.by[row, odd] == By.UNPACKER
    return 1 if brought and by == By.PACKER and not wide else 0


# -- the Matrix Unit
def is_wide(S: View, place: int) -> int:
    """True if the rows that an instruction has written are of Dst32b: both halves are kept."""
    half = S.fpu_stale.count[place] >> 1
    if half == 0:
        return 0
    return 1 if S.fpu_stale.at[place, half] == S.fpu_stale.at[place, 0] + LOW else 0


def format_of(S: View, thread: int, number: int) -> int:
    """Return the data format in which an instruction of the Matrix Unit is about to write Dst: it
    may leave its banks, and the next ones have others."""
    kind = dst_undo.KINDS[number]
    if kind == dst_undo.FROM_A:
        return moved_format(S, thread, SRC_A)
    if kind == dst_undo.FROM_B:
        return moved_format(S, thread, SRC_B)
    style = style_of_a(S, thread)
    if style == INT8:
        return 8
    return 1 if style == FP16 else 5


def carries_others(S: View, source: int, kind: int) -> int:
    """True if a bank is not known to have datums of a kind: LLK moves 32 bits as if they were two
    datums of a format that it configures."""
    filled = S.stages.source[source, S.race.bank_before[source]]
    return 1 if filled == 0 or KINDS[filled - 1] != kind else 0


def matrix_passed(S: View, thread: int, number: int, word: int, site: int) -> int:
    """The Matrix Unit has taken an instruction that may write Dst, and may add to it."""
    kind = dst_undo.KINDS[number]
    if kind == 0:
        return 0
    place = (S.fpu_pipe.first + S.fpu_pipe.count - 1) & (PLACES - 1)
    wide = is_wide(S, place)
    count = S.fpu_stale.count[place] >> wide
    columns = S.fpu_stale.columns[place]
    fmt = S.stages.taken
    carried = KINDS[fmt]
    moves = 1 if kind == dst_undo.FROM_A or kind == dst_undo.FROM_B else 0
    low = field(word, number, 0) if moves else 0
    by = By.MOVE if moves else By.MATH
    if kind == dst_undo.FROM_B:
        by = By.MOVE_B
    if POOLS[number]:
        by = By.POOL
        S.stages.reduces = 1
    elif S.stages.reduces and whole.from_dst(S, kind):
        by = By.POOL
    if moves and carries_others(S, SRC_B if kind == dst_undo.FROM_B else SRC_A, carried):
        carried = 0
    bits = E8 if wide and carried == E5 else carried
    adds = 1 if matrix_pipe.KINDS[number] & matrix_pipe.READS else 0
    if ADDS_IF[number] and not field(word, number, ADDS_IF[number] - 1):
        adds = 0
    for i in range(count):
        at = S.fpu_stale.at[place, i]
        own = by
        if adds:
            undefined = S.fpu_stale.undefined[place, i]
            check(S, at, columns, undefined, wide, bits, fmt, By.MATH, site)
            if whole.is_plain(S.stages.by[at & (ROWS - 1), 0]) == 0 and not undefined:
                own = max(by, By.POOL)  # a sum with a row that is not of a whole tile
        if low == 0:
            note(S, at, columns, Layout.HIGH if wide else Layout.NARROW, bits, fmt, own, site)
        if wide:
            note(S, at + LOW, columns, Layout.LOW, bits, fmt, by, site)
    return 0


def matrix_reads(S: View, thread: int, number: int, first: int, wide: int, site: int) -> int:
    """MOVD2A or MOVD2B is at the gate: four rows of Dst."""
    source = SRC_B if matrix_pipe.KINDS[number] & matrix_pipe.D2B else SRC_A
    fmt = moved_format(S, thread, source)
    for i in range(4):
        at = (first + i) & (ROWS - 1)
        # Any bits may go through a source, and come back: the kind is not asked for.
        check(S, at, ALL_COLUMNS, S.dst.undefined[at], wide, 0, fmt, By.MOVE, site)
    return 0


# -- the Vector Unit
def vector_begins(
    S: View, word: int, first: int, form: int, columns: int, writes: int, wide: int, site: int
) -> int:
    """SFPLOAD, SFPSTORE or SFPLOADMACRO is at the gate, with an aligned group of four rows.

    Integers are bits: with such a mode LLK's debug functions save and restore rows whatever is
    there, so a row of the other width is not asked about, and stays as it was.
    """
    bits = VECTOR_KINDS[form]
    is_float = 1 if bits == E8 or bits == E5 else 0
    half = ODD_COLUMNS if columns & 2 else EVEN_COLUMNS
    known = 0 if word >> 24 == Sfp.LOADMACRO else 1
    odd = (columns >> 1) & 1
    if writes:
        S.stages.reduces = 1
    for i in range(4):
        at = (first + i) & (ROWS - 1)
        by = By.VECTOR if whole.is_plain(S.stages.by[at, odd]) else By.OVER
        other = 0
        if S.stages.layout[at, odd]:
            was_wide = 0 if S.stages.layout[at, odd] == Layout.NARROW else 1
            other = 1 if was_wide != wide and not is_float else 0
        if other:
            continue
        if not writes or not known:
            check(S, at, half, S.dst.undefined[at], wide, bits, FORM + form, By.VECTOR, site)
        if writes and known:
            layout = Layout.HIGH if wide else Layout.NARROW
            note(S, at, half, layout, bits, FORM + form, by, site)
            if wide:
                note(S, at + LOW, half, Layout.LOW, bits, FORM + form, by, site)
        elif writes:
            note(S, at, half, 0, 0, 0, 0, site)
            note(S, at + LOW, half, 0, 0, 0, 0, site)
    return 0


# -- unpacker and packer
def unpacks(S: View, j: int, site: int) -> int:
    """UNPACR to Dst has passed its gate; it is at `j` of the queue."""
    wide = 1 if S.unpack.target[j] == queue.DST_32 else 0
    fmt = S.unpack.format[j]
    row = (S.unpack.out[j] >> 4) - FIRST_ROW
    last = ((S.unpack.out[j] + S.unpack.total[j] * (S.unpack.zeros[j] + 1) + 15) >> 4) - FIRST_ROW
    mask = ROWS_WITHOUT_OVERRIDE - 1 if S.unpack.flags[j] & queue.OVERRIDE else ROWS - 1
    last = min(last, row + mask + 1)
    while row < last:
        at = row32(S, 0, row & mask) if wide else row16(S, 0, row & mask)
        layout = Layout.HIGH if wide else Layout.NARROW
        note(S, at, ALL_COLUMNS, layout, KINDS[fmt], fmt, By.UNPACKER, site)
        if wide:
            note(S, at + LOW, ALL_COLUMNS, Layout.LOW, KINDS[fmt], fmt, By.UNPACKER, site)
        row += 1
    return 0


def packs(S: View, thread: int, site: int) -> int:
    """PACR has passed its gate."""
    if S.tile.chip or S.pack.running == 0 or S.pack.left == 0:
        return 0
    if S.pack.source != FROM_DST16 and S.pack.source != FROM_DST32:
        return 0
    wide = 1 if S.pack.source == FROM_DST32 else 0
    columns = ((1 << S.pack.columns) - 1) << S.pack.column & ALL_COLUMNS
    bits = PACKED_KINDS[S.pack.early]
    fmt = packer.intermediate(S, S.pack.bank)
    for i in range(INTERFACES):
        if (S.pack.interfaces >> i) & 1:
            row = S.pack.first + i * S.pack.apart
            at = row32(S, 0, row) if wide else row16(S, 0, row)
            gone = S.dst.undefined[at]
            check(S, at, columns, gone, wide, bits, fmt, By.PACKER, site)
            masked = columns & ~S.pack.edge[i] & ~gone
            if masked:
                whole.edge(S, at, masked, S.pack.edge[i], wide, site)
            elif gone == ALL_COLUMNS and S.pack.edge[i] & columns == columns:
                whole.cleared(S, at, wide, site)
    return 0


# -- harts
def by_hart(S: View, at: int, columns: int, wide: int, site: int) -> int:
    """A T core stores to a row. It is a debugger's way into Dst: nothing is known of it then."""
    half = (EVEN_COLUMNS if columns & 1 else 0) | (ODD_COLUMNS if columns & 2 else 0)
    note(S, at, half, 0, 0, 0, 0, site)
    return note(S, at + LOW, half, 0, 0, 0, 0, site) if wide else 0
