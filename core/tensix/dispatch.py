# SPDX-License-Identifier: Apache-2.0
"""From the number of a row to the function that executes it.

    EXECUTE[number](S, thread, word)       0, or STOPPED with a fault

The fields of the word become the arguments. Rows without a function stop by name: not there yet, or
on no page at all.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from core.faults import Fault
from core.isa.tensix_decode import field
from core.layout import View
from core.tensix.at_gate import fault_at_gate
from core.tensix.instruction import Instruction, Status
from core.tensix.table import FIRST, ROWS

Unit = Callable[..., int]


def with_0(S: View, thread: int, word: int, FUNCTION: Unit, NUMBER: int) -> int:
    """No fields."""
    return FUNCTION(S, thread)


def with_1(S: View, thread: int, word: int, FUNCTION: Unit, NUMBER: int) -> int:
    """One field."""
    return FUNCTION(S, thread, field(word, NUMBER, 0))


def with_2(S: View, thread: int, word: int, FUNCTION: Unit, NUMBER: int) -> int:
    """Two fields."""
    return FUNCTION(S, thread, field(word, NUMBER, 0), field(word, NUMBER, 1))


def with_3(S: View, thread: int, word: int, FUNCTION: Unit, NUMBER: int) -> int:
    """Three fields."""
    return FUNCTION(
        S, thread, field(word, NUMBER, 0), field(word, NUMBER, 1), field(word, NUMBER, 2)
    )


def with_4(S: View, thread: int, word: int, FUNCTION: Unit, NUMBER: int) -> int:
    """Four fields."""
    return FUNCTION(
        S,
        thread,
        field(word, NUMBER, 0),
        field(word, NUMBER, 1),
        field(word, NUMBER, 2),
        field(word, NUMBER, 3),
    )


def with_5(S: View, thread: int, word: int, FUNCTION: Unit, NUMBER: int) -> int:
    """Five fields."""
    return FUNCTION(
        S,
        thread,
        field(word, NUMBER, 0),
        field(word, NUMBER, 1),
        field(word, NUMBER, 2),
        field(word, NUMBER, 3),
        field(word, NUMBER, 4),
    )


def with_6(S: View, thread: int, word: int, FUNCTION: Unit, NUMBER: int) -> int:
    """Six fields."""
    return FUNCTION(
        S,
        thread,
        field(word, NUMBER, 0),
        field(word, NUMBER, 1),
        field(word, NUMBER, 2),
        field(word, NUMBER, 3),
        field(word, NUMBER, 4),
        field(word, NUMBER, 5),
    )


def not_yet(S: View, thread: int, word: int) -> int:
    """The emulator has no function for it."""
    return fault_at_gate(S, thread, Fault.TENSIX_NOT_YET)


def undocumented(S: View, thread: int, word: int) -> int:
    """No page says what it does."""
    return fault_at_gate(S, thread, Fault.TENSIX_UNDOCUMENTED)


def illegal(S: View, thread: int, word: int) -> int:
    """No such instruction."""
    return fault_at_gate(S, thread, Fault.TENSIX_ILLEGAL)


_WITH: tuple[Callable[..., int], ...] = (
    with_0,
    with_1,
    with_2,
    with_3,
    with_4,
    with_5,
    with_6,
)


def _entry(number: int, row: Instruction) -> Callable[[View, int, int], int]:
    function: Any = row.function
    if function is None:
        return undocumented if row.status is Status.UNDOCUMENTED else not_yet
    return partial(_WITH[len(row.encoding.fields)], FUNCTION=function, NUMBER=number)


EXECUTE = (
    *(illegal,) * FIRST,
    *(_entry(number, row) for number, row in enumerate(ROWS, FIRST)),
)
