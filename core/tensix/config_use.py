# SPDX-License-Identifier: Apache-2.0
"""The words of configuration that an instruction reads and writes: a fact of its row.

    config=ConfigUse("cfg_index", Stage.PIPE, bits=MaskedByte("mask", 0))

The function that executes the instruction says the same in code. The row says it to others: the
observer of races checks each word with the clock of its access, `explain` prints it, and tests
compare both with the function and with the classes of Auto TTSync
(tests/core/tensix/config/test_config_uses.py).
"""

from __future__ import annotations

import enum
from collections.abc import Mapping

from tensix_gdb.core.dataclass import dataclass


class Stage(enum.IntEnum):
    """When the words are read or written."""

    NOT = 0
    GATE = 1  # when the instruction passes its gate; a word of the thread's own ThreadConfig
    PIPE = 2  # in the configuration pipeline, in order
    LATE = 3  # at the pipeline's last stage, in order of their own
    SCALAR = 4  # when the Scalar Unit ends the instruction; a word of THCON's


@dataclass(frozen=True, slots=True)
class MaskedByte:
    """The bits that the field `mask` has set, of a byte of the word."""

    mask: str
    byte: int


@dataclass(frozen=True, slots=True)
class Rotated:
    """As many bits as the field `width` says and one, rotated right by the field `amount`."""

    width: str
    amount: str


@dataclass(frozen=True, slots=True)
class ConfigUse:
    """The word that the field `index` names.

    `reads` and `writes`: what is written in part keeps the rest. Four words, from an aligned one,
    if the field `four_if` is set or `four_unless` is 0. `bits` are those that are written, all
    without it. `scratch` names the scratch register that is read besides; 3 is that of the thread.
    """

    index: str
    stage: Stage
    reads: bool = False
    writes: bool = True
    four_if: str = ""
    four_unless: str = ""
    bits: MaskedByte | Rotated | None = None
    scratch: str = ""

    def words(self, fields: Mapping[str, int]) -> range:
        """The words that an instruction with these fields reads or writes."""
        first = fields[self.index]
        four = fields[self.four_if] if self.four_if else 0
        if self.four_unless:
            four = not fields[self.four_unless]
        return range(first & ~3, (first & ~3) + 4) if four else range(first, first + 1)

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields of the instruction that it names."""
        named = [self.index, self.four_if, self.four_unless, self.scratch]
        match self.bits:
            case MaskedByte(mask):
                named.append(mask)
            case Rotated(width, amount):
                named += [width, amount]
        return tuple(name for name in named if name)
