# SPDX-License-Identifier: Apache-2.0
"""Words of L1 and of local RAMs, for the panel beside the map.

{"id": "l1-128", "sections": [["L1 0x20000 to 0x203ff", "..."]], "words": {"start": 131072,
 "hart": 0, "values": [...]}, ...}
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tensix_gdb.core.arch.blackhole import HART_NAMES, LOCAL_BASE, LOCAL_BYTES, B
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.tensix.glance.memory_map import CELL, CELLS, MemoryMap, Region

MOST_NAMES = 12


def cell_of_l1(machine: Machine, box: str, number: int) -> dict[str, Any] | None:
    """Return a KiB of L1; None if there is no such one."""
    if not number < CELLS:
        return None
    start = number * CELL
    return _words(machine, box, B, start, start + CELL, f"L1 {start:#x} to {start + CELL - 1:#x}")


def local_ram(machine: Machine, box: str, hart: int) -> dict[str, Any]:
    """Return the local RAM of a hart, the stack first."""
    end = LOCAL_BASE + LOCAL_BYTES[hart]
    title = f"local RAM of {HART_NAMES[hart]}, {LOCAL_BASE:#x} to {end - 1:#x}"
    return _words(machine, box, hart, LOCAL_BASE, end, title)


def _words(
    machine: Machine, box: str, hart: int, start: int, end: int, title: str
) -> dict[str, Any]:
    memory = MemoryMap(machine)
    memory.look_at_tile()
    is_local = start >= LOCAL_BASE
    near = [
        region
        for region in memory.regions
        if region.start < end
        and region.end > start
        and (not is_local or region.name.endswith(f" {HART_NAMES[hart]}"))
    ]
    lines = [_line(region) for region in near] or ["no program, stack or circular buffer is here"]
    if not is_local:
        lines += _symbols(machine, start, end)
    data = machine.peek(hart, start, end - start)
    values = [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data), 4)]
    return {
        "id": box,
        "sections": [[title, "\n".join(lines)]],
        "source": None,
        "words": {"start": start, "hart": hart, "values": values},
    }


def _line(region: Region) -> str:
    return f"{region.start:#010x} to {region.end - 1:#010x}  {region.name}"


def _symbols(machine: Machine, start: int, end: int) -> Sequence[str]:
    """Return the functions and variables of programs that begin there."""
    found = sorted(
        (symbol.addr, symbol.shown)
        for image in machine.images
        for symbol in image.symbols.values()
        if start <= symbol.addr < end and symbol.size
    )
    shown = [f"{addr:#010x}  {name}" for addr, name in found[:MOST_NAMES]]
    more = len(found) - len(shown)
    return [*shown, f"and {more} more"] if more > 0 else shown
