# SPDX-License-Identifier: Apache-2.0
"""What all viewers of a page share."""

from __future__ import annotations

from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.server.server import Server
from tensix_gdb.gdbstub.sharing.tile import SharedTile
from tensix_gdb.gdbstub.tensix.capabilities.reverse import TileHistory
from tensix_gdb.gdbstub.web.details import Details
from tensix_gdb.gdbstub.web.frames import Frames
from tensix_gdb.gdbstub.web.sources import Sources
from tensix_gdb.gdbstub.web.timeline import Timelines
from tensix_gdb.gdbstub.web.viewers import Viewers


class Page:
    """The tile, its server, and what is taken of it for all viewers."""

    def __init__(self, server: Server, tile: SharedTile, machine: Machine) -> None:
        self.server = server
        self.tile = tile
        self.machine = machine
        self.sources = Sources(machine)
        monitor = tile.target.monitor
        assert monitor is not None
        self.details = Details(machine, monitor, self.sources)
        assert isinstance(tile.target.reverse, TileHistory)
        self.timelines = Timelines(machine, tile.target.reverse)
        self.viewers = Viewers(Frames(tile, machine).take, lambda: tile.running)
