# SPDX-License-Identifier: Apache-2.0
"""Starting over."""

from __future__ import annotations

from collections.abc import Sequence

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import LoadError
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.capabilities.files import path_of


class TileRestart:
    """The `Restart` capability."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._resets = 0

    def reset(self) -> None:
        self._machine.reset()
        self._resets += 1

    def resets(self) -> int:
        return self._resets

    def outdated(self) -> str:
        names = ", ".join(path_of(image) for image in self._machine.loader.outdated())
        if not names:
            return ""
        return (
            f"Built again since it was loaded: {names}. The tile has what was loaded; "
            "`monitor reload` takes what is there now.\n"
        )

    def reload(self) -> Sequence[str]:
        """Take the files as they are now, and reset; which have changed. TargetError when the
        programs have to stay the same, or are none."""
        machine = self._machine
        if machine.runner.recorder is not None or machine.runner.counts is not None:
            raise TargetError(
                "what is recorded or counted keeps its programs: start tensix-gdb again"
            )
        if not machine.loader.own_images():
            raise TargetError(
                "a host or a core file has brought the programs: start tensix-gdb again for others"
            )
        try:
            changed = [
                path_of(machine.loader.replace(image)) for image in machine.loader.outdated()
            ]
        except LoadError as problem:
            raise TargetError(str(problem)) from None
        self.reset()
        return changed
