# SPDX-License-Identifier: Apache-2.0
"""The cells of L1 that have changed last, by comparing each picture with the one before.

Nothing is counted while the tile runs, so this costs nothing while there is no viewer. What is
written between two pictures with the value that was there is no change.
"""

from __future__ import annotations

from tensix_gdb.gdbstub.tensix.glance.memory_map import CELL

MOST = 256  # cells that are remembered


class Touched:
    """`cycles` has the cycle of the picture in which a cell's change was seen, the last ones."""

    def __init__(self) -> None:
        self._before = b""
        self.cycles: dict[int, int] = {}

    def compare_memory(self, memory: bytes, cycle: int) -> None:
        """Compare with the picture before."""
        before, self._before = self._before, memory
        if any(seen > cycle for seen in self.cycles.values()):  # it has gone back
            self.cycles = {cell: seen for cell, seen in self.cycles.items() if seen <= cycle}
        if not before or before == memory:
            return
        for cell in range(len(memory) // CELL):
            at = cell * CELL
            if memory[at : at + CELL] != before[at : at + CELL]:
                self.cycles.pop(cell, None)  # the newest are last
                self.cycles[cell] = cycle
        for cell in list(self.cycles)[:-MOST]:
            del self.cycles[cell]
