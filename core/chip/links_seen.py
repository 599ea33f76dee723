# SPDX-License-Identifier: Apache-2.0
"""A chip's links to be looked at: the use of each, and which packets wait for which others."""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.chip.network import Network
from tensix_gdb.core.chip.places import Place, place_of
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.links.state import CHANNELS, IN, KINDS, LINKS, OUT, PACKETS, TO_COLUMN
from tensix_gdb.core.noc.coordinates import COLUMNS_OF, ROWS
from tensix_gdb.core.noc.dram import PARTS
from tensix_gdb.core.noc.state import NIUS, PLACES, SLOTS


@dataclass(frozen=True, slots=True)
class Link:
    """A link by its NoC, its kind and the router that it leaves or, of OUT, that it leads from."""

    niu: int
    kind: int
    here: Place
    there: Place

    @property
    def text(self) -> str:
        """`NoC 0 from 3-2 to 4-2`."""
        here, there = (f"{x}-{y}" for x, y in (self.here, self.there))
        if self.kind in (IN, OUT):
            return f"NoC {self.niu} {'from' if self.kind == IN else 'into'} the NIU of {here}"
        return f"NoC {self.niu} from {here} to {there}"


@dataclass(frozen=True, slots=True)
class Load:
    """Cycles that a link was in use, and that packets have waited for it."""

    link: Link
    busy: int
    waited: int


@dataclass(frozen=True, slots=True)
class Wait:
    """A packet, as (tile, NIU, slot), that waits for a link, and the one that had it last."""

    packet: tuple[int, int, int]
    link: Link
    user: tuple[int, int, int]


def link_of(number: int, chip: int = 0) -> Link:
    """Return the link of a kind of chip with a number."""
    niu, place = divmod(number // KINDS, PLACES)
    kind = number % KINDS
    columns = COLUMNS_OF[chip]
    x, y = place % columns, place // columns
    to = ((x + 1) % columns, y) if kind == TO_COLUMN else (x, (y + 1) % ROWS)
    if kind in (IN, OUT):
        to = x, y
    here, there = (place_of(chip, niu, at[0] | at[1] << 6) for at in ((x, y), to))
    return Link(niu, kind, here, there)


def loads(network: Network) -> list[Load]:
    """Return the links that were in use, the busiest first."""
    net = network.record.S.net
    found = [
        Load(link_of(number, int(net.chip)), int(net.load[number]), int(net.waited[number]))
        for number in range(LINKS)
        if net.load[number]
    ]
    return sorted(found, key=lambda one: -one.busy)


def waits(network: Network) -> Iterator[Wait]:
    """Yield what waits for a link now."""
    net = network.record.S.net
    for packet in range(PACKETS):
        if net.queued[packet] and net.flies[packet]:
            wants = int(net.wants[packet])
            link = link_of(wants, int(net.chip))
            yield Wait(_request(packet), link, _request(int(net.user[wants])))


def channels(network: Network, cycle: int) -> dict[int, tuple[int, int]]:
    """Return bytes of the channels of DRAM that were used, and how many cycles of work they have
    before them."""
    net = network.record.S.net
    return {
        channel: (int(net.moved[channel]), max(0, int(net.until[channel]) // PARTS - cycle))
        for channel in range(CHANNELS)
        if net.moved[channel]
    }


def _request(packet: int) -> tuple[int, int, int]:
    tile, rest = divmod(packet, NIUS * SLOTS)
    return tile, *divmod(rest, SLOTS)
