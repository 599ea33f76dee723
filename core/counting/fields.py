# SPDX-License-Identifier: Apache-2.0
"""Rows of what is counted for coverage and profiles.

Nothing in the machine looks here and all rows are DERIVED, so an execution that is counted is the
same execution, with the same hash. Only the loops with CHECKED count, and only while `on` is set.

Executions are kept by where they begin and end: a run of instructions one after the other adds 1
to `edge` of its first word and takes 1 from that of the word after its last. The sum of `edge` up
to a word is how often that was executed, and a loop costs two additions for a round.

Calls are a tree for each hart: a node is a function called from the node above it. A hart's time is
the cycles in which it might have issued, so not those in reset, paused or held by a debugger.
"""

from tensix_gdb.core.arch.blackhole import HARTS, L1_BYTES
from tensix_gdb.core.record.layout import Part, Tag, View, row

WORDS = L1_BYTES >> 2
NODES = 1 << 13
DEEPEST = 128  # calls inside calls; what is deeper belongs to the last of them
BOUNDS = 1 << 14  # boundaries of functions, of all harts together
KEYS = 1 << 15
FROM_NOWHERE = -1
# Units as a timeline and a profile have them.
UNPACKER_0, UNPACKER_1, PACKER, MATRIX, VECTOR, SCALAR, CONFIGURATION, MOVER = range(8)
UNITS = 8
OFF, ALL, KERNELS_ONLY = 0, 1, 2  # `on`
CHANNELS = 16  # of DRAM, at most
PORTS = 4  # of the NIUs: each in and out

_D = Tag.DERIVED
_FRAMES = (HARTS, DEEPEST)

# fmt: off
COUNTED = Part("counted", (
    row("on",       "u8",  (),                 _D, "count: ALL, or KERNELS_ONLY (kernels.py)"),
    row("edge",     "i64", (HARTS, WORDS + 1), _D, "executions from here on, less ended ones"),
    row("waited",   "i64", (HARTS, WORDS),     _D, "cycles beside one for each execution"),
    row("since",    "i64", HARTS,              _D, "from when on the next one might have issued"),
    row("expected", "i64", HARTS,              _D, "the pc after the last one, or FROM_NOWHERE"),
    row("time",     "i64", HARTS,              _D, "cycles of the hart so far"),
    # Calls.
    row("nodes",    "u32", (),                 _D, "how many nodes there are; 0 is none"),
    row("lo",       "u32", NODES,              _D, "the function: from here"),
    row("hi",       "u32", NODES,              _D, "up to here"),
    row("above",    "u32", NODES,              _D, "the caller's node"),
    row("below",    "u32", NODES,              _D, "the first one that was called from here"),
    row("beside",   "u32", NODES,              _D, "the next one with the same caller"),
    row("spent",    "i64", NODES,              _D, "cycles in the function itself"),
    row("calls",    "i64", NODES,              _D, "how often it was called"),
    row("node",     "u32", HARTS,              _D, "where the hart is"),
    row("entered",  "i64", HARTS,              _D, "its `time` when it came there"),
    row("depth",    "u32", HARTS,              _D, "frames on its stack"),
    row("caller",   "u32", _FRAMES,            _D, "the node below each frame"),
    row("back",     "u32", _FRAMES,            _D, "where each frame returns to"),
    row("start",    "u32", BOUNDS,             _D, "where functions begin, by hart, in order"),
    row("first",    "u32", HARTS + 1,          _D, "the first of each hart"),
    # The coprocessor.
    row("key",      "i64", KEYS,               _D, "what is counted (coprocessor.py); 0: free"),
    row("count",    "i64", KEYS,               _D, "how often"),
    row("lost",     "i64", (),                 _D, "what there was no room for"),
    row("busy",     "i64", UNITS,              _D, "cycles in which a unit had something to do"),
    # A launch of kernels.
    row("kernels",  "u8",  (),                 _D, "harts that have not ended theirs"),
    row("kernel",   "u32", HARTS,              _D, "where a hart's kernel begins; 0: none is to"),
    row("kernel_back", "u32", HARTS,           _D, "where one that has begun returns to"),
    row("kernel_from", "i64", HARTS,           _D, "the cycle in which it has begun"),
    row("kernel_to",   "i64", HARTS,           _D, "and ended"),
    row("kernel_dram", "i64", CHANNELS,        _D, "bytes that its NIUs have asked of a channel"),
    row("kernel_flits", "i64", PORTS,          _D, "flits of data of each port up to the end"),
))
# fmt: on


def add(S: View, key: int) -> int:
    """Count one more of `key`, which is not 0."""
    i = ((key & 0x7FFFFFFF) * 0x1E3779B1 + (key >> 31)) >> 9
    for _ in range(KEYS):
        i &= KEYS - 1
        known = S.counted.key[i]
        if known == key:
            S.counted.count[i] += 1
            return 0
        if known == 0:
            S.counted.key[i] = key
            S.counted.count[i] = 1
            return 0
        i += 1
    S.counted.lost += 1
    return 0
