# SPDX-License-Identifier: Apache-2.0
"""Starting over."""

from __future__ import annotations

from core.machine import Machine


class TileLifetime:
    """The `Lifetime` capability."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._resets = 0

    def reset(self) -> None:
        self._machine.reset()
        self._resets += 1

    def resets(self) -> int:
        return self._resets
