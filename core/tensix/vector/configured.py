# SPDX-License-Identifier: Apache-2.0
"""Which instructions have configured what SFPLOADMACRO has scheduled: its template and sequence.

They are looked up when someone asks, by the sequence that the SFPLOADMACRO has named. An SFPCONFIG
between it and the instruction, seven cycles at most, would be taken for the one before.
"""

from __future__ import annotations

from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.vector.state import COLUMNS

TEMPLATES = 4  # and as many sequences
FIRST_TEMPLATE = 4  # in a byte of Sequence; numbers before it mean no template


def scheduled_word(S: View, unit: int, place: int) -> int:
    """Return the instruction that is scheduled for a sub-unit; that of the first column that has
    one."""
    words = (int(S.macro.word[unit, place, column]) for column in range(COLUMNS))
    return next(filter(None, words), 0)


def configured_by(S: View, unit: int, place: int) -> tuple[tuple[str, int], ...]:
    """Return `template 1` and `sequence 0`, as far as they are known, each with the address of the
    push that has configured it."""
    index = int(S.macro.index[unit, place])
    chosen = (int(S.vector.sequence[index, column]) >> 8 * unit & 7 for column in range(COLUMNS))
    which = next(filter(None, chosen), 0) - FIRST_TEMPLATE
    parts = [(f"sequence {index}", int(S.vector.configured[TEMPLATES + index]))]
    if which >= 0:
        parts.insert(0, (f"template {which}", int(S.vector.configured[which])))
    return tuple((name, pc) for name, pc in parts if pc)
