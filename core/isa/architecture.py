# SPDX-License-Identifier: Apache-2.0
"""The architectures with tables of Tensix instructions, and how text is spelled for each."""

from __future__ import annotations

import enum

from tensix_gdb.core.dataclass import dataclass


class Arch(enum.Flag):
    """Architectures on which a row holds."""

    BLACKHOLE = 1
    WORMHOLE = 2
    BOTH = 3

    @property
    def title(self) -> str:
        return str(self.name).capitalize()

    @property
    def chip(self) -> int:
        """The number of this chip in the record and in tables by chip (core/arch/chips.py)."""
        return CHIPS.index(self)


CHIPS = (Arch.BLACKHOLE, Arch.WORMHOLE)  # in that order


@dataclass(frozen=True, slots=True)
class Dialect:
    """The spelling of operands: for one architecture, in the pages' names or in LLK's."""

    arch: Arch = Arch.BLACKHOLE
    llk: bool = False


BLACKHOLE = Dialect(Arch.BLACKHOLE)
WORMHOLE = Dialect(Arch.WORMHOLE)
DIALECTS = {"blackhole": BLACKHOLE, "wormhole": WORMHOLE}
