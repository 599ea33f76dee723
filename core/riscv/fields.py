# SPDX-License-Identifier: Apache-2.0
"""Rows of the five harts, and the decoded copy of L1 that they are run from."""

from tensix_gdb.core.arch.blackhole import HARTS, L1_BYTES
from tensix_gdb.core.record.layout import Chapter, Mark, Part, Role, Tag, row

_A, _M, _D = Tag.ARCHITECTURAL, Tag.MONOTONE, Tag.DERIVED

# fmt: off
HART = Part("hart", (
    row("pc",           "u32", HARTS,       _A, "address of the next instruction",
        role=Role.PROGRESS),
    row("x",            "u32", (HARTS, 64), _A, "x0, which is always 0, to x31; f0 to f31",
        marks=Mark.VISIBLE),
    row("in_reset",     "u8",  HARTS,       _A, "held in soft reset (SoftReset.md)"),
    row("paused",       "u8",  HARTS,       _A, "PAUSED or PAUSED_AT_EBREAK (riscv/reset.py)"),
    row("in_handler",   "u8",  HARTS,       _A, "in an interrupt handler (PIC.md)"),
    row("restore_pc",   "u32", HARTS,       _A, "where mret returns to (PIC.md)"),
    row("cfg0",         "u32", HARTS,       _A, "CSR 7c0, chicken bits (CSRs.md)"),
    row("tt_status",    "u32", (HARTS, 2),  _A, "tt_cfg_qstatus, tt_cfg_bstatus when frozen"),
    row("pmacfg",       "u32", (HARTS, 2),  _A, "CSRs 7c1, 7c2; only bit 0 means something"),
    row("fcsr",         "u32", HARTS,       _A, "CSR 003; the rounding mode bits are ignored"),
    row("scratch",      "u32", (HARTS, 16), _A, "CSRs that hold what was written (riscv/csrs.py)"),
    row("vector_csr",   "u32", (HARTS, 5),  _A, "vxsat, vxrm, vl, vtype, vlenb; T2 only"),
    row("hpm",          "u32", (HARTS, 6),  _A, "mhpmcounter3 and 4: low word, high word, bit 64"),
    row("cycle_lo",     "u32", HARTS,       _A, "mcycle minus tile.cycle, low word"),
    row("cycle_hi",     "u32", HARTS,       _A, "the same, high word"),
    row("instret_lo",   "u32", HARTS,       _A, "minstret minus hart.retired, low word"),
    row("instret_hi",   "u32", HARTS,       _A, "the same, high word"),
    row("retired",      "i64", HARTS,       _M, "instructions retired since power-up"),
    row("waits_for",    "u8",  HARTS,       Tag.TIMING, "WaitsFor, its last request waited"),
    row("waits_on",   "u8",  HARTS,       Tag.TIMING, "the hart or thread that it waits for"),
    row("observed",     "u8",  HARTS,       _A, "the debug interface looks at every instruction"),
    row("slow",         "u8",  HARTS,       _A, "slow execution mode (debug/risc_debug.py)"),
    row("held",         "u8",  HARTS,       _D, "the debugger lets it not issue"),
    row("issuing",      "u8",  HARTS,       _D, "neither in reset, paused nor held"),
), chapter=Chapter.HARTS)

# Two MiB of words, so that one mask both bounds the index and finds a pc outside L1.
DECODED_WORDS = 0x80000
LINE_SHIFT = 6  # a line of 64 bytes is the unit in which stores ask whether anything was decoded

DECODED = Part("decoded", (
    row("word",         "i64", DECODED_WORDS,            _D, "packed words (decode.py), or 0"),
    row("line",         "u8",  L1_BYTES >> LINE_SHIFT,   _D, "1: this line has decoded words"),
))

# Translations (core/translate): number 0 is none.
TRANSLATIONS = 64
HEADS = 8192  # of all of them; the packed word of a head is its number << 8, which is no op

TRANSLATED = Part("translated", (
    row("of",     "u8",  L1_BYTES >> 2, _D, "per word of L1: the translation that it is in"),
    row("code",   "i64", TRANSLATIONS,  _D, "address of its machine code; 0: not to be entered"),
    row("hart",   "u8",  TRANSLATIONS,  _D, "the hart that it is for"),
    row("word",   "i64", HEADS,         _D, "what a head is when it is decoded"),
    row("owner",  "u8",  HEADS,         _D, "the translation that a head leads to"),
    row("dropped","u8",  (),            _D, "1: a translation may be entered no longer"),
))
# fmt: on
