# SPDX-License-Identifier: Apache-2.0
"""Breakpoint tests in Python.

    def test_the_filter(tile):                 # the fixture of the pytest plugin
        tile.load("t0", "t0.elf")
        tile.break_at("t0.c:27")
        stop = tile.run()
        assert stop.hart["window[tap]"] == 7

`Tile` is synchronous; `open_tile` gives the same with `await`, for programs that do other things
meanwhile; `gdbstub.testing.mi` drives a real GDB. This folder knows both the machine and the
debugger, as only `gdbstub.tensix` does otherwise.
"""

from tensix_gdb.gdbstub.testing.arrays import L1, Dst, TileDiffers
from tensix_gdb.gdbstub.testing.asynchronous import AsyncTile, open_tile
from tensix_gdb.gdbstub.testing.breakpoint import Breakpoint
from tensix_gdb.gdbstub.testing.hart import Hart
from tensix_gdb.gdbstub.testing.stop import NotStopped, Stop
from tensix_gdb.gdbstub.testing.tensix import Gate, TensixThread
from tensix_gdb.gdbstub.testing.tile import Tile

__all__ = [
    "L1",
    "AsyncTile",
    "Breakpoint",
    "Dst",
    "Gate",
    "Hart",
    "NotStopped",
    "Stop",
    "TensixThread",
    "Tile",
    "TileDiffers",
    "open_tile",
]
