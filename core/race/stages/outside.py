# SPDX-License-Identifier: Apache-2.0
"""The format of data outside a tile: in DRAM, and on their way to another tile of the chip."""

from __future__ import annotations

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.race.stages.carried import at_home, instruction
from tensix_gdb.core.record.layout import View


@dataclass(frozen=True, slots=True)
class Carried:
    """The format of data, and the PACR that has made them: its tile, by number, and its cycle."""

    tile: int
    data: int  # 1 + the format
    key: int  # of the instruction
    at: int  # low 32 bits of the cycle
    since: int  # the cycle in which the kernel of that tile has begun


def of_request(S: View, request: int, tile: int) -> Carried | None:
    """Return what is known of the data of a request of a tile."""
    data = int(S.stages.data[request])
    if not data:
        return None
    origin = int(S.stages.data_from[request])
    key = int(instruction(S, int(S.stages.data_site[request])))
    at, since = int(S.stages.data_at[request]), int(S.stages.began)
    return Carried(origin - 1 if origin else tile, data, key, at, since)


def put(S: View, request: int, one: Carried | None, tile: int = -1) -> None:
    """Give it to a request of the tile with that number. What an earlier kernel has left is not
    known."""
    S.stages.data[request] = 0
    if one is None or one.since < int(S.stages.began):
        return
    S.stages.data[request], S.stages.data_at[request] = one.data, one.at
    S.stages.data_site[request] = at_home(S, one.key)
    S.stages.data_from[request] = 0 if one.tile == tile else one.tile + 1
