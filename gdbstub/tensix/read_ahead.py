# SPDX-License-Identifier: Apache-2.0
"""Read the debug information of kernels while a client looks, before it asks.

A file made with LTO takes 40 to 100 ms, and a chip may run dozens at once. The programs of users
that debug nothing need none of it. A client that has just stopped the tiles types its first command
some time later, and GDB itself reads the same files meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from weakref import WeakSet

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.file_tables import FileTables

PAUSE = 0.005  # seconds between two files, for what clients have sent meanwhile


class ReadAhead:
    """Reads the files of what `machines` run, each once."""

    def __init__(self, machines: Iterable[Machine]) -> None:
        self._machines = list(machines)
        self._read: WeakSet[FileTables] = WeakSet()

    def steps(self) -> Iterator[None]:
        """Read all files that are not read yet, those of kernels first, and yield after each."""
        for group in ("kernels", "firmware"):
            for machine in self._machines:
                for image in machine.loader.hosted(group):
                    # What a file has is read once for all places where it is in memory.
                    if image.tables not in self._read:
                        self._read.add(image.tables)
                        machine.places.learn(image)
                        yield
