# SPDX-License-Identifier: Apache-2.0
"""Clocks: how many events of each line are done before something.

A clock is a row of `race.clock`.
"""

from tensix_gdb.core.engine.lanes import lanes
from tensix_gdb.core.race.fields import CLOCK_SPACE, OLDER
from tensix_gdb.core.race.lines import CLOCKS
from tensix_gdb.core.record.layout import View

# A check in a loop over lanes is a branch, which keeps it from becoming vectors. So the rows are a
# power of two, of which all of these bits are one.
ROW = CLOCK_SPACE - 1


def join(S: View, into: int, other: int) -> int:
    """Let `into` come after all that `other` comes after."""
    for i in lanes(CLOCKS):
        S.race.clock[into & ROW, i] = max(S.race.clock[into & ROW, i], S.race.clock[other & ROW, i])
    return 0


def copy(S: View, into: int, other: int) -> int:
    """Make `into` what `other` is."""
    for i in lanes(CLOCKS):
        S.race.clock[into & ROW, i] = S.race.clock[other & ROW, i]
    return 0


def copy_push(S: View, into: int, other: int) -> int:
    """The same with what else is known of a push."""
    for i in lanes(OLDER):
        S.race.older[into & ROW, i] = S.race.older[other & ROW, i]
    return copy(S, into, other)


def clear(S: View, at: int) -> int:
    """Make a clock that comes after nothing."""
    for i in lanes(CLOCKS):
        S.race.clock[at & ROW, i] = 0
    return 0


def reach(S: View, at: int, line: int, count: int) -> int:
    """Let a clock come after the first `count` events of a line."""
    S.race.clock[at, line] = max(S.race.clock[at, line], count)
    return 0
