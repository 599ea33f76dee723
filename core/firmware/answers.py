# SPDX-License-Identifier: Apache-2.0
"""Answers about a firmware: read from its debug information (facts.py), or kept from before."""

from __future__ import annotations

from typing import Protocol

from tensix_gdb.core.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class FieldLocation:
    """The place and size of a part of a structure."""

    offset: int
    size: int


class Answers(Protocol):
    """Answers about the firmware of one file; LoadError when it does not say."""

    def constant(self, name: str) -> int:
        """Return the value of a variable that the compiler knows."""

    def pointed(self, pointer: str, path: str) -> FieldLocation:
        """Return where `path` is in what a pointer points to."""
