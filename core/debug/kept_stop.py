# SPDX-License-Identifier: Apache-2.0
"""The stop at which a tile is, kept while its record is something else, and put back with it.

The rows of `stop` are DERIVED: a snapshot of the state has none of them. A fault, and that nothing
can move any more, are true of the state that they were found in; after any other restore they would
be told of a tile that has not met them.
"""

from __future__ import annotations

from tensix_gdb.core.record.layout import View
from tensix_gdb.core.stop import StopKind

KeptStop = tuple[int, ...]  # the rows, by ROWS; empty where the state has no stop that is kept
NO_STOP: KeptStop = ()
ROWS = ("kind", "hart", "pc", "code", "a", "b", "stream")
_OF_THE_STATE = (StopKind.FAULT, StopKind.STANDSTILL)


def keep_stop(S: View) -> KeptStop:
    """Return the stop that belongs to the state, to be put back with it."""
    return stop_rows(S) if S.stop.kind in _OF_THE_STATE else NO_STOP


def stop_rows(S: View) -> KeptStop:
    """Return the stop, of whatever kind."""
    return tuple(int(getattr(S.stop, name)) for name in ROWS)


def put_stop_back(S: View, kept: KeptStop) -> None:
    """Make this the stop of the tile, or none."""
    S.stop.kind = StopKind.NONE
    for name, value in zip(ROWS, kept, strict=False):
        setattr(S.stop, name, value)
