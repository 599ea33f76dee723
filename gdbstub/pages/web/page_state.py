# SPDX-License-Identifier: Apache-2.0
"""The state that all viewers of a page share: of a tile alone, or of a tile of a chip."""

from __future__ import annotations

from collections.abc import Callable

from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.pages.web.details import Details
from tensix_gdb.gdbstub.pages.web.frames import Frame, Frames
from tensix_gdb.gdbstub.pages.web.past.timeline import OfTheChip, Timelines
from tensix_gdb.gdbstub.pages.web.sources import Sources
from tensix_gdb.gdbstub.pages.web.viewers import Viewers
from tensix_gdb.gdbstub.protocol.capabilities import Monitor
from tensix_gdb.gdbstub.protocol.server.server import Server
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.tensix.capabilities.reverse import TileHistory


class Page:
    """The tile, its server, and what is taken of it for all viewers.

    A tile of a chip has a `name` there, and `base` is the number of its first thread less one;
    `look` brings it up to date, and `sources_of` has the sources of another tile.
    """

    def __init__(
        self,
        server: Server,
        tile: SharedTile,
        machine: Machine,
        monitor: Monitor,
        timelines: Timelines | OfTheChip,
        *,
        name: str = "",
        base: int = 0,
        look: Callable[[], None] = lambda: None,
        sources_of: Callable[[str], Sources] | None = None,
    ) -> None:
        self.server, self.tile, self.machine = server, tile, machine
        self.name, self.base, self.look = name, base, look
        self.sources = Sources(machine) if sources_of is None else sources_of(name)
        self.sources_of = sources_of or (lambda tile: self.sources)
        self.details = Details(machine, monitor, self.sources)
        self.timelines = timelines
        self.viewers = Viewers(self.take_frame, lambda: tile.running)
        self._frames = Frames(tile, machine, base)

    @classmethod
    def of_tile(cls, server: Server, tile: SharedTile, machine: Machine) -> Page:
        """Return the page of a tile alone."""
        target = tile.target
        assert target.monitor is not None
        assert isinstance(target.reverse, TileHistory)
        return cls(server, tile, machine, target.monitor, Timelines(machine, target.reverse))

    @property
    def l1_bytes(self) -> bytes:
        """L1 as it was in the last frame."""
        return self._frames.l1_bytes

    def take_frame(self) -> Frame:
        """Take a frame of it as it is now."""
        self.look()
        frame = self._frames.take_frame()
        return frame | {"ending_paths": self.details.links.of(frame["ending"])}
