# SPDX-License-Identifier: Apache-2.0
"""Which cables there are between chips, and which Ethernet tiles they join; light to load, for
commands that describe chips and run none (ethernet/cables.py runs them)."""

from __future__ import annotations

from collections.abc import Sequence

from tensix_gdb.core.chip.places import ETHERNET, Place, chip_of, of_chip, on_noc

Link = tuple[Place, Place]
# Of chips that have cables; fewer chips have the first of them.
CHANNELS = (4, 5, 6, 7, 8, 9)
# How chips stand, row by row, as tt-metal's meshes of p150 do (mesh_graph_descriptors).
COLUMNS_OF_MESH = {2: 2, 4: 2, 8: 4}
PORTS = {"row": (4, 5), "column": (6, 7), "next in a row": (8, 9)}  # channels of a cable
# By channel, on NoC 0 of a chip (tt-umd, blackhole_implementation.hpp).
ON_CHIP = (
    *((1, 1), (16, 1), (2, 1), (15, 1), (3, 1), (14, 1), (4, 1)),
    *((13, 1), (5, 1), (12, 1), (6, 1), (11, 1), (7, 1), (10, 1)),
)
TRANSLATED_X, TRANSLATED_Y = 20, 25  # NoC/Coordinates.md: of the first channel that is there


def links_of(chips: int) -> tuple[Link, ...]:
    """Return the cables between so many chips: two stand beside each other, four are a square,
    eight are two rows of four, each of which is closed to a ring. Neighbours have a cable between
    two ports, which is two links; channel N of one leads to channel N of the other. Other numbers
    of chips have none.

    UNSPECIFIED(EthernetTile/README.md): which two channels a port has; a pair of those from 4 on
    here, which a p150 has at its ports (tt-umd, topology_discovery_blackhole.cpp)."""
    columns = COLUMNS_OF_MESH.get(chips)
    if columns is None:
        return ()
    found = []
    for chip in range(chips):
        right = chip + 1 if (chip + 1) % columns else chip + 1 - columns
        if chip % 2 == 0:
            found += [(chip, right, channel) for channel in PORTS["row"]]
        elif columns > 2:
            found += [(chip, right, channel) for channel in PORTS["next in a row"]]
        if chip + columns < chips:
            found += [(chip, chip + columns, channel) for channel in PORTS["column"]]
    return tuple(
        (of_chip(ETHERNET[channel], one), of_chip(ETHERNET[channel], other))
        for one, other, channel in found
    )


def channels_of(chips: int) -> tuple[int, ...]:
    """Return the channels of each of so many chips that have a cable."""
    used = {channel_of(place) for place in ends_of(links_of(chips))}
    return tuple(channel for channel in CHANNELS if channel in used)


def ends_of(links: Sequence[Link]) -> tuple[Place, ...]:
    """Return the Ethernet tiles with cables, chip by chip."""
    ends = {place for link in links for place in link}
    return tuple(sorted(ends, key=lambda place: (chip_of(place), channel_of(place))))


def channel_of(place: Place) -> int:
    """Return the channel of an Ethernet tile."""
    return ETHERNET.index(on_noc(place))
