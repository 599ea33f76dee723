# SPDX-License-Identifier: Apache-2.0
"""`monitor races witness N` of a chip: all tiles go to the other order of a report of one."""

from __future__ import annotations

from tensix_gdb.core.chip.replayable import ReplayableChip
from tensix_gdb.gdbstub.order.report.holding import ToCycle
from tensix_gdb.gdbstub.order.report.located import Located
from tensix_gdb.gdbstub.order.report.witness import Witness, witness
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.chip.history import RecordedChip
from tensix_gdb.gdbstub.tensix.chip.tiles import OneTile, Tiles
from tensix_gdb.gdbstub.tensix.races.witness import GdbWitness

NEEDS_HISTORY = (
    "a witness of a chip needs its history from before the report: type `monitor record on` before "
    "the run, or start with --record"
)


class ChipWitness(GdbWitness):
    """Shows witnesses of the reports of one tile to the clients of a chip."""

    what = "chip"

    def __init__(self, tiles: Tiles, tile: OneTile, kept: RecordedChip) -> None:
        super().__init__(tile.machine, kept)
        self._chip = tiles.chip

    def _found(self, one: Located, back: ToCycle) -> Witness:
        self._chip.observe_no_more()
        return witness(self._machine, one, back, self._begin_history, ReplayableChip(self._chip))

    def _without_history(self) -> ToCycle:
        raise TargetError(NEEDS_HISTORY)
