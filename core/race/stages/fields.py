# SPDX-License-Identifier: Apache-2.0
"""Rows of the checks of stages: how each row of Dst, each bank of a source and each line of L1 was
written, and by what.

As for the other rows of the observer, nothing in the machine looks here, all are DERIVED, and they
are used only while `race.on` is set. What is not known is 0, and nothing is said about it.
"""

import enum

from tensix_gdb.core.arch.blackhole import HARTS, L1_BYTES, THREADS
from tensix_gdb.core.noc.state import NIUS, SLOTS
from tensix_gdb.core.race.fields import LINE_BYTES, SITES, UNPACK_JOBS
from tensix_gdb.core.race.kept import Family, keep
from tensix_gdb.core.record.layout import Part, Tag, View, row
from tensix_gdb.core.tensix.regfiles.dst import ROWS

L1_LINES = L1_BYTES // LINE_BYTES
ARRIVES = NIUS * SLOTS  # the request of another tile, or the copy, that is under way
REQUESTS = ARRIVES + 1
REGISTERS = 32
FORM = 16  # `format` from here on: one of the Vector Unit's (vector/address.py)


class Layout(enum.IntEnum):
    """Uses of a row of DstBits."""

    NARROW = 1  # a row of Dst16b
    HIGH = 2  # the high halves of one of Dst32b
    LOW = 3  # the low ones


class Kind(enum.IntEnum):
    """Kinds of datums."""

    E8 = 1  # a float with 8 bits of exponent
    E5 = 2  # with 5
    I32 = 3
    I16 = 4
    I8 = 5


class By(enum.IntEnum):
    """Stages that write and read Dst; each has fields that say in which layout and format."""

    MATH = 1  # the arithmetic of the Matrix Unit
    MOVE = 2  # its moves out of SrcA
    VECTOR = 3
    UNPACKER = 4
    PACKER = 5
    POOL = 6  # GAPOOL, GMPOOL, MVMUL, DOTPV: of their rows not all matter
    MOVE_B = 7  # moves out of SrcB, which bring back what a reduction has there
    OVER = 8  # the Vector Unit, in rows of another one than MATH, MOVE, UNPACKER and VECTOR


_D = Tag.DERIVED

# fmt: off
STAGES = Part("stages", (
    # By row of DstBits: even and odd columns.
    row("layout",  "u8",  (ROWS, 2),     _D, "Layout; 0: unknown"),
    row("kind",    "u8",  (ROWS, 2),     _D, "Kind; 0: unknown"),
    row("format",  "u8",  (ROWS, 2),     _D, "the format that was written, or FORM + that"),
    row("by",      "u8",  (ROWS, 2),     _D, "By"),
    row("site",    "u16", (ROWS, 2),     _D, "the instruction"),
    row("at",      "u32", (ROWS, 2),     _D, "its cycle, low 32 bits"),
    row("reduces", "u8",  (),            _D, "1: the kernel may have reduced a tile"),
    row("began",   "i64", (),            _D, "the cycle in which the kernel has begun"),
    row("taken",   "u8",  (),            _D, "the format of the Matrix Unit's last write"),
    # By bank of SrcA and SrcB.
    row("job",     "u8",  UNPACK_JOBS,   _D, "of the unpackers' queues: 1 + the format; 0: none"),
    row("source",  "u8",  (2, 2),        _D, "1 + the format of the UNPACR that has filled it"),
    row("source_site", "u16", (2, 2),    _D, "the instruction"),
    row("source_at", "u32", (2, 2),      _D, "its cycle, low 32 bits"),
    # By line of L1.
    row("tile",    "u8",  L1_LINES,      _D, "1 + the format in which the packer has written it"),
    row("tile_site", "u16", L1_LINES,    _D, "the instruction"),
    row("tile_at", "u32", L1_LINES,      _D, "its cycle, low 32 bits"),
    row("tile_from", "u8", L1_LINES,     _D, "1 + the tile that has packed it; 0: this one"),
    # By register of each hart: what `tile` has of what its last load has brought.
    row("loaded",  "u8",  (HARTS, REGISTERS), _D, "1 + the format; 0: none"),
    row("loaded_site", "u16", (HARTS, REGISTERS), _D, "the instruction"),
    row("loaded_at", "u32", (HARTS, REGISTERS), _D, "its cycle, low 32 bits"),
    row("loaded_from", "u8", (HARTS, REGISTERS), _D, "1 + the tile; 0: this one"),
    row("moves",   "u8",  SITES,         _D, "of loads, and of stores of what a load has brought: "
        "2 + the register; 1: of others; 0: not known yet"),
    row("packs",   "u8",  THREADS,       _D, "1 + the format of the last PACR of each thread"),
    # By request of an NIU, and of one of another tile: what `tile` has of its data.
    row("data",    "u8",  REQUESTS,      _D, "1 + the format; 0: none, or several"),
    row("data_site", "u16", REQUESTS,    _D, "the instruction"),
    row("data_at", "u32", REQUESTS,      _D, "its cycle, low 32 bits"),
    row("data_from", "u8", REQUESTS,     _D, "1 + the tile; 0: this one"),
))
# fmt: on


def add(
    S: View, check: int, site: int, other: int, detail: int, cell: int, wrote: int, read: int,
    when: int,
) -> int:  # fmt: skip
    """Keep a finding: the instruction that reads, the one that has written, what tells it from
    others; `when` are the low bits of the cycle of the write."""
    place = keep(S, Family.STAGES, check, site, other, detail)
    if place >= 0 and S.found.times[place] == 1:
        S.found.cell[place] = cell
        S.found.mask[place] = wrote
        S.found.more[place] = read
        S.found.when[place, 2] = (S.tile.cycle & ~0xFFFFFFFF) | when
    return 0


def now(S: View) -> int:
    """Return the low bits of the cycle."""
    return S.tile.cycle & 0xFFFFFFFF
