# SPDX-License-Identifier: Apache-2.0
"""Lines on standard error about stops that no debugger is told of: what would look like a hang.

The program that drives the tiles polls them, for ever or until it gives up, and knows nothing of a
fault. So each fault is said once, with its core, pc, source line and sentence, then how to look and
how to continue after such faults. A tile may meet the same one again when it was in reset.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

from tensix_gdb.core.chip.places import name_of
from tensix_gdb.core.engine import EngineDefect
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stop import Stop, StopKind
from tensix_gdb.gdbstub.host.simulator.grid import Core

log = logging.getLogger(__name__)

WAITS = "the program may wait for ever, because {} stopped there; to look, `monitor why` first: {}"


_Key = tuple[Core, StopKind, int, int, int]


class StopLines:
    """Says each stop of `tiles` once. `attach` is the command that brings a debugger; without one
    how to attach is said elsewhere. `note` gets the sentence about each fault."""

    def __init__(
        self, tiles: Mapping[Core, Machine], attach: str | None, note: Callable[[str], object]
    ) -> None:
        self._tiles, self._attach, self._note = tiles, attach, note
        self._told: set[_Key] = set()
        self._hints: set[str] = set()  # said since all tiles ran
        self._defects: set[str] = set()

    def say(self, core: Core, stop: Stop) -> bool:
        """Say why a tile has stopped if that is new; True if it was."""
        if _key(core, stop) in self._told:
            return False
        if stop.kind is StopKind.FAULT:
            self._say_faults({core: stop})
            return True
        from tensix_gdb.gdbstub.tensix.blocked.why import describe_stop

        self._told.add(_key(core, stop))
        name = f"{name_of(core)}: " if len(self._tiles) > 1 else ""
        log.warning("%s%s", name, describe_stop(self._tiles[core], stop).text)
        return True

    def _say_faults(self, known: Mapping[Core, Stop]) -> None:
        """Say at which faults tiles have stopped: several may have met one in the same cycles, and
        none of them continues before all do."""
        from tensix_gdb.gdbstub.tensix.blocked.at_fault import by_text, count_instead, fault_of

        others = ((core, fault_of(tile)) for core, tile in self._tiles.items() if core not in known)
        found = [*known.items(), *((core, stop) for core, stop in others if stop is not None)]
        new = [each for each in found if _key(*each) not in self._told]
        self._told.update(_key(*each) for each in new)
        for text in by_text((name_of(core), stop) for core, stop in new):
            log.warning("%s", text)
            self._note(text)
        if self._attach is not None:
            what = "the tile has" if len(self._tiles) == 1 else "all tiles have"
            self._hint(WAITS.format(what, self._attach))
        for code in dict.fromkeys(stop.code for _, stop in new):
            self._hint(count_instead(code))

    def _hint(self, text: str) -> None:
        if text not in self._hints:
            self._hints.add(text)
            log.warning("%s", text)

    def say_defect(self, defect: EngineDefect) -> None:
        """Say that the emulator itself has failed."""
        text = f"a defect of the emulator, please report it: {defect}"
        if text not in self._defects:
            self._defects.add(text)
            log.error("%s", text)
            self._note(text)

    def forget(self, core: Core) -> None:
        """Forget the faults of a tile that is in reset: what it meets from now on is new."""
        faults = {key for key in self._told if key[1] is StopKind.FAULT}
        gone = {key for key in faults if key[0] == core}
        self._told -= gone
        if faults == gone:
            self._hints.clear()


def _key(core: Core, stop: Stop) -> _Key:
    return core, stop.kind, stop.hart, stop.pc, stop.code
