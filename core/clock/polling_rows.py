# SPDX-License-Identifier: Apache-2.0
"""Rows of the tile that only polls (polling.py): how far the proof is, and what harts were."""

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.memory import streams
from tensix_gdb.core.record.layout import Part, Tag, row
from tensix_gdb.core.riscv.pipeline.fields import L0_LINES, RETIRE_ORDER_ENTRIES
from tensix_gdb.core.riscv.pipeline.frontend import SETS, SLOTS

# polling.state
OFF, WATCHING, PROVED = 0, 1, 2

REGISTERS = 32  # of integers: nothing harmless writes another one
NEAR_STREAMS = (streams.L1, streams.LOCAL)

_D = Tag.DERIVED
_LOADS = (HARTS, len(NEAR_STREAMS), streams.DEPTH)

# fmt: off
POLLING = Part("polling", (
    row("state",     "u8",  (),                 _D, "OFF, WATCHING or PROVED"),
    row("look",      "i64", (),                 _D, "cycle in which the tile is watched again"),
    row("wait",      "i64", (),                 _D, "cycles until then"),
    row("skipped",   "i64", (),                 _D, "cycles that were passed in one go so far"),
    row("begin",     "i64", (),                 _D, "the cycle of it, or of what was kept"),
    row("kept",      "u8",  (),                 _D, "1 if they were"),
    row("span",      "i64", (),                 _D, "cycles until they are kept anew"),
    row("random",    "u32", (),                 _D, "schedule.random in that cycle"),
    row("stalled",   "u32", (),                 _D, "tile.stalled_cycles in that cycle"),
    row("period",    "i64", HARTS,              _D, "cycles of a round; 0 not known"),
    row("gain",      "i64", HARTS,              _D, "instructions of a round"),
    row("pc",        "u32", HARTS,              _D, "what it executes next"),
    row("retired",   "i64", HARTS,              _D, "hart.retired after the last cycle"),
    # What harts were in the cycle `begin`.
    row("k_retired", "i64", HARTS,              _D, "hart.retired"),
    row("k_pc",      "u32", HARTS,              _D, "hart.pc"),
    row("k_fcsr",    "u32", HARTS,              _D, "hart.fcsr"),
    row("k_waits",   "u32", HARTS,              _D, "hart.waits_for, waits_on"),
    row("k_x",       "u32", (HARTS, REGISTERS), _D, "hart.x"),
    row("k_ex1",     "u32", (HARTS, 4),         _D, "what waits in EX1"),
    row("k_queue",   "u32", (HARTS, 3),         _D, "heads and counts"),
    row("k_when",    "i64", (HARTS, 3),         _D, "cycles of EX1"),
    row("k_rq",      "u32", (HARTS, RETIRE_ORDER_ENTRIES), _D, "the retire-order queue"),
    row("k_ready",   "i64", (HARTS, RETIRE_ORDER_ENTRIES), _D, "its cycles"),
    row("k_writers", "u8",  (HARTS, REGISTERS), _D, "pipeline.writers"),
    row("k_last",    "u8",  (HARTS, REGISTERS), _D, "pipeline.last_writer"),
    row("k_known",   "i64", (HARTS, REGISTERS), _D, "pipeline.known"),
    row("k_places",  "i64", (HARTS, 5),         _D, "places of loads of L1, and which is next"),
    row("k_fetch",   "i64", (HARTS, 3),         _D, "frontend.line, free, blind"),
    row("k_fills",   "u32", HARTS,              _D, "frontend.fills"),
    row("k_taken",   "u8",  (HARTS, SLOTS),     _D, "branches in the instruction cache"),
    row("k_old",     "u8",  (HARTS, SETS),      _D, "what is replaced next"),
    row("k_valid",   "u8",  (HARTS, L0_LINES),  _D, "the L0 cache"),
    row("k_line",    "u32", (HARTS, L0_LINES),  _D, "addresses of its lines"),
    row("k_word",    "u32", (HARTS, L0_LINES, 4), _D, "their words"),
    row("k_count",   "u8",  (HARTS, len(NEAR_STREAMS)), _D, "loads under way"),
    row("k_load",    "u32", (*_LOADS, 4),       _D, "what they are"),
    row("k_born",    "i64", _LOADS,             _D, "stream.born"),
    row("k_due",     "i64", _LOADS,             _D, "stream.due"),
))
# fmt: on
