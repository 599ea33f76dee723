# SPDX-License-Identifier: Apache-2.0
"""The tile of the pytest fixture, which also makes more tiles when it is called.

    tile(dir="build")                        one more, in the schedule of the test
    tile(dir="build", schedule="random:7")   in another one
    for each in tile(dir="build", seeds=20): one after the other, in random:0 to random:19

Paths are relative to the test's file. All tiles are closed after the test; a failure is told of the
last one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tensix_gdb.core.engine import Engine
from tensix_gdb.gdbstub.testing.cases import check_arguments, executions, loaded
from tensix_gdb.gdbstub.testing.tile import Tile
from tensix_gdb.gdbstub.usage import HARTS

__tracebackhide__ = True  # pytest shows the test's own line

Made = Callable[[Tile], None]


class FixtureTile(Tile):
    """A tile that knows where the test's file is; `made` is called with each tile that it makes."""

    def __init__(
        self,
        folder: Path,
        engine: str | Engine,
        schedule: str,
        made: Made,
        arguments: Mapping[str, Any],
    ) -> None:
        self._folder, self._engine, self._schedule, self._made = folder, engine, schedule, made
        self._more: list[Tile] = []
        self._arguments = dict(arguments)
        self._fast: Engine | None = None  # compiled code that other tiles share
        made_of = _with_paths(folder, loaded(arguments))
        programs = {name: made_of.pop(name) for name in HARTS if name in made_of}
        folder_of_programs = made_of.pop("dir", None)
        super().__init__(engine=engine, schedule=schedule, **made_of)
        made(self)
        # After `made`: a file that cannot be loaded leaves a tile that is closed.
        self._load(folder_of_programs, programs)

    def _load(self, folder: Path | None, programs: Mapping[str, Path]) -> None:
        for hart, path in programs.items():
            self.load(hart, path)
        if folder is not None:
            self.load_folder(folder)

    def in_seed(self, seed: int) -> FixtureTile:
        """Return one like this in `random` with a seed; it shares the compiled code. The caller
        closes it."""
        options = self._schedule.partition(",")[2] if self._schedule.startswith("random") else ""
        schedule = f"random:{seed},{options}".rstrip(",")
        engine = self._engine
        if engine != "reference":
            engine = self._fast or "compiled"
        tile = FixtureTile(self._folder, engine, schedule, self._made, self._arguments)
        if engine == "compiled":
            self._fast = tile.machine.engine
        return tile

    def __call__(self, **arguments: Any) -> Any:
        """Make one more tile; with `seeds`, or several schedules, an iterator of tiles."""
        check_arguments("tile()", arguments)
        schedule, seeds = arguments.get("schedule"), arguments.get("seeds")
        if seeds is None and (schedule is None or isinstance(schedule, str)):
            given = executions("tile()", schedule or self._schedule, None)
            return self._another(given[0], arguments)
        return self._each(executions("tile()", schedule, seeds), arguments)

    def _another(self, schedule: str, arguments: Mapping[str, Any]) -> Tile:
        tile = FixtureTile(self._folder, self._engine, schedule, self._made, arguments)
        self._more.append(tile)
        return tile

    def _each(self, schedules: list[str], arguments: Mapping[str, Any]) -> Iterator[Tile]:
        for schedule in schedules:
            tile = self._another(schedule, arguments)
            yield tile
            # After a failure the test does not come back here: the tile is there to be looked at.
            self._more.remove(tile)
            tile.close()

    def close(self) -> None:
        """Close the tiles that it has made too."""
        for tile in self._more:
            tile.close()
        self._more.clear()
        super().close()


def _with_paths(folder: Path, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a Tile, with paths from the test's folder on."""
    return {
        name: value
        if name == "arch"
        else [folder / path for path in value]
        if name == "sources"
        else folder / value
        for name, value in arguments.items()
        if value is not None
    }
