# SPDX-License-Identifier: Apache-2.0
"""The state of the packer: its instruction, three streams on their way to L1, a queue.

An instruction that passes the wait gate has sampled all its configuration and moved the address
counters; it is in the front stage until its rows of Dst are read. What it makes goes into three
streams, each collecting 16 bytes at a time: row starts (of compressed data), shared exponents, and
datums. Full blocks wait in `out` for L1.

`datum` is what the passes of passes.py work on.
"""

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.cost.row import Trust, cost
from tensix_gdb.core.isa.opcodes import PACR_SETREG
from tensix_gdb.core.record.layout import Part, Role, Tag, View, alias, row

# Datums of the four read interfaces in one go.
LANES = cost(
    "packer.datums", 64, "datums", "that the packer reads from Dst in a cycle",
    source="tt-metal#51901, tt-llk#916", trust=Trust.MEASURED,
    note="four read interfaces of 32 bytes: a tile of 32x32 BF16 takes 16 cycles",
)  # fmt: skip
INTERFACES = 4
SETREG_BLOCKS = 3 + 1 + 1  # of three streams, the store, and the end
OUT = 128  # blocks: what is under way at full speed, and one instruction more
ROW_STARTS, EXPONENTS, DATUMS = range(3)  # streams
BINS = 32
METADATA = 8  # tiles in the FIFO for TDMA-RISC. UNSPECIFIED(TDMA-RISC.md): how many

# `source`
FROM_DST16, FROM_DST32, FROM_L1, FROM_NOWHERE = range(4)
# `pad`
NO_PADDING, PAD_ROWS, PAD_ALL = range(3)
# `out_kind`
WRITE, ADD_FP32, ADD_FP16, ADD_BF16, ADD_INT32, TO_DEVICE, END = range(7)
# `relu`
NO_RELU, ZERO_RELU, MIN_THRESHOLD_RELU, MAX_THRESHOLD_RELU = range(4)
# `accounts`
HEADER_COUNTS, ZERO_ROWS, TO_FIFO = 1, 2, 4

_A, _T = Tag.ARCHITECTURAL, Tag.TIMING

_OUT_WORD = row("out_word", "u32", (OUT, 4), _A, "the block", role=Role.DATA)

# fmt: off
PACKER = Part("pack", (
    row("running",    "u8",  (),  _A, "1 + thread of the instruction in the front stage",
        role=Role.PROGRESS),
    row("due",        "i64", (),  _T, "earliest cycle in which it reads"),
    row("source",     "u8",  (),  _A, "where it reads"),
    row("bank",       "u8",  (),  _A, "the bank of Config that it has sampled"),
    row("section",    "u8",  (),  _A, "and its context there"),
    row("early",      "u8",  (),  _A, "early conversion (formats.py)"),
    row("late",       "u8",  (),  _A, "late conversion"),
    row("format",     "u8",  (),  _A, "Out_data_format"),
    row("kind",       "u8",  (),  _A, "kind of the datums after ReLU"),
    row("first",      "u32", (),  _A, "first row of Dst, or byte of L1"),
    row("apart",      "u8",  (),  _A, "rows from one read interface to the next; on Wormhole "
        "X of the tile position generator"),
    row("interfaces", "u8",  (),  _A, "read interfaces, a bit each"),
    row("column",     "u8",  (),  _A, "first column"),
    row("columns",    "u8",  (),  _A, "datums of a row"),
    row("left",       "u32", (),  _A, "datums still to come", role=Role.PROGRESS),
    row("edge",       "u16", INTERFACES, _A, "by read interface: columns that are not masked"),
    row("masked",     "u32", (),  _A, "what masked datums become"),
    row("relu",       "u8",  (),  _A, "ApplyRelu"),
    row("limit",      "u32", (),  _A, "ReluThreshold, as a datum"),
    row("shift",      "u8",  (),  _A, "right shift of integers"),
    row("exponent_threshold", "u8",  (),  _A, "Exp_threshold; 0 if not enabled"),
    row("downsample_mask", "u16", (),  _A, "Downsample_mask, rotated as far as the instruction is"),
    row("pad",        "u8",  (),  _A, "where zeros are added"),
    row("stochastic", "u8",  (),  _A, "bit 0: of the early conversion, bit 1: of block float"),
    row("add",        "u8",  (),  _A, "what L1 does with datums, of `out_kind`"),
    row("compress",   "u8",  (),  _A, "compression"),
    row("concat",     "u8",  (),  _A, "the next instruction continues the compression row"),
    row("end_of_tile", "u8",  (),  _A, "Last or Flush"),
    row("last",       "u8",  (),  _A, "Last"),
    row("header_flags", "u8",  (),  _A, "HEADER_COUNTS, ZERO_ROWS, TO_FIFO"),

    row("open",       "u8",  (),  _A, "the streams have addresses: not NeedsNewAddress",
        role=Role.PROGRESS),
    row("addr",       "u32", 3,   _A, "of each stream: where its next block goes"),
    row("fill",       "u8",  3,   _A, "bits in its block", role=Role.PROGRESS),
    row("block",      "u32", (3, 4), _A, "its block", role=Role.DATA),
    row("group",      "u16", 16,  _A, "block float: datums without an exponent yet",
        role=Role.DATA),
    row("grouped",    "u8",  (),  _A, "how many", role=Role.PROGRESS),
    row("started",    "u8",  (),  _A, "the streams have a datum", role=Role.PROGRESS),
    row("total",      "u8",  (),  _A, "datums since the streams were opened, modulo 16",
        role=Role.PROGRESS),
    row("tile_y",     "u8",  (),  _A, "tile position generator: row"),
    row("tile_z",     "u8",  (),  _A, "and plane"),
    row("context",    "u8",  (),  _A, "tracked context; on Wormhole the packer of which this is"),
    row("planes",     "u8",  (),  _A, "planes since it was counted on; on Wormhole packers at "
        "work, a bit each"),

    row("augmented",  "u16", (),  _A, "compression: datums that were kept"),
    row("kept",       "u32", (),  _A, "the last one that was, as it will be in L1", role=Role.DATA),
    row("has_kept",   "u8",  (),  _A, "there is one"),
    row("zeros",      "u8",  (),  _A, "zeros that follow it"),
    row("in_row",     "u8",  (),  _A, "the row has a datum", role=Role.PROGRESS),
    row("row_zero",   "u8",  (),  _A, "all its datums are 0", role=Role.PROGRESS),
    row("rows",       "u8",  (),  _A, "rows that are over", role=Role.PROGRESS),
    row("counters",   "u32", 4,   _A, "32 counters of four bits"),

    row("out_first",  "u8",  (),  _A, "the oldest block", role=Role.PROGRESS),
    row("out_count",  "u8",  (),  _A, "blocks", role=Role.PROGRESS),
    row("out_kind",   "u8",  OUT, _A, "what is to be done with it", role=Role.PROGRESS),
    row("out_thread", "u8",  OUT, _A, "the thread that it belongs to", role=Role.PROGRESS),
    row("out_addr",   "u32", OUT, _A, "where it goes"),
    _OUT_WORD,
    alias("out_half", "u16", _OUT_WORD),
    alias("out_byte", "u8", _OUT_WORD),
    row("out_due",    "i64", OUT, _T, "earliest cycle in which it gets there"),

    row("blocks",     "u16", (),  _A, "blocks of this tile", role=Role.PROGRESS),
    row("last_thread","u8",  (),  _A, "LastThread: 1 + thread of the last tile"),
    row("last_size",  "u16", (),  _A, "LastTileSize"),
    row("acc_size",   "u16", THREADS, _A, "AccTileSize"),
    row("zero_flags", "u32", (),  _A, "AllZeroFlags"),
    row("metadata_count", "u8", (), _A, "MetadataFIFO: tiles in it"),
    row("metadata_size",  "u16", METADATA, _A, "TileSize of each, the oldest first"),
    row("metadata_flags", "u32", METADATA, _A, "AllZeroFlags of each"),
    row("offset",     "u16", (),  _A, "l1_dest_addr_offset, written by TDMA-RISC"),
    row("bins",       "u8",  BINS, _A, "ExponentHistogram"),
    row("max_exponent","u8", (),  _A, "ExponentHistogramMaxExponent"),
    row("prepared",   "u32", (),  _A, "the value that PACR_SETREG writes", role=Role.DATA),
    row("random",     "u32", (),  _A, "random numbers of stochastic rounding", role=Role.PROGRESS),
    row("datum",      "u32", LANES, _A, "datums in the front stage", role=Role.DATA),
    row("chosen",     "u32", LANES, _A, "those that downsampling keeps"),
), role=Role.SETTING)
# fmt: on


def takes(S: View, word: int) -> int:
    """True if an instruction may pass the wait gate: the front stage takes one at a time, and
    PACR_SETREG puts its blocks into the queue itself."""
    if S.pack.running:
        return 0
    return 1 if word >> 24 != PACR_SETREG or S.pack.out_count + SETREG_BLOCKS <= OUT else 0


def clear_histogram(S: View) -> int:
    """CLREXPHIST.md: Reset of Packers/ExponentHistogram.md."""
    for i in range(BINS):
        S.pack.bins[i] = 0
    S.pack.max_exponent = 0
    return 0
