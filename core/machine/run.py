# SPDX-License-Identifier: Apache-2.0
"""The limits of a run (`RunLimits`), and the reasons for its end (`RunEnd`).

All options of a run are in its limits, so that none of them is an attribute of the machine that is
changed for the length of a call: a run that is given up in the middle has changed none.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import NamedTuple

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.stop import Stop


class End(enum.Enum):
    """The reason why a run ended."""

    CYCLES = "its cycles are over"
    STOP = "the tile has stopped"
    SHOULD_STOP = "`should_stop` was true"
    CONSOLE_FULL = "what the programs have printed has to be taken before they continue"
    FAULTS_IGNORED = "so many faults were ignored that a client should hear of it"
    YIELD = "`on_stop` has resumed the tile, and others are to get their turn"


class OnStop(enum.Enum):
    """The decision of `RunLimits.on_stop` about a stop."""

    END = "the run ends with this stop"
    RESUME = "the run continues as if there had been none"
    YIELD = "the same, but the run ends here: the next one continues"


class RunEnd(NamedTuple):
    """The end of a run; `stop` has the stop where that is the reason."""

    end: End
    stop: Stop | None = None


@dataclass(slots=True)
class RunLimits:
    """The limits of a run.

    `should_stop` is asked after each `poll_cycles` cycles, `is_console_full` before the tile goes
    on for whatever reason. `on_stop` decides about each stop; without it every stop ends the run.
    With `armed` False nothing that is armed is looked for, unless threads are held at their gates
    or a hart steps over something; with `traced` False the tracer gets nothing: both are for going
    again through what has been. With `in_words` False the stop has no text, which takes long where
    nothing has been read of the program's lines yet; with `obvious` False those have none that
    debuggers describe themselves: a breakpoint, a watchpoint and a step of a hart.
    """

    cycles: int
    should_stop: Callable[[], object] | None = None
    poll_cycles: int = 4096
    is_console_full: Callable[[], bool] | None = None
    on_stop: Callable[[Stop], OnStop] | None = None
    armed: bool = True
    traced: bool = True
    in_words: bool = True
    obvious: bool = True


AT_CYCLES, AT_STOP = RunEnd(End.CYCLES), RunEnd(End.STOP)
AT_SHOULD_STOP, AT_YIELD = RunEnd(End.SHOULD_STOP), RunEnd(End.YIELD)
AT_CONSOLE_FULL, AT_FAULTS_IGNORED = RunEnd(End.CONSOLE_FULL), RunEnd(End.FAULTS_IGNORED)
