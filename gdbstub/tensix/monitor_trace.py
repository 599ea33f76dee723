# SPDX-License-Identifier: Apache-2.0
"""`monitor trace`: the last changes of harts, gates, units and queues, kept while the tile runs."""

from __future__ import annotations

from collections import deque
from itertools import islice

from core.machine import Machine
from core.tracing import Change
from gdbstub.target import TargetError
from gdbstub.tensix.monitor_command import no_more, number_of
from gdbstub.tensix.timeline import Words, line

KEPT = 1 << 16  # changes
SHOWN = 20
FORMS = "type `monitor trace on`, `off`, or `last 50` for the last 50 changes"


class MonitorTrace:
    """The command, and what it keeps."""

    def __init__(self) -> None:
        self._kept: deque[Change] = deque(maxlen=KEPT)
        self._on = False

    def __call__(self, machine: Machine, thread: int, words: list[str]) -> str:
        """on, off, last N."""
        word = words.pop(0) if words else ""
        if word in ("on", "off"):
            no_more(words, "trace")
            if word == "on" and not self._on:
                self._kept.clear()
            self._on = word == "on"
            machine.trace(self._kept.extend if self._on else None)
        elif word == "last":
            count = number_of(words.pop(0), "number of changes", KEPT) if words else SHOWN
            no_more(words, "trace")
            return self._last(machine, count) or "Nothing has changed since `monitor trace on`.\n"
        elif word:
            raise TargetError(FORMS)
        state = "on" if self._on else "off"
        return f"Tracing is {state}; {len(self._kept)} changes are kept, {KEPT} at most.\n"

    def _last(self, machine: Machine, count: int) -> str:
        words = Words(machine)
        first = max(len(self._kept) - count, 0)
        lines = [line(words, change) for change in islice(self._kept, max(first - 2000, 0), None)]
        return "".join(f"{text}\n" for text in lines[-count:]) if count else ""
