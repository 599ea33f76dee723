# SPDX-License-Identifier: Apache-2.0
"""A bug of 2026 in LLK, and how its fix is undone: what bugs.py and named.py are made of."""

from __future__ import annotations

from dataclasses import dataclass

from scripts.llktests.scratch import Edit

BLACKHOLE, WORMHOLE = "tt_llk_blackhole/", "tt_llk_wormhole_b0/"
COMMON, LIB = BLACKHOLE + "common/inc/", BLACKHOLE + "llk_lib/"
SFPU, NEW = COMMON + "sfpu/", LIB + "experimental/"
METAL = "../hw/ckernels/blackhole/metal/llk_api/"
TILIZE = LIB + "llk_unpack_tilize.h"
ANY_STALL = r"TTI_STALLWAIT\([^;]*\);"
CLR_MINUS_ONE = r"_restore_lconst_neg1_\(\);"


@dataclass(frozen=True, slots=True)
class Bug:
    """One of them. The test is a file of the suite or a test's id, with `words` for pytest; of a
    file, so many variants are run. `why_not` is why no lane finds it."""

    number: int
    links: str
    what: str
    edits: tuple[Edit, ...]
    test: str
    lanes: tuple[str, ...] = ()
    variants: int = 1
    words: tuple[str, ...] = ()
    arch: str = "blackhole"
    why_not: str = ""


def without(file: str, function: str, statement: str = ANY_STALL) -> Edit:
    """Leave a statement out."""
    return Edit(file, statement, "", function)
