# SPDX-License-Identifier: Apache-2.0
"""A run that hangs: all harts of its kernels poll or wait, and so does the host. It is said once.

The host polls too, or sleeps, and knows nothing of it. So when it has done nothing but read for
FIRST_CYCLES, the tiles are looked at, and again as many cycles later. If both times every hart of a
kernel polls the same words with the same values, or waits, no request is under way and no Tensix
instruction has passed a gate in between, the log names each hart and what it polls. That a hart
polls is found in its code (core/polls/poll.py); that nothing ends the hang is not proved: the host
may.

Harts in tt-metal's firmware wait for work, and those of its dispatcher for commands of the host:
where only these poll, nothing hangs.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from tensix_gdb.gdbstub.host.simulator.chip import Chip

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.host.simulator.runs.hang import Look

log = logging.getLogger(__name__)

FIRST_CYCLES = 100_000  # of the host's wait, until the first look
LONGEST = 1 << 26  # cycles between two looks


class OnlyPolls:
    """Looks at the tiles of a chip while the host waits."""

    def __init__(self, *, says: bool = True) -> None:
        self._says = says  # in the log
        self._due, self._wait = FIRST_CYCLES, FIRST_CYCLES
        self._before: list[object] | None = None
        self._told: list[object] | None = None

    def host_acts(self, cycle: int) -> None:
        """Note that the host has done something else than to read."""
        self._wait = FIRST_CYCLES
        self._due, self._before = cycle + FIRST_CYCLES, None

    def look(self, chip: Chip, cycle: int, *, is_silent: bool = False) -> Look | None:
        """Say it if it is so, and return what was found then. With `is_silent` no more cycles will
        pass until the host acts."""
        if cycle < self._due and not is_silent:
            return None
        # Most hosts never wait for so long, and need none of it.
        from tensix_gdb.gdbstub.host.simulator.runs.hang import look_at, text_of

        new: Look | None = None
        found = look_at(chip)
        state = found.state if found is not None else None
        if found is not None and found.polls and (is_silent or state == self._before):
            if state != self._told:
                self._told, new = state, found
                if self._says:
                    cables = [line for one in chip.ethernet.values() for line in one.lines()]
                    text = "\n    ".join([text_of(chip.tiles, found), *cables])
                    log.warning("%s", text)
            self._wait = LONGEST
        elif state is None or state != self._before:
            self._wait = min(2 * self._wait, LONGEST) if self._before is None else FIRST_CYCLES
        self._before = state
        self._due = cycle + self._wait
        return new
