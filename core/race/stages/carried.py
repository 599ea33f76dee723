# SPDX-License-Identifier: Apache-2.0
"""The format of data on their way: requests of NIUs, and copies of the mover; those of a hart are
in copied.py.

A request has the format of its source if that is one from end to end, and its target has it then;
of DRAM it is known where a request has left it (core/race/dram.py). What is known of a tile's data
in another tile has the other tile's number, and its instruction by the number that it gets here.
"""

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.race.fields import LINE_BYTES, SITES, pc_of
from tensix_gdb.core.race.shadow import site_of
from tensix_gdb.core.race.stages.fields import L1_LINES
from tensix_gdb.core.race.state.table import Group
from tensix_gdb.core.record.layout import View

COLD = True  # little time of LLVM for it (core/engine/README.md)


def taken(S: View, request: int, addr: int, length: int) -> int:
    """Bytes of L1 are the data of a request."""
    if S.state.on & Group.STAGES == 0:
        return 0
    S.stages.data[request] = 0
    first = addr // LINE_BYTES
    last = (addr + length - 1) // LINE_BYTES
    if length == 0 or last >= L1_LINES or S.stages.tile[first] != S.stages.tile[last]:
        return 0
    S.stages.data[request] = S.stages.tile[first]
    S.stages.data_site[request] = S.stages.tile_site[first]
    S.stages.data_at[request] = S.stages.tile_at[first]
    S.stages.data_from[request] = S.stages.tile_from[first]
    return 0


def brought(S: View, request: int, addr: int, length: int) -> int:
    """The data of a request are in L1: whole lines of it."""
    if S.state.on & Group.STAGES == 0 or S.stages.data[request] == 0:
        return 0
    cell = (addr + LINE_BYTES - 1) // LINE_BYTES
    while (cell + 1) * LINE_BYTES <= addr + length and cell < L1_LINES:
        S.stages.tile[cell] = S.stages.data[request]
        S.stages.tile_site[cell] = S.stages.data_site[request]
        S.stages.tile_at[cell] = S.stages.data_at[request]
        S.stages.tile_from[cell] = S.stages.data_from[request]
        cell += 1
    return 0


def instruction(S: View, site: int) -> int:
    """Return the key of an instruction, which means the same in each tile."""
    return S.race.site[site & (SITES - 1)]


def at_home(S: View, key: int) -> int:
    """Return the number that a tile has for an instruction of another tile."""
    thread = (key >> 3) & 3
    if thread > THREADS:
        return 0
    return site_of(S, key & 7, thread, (key >> 5) & 7, (key >> 8) & 0xFF, pc_of(key))
