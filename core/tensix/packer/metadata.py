# SPDX-License-Identifier: Apache-2.0
"""The packer's facts about packed tiles: for TDMA-RISC and for SETDMAREG (their pages).

    last_size, acc_size   sizes of tiles, in units of 16 bytes
    zero_flags            a bit for each compression row of which all datums are 0
    fifo                  size and flags of each tile, while Enable_out_fifo is set

The pages are Wormhole's, and its tile has four packers; here packer 0 is the only one. What
Wormhole's four know is in four/sizes.py.
"""

import enum

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.config.unit import bank_of
from tensix_gdb.core.tensix.packer.config import CONTROL, NO_COMPRESSION, OUT_FORMAT
from tensix_gdb.core.tensix.packer.state import HEADER_COUNTS, METADATA, TO_FIFO

COLD = True  # little time of LLVM for it (core/engine/README.md)


class Source(enum.IntEnum):
    """InputSource of SETDMAREG_Special.md."""

    TILE_SIZE = 0
    ALL_ZERO = 1
    HEADER0 = 2
    HEADER1 = 3
    HEADER2 = 4
    HEADER3 = 5
    HISTOGRAM0 = 6
    HISTOGRAM1 = 7
    CLEAR_SIZE = 8
    MAX_EXP = 9


class ResultSize(enum.IntEnum):
    """ResultSize of SETDMAREG_Special.md."""

    BITS_16 = 0
    BITS_32 = 1
    BITS_128 = 2
    HEADER = 3


EMPTY, FULL = 1, 2  # of MetadataFIFOStatus
RESET_PACKER_0 = 1 << 16
PACKER_0_BUSY = 1 << 27  # of ScalarsAndStatus
HEADER = 0x0000FFFF, 0x00FF0000, 0xFFFFFFFF, 0  # bits of a tile header that are not reserved


def tile_size(S: View, thread: int) -> int:
    """PackerTileSize of TDMA-RISC.md."""
    return S.pack.last_size if S.pack.last_thread == thread + 1 else 0


def reset_sizes(S: View) -> int:
    """ResetAccTileSize."""
    for thread in range(THREADS):
        S.pack.acc_size[thread] = 0
    return 0


def write_sizes(S: View, value: int) -> int:
    """ResetPackerAccTileSize of TDMA-RISC.md."""
    if value & RESET_PACKER_0:
        reset_sizes(S)
        S.pack.offset = value & 0xFFFF
    return 0


def push(S: View) -> int:
    """A tile is over: its size and flags, unless the FIFO is full."""
    count = S.pack.metadata_count
    if count < METADATA:
        S.pack.metadata_size[count] = S.pack.last_size
        S.pack.metadata_flags[count] = S.pack.zero_flags
        S.pack.metadata_count = count + 1
    return 0


def pop(S: View) -> int:
    """Return the flags of the oldest tile, which is gone."""
    flags = S.pack.metadata_flags[0]
    last = S.pack.metadata_count - 1
    for i in range(last):
        S.pack.metadata_size[i] = S.pack.metadata_size[i + 1]
        S.pack.metadata_flags[i] = S.pack.metadata_flags[i + 1]
    S.pack.metadata_size[last] = 0
    S.pack.metadata_flags[last] = 0
    S.pack.metadata_count = last
    return flags


def fifo_state(S: View) -> int:
    """Bits of the status register: the FIFO is empty, the FIFO is full."""
    if S.pack.metadata_count == 0:
        return EMPTY
    return FULL if S.pack.metadata_count == METADATA else 0


def note_size(S: View, thread: int) -> int:
    """The tile that is over counts (TDMA-RISC.md)."""
    S.pack.last_thread = thread + 1
    S.pack.last_size = S.pack.blocks
    size = S.pack.acc_size[thread] + S.pack.blocks + (S.pack.header_flags & HEADER_COUNTS)
    S.pack.acc_size[thread] = size & 0xFFFF
    if S.pack.header_flags & TO_FIFO:
        push(S)
    return 0


def is_known(source: int, which: int) -> int:
    """SETDMAREG: does what is asked for belong to packer 0?"""
    if source == Source.HISTOGRAM0 or source == Source.HISTOGRAM1:
        return 1 if which & 3 == 0 else 0
    return 0 if Source.HEADER1 <= source <= Source.HEADER3 else 1


def value(S: View, thread: int, which: int, source: int, word: int) -> int:
    """Word `word` of the four that SETDMAREG_Special.md reads."""
    match source:
        case Source.TILE_SIZE:
            return S.pack.acc_size[thread] << 16 | tile_size(S, thread) if word == 0 else 0
        case Source.ALL_ZERO:
            return S.pack.zero_flags if word == 0 else 0
        case Source.HEADER0:
            return header(S, thread, word)
        case Source.HISTOGRAM0 | Source.HISTOGRAM1:
            first = (source - Source.HISTOGRAM0) * 16 + word * 4
            return (
                S.pack.bins[first]
                | S.pack.bins[first + 1] << 8
                | S.pack.bins[first + 2] << 16
                | S.pack.bins[first + 3] << 24
            )
        case Source.CLEAR_SIZE:
            return S.pack.zero_flags & 1 if word == 0 else 0
        case Source.MAX_EXP:
            return S.pack.max_exponent if word == 0 else 0
        case _:
            return 0


def header(S: View, thread: int, word: int) -> int:
    """Return the header of the tile that was packed last."""
    match word:
        case 0:
            return (tile_size(S, thread) + 1) & 0xFFFF
        case 1:
            control = S.config.word[bank_of(S, thread), CONTROL[0]]
            plain = 1 if control & NO_COMPRESSION else 0
            return ((control >> OUT_FORMAT) & 0xF) << 16 | plain << 20
        case 2:
            return S.pack.zero_flags
        case _:
            return 0


def clear_sizes(S: View, which: int) -> int:
    """CLEAR_SIZE, by a mask of packers."""
    return reset_sizes(S) if which & 1 else 0
