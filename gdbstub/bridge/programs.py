# SPDX-License-Identifier: Apache-2.0
"""What the host loads, by the files that the user has named: `bridge --elf HART=FILE`.

The host writes bytes and says nothing of files. Where they are named, debuggers get their symbols,
sentences their lines, and counts their functions. A file is read when its hart leaves reset: hosts
build programs after they have started the simulator, and build others later.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

from core.arch.blackhole import HARTS, SOFT_RESET_BIT
from core.loader import LoadError, read_elf
from core.machine import Machine

log = logging.getLogger(__name__)

OTHER = (
    "%s is another program than before: what was counted of that one is shown with the lines of "
    "this one"
)


class Programs:
    """The named files of one tile."""

    def __init__(self, machine: Machine, named: Sequence[tuple[int, str]]) -> None:
        self._machine, self._named = machine, named
        self._known: dict[int, bytes] = {}  # by hart

    def noticed(self, before: int, now: int) -> None:
        """SOFT_RESET_0 has changed."""
        left = [hart for hart in range(HARTS) if (before & ~now) >> SOFT_RESET_BIT[hart] & 1]
        for hart, path in self._named:
            if hart in left:
                self._read(hart, path)

    def _read(self, hart: int, path: str) -> None:
        try:
            content = Path(path).read_bytes()
            known = self._known.get(hart)
            if content == known:
                return
            if known is not None and self._machine.counts is not None:
                log.warning(OTHER, path)
            self._machine.know(read_elf(path), hart)
            self._known[hart] = content
        except OSError as problem:
            log.warning("%s: cannot be read: %s", path, problem.strerror)
        except LoadError as problem:
            log.warning("%s", problem)
