# SPDX-License-Identifier: Apache-2.0
"""Defects of ours: the request ends with a sentence, and the target is marked.

An exception that no code expects must not end a server with clients. The client that asked is told,
and so are those that wait. The target may be in the middle of something: it can be looked at, and
every run is refused until a reset.
"""

from __future__ import annotations

import logging

from tensix_gdb.gdbstub.protocol.target import Target, TargetError

log = logging.getLogger(__name__)


class Defects:
    """Those of one target since its last reset."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._resets = self._count_resets()
        self._found: list[str] = []

    def note(self, problem: Exception, where: str) -> str:
        """Note an exception, which is being handled; the sentence for clients. Want of memory is no
        defect, and is raised again."""
        if isinstance(problem, MemoryError):
            raise problem
        log.exception("a defect of ours %s", where)
        what = f"{type(problem).__name__}: {problem}".rstrip(": ").splitlines()[0]
        self._forget_before_reset()
        self._found.append(f"a defect of tensix-gdb {where}, please report it ({what})")
        return f"{self._found[-1]}; {self._remedy()}"

    def all(self) -> list[str]:
        """Return each one, a sentence."""
        self._forget_before_reset()
        return self._found

    def check(self) -> None:
        """Raise TargetError if there was one, and a reset can mend it."""
        if self.all() and self._target.restart is not None:
            raise TargetError(f"{self._found[0]}: {self._remedy()}")

    def _remedy(self) -> str:
        if self._target.restart is None:
            return "the tile's state may be wrong from here on"
        return "the tile can be looked at, `monitor reset` starts over"

    def _forget_before_reset(self) -> None:
        if self._resets != self._count_resets():
            self._resets = self._count_resets()
            self._found = []

    def _count_resets(self) -> int:
        return 0 if self._target.restart is None else self._target.restart.resets()
