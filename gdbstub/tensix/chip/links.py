# SPDX-License-Identifier: Apache-2.0
"""The links of a chip in words, for `monitor noc`: which were busiest, and which packets wait for
which others."""

from __future__ import annotations

from tensix_gdb.core.chip import links_seen
from tensix_gdb.gdbstub.tensix.chip.tiles import Tiles

MAX_LINKS = 12
NO_LINKS = "links take time in the schedule latency,links alone"


def links(tiles: Tiles) -> list[str]:
    """Return a line for each of the busiest links, then one for each channel of DRAM in use."""
    chip = tiles.chip
    network = chip.links()
    if network is None:
        return [NO_LINKS]
    found = links_seen.loads(network)
    cycles = max(1, chip.cycle)
    lines = [
        f"{one.link.text}: in use {one.busy} of {cycles} cycles ({one.busy / cycles:.0%}), packets "
        f"have waited {one.waited} cycles for it"
        for one in found[:MAX_LINKS]
    ]
    if len(found) > MAX_LINKS:
        lines.append(f"{len(found) - MAX_LINKS} more links were in use for fewer cycles")
    for channel, (moved, left) in links_seen.channels(network, chip.cycle).items():
        more = f", {left} more cycles of work before it" if left else ""
        lines.append(
            f"DRAM channel {channel}: {moved} bytes, {moved / cycles:.1f} in a cycle{more}"
        )
    return lines or ["nothing has gone over a link"]


def waits(tiles: Tiles) -> dict[tuple[int, int, int], str]:
    """Return by tile, NIU and slot which link a packet waits for, and which tile's had it last."""
    network = tiles.chip.links()
    if network is None:
        return {}
    return {
        one.packet: f"; it waits for a link, {one.link.text}, which a packet of "
        f"{tiles.all[one.user[0]].name} had before it"
        for one in links_seen.waits(network)
    }
