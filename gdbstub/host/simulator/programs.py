# SPDX-License-Identifier: Apache-2.0
"""The files of the programs that a host loads: `simulator --elf HART=FILE`.

The host writes bytes and does not name files. If the user names them, debuggers get their symbols,
messages their source lines, and counts their functions. A name may be a pattern, because test
suites build many variants. When a hart leaves reset, the newest file with its code in L1 then is
chosen: hosts build programs after they have started the simulator, and load others later.
"""

from __future__ import annotations

import glob
import logging
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS, L1_BYTES, SOFT_RESET_BIT
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import Image, LoadError, read_elf

log = logging.getLogger(__name__)

MAX_TRIED = 256  # files of a pattern
OTHER = (
    "%s is another program than before: what was counted of that one is shown with the lines of "
    "this one"
)


class Programs:
    """The named files of one tile."""

    def __init__(self, machine: Machine, named: Sequence[tuple[int, str]]) -> None:
        self._machine, self._named = machine, named
        self._known: dict[int, bytes] = {}  # by hart

    def on_reset_change(self, before: int, now: int) -> None:
        """Find the files of the harts that have left reset; call when SOFT_RESET_0 has changed."""
        left = [hart for hart in range(HARTS) if (before & ~now) >> SOFT_RESET_BIT[hart] & 1]
        for hart, path in self._named:
            if hart in left:
                self._read(hart, path)

    def _read(self, hart: int, name: str) -> None:
        image = next(self._loaded(hart, name), None)
        if image is None or image.content == self._known.get(hart):
            return
        if hart in self._known and self._machine.runner.counts is not None:
            log.warning(OTHER, image.path)
        try:
            self._machine.loader.replace_hosted(image, hart)
        except LoadError as problem:
            log.warning("%s", problem)
        else:
            self._known[hart] = image.content

    def _loaded(self, hart: int, name: str) -> Iterator[Image]:
        """Yield the file of that name that is in the tile; log a warning if none is."""
        why = f"{name}: there is no such file"
        for path in _files(name):
            try:
                image = read_elf(path)
            except LoadError as problem:
                why = str(problem)
                continue
            if self._is_there(hart, image):
                yield image
                return
            why = f"{path}: not what the host has loaded for {HART_NAMES[hart]}"
        log.warning("%s", why)

    def _is_there(self, hart: int, image: Image) -> bool:
        """True if its code is in memory. Data is not compared: the program may have changed it."""
        code = [segment for segment in image.code if segment.end <= L1_BYTES]
        return bool(code) and all(
            self._machine.peek(hart, segment.addr, len(segment.data)) == segment.data
            for segment in code
        )


def _files(name: str) -> list[Path]:
    """List the files of a name or pattern, the newest first."""
    dated: list[tuple[float, Path]] = []
    for path in glob.iglob(name, recursive=True) if glob.has_magic(name) else [name]:
        if os.path.isfile(path):
            dated.append((os.stat(path).st_mtime, Path(path)))
    return [path for _, path in sorted(dated, reverse=True)[:MAX_TRIED]]
