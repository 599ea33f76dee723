# SPDX-License-Identifier: Apache-2.0
"""Rows of the memories, each readable at three widths, and of the request that is processed."""

from tensix_gdb.core.arch.blackhole import HARTS, L1_BYTES, LOCAL_STRIDE
from tensix_gdb.core.record.layout import Chapter, Mark, Part, Tag, alias, row

_L1 = row("word", "u32", L1_BYTES // 4, Tag.ARCHITECTURAL, "L1 scratchpad RAM", marks=Mark.VISIBLE)
L1 = Part("l1", (_L1, alias("half", "u16", _L1), alias("byte", "u8", _L1)), chapter=Chapter.HARTS)

_LOCAL = row(
    "word",
    "u32",
    HARTS * LOCAL_STRIDE // 4,
    Tag.ARCHITECTURAL,
    "local RAM, LOCAL_STRIDE per hart",
    marks=Mark.VISIBLE,
)
LOCAL = Part(
    "local",
    (_LOCAL, alias("half", "u16", _LOCAL), alias("byte", "u8", _LOCAL)),
    chapter=Chapter.HARTS,
)

REQUEST = Part(
    "request",
    (row("pc", "u32", (), Tag.DERIVED, "origin of the request that a region processes now"),),
)
