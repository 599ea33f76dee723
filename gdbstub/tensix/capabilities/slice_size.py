# SPDX-License-Identifier: Apache-2.0
"""The number of cycles of a slice, so that slices take about equal time."""

from __future__ import annotations

MIN_CYCLES, MAX_CYCLES = 16, 1 << 24
FIRST_CYCLES = 64
POLL_SECONDS = 0.00001  # between two calls of `should_stop`, which take a twelfth of that


class SliceSize:
    """The cycles of the next slice."""

    def __init__(self) -> None:
        self.cycles = FIRST_CYCLES

    def poll_cycles(self, seconds: float) -> int:
        """Return the cycles that take POLL_SECONDS, if a slice takes `seconds`."""
        return max(int(self.cycles * POLL_SECONDS / seconds), MIN_CYCLES)

    def adapt(self, seconds: float, taken: float) -> None:
        """Make the next slice take about `seconds`, after one that has `taken` so many; at most
        eight times the last one, because a short slice is measured badly."""
        wanted = int(self.cycles * min(seconds / max(taken, 1e-7), 8))
        self.cycles = max(MIN_CYCLES, min(wanted, MAX_CYCLES))
