# SPDX-License-Identifier: Apache-2.0
"""Dst: 1024 rows of 16 columns of 16 bits, or 512 of 32 bits (TensixCoprocessor/Dst.md).

    at = row16(S, thread, row)          where row `row` of Dst16b is in DstBits
    at = row32(S, thread, row)          likewise of Dst32b: the high halves; the low ones, 8 rows on
    read16(S, at, column)               the datum, 0 if it is undefined
    read32(S, at, column)               likewise, 32 bits
    write16, write32                    write it, which makes it defined

Loops find `at` once for each row. Values are in Dst's own bit layout (sign, mantissa, exponent).

While bit 11 of RISCV_DEBUG_REG_DBG_FEATURE_DISABLE is set, a row of Dst16b is the high halves of
one of Dst32b, and writing it leaves something in the low halves: 0 here.
UNSPECIFIED(Dst.md): what. It is "generally garbage"; 0 shows where it is used and is the same in
every run. The page of commit 093af91 calls the bit's use unsupported functionality.

Undefined data. ZEROACC.md marks whole rows undefined: packers read them as 0, the Matrix Unit as
the identity of its operation; the Vector Unit must not read them. Blackhole's newest Dst.md (commit
093af91) has one valid bit for each of the 1024 rows of DstBits, DstRowValid. An access of 16 bits
consults the bit of its row, one of 32 bits that of the row of the high halves only. So after
ZEROACC a write of 16 bits to the high halves makes the datum of 32 bits defined, with what the
low halves held before, and a write to the low halves does not. Tenstorrent's simulator does the
same. LLK has met it on cards: low halves alone were written, and the old high ones could be seen
(tt-metal#47311).

`S.dst.undefined[at]` is the inverse of DstRowValid[at], but with a bit for each column.
UNSPECIFIED(ZEROACC.md): what a row holds of which some columns were written since ZEROACC. The page
calls a partial SFPSTORE and a partial unpack undefined behaviour; Tenstorrent's simulator makes the
row valid with any column that SFPSTORE writes, and with the last one that an unpacker writes, and
ttsim#19 doubts that pairs of SFPSTORE (even columns, then odd ones) can be undefined. Here a column
becomes defined when it is written, so that what the Vector Unit reads of another one is followed.

`S.dst.from_undefined[at]` has the columns that SFPSTORE has written with what undefined data
decide (core/README.md). They have a value for everything that reads Dst.
"""

from tensix_gdb.core.record.layout import Mark, Part, Role, Tag, View, alias, row

ROWS = 1024
COLUMNS = 16
LOW = 8  # rows from the high halves of a row of Dst32b to the low ones
ALL_COLUMNS = (1 << COLUMNS) - 1
EVEN_COLUMNS, ODD_COLUMNS = 0x5555, 0xAAAA

_BITS = row("bits", "u16", (ROWS, COLUMNS), Tag.ARCHITECTURAL, "DstBits", marks=Mark.VISIBLE)
DST = Part("dst", (
    _BITS,
    alias("pairs", "u32", _BITS),
    row("undefined", "u16", ROWS, Tag.ARCHITECTURAL, "by row of DstBits: columns without a value",
        role=Role.SETTING, marks=Mark.STEERS),
    row("marked", "u8", (), Tag.ARCHITECTURAL, "`from_undefined` has had a bit",
        role=Role.PROGRESS),
    row("from_undefined", "u16", ROWS, Tag.ARCHITECTURAL,
        "by row of DstBits: columns that SFPSTORE has written with what undefined ones decide",
        role=Role.PROGRESS),
))  # fmt: skip

# DEST_ACCESS_CFG of Config, the same word in both banks, and a bit of DBG_FEATURE_DISABLE.
ACCESS_WORD = 220
SWIZZLE_32B = 1
REMAP_ADDRS = 2
DST16B_IN_DST32B = 1 << 11


def adj16(S: View, r: int) -> int:
    """Adj16 of Dst.md, for every access by row: Matrix Unit, Vector Unit, unpacker, packer, hart.

    UNSPECIFIED(Dst.md): whether remap_addrs and swizzle_32b reach the Matrix Unit. By the page
    Adj16 is part of what Dst16b means, for every unit that accesses it. The comments of LLK's
    hal/cfg/global.h agree: the hardware remaps addresses, and its clients do not notice. LLK runs
    matmul, moves and SFPU kernels with remap_addrs set and gets the same bits on cards
    (tt-metal#55251, #54776). Tenstorrent's simulator has neither bit in the Matrix Unit, and both
    for strided packing alone. So: every unit.
    """
    r &= ROWS - 1
    if S.config.word[0, ACCESS_WORD] & REMAP_ADDRS:
        return (r & 0x3C7) ^ ((r & 0x030) >> 1) ^ ((r & 0x008) << 2)
    return r


def adj32(S: View, r: int) -> int:
    """Adj32 of Dst.md."""
    r = adj16(S, r)
    if S.config.word[0, ACCESS_WORD] & SWIZZLE_32B:
        r = (r & 0x3F3) ^ ((r & 0x018) >> 1) ^ ((r & 0x004) << 1)
    return ((r & 0x1F8) << 1) | (r & 0x207)


def row16(S: View, thread: int, r: int) -> int:
    """Return where row `r` of Dst16b is in DstBits. DEST_ACCESS_CFG is the same for all threads."""
    if S.tile_control.feature_disable & DST16B_IN_DST32B:
        return adj32(S, r)
    return adj16(S, r)


def row32(S: View, thread: int, r: int) -> int:
    """Return where the high halves of row `r` of Dst32b are in DstBits."""
    return adj32(S, r)


def read16(S: View, at: int, column: int) -> int:
    """Return a datum of Dst16b, 0 if it is undefined."""
    if (S.dst.undefined[at] >> column) & 1:
        return 0
    return S.dst.bits[at, column]


def read32(S: View, at: int, column: int) -> int:
    """Return a datum of Dst32b, 0 if it is undefined."""
    if (S.dst.undefined[at] >> column) & 1:
        return 0
    return S.dst.bits[at, column] << 16 | S.dst.bits[at + LOW, column]


def define(S: View, at: int, columns: int) -> int:
    """These columns of the row have a value. No question whether any had none: without a branch,
    LLVM makes one write of a row's masks where its columns are written one after the other."""
    S.dst.undefined[at] &= ~columns
    S.dst.from_undefined[at] &= ~columns
    return 0


def write16(S: View, at: int, column: int, value: int) -> int:
    """Write a datum of Dst16b."""
    S.dst.bits[at, column] = value
    define(S, at, 1 << column)
    if S.tile_control.feature_disable & DST16B_IN_DST32B:
        S.dst.bits[at + LOW, column] = 0
    return 0


def write32(S: View, at: int, column: int, value: int) -> int:
    """Write a datum of Dst32b."""
    S.dst.bits[at, column] = value >> 16
    S.dst.bits[at + LOW, column] = value & 0xFFFF
    return define(S, at, 1 << column)


def undefined(S: View, at: int) -> int:
    """Return the columns, a bit each, of a row of Dst16b or Dst32b that are undefined."""
    return S.dst.undefined[at]


def define16(S: View, at: int, columns: int) -> int:
    """These columns of the row have been written to `bits`, past `write16`."""
    define(S, at, columns)
    if S.tile_control.feature_disable & DST16B_IN_DST32B:
        for column in range(COLUMNS):
            if (columns >> column) & 1:
                S.dst.bits[at + LOW, column] = 0
    return 0


def define32(S: View, at: int, columns: int) -> int:
    """Likewise of Dst32b."""
    return define(S, at, columns)


def forget(S: View, at: int) -> int:
    """ZEROACC: a row of Dst16b or Dst32b becomes undefined."""
    S.dst.undefined[at] = ALL_COLUMNS
    S.dst.from_undefined[at] = 0
    return 0


def recall(S: View, at: int) -> int:
    """ZEROACC with Revert: a row of Dst16b or Dst32b is what its storage holds."""
    S.dst.undefined[at] = 0
    return 0
