# SPDX-License-Identifier: Apache-2.0
"""Rows of the performance counters.

A bank counts all its events at once while it runs, requests and grants; which of them its outputs
show is chosen later (control.py). Counts are MONOTONE like the cycle that they are counted in: two
runs that differ in nothing else do the same.
"""

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.record.layout import Chapter, Part, Tag, row

# Banks in the order of LLK's enumeration `Bank`.
INSTRN_THREAD, FPU, TDMA_UNPACK, L1, TDMA_PACK = range(5)
BANKS = 5
NAMES = ("INSTRN_THREAD", "FPU", "TDMA_UNPACK", "L1", "TDMA_PACK")
REQUEST, GRANT = 0, 1  # bit 16 of the mode register, bit 8 of a select
SELECTS = 64
PENDING_COUNT = 8  # bit of tile.pending: a bank runs

_A, _M = Tag.ARCHITECTURAL, Tag.MONOTONE

# fmt: off
PERF = Part("perf", (
    row("running",   "u8",  BANKS,      _A, "the bank counts"),
    row("reference", "u32", BANKS,      _M, "cycles that it has counted"),
    row("count",     "u32", (BANKS, 2, SELECTS), _M, "[bank, request or grant, select]"),
    row("cycle",     "i64", (),         _M, "up to where everything is counted"),
    row("passed",    "i64", THREADS,    _M, "passed.count there"),
), chapter=Chapter.DEVICES)
# fmt: on
