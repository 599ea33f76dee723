# SPDX-License-Identifier: Apache-2.0
"""`monitor` commands of a chip: its own, and those of the tile of the selected thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.blocked.at_fault import fault_lines
from tensix_gdb.gdbstub.tensix.chip.grid import monitor_chip
from tensix_gdb.gdbstub.tensix.chip.history import RecordedChip
from tensix_gdb.gdbstub.tensix.chip.noc import monitor_noc
from tensix_gdb.gdbstub.tensix.chip.tiles import OneTile, Tiles
from tensix_gdb.gdbstub.tensix.chip.why import why_all
from tensix_gdb.gdbstub.tensix.monitor.monitor import ORIGIN
from tensix_gdb.gdbstub.tensix.monitor.record import record_commands
from tensix_gdb.gdbstub.tensix.monitor_row import Command

RUNS = (
    "`monitor {}` is not possible while the chip runs for another client, or threads of this one "
    "run"
)
# Commands that start a tile over, or are of a program that has a console.
ALONE = ("reset", "reload", "schedule", "core", "input")


class ChipMonitor:
    """The `Monitor` capability."""

    def __init__(self, tiles: Tiles, history: RecordedChip) -> None:
        self._tiles, self._history = tiles, history
        self._moves = 0  # in time, by commands
        rows = (
            Command("chip", "", "what each tile does, as a grid", self._of(monitor_chip)),
            Command("noc", "[X-Y|all]", "requests under way, and counters", self._of(monitor_noc)),
            Command(
                "origin",
                f"[X-Y] {ORIGIN}",
                "who wrote a value, in which tile, and what it was made of",
                self._origin,
                True,
            ),
            *record_commands(lambda: tiles.chip.cycle, history, "chip"),
        )
        self._rows = {row.name: row for row in rows}

    def _of(self, run: Callable[[Tiles, int, list[str]], str]) -> Callable[[int, list[str]], str]:
        return lambda thread, words: run(self._tiles, thread, words)

    def _origin(self, thread: int, words: list[str]) -> str:
        """Return the origin of a value. The code is loaded when it is first used."""
        from tensix_gdb.gdbstub.tensix.chip.origins import origin

        return origin(self._tiles, lambda: self._history.history, thread, words)

    def command(self, thread: int, line: str, *, running: bool) -> str:
        words = line.split()
        tile, local = self._tiles.of(thread)
        if words:
            name = words[0] if words[0] in self._rows else tile.monitor.full_name(words[0])
            if name in self._rows:
                return self._own(self._rows[name], thread, words[1:], running=running)
            if name == "why" and words[1:] == ["all"]:
                self._tiles.look_at_all()
                return why_all(self._tiles)
            if (name, words[1:2]) == ("races", ["witness"]):
                return self._witness(tile, words[2:], running=running)
            if name in ALONE:
                raise TargetError(f"`monitor {name}` is for a tile alone, and here are several")
        said = tile.monitor.command(local, line, running=running)
        if words and name == "why":
            return self._faults_of_others(tile) + said
        if not words or words == ["help"]:
            own = (f"monitor {row.name} {row.arguments}".rstrip() for row in self._rows.values())
            helps = (row.help for row in self._rows.values())
            more = [f"{use:24}  {text}\n" for use, text in zip(own, helps, strict=True)]
            return "".join([f"Of the chip:\n{''.join(more)}Of tile {tile.name}:\n", said])
        return said

    def _faults_of_others(self, own: OneTile) -> str:
        """Return the faults of other tiles, for which this one has stopped, too."""
        self._tiles.look_at_all()
        others = ((tile.name, tile.machine) for tile in self._tiles.all if tile is not own)
        return "".join(f"{line}\n" for line in fault_lines(others))

    def _witness(self, tile: OneTile, words: list[str], *, running: bool) -> str:
        from tensix_gdb.gdbstub.tensix.chip.witness import ChipWitness
        from tensix_gdb.gdbstub.tensix.races.monitor import wanted

        if running:
            raise TargetError(RUNS.format("races witness"))
        self._tiles.look_at_all()
        self._moves += 1
        return ChipWitness(self._tiles, tile, self._history).show(wanted(tile.machine, words))

    def _own(self, row: Command, thread: int, words: list[str], *, running: bool) -> str:
        if running and row.changes:
            raise TargetError(RUNS.format(row.name))
        self._tiles.look_at_all()
        said = row.run(thread, words)
        self._moves += row.name == "goto"
        return said

    def names(self) -> Sequence[str]:
        not_here = (*ALONE, *self._rows)
        own = [name for name in self._tiles.all[0].monitor.names() if name not in not_here]
        return (*self._rows, *own)

    def changes(self) -> tuple[int, int]:
        changed = [tile.monitor.changes()[0] for tile in self._tiles.all if tile.has_execution]
        return sum(changed) + self._moves, 0
