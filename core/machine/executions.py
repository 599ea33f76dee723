# SPDX-License-Identifier: Apache-2.0
"""Put an execution (core/execution.py) into a record: from now on the tile runs in it."""

from __future__ import annotations

from tensix_gdb.core.execution import Execution, Ranges
from tensix_gdb.core.ordering.pauses import begin_schedule
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.schedule import seed_state


def begin_execution(S: View, execution: Execution) -> None:
    """Begin it: what it draws from is fresh."""
    schedule, pause = S.schedule, S.pause
    schedule.kind = execution.schedule
    schedule.strict = int(execution.strict)
    schedule.pauses = int(execution.pauses)
    schedule.only, schedule.drawn, schedule.at = int(execution.delays is not None), 0, 0
    schedule.ranges = _put(schedule, execution.delays)
    pause.only, pause.drawn = int(execution.kept_pauses is not None), 0
    pause.ranges = _put(pause, execution.kept_pauses)
    schedule.random = state = seed_state(execution.seed)
    begin_schedule(S, state)


def _put(rows: View, ranges: Ranges | None) -> int:
    for i, (low, high) in enumerate(ranges or ()):
        rows.low[i], rows.high[i] = low, high
    return len(ranges or ())
