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

from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.decode import (
    FIELD_MASK,
    FIELD_SHIFT,
    FIELD_SIGN,
    FIRST_FIELD,
    extract,
)
from tensix_gdb.core.tensix.gate.head import fault_at_gate
from tensix_gdb.core.tensix.instruction import Instruction, Status
from tensix_gdb.core.tensix.table import FIRST, ROWS, by_number

Unit = Callable[..., int]
# How many fields a row has.
FIELDS = by_number(lambda row: len(row.encoding.fields))


def with_fields(S: View, thread: int, word: int, FUNCTION: Unit, NUMBER: int) -> int:
    """Call the function of row NUMBER with the fields of the word.

    As `field`, with everything but the word known when this is compiled.
    """
    return FUNCTION(
        S,
        thread,
        *(
            extract(
                word,
                FIELD_SHIFT[FIRST_FIELD[NUMBER] + i],
                FIELD_MASK[FIRST_FIELD[NUMBER] + i],
                FIELD_SIGN[FIRST_FIELD[NUMBER] + i],
            )
            for i in range(FIELDS[NUMBER])
        ),
    )


def not_yet(S: View, thread: int, word: int) -> int:
    """The emulator has no function for it."""
    return fault_at_gate(S, thread, Fault.TENSIX_NOT_YET)


def not_modelled(S: View, thread: int, word: int) -> int:
    """The emulator has no function for it on Wormhole."""
    return fault_at_gate(S, thread, Fault.TENSIX_WORMHOLE)


def undocumented(S: View, thread: int, word: int) -> int:
    """Refuse it: no page says what it does."""
    return fault_at_gate(S, thread, Fault.TENSIX_UNDOCUMENTED)


def legacy(S: View, thread: int, word: int) -> int:
    """Fault: no page describes what is left of the instruction."""
    return fault_at_gate(S, thread, Fault.TENSIX_LEGACY)


def illegal(S: View, thread: int, word: int) -> int:
    """Refuse it: there is no such instruction."""
    return fault_at_gate(S, thread, Fault.TENSIX_ILLEGAL)


_STOPS = {Status.UNDOCUMENTED: undocumented, Status.LEGACY: legacy}


def _entry(number: int, row: Instruction) -> Callable[[View, int, int], int]:
    function: Any = row.function
    if function is None:
        missing = not_modelled if row.arch is Arch.WORMHOLE else not_yet
        return _STOPS.get(row.status, missing)
    return partial(with_fields, FUNCTION=function, NUMBER=number)


EXECUTE = (
    *(illegal,) * FIRST,
    *(_entry(number, row) for number, row in enumerate(ROWS, FIRST)),
)
