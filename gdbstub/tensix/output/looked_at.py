# SPDX-License-Identifier: Apache-2.0
"""The gaps of a run that went well, and how to look at them: one execution proves little.

`latency` runs one of the executions that the documents allow, always the same one. A race that this
execution decides well is not seen.
"""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.execution import Execution
from tensix_gdb.core.schedule import Schedule

# What looks for more, in the order in which to try it.
RACES = "`--races` says what nothing orders"
WAYS = (
    "`--seeds 20` tries others",
    "`--schedule random:1,strict` one without the orders that no page grants",
)


def not_looked_at(execution: Execution, *, observed: bool = False) -> Iterator[str]:
    """Yield a line about a run in `latency`; nothing about the others, which were chosen."""
    if execution.schedule is Schedule.LATENCY:
        ways = WAYS if observed else (RACES, *WAYS)
        yield f"one order of events was looked at, that of `latency`: {', '.join(ways)}"
