# SPDX-License-Identifier: Apache-2.0
"""The LRegs that an instruction of the Vector Unit reads and writes, a bit each.

The rows say it (core/tensix/state_use.py). Here are tables of it by number of row, so that an
instruction can be looked at before it begins.
"""

from collections.abc import Callable

from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.decode import field
from tensix_gdb.core.tensix.instruction import Instruction
from tensix_gdb.core.tensix.state_use import Condition, State, StateUse, Which
from tensix_gdb.core.tensix.table import FIRST, ROWS
from tensix_gdb.core.tensix.vector.state import ENABLE_DEST_INDEX, any_config

EVERY = 0x1FFFF
READ, WRITTEN = 0, 1
USES, CONDITIONS = 6, 2  # of an instruction, of a use: at most
VALUES = 16  # of a field with a condition: at most

Fact = Callable[[Instruction, StateUse], int]


def _uses(row: Instruction, what: int) -> list[StateUse]:
    uses = [use for use in (row.reads, row.writes)[what] if use.state is State.LREG]
    assert len(uses) <= USES
    return uses


_USES = [(row, _uses(row, what)) for row in ROWS for what in (READ, WRITTEN)]


def _table(fact: Fact) -> tuple[int, ...]:
    """[USES * (2 * number + READ or WRITTEN) + use]: a fact of the use, 0 where there is none."""
    facts = [0] * (USES * 2 * FIRST)
    for row, uses in _USES:
        facts += [*(fact(row, use) for use in uses), *[0] * (USES - len(uses))]
    return tuple(facts)


def _place(row: Instruction, name: str) -> int:
    return 1 + list(row.encoding.fields).index(name)


def _mask(_row: Instruction, use: StateUse) -> int:
    """The LRegs of a use that are in no field. It may be any that LReg[7] names."""
    match use.which:
        case Which.FIXED:
            return sum(1 << number for number in use.numbers)
        case Which.ALL | Which.INDIRECT:
            return EVERY
    return 0


def _of_condition(place: int, fact: Callable[[Instruction, Condition], int]) -> tuple[int, ...]:
    """[..., as above]: a fact of a condition of the use."""

    def of_use(row: Instruction, use: StateUse) -> int:
        assert len(use.conditions) <= CONDITIONS
        return fact(row, use.conditions[place]) if place < len(use.conditions) else 0

    return _table(of_use)


def _allowed(row: Instruction, condition: Condition) -> int:
    """The values of its field with which a condition holds, a bit each."""
    count = 1 << row.encoding.fields[condition.field].width
    assert count <= VALUES
    return sum(1 << v for v in range(count) if v & condition.mask in condition.values)


IS_USE = _table(lambda _row, _use: 1)
IS_SURE = _table(lambda _row, use: int(use.is_sure))
MASK = _table(_mask)
NAMED = _table(lambda row, use: _place(row, use.field) if use.which is Which.NUMBER else 0)
FIELD_1 = _of_condition(0, lambda row, condition: _place(row, condition.field))
FIELD_2 = _of_condition(1, lambda row, condition: _place(row, condition.field))
ALLOWED_1 = _of_condition(0, _allowed)
ALLOWED_2 = _of_condition(1, _allowed)


def read(S: View, number: int, word: int) -> int:
    """The LRegs that an instruction reads, as far as it is known before."""
    return lregs_of(S, number, word, READ, 0)


def written(S: View, number: int, word: int) -> int:
    """The LRegs that an instruction may write."""
    return lregs_of(S, number, word, WRITTEN, EVERY)


def lregs_of(S: View, number: int, word: int, what: int, unknown: int) -> int:
    """The LRegs of all uses; `unknown` for those that the word does not say."""
    found = 0
    for i in range(USES):
        at = USES * (2 * number + what) + i
        if IS_USE[at] and is_so(S, number, word, at):
            found |= unknown if MASK[at] == EVERY else MASK[at]
            if NAMED[at]:
                found |= 1 << (field(word, number, NAMED[at] - 1) & 15)
    return found


def is_so(S: View, number: int, word: int, at: int) -> int:
    """True if an instruction has one of its uses."""
    if IS_SURE[at] == 0 and any_config(S) >> ENABLE_DEST_INDEX & 1 == 0:
        return 0
    if FIELD_1[at] and (ALLOWED_1[at] >> field(word, number, FIELD_1[at] - 1)) & 1 == 0:
        return 0
    if FIELD_2[at] and (ALLOWED_2[at] >> field(word, number, FIELD_2[at] - 1)) & 1 == 0:
        return 0
    return 1
