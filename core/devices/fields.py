# SPDX-License-Identifier: Apache-2.0
"""Rows of the memory-mapped devices."""

from core.arch.blackhole import THREADS
from core.layout import Part, Tag, row

PUSH_RECORDS = 64

_A, _M = Tag.ARCHITECTURAL, Tag.MONOTONE

# fmt: off
TILE_CONTROL = Part("tile_control", (
    row("soft_reset",     "u32", (), _A, "SOFT_RESET_0 (SoftReset.md)"),
    row("trisc_reset_pc", "u32", 3,  _A, "TRISC0..2_RESET_PC"),
    row("trisc_override", "u32", (), _A, "TRISC_RESET_PC_OVERRIDE"),
    row("ncrisc_reset_pc","u32", (), _A, "NCRISC_RESET_PC"),
    row("ncrisc_override","u32", (), _A, "NCRISC_RESET_PC_OVERRIDE"),
))

PUSH = Part("push", (
    row("count", "i64", THREADS,                 _M, "instructions pushed to each thread"),
    row("word",  "u32", (THREADS, PUSH_RECORDS), _A, "the last ones, at count % PUSH_RECORDS"),
    row("hart",  "u8",  (THREADS, PUSH_RECORDS), _A, "origin: the hart that pushed"),
    row("pc",    "u32", (THREADS, PUSH_RECORDS), _A, "origin: its pc"),
    row("cycle", "i64", (THREADS, PUSH_RECORDS), _M, "origin: the cycle of the push"),
))
# fmt: on
