# SPDX-License-Identifier: Apache-2.0
"""The finds of a simulator, for the command that has started its host: `diagnose -- PROGRAM`.

The simulator is a process of the host's, which says nothing of it to that command. So the command
names a file in a folder of its own, and each find is a pickle in it: reports as they are, with
their lines, and what waits. What is found is then told by that command, and not on standard error.
"""

from __future__ import annotations

import contextlib
import pickle
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tensix_gdb.core.arch.blackhole import HART_NAMES, THREAD_NAMES
from tensix_gdb.core.dataclass import dataclass

# A tile that is not observed does without reports.
if TYPE_CHECKING:
    from tensix_gdb.gdbstub.order.report.located import Located
    from tensix_gdb.gdbstub.tensix.blocked.polls import Polling
    from tensix_gdb.gdbstub.tensix.blocked.why import Waiter

SHARE = 0.03  # of the time of a program that is not diagnosed


@dataclass(frozen=True)
class RunFound:
    """The new reports of a run; `is_over` is False of what was found up to a hang."""

    tile: str  # "" of a tile alone
    number: int
    kernels: Sequence[str]
    reports: Sequence[Located]
    is_over: bool = True


@dataclass(frozen=True)
class WaitFound:
    """All that kernels of a tile do is to wait or to poll."""

    tile: str
    waiters: Sequence[Waiter]
    polled: Sequence[Polling]
    ended: Sequence[int]  # harts that have ended their kernels


@dataclass(frozen=True)
class FaultFound:
    """The sentence of a fault, with its place."""

    text: str


Find = RunFound | WaitFound | FaultFound


class Finds:
    """Writes to a file; without one it does nothing, and is not `wanted`."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path

    @property
    def wanted(self) -> bool:
        """True if there is a file."""
        return self._path is not None

    @property
    def share(self) -> float:
        """The share of all time that may be spent for the run that fails, to be kept."""
        return 1.0 if self.wanted else SHARE

    @property
    def folder(self) -> Path | None:
        """The folder of the file, which is the command's own."""
        return self._path.parent if self._path is not None else None

    def note(self, *finds: Find) -> None:
        """Write what was found. Where that cannot be written, on a full disk, the host continues:
        the command says that it knows nothing of the tiles."""
        if self._path is not None:
            with contextlib.suppress(OSError), self._path.open("ab") as out:
                out.write(b"".join(map(pickle.dumps, finds)))


def finds_of(path: Path) -> Iterator[Find]:
    """Read what a simulator has written so far; one that was killed may have cut off the last."""
    with contextlib.suppress(OSError, EOFError, pickle.UnpicklingError), path.open("rb") as file:
        while True:
            found = pickle.load(file)  # of our own process, in our own folder
            yield found


def has_ended_badly(path: Path) -> bool:
    """True if tiles have met a fault, or wait."""
    return any(not isinstance(one, RunFound) for one in finds_of(path))


def reasons_of(path: Path) -> list[str]:
    """Return why a program cannot continue, a line for each fault, and for each that waits."""
    lines: list[str] = []
    for one in finds_of(path):
        if isinstance(one, FaultFound):
            lines.append(one.text)
        elif isinstance(one, WaitFound):
            where = f"tile {one.tile}, " * bool(one.tile)
            names = (*HART_NAMES, *THREAD_NAMES)
            waiters = [each for each in one.waiters if each.does]
            lines += [f"{where}{names[each.number]} {each.does}" for each in waiters]
    return lines
