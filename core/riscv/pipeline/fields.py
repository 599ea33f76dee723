# SPDX-License-Identifier: Apache-2.0
"""Rows of a hart's pipeline: EX1, the retire-order queue, the store queue, the L0 data cache."""

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.cost.row import Trust, cost
from tensix_gdb.core.record.layout import Chapter, Mark, Part, Role, Tag, row

RETIRE_ORDER_ENTRIES = cost(
    "hart.retire_order", 8, "instructions", "in the retire-order queue",
    source="BabyRISCV/README.md, Retire Unit", trust=Trust.PAGE,
)  # fmt: skip
STORE_QUEUE_ENTRIES = cost(
    "hart.store_queue", 4, "stores", "in the store queue", source="MemoryOrdering.md",
    trust=Trust.PAGE,
)  # fmt: skip
L0_LINES = cost(
    "hart.l0_lines", 4, "lines", "of 16 bytes in the L0 data cache", source="MemoryOrdering.md",
    trust=Trust.PAGE,
)  # fmt: skip
IN_FLIGHT = cost(
    "hart.l1_loads", 4, "loads", "of L1 that a hart has under way at a time",
    source="L1.md, Maximum theoretical bandwidth; mesham/tt-sim, rv_load_indep",
    trust=Trust.MEASURED,
    note="the page has four loads every seven cycles for Wormhole; a Blackhole needs 1.79 cycles "
    "for each while its other cores poll L1, as here",
)  # fmt: skip
LINE_BYTES = 16
ONE_WORD = 0xF  # in the mask of a store: its first word

_A, _T = Tag.ARCHITECTURAL, Tag.TIMING
_RQ = (HARTS, RETIRE_ORDER_ENTRIES)
_SQ = (HARTS, STORE_QUEUE_ENTRIES)

# fmt: off
PIPELINE = Part("pipeline", (
    # EX1: the memory instruction that waits to enter the Load/Store Unit. Others leave at once.
    row("ex1_op",     "u8",  HARTS,           _A, "its op number, 0 when EX1 is free",
        marks=Mark.UNDER_WAY),
    row("ex1_addr",   "u32", HARTS,           _A, "the address it computed"),
    row("ex1_data",   "u32", HARTS,           _A, "what it stores", role=Role.DATA),
    row("ex1_fused",  "u8",  HARTS,           _A, "further .ttinsn that are fused with it"),
    row("ex1_more",   "u32", (HARTS, 3),      _A, "their instructions", role=Role.DATA),
    row("cut",        "u8",  HARTS,           _T, "a debugger stopped between two that are fused"),
    row("ex1_entry",  "u8",  HARTS,           _A, "its retire-order queue entry"),
    row("ex1_pc",     "u32", HARTS,           _A, "where it is"),
    row("ex1_since",  "i64", HARTS,           _T, "cycle in which it entered"),
    row("ex1_free",   "i64", HARTS,           _T, "first cycle in which another may enter"),
    # The retire-order queue is a ring; the oldest entry is at rq_head.
    row("rq_head",    "u8",  HARTS,           _A, "the oldest entry"),
    row("rq_count",   "u8",  HARTS,           _A, "entries in use"),
    row("rq_rd",      "u8",  _RQ,             _A, "the register it writes; 0 none"),
    row("rq_answer",  "u8",  _RQ,             _A, "waits for the answer of a load or atomic"),
    row("rq_serial",  "u8",  _RQ,             _A, "nothing enters EX1 before it has retired"),
    row("rq_ready",   "i64", _RQ,             _T, "cycle from which it may retire"),
    row("writers",    "u8",  (HARTS, 96),     _A, "unretired instructions that write a register"),
    row("last_writer","u8",  (HARTS, 96),     _A, "the youngest of them"),
    row("known",      "i64", (HARTS, 96),     _T, "cycle from which EX1 can have the value"),
    row("serial",     "u8",  HARTS,           _A, "unretired serialising instructions"),
    row("check",      "u8",  HARTS,           _A, "1 + entry of a load that waits for Tensix"),
    row("checked",    "i64", HARTS,           _T, "first cycle in which that load has finished"),
    row("loads",      "u8",  HARTS,           _A, "loads and atomics emitted, not answered"),
    # Loads of L1 have places, which they occupy in turn; stores to L1 keep a distance.
    row("l1_place",   "u8",  HARTS,           _T, "the place that the next one takes"),
    row("l1_free",    "i64", (HARTS, IN_FLIGHT), _T, "cycle from which each place is free"),
    row("store_free", "i64", HARTS,           _T, "cycle from which a store to L1 is emitted"),
    # The store queue; entry 0 is the oldest. L1 stores are kept as 16 bytes with a mask.
    row("sq_count",   "u8",  HARTS,           _A, "entries in use", marks=Mark.UNDER_WAY),
    row("sq_addr",    "u32", _SQ,             _A, "first byte; of L1 the 16-byte line"),
    row("sq_size",    "u8",  _SQ,             _A, "bytes; LINE_BYTES for L1"),
    row("sq_data",    "u32", (*_SQ, 4),       _A, "what to write", role=Role.DATA),
    row("sq_mask",    "u32", _SQ,             _A, "which bytes of it"),
    row("sq_start",   "u32", _SQ,             _A, "address of the store that came last"),
    row("sq_pc",      "u32", _SQ,             _A, "origin: the first store"),
    row("sq_until",   "i64", _SQ,             _T, "cycle until which it waits to merge"),
    # L0 data cache: reads of L1 by loads; not coherent.
    row("l0_valid",   "u8",  (HARTS, L0_LINES),    _A, "1: the line holds something"),
    row("l0_line",    "u32", (HARTS, L0_LINES),    _A, "address of its first byte"),
    row("l0_word",    "u32", (HARTS, L0_LINES, 4), _A, "the bytes read from L1 back then",
        role=Role.DATA),
    row("l0_next",    "u8",  HARTS,                _A, "the line to replace next"),
), role=Role.PROGRESS, chapter=Chapter.HARTS)
# fmt: on
