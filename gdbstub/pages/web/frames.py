# SPDX-License-Identifier: Apache-2.0
"""A frame: what the page shows at a moment, and what is new in it against an earlier one.

    {"cycle": 3000, "execution": ..., "running": "", "ending": ...,
     "cells": {"hart-1": {"lines": [...], "tone": "moves", "tip": ...}, ...},
     "flows": [["gate-0", "unit-packer", 0, "M544,426 ...", "PACR", "PACR ...", 850, 100], ...],
     "held": [["gate-2", "semaphore-1", "semaphore 1 is 0 until it is posted", "M544,426 ..."]],
     "dst": {"format": "bf16", "rows": "????..."}, "banks": ["00aa...", ...], "lregs": "0000...",
     "l1": "0.dd...",
     "local": ["..s", ...], "regions": [["s", "stack of T0", 4289728448, 4289728512], ...],
     "touched": {"128": 2990}, "history": [0, 3000] | null, ...}

The cells are those of the drawing (gdbstub.pages.picture), so both say the same. A change has only
the keys and the cells that are new; `apply` in page/state.js puts them together again.
"""

from __future__ import annotations

from typing import Any

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stop import NOTHING_MOVES
from tensix_gdb.gdbstub.pages.picture import plan
from tensix_gdb.gdbstub.pages.picture.cells import cells
from tensix_gdb.gdbstub.pages.picture.flow import flows
from tensix_gdb.gdbstub.pages.picture.held import held
from tensix_gdb.gdbstub.pages.picture.names import names
from tensix_gdb.gdbstub.pages.picture.state import take_picture
from tensix_gdb.gdbstub.pages.picture.svg import fitting
from tensix_gdb.gdbstub.pages.web.touched import Touched
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.protocol.target import Signal, Stopped
from tensix_gdb.gdbstub.tensix.capabilities.reverse import TileHistory
from tensix_gdb.gdbstub.tensix.capabilities.threads import THREAD_IDS
from tensix_gdb.gdbstub.tensix.chip.history import RecordedChip
from tensix_gdb.gdbstub.tensix.glance.memory_map import MemoryMap
from tensix_gdb.gdbstub.tensix.monitor.gate_breaks import listed

Frame = dict[str, Any]


class Frames:
    """Takes frames of one tile, between two slices of its run."""

    def __init__(self, tile: SharedTile, machine: Machine, base: int = 0) -> None:
        self._tile = tile
        self._machine = machine
        self._base = base
        self._memory = MemoryMap(machine)
        self._touched = Touched()

    @property
    def l1_bytes(self) -> bytes:
        """L1 as it was in the last frame."""
        return self._memory.l1_bytes

    def take_frame(self) -> Frame:
        """Look at everything. The tile is as it was."""
        tile, machine = self._tile, self._machine
        picture = take_picture(machine, memory=self._memory)
        self._touched.compare_memory(self._memory.l1_bytes, picture.cycle)
        shown = cells(picture)
        return {
            "cycle": picture.cycle,
            "execution": picture.execution,
            "running": tile.driver if tile.running else "",
            "ending": "" if tile.running else ending(tile),
            "thread": tile.last_stop().thread,
            "clients": [session.name for session in tile.sessions],
            "cells": {
                box.id: {
                    "lines": fitting(shown[box.id], box),
                    "tone": shown[box.id].tone,
                    "tip": shown[box.id].tip,
                    "bars": shown[box.id].bars,
                    "mark": shown[box.id].mark,
                }
                for box in plan.boxes()
            },
            "held": held(picture),
            "flows": flows(picture),
            "banks": [bank.rows for bank in picture.banks],
            "dst": {"format": picture.dst_format, "rows": picture.dst},
            "lregs": picture.lregs,
            "l1": picture.l1,
            "local": picture.local,
            "regions": [(r.kind, r.name, r.start, r.end) for r in picture.regions],
            "names": names(picture.regions),
            "touched": dict(self._touched.cycles),
            "history": history_of(tile),
            "races": len(machine.races().reports) if machine.runner.races else None,
            "gates": listed(machine),
            "breaks": sorted(
                {
                    addr
                    for session in tile.sessions
                    for addr in addresses_of_breaks(session, self._base)
                }
            ),
        }


def history_of(tile: SharedTile) -> list[int] | None:
    """Return the first and the last cycle of the history; None if nothing is recorded."""
    kept = tile.target.reverse
    assert isinstance(kept, TileHistory | RecordedChip)
    history = kept.history
    return None if history is None else [int(history.first_cycle), int(history.last_cycle)]


def addresses_of_breaks(session: Any, base: int) -> list[int]:
    """Return where a client has breakpoints in the tile with threads from `base` + 1 on."""
    return [
        addr
        for kind, addr, _, space in session.selection.inserted
        if kind in (0, 1) and (not space or base < space <= base + len(THREAD_IDS))
    ]


def changes(old: Frame | None, new: Frame) -> Frame:
    """Return what `new` has that `old` has not; all of it if there is no old one. Empty: no
    change."""
    if old is None:
        return new
    found = {key: value for key, value in new.items() if key != "cells" and value != old.get(key)}
    changed = {name: cell for name, cell in new["cells"].items() if cell != old["cells"].get(name)}
    return {**found, "cells": changed} if changed else found


def ending(tile: SharedTile) -> str:
    """Return why the tile has stopped, in a sentence."""
    stop = tile.last_stop()
    name = tile.target.threads.thread_name(stop.thread)
    reason = _reason(stop)
    return reason if reason.startswith(name) else f"{name}: {reason}"


def _reason(stop: Stopped) -> str:
    if stop.text:
        return stop.text.strip()
    if stop.breakpoint is not None:
        return f"at a breakpoint, {stop.breakpoint:#010x}"
    if stop.watch is not None:
        return f"a watchpoint at {stop.watch[1]:#010x}"
    if stop.replaylog:
        return "the history begins here"
    if stop.idle:
        return NOTHING_MOVES
    if stop.signal is Signal.INT:
        return "stopped by a client"
    return "it has stopped here"
