# SPDX-License-Identifier: Apache-2.0
"""The use of GPRs by an instruction's operands: a fact of its row.

    gprs={"addr_reg": READ, "result_reg": ANSWER.sized("size")}

The function that executes the instruction says the same in code. The row says it to others: the
observer of races checks each GPR with the clock of its access, `explain` prints it, and a test
compares both with the function (tests/core/tensix/scalar/test_gpr_uses.py).
"""

from __future__ import annotations

import enum
from dataclasses import replace

from tensix_gdb.core.dataclass import dataclass


class GprAccess(enum.IntEnum):
    """When an operand's GPRs are read or written."""

    NOT = 0
    READ = 1  # when the instruction passes its gate, or at the pipeline's stage that reads GPRs
    WRITE = 2  # when the Scalar Unit ends the instruction
    ANSWER = 3  # written when the memory request is over
    LATE = 4  # written by the last stage of RDCFG
    COUNT_ON = 5  # read, and written if `offset_increment` is not 0


WRITES = (GprAccess.WRITE, GprAccess.ANSWER, GprAccess.LATE)


class Width(enum.IntEnum):
    """The part of the register file that an operand covers; some are chosen by another field."""

    WORD = 0
    HALF = 1  # the operand counts halves
    PAIR = 2  # two GPRs, from a multiple of four on
    SIZED = 3  # field: Size; four GPRs from an aligned one for 0
    FOUR_IF = 4  # field: four GPRs from an aligned one if it is set
    FOUR_UNLESS = 5  # field: four GPRs from an aligned one if it is 0
    RESULT_SIZE = 6  # the operand counts halves; field: ResultSize


@dataclass(frozen=True, slots=True)
class GprUse:
    """One use of an operand; `by` is the field that chooses the width."""

    access: GprAccess
    width: Width = Width.WORD
    by: str = ""

    @property
    def half(self) -> GprUse:
        """The same of one half of a GPR."""
        return replace(self, width=Width.HALF)

    @property
    def pair(self) -> GprUse:
        """The same of two GPRs."""
        return replace(self, width=Width.PAIR)

    def sized(self, field: str) -> GprUse:
        """The same of as many bytes as `field` says."""
        return replace(self, width=Width.SIZED, by=field)

    def four_if(self, field: str) -> GprUse:
        """The same of four GPRs if `field` is set, else of one."""
        return replace(self, width=Width.FOUR_IF, by=field)

    def four_unless(self, field: str) -> GprUse:
        """The same of one GPR if `field` is set, else of four."""
        return replace(self, width=Width.FOUR_UNLESS, by=field)

    def result(self, field: str) -> GprUse:
        """The same from a half on, as much as a ResultSize says."""
        return replace(self, width=Width.RESULT_SIZE, by=field)


READ = GprUse(GprAccess.READ)
WRITE = GprUse(GprAccess.WRITE)
ANSWER = GprUse(GprAccess.ANSWER)
LATE = GprUse(GprAccess.LATE)
COUNT_ON = GprUse(GprAccess.COUNT_ON, Width.HALF)
