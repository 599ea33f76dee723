# SPDX-License-Identifier: Apache-2.0
"""Rows of the memories: L1 and the harts' local RAMs, each readable at three widths."""

from tensix_gdb.core.arch.blackhole import HARTS, L1_BYTES, LOCAL_STRIDE
from tensix_gdb.core.record.layout import Part, Tag, alias, row

_L1 = row("word", "u32", L1_BYTES // 4, Tag.ARCHITECTURAL, "L1 scratchpad RAM")
L1 = Part("l1", (_L1, alias("half", "u16", _L1), alias("byte", "u8", _L1)))

_LOCAL = row(
    "word", "u32", HARTS * LOCAL_STRIDE // 4, Tag.ARCHITECTURAL, "local RAM, LOCAL_STRIDE per hart"
)
LOCAL = Part("local", (_LOCAL, alias("half", "u16", _LOCAL), alias("byte", "u8", _LOCAL)))
