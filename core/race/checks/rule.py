# SPDX-License-Identifier: Apache-2.0
"""The observer's side that a machine needs without being observed: what a check looks for, and the
refusal to observe. The rest is imported when observing begins (observer.py, findings.py)."""

from __future__ import annotations

import enum

from tensix_gdb.core.dataclass import dataclass


class NotObservable(Exception):
    """Races cannot be observed, or are not; the message says why."""


@dataclass(frozen=True, slots=True)
class Rule:
    """The rule of a check, and the words of its reports."""

    number: enum.IntEnum
    title: str  # first line of a report
    rule: str  # what it looks for
    reason: str  # why that is wrong, in a report
    fix: str
    page: str

    @property
    def name(self) -> str:
        """`S1`."""
        return self.number.name
