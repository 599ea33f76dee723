# SPDX-License-Identifier: Apache-2.0
"""Which cables there are between chips, and which Ethernet tiles they join; light to load, for
commands that describe chips and run none (cables.py runs them)."""

from __future__ import annotations

from collections.abc import Sequence

from tensix_gdb.core.chip.places import ETHERNET, Place, chip_of, of_chip, on_noc

Link = tuple[Place, Place]
CHANNELS = (8, 9)  # of each chip that has cables
# By channel, on NoC 0 of a chip (tt-umd, blackhole_implementation.hpp).
ON_CHIP = (
    *((1, 1), (16, 1), (2, 1), (15, 1), (3, 1), (14, 1), (4, 1)),
    *((13, 1), (5, 1), (12, 1), (6, 1), (11, 1), (7, 1), (10, 1)),
)
TRANSLATED_X, TRANSLATED_Y = 20, 25  # NoC/Coordinates.md: of the first channel that is there


def links_of(chips: int) -> tuple[Link, ...]:
    """Return the cables between so many chips. Two p150 have one between two ports, which is two
    links; channel N of one leads to channel N of the other. More chips than two have none.

    UNSPECIFIED(EthernetTile/README.md): which two channels a port has; 8 and 9 here, of those from
    4 on that a p150 has at its ports (tt-umd, topology_discovery_blackhole.cpp)."""
    if chips != 2:
        return ()
    return tuple((of_chip(ETHERNET[n], 0), of_chip(ETHERNET[n], 1)) for n in CHANNELS)


def ends_of(links: Sequence[Link]) -> tuple[Place, ...]:
    """Return the Ethernet tiles with cables, chip by chip."""
    ends = {place for link in links for place in link}
    return tuple(sorted(ends, key=lambda place: (chip_of(place), channel_of(place))))


def channel_of(place: Place) -> int:
    """Return the channel of an Ethernet tile."""
    return ETHERNET.index(on_noc(place))
