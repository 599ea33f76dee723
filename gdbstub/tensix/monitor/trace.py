# SPDX-License-Identifier: Apache-2.0
"""`monitor trace`: the last changes of harts, gates, units and queues, kept while the tile runs."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Sequence

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.timeline.tracer import Change
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.monitor_row import no_more, number_of
from tensix_gdb.gdbstub.tensix.output.timeline import Words, line

KEPT = 1 << 14  # changes: as many as can be put into words in 50 ms
SHOWN = 20
FORMS = (
    "type `monitor trace on`, `off`, `last 50` for the last 50 changes, or `last 50 passes|held` "
    "for the last 50 lines with one of these words"
)
LONGEST = 100  # characters of a pattern: as long as all lines are looked through, others wait
_REGULAR = re.compile(r"\.[*+?]|\\|^\^|\$$")


class MonitorTrace:
    """The command, and what it keeps."""

    def __init__(self) -> None:
        self._kept: deque[Change] = deque(maxlen=KEPT)
        self._on = False

    def __call__(self, machine: Machine, thread: int, words: list[str]) -> str:
        """on, off, last N PATTERN."""
        word = words.pop(0) if words else ""
        if word in ("on", "off"):
            no_more(words, "trace")
            if word == "on" and not self._on:
                self._kept.clear()
            self._on = word == "on"
            machine.trace(self._kept.extend if self._on else None)
        elif word == "last":
            count = number_of(words.pop(0), "number of changes", KEPT) if words else SHOWN
            shown = self._last(machine, count, " ".join(words))
            return shown or "Nothing has changed since `monitor trace on`.\n"
        elif word:
            raise TargetError(FORMS)
        state = "on" if self._on else "off"
        return f"Tracing is {state}; {len(self._kept)} changes are kept, {KEPT} at most.\n"

    def _last(self, machine: Machine, count: int, text: str) -> str:
        """Return the last lines that have the pattern."""
        fits, words = fitting(text), Words(machine)
        lines: deque[str] = deque(maxlen=count)
        for change in self._kept:
            shown = line(words, change)
            if fits(shown):
                lines.append(shown)
        return "".join(f"{shown}\n" for shown in lines)


def fitting(text: str) -> Callable[[str], bool]:
    """Return a predicate on lines: true if a line has one of the alternatives, which `|` separates;
    `*` stands for any text. A regular expression may backtrack for ever; this never goes back."""
    if _REGULAR.search(text):
        raise TargetError(
            f"{text!r} is no pattern: type parts of a line, with `*` for any text between them and "
            "`|` between alternatives"
        )
    if len(text) > LONGEST:
        raise TargetError(f"a pattern has no more than {LONGEST} characters")
    alternatives = [alternative.split("*") for alternative in text.split("|")]
    return lambda line: any(_follow(parts, line) for parts in alternatives)


def _follow(parts: Sequence[str], line: str) -> bool:
    """True if the line has all of these parts, one after the other."""
    at = 0
    for part in parts:
        at = line.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return True
