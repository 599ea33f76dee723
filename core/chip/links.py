# SPDX-License-Identifier: Apache-2.0
"""Which cables there are between chips, and which Ethernet tiles they join; light to load, for
commands that describe chips and run none (ethernet/cables.py runs them)."""

from __future__ import annotations

from collections.abc import Sequence

from tensix_gdb.core.arch.chips import BLACKHOLE
from tensix_gdb.core.chip.places import ETHERNET, Place, channel_of, chip_of, of_chip

__all__ = ["channel_of"]

Link = tuple[Place, Place]
# Of chips that have cables, by kind; fewer chips have the first of them.
CHANNELS_OF = ((4, 5, 6, 7, 8, 9), (0, 1))
CHANNELS = CHANNELS_OF[BLACKHOLE]
# How chips stand, row by row, as tt-metal's meshes of p150 do (mesh_graph_descriptors).
COLUMNS_OF_MESH = ({2: 2, 4: 2, 8: 4}, {2: 2})
PORTS = ("row", "column", "next in a row")  # each with two channels of CHANNELS_OF
# By channel, on NoC 0 of a chip (tt-umd, blackhole_implementation.hpp; WormholeB0
# NoC/Coordinates.md).
ON_CHIP_OF = (
    (
        *((1, 1), (16, 1), (2, 1), (15, 1), (3, 1), (14, 1), (4, 1)),
        *((13, 1), (5, 1), (12, 1), (6, 1), (11, 1), (7, 1), (10, 1)),
    ),
    tuple((x, y) for y in (0, 6) for x in (9, 1, 8, 2, 7, 3, 6, 4)),
)
TRANSLATED_X, TRANSLATED_Y = 20, 25  # NoC/Coordinates.md: of the first channel of a Blackhole


def links_of(chips: int, kind: int = BLACKHOLE) -> tuple[Link, ...]:
    """Return the cables between so many chips of a kind: two stand beside each other, four are a
    square, eight are two rows of four, each of which is closed to a ring. Neighbours have a cable
    between two ports, which is two links; channel N of one leads to channel N of the other. Other
    numbers of chips, and more than two of Wormhole, have none.

    UNSPECIFIED(EthernetTile/README.md): which two channels a port has. On Blackhole a pair of those
    from 4 on, which a p150 has at its ports (tt-umd, topology_discovery_blackhole.cpp); on Wormhole
    the first two of the four by which two chips of a Galaxy are joined (ttsim 1.10.0, tile.cpp)."""
    columns = COLUMNS_OF_MESH[kind].get(chips)
    if columns is None:
        return ()
    found = []
    for chip in range(chips):
        right = chip + 1 if (chip + 1) % columns else chip + 1 - columns
        if chip % 2 == 0:
            found += [(chip, right, "row")]
        elif columns > 2:
            found += [(chip, right, "next in a row")]
        if chip + columns < chips:
            found += [(chip, chip + columns, "column")]
    own = ETHERNET[kind]
    return tuple(
        (of_chip(own[channel], one), of_chip(own[channel], other))
        for one, other, port in found
        for channel in CHANNELS_OF[kind][2 * PORTS.index(port) :][:2]
    )


def channels_of(chips: int, kind: int = BLACKHOLE) -> tuple[int, ...]:
    """Return the channels of each of so many chips that have a cable."""
    used = {channel_of(place) for place in ends_of(links_of(chips, kind))}
    return tuple(channel for channel in CHANNELS_OF[kind] if channel in used)


def ends_of(links: Sequence[Link]) -> tuple[Place, ...]:
    """Return the Ethernet tiles with cables, chip by chip."""
    ends = {place for link in links for place in link}
    return tuple(sorted(ends, key=lambda place: (chip_of(place), channel_of(place))))
