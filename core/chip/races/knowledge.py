# SPDX-License-Identifier: Apache-2.0
"""What the observers of tiles know of each other: clocks of one tile in the lines of another one.

A tile has lines of its own, and some for agents of others (core/race/lines.py, FOREIGN): they are
given out as agents are met. What a message carries is put into the lines of the tile that it
reaches:

    a core of the sender, or one that it knows of   how far it had come: the number of its store
    requests of the sender's NIU to this tile       those that the sender knows to be over
    packets of the sender's TX queue to this tile   those that the sender knows to be over
    packets of this tile                            those that the sender, or one that it knows of,
                                                    knows to have come
    lines of this tile                              what that core of this tile had known when it
                                                    sent the message that the sender knows of

The last row is exact: the clocks with which each core has sent are kept here, by the numbers of
their stores.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Sequence
from dataclasses import field

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.chip.places import Place, chip_of, name_of
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.noc.state import NIUS
from tensix_gdb.core.race.lines import (
    CLOCKS,
    FOREIGN,
    FOREIGN_LINES,
    HOST,
    NOC_LINES,
    Foreign,
    of_niu,
)

KEPT = 1 << 14  # clocks of a core; knowledge of an older message is lost
Agent = tuple[int, int]  # number of a tile; its hart, or one of these and above
FIRST_NIU = HARTS  # lines of its NIUs
FIRST_QUEUE = FIRST_NIU + NIUS * NOC_LINES  # of each TX queue: data, then words for registers
NOTHING = (0,) * CLOCKS


def tile_name(place: Place) -> str:
    """Return how reports name a tile: `tile (1, 2)`, or of several chips `tile c1.1-2`."""
    return f"tile {place if chip_of(place) < 0 else name_of(place)}"


@dataclass
class Seen:
    """The knowledge that others have of a tile, and that the tile has of others."""

    lines: dict[Agent, int] = field(default_factory=dict)  # of agents: lines of this tile
    starts: list[list[int]] = field(default_factory=lambda: [[] for _ in range(HARTS)])
    clocks: list[dict[int, tuple[int, ...]]] = field(
        default_factory=lambda: [{} for _ in range(HARTS)]
    )
    # Accesses of the host here, one after the other: when, and the number of the last one.
    host: list[tuple[int, int]] = field(default_factory=list)
    # Requests of this tile, by NIU, line and target: numbers and channels of those that arrived.
    arrived: dict[tuple[int, int, int], list[tuple[int, int]]] = field(default_factory=dict)


class Knowledge:
    """Of tiles with these names; `met` is told of each line that is given out."""

    def __init__(self, names: Sequence[str], met: Callable[[int, int, Foreign], None]) -> None:
        self.names, self._met = names, met
        self.seen = [Seen() for _ in names]
        self.unobserved: set[tuple[int, Agent]] = set()  # tiles, and agents without a line there
        self._when, self._last_by_host = 0, -1

    def forget_state(self) -> None:
        """All clocks begin anew, and lines keep their meaning."""
        for seen in self.seen:
            fresh = Seen(seen.lines)
            seen.starts, seen.clocks, seen.arrived = fresh.starts, fresh.clocks, fresh.arrived
            seen.host = fresh.host

    # The host

    def host(self, tile: int, number: int) -> None:
        """The host has read or written a tile. What it does in one tile and then in another one is
        in order."""
        host = self.seen[tile].host
        if host and self._last_by_host == tile:
            host[-1] = host[-1][0], number
        else:
            self._when += 1
            host.append((self._when, number))
            del host[:-KEPT]
        self._last_by_host = tile

    def _host_before(self, tile: int, number: int, receiver: int) -> int:
        """Return the last access of the host to the receiver that came before its access to a tile
        with that number."""
        i = bisect_left(self.seen[tile].host, number, key=lambda pair: pair[1])
        if not number or i == len(self.seen[tile].host):
            return 0
        when, at_receiver = self.seen[tile].host[i][0], self.seen[receiver].host
        j = bisect_left(at_receiver, when, key=lambda pair: pair[0])
        return at_receiver[j - 1][1] if j else 0

    # Messages

    def keep_sent_clock(self, tile: int, hart: int, start: int, clock: tuple[int, ...]) -> None:
        """Keep the clock with which a core has sent a message."""
        starts, clocks = self.seen[tile].starts[hart], self.seen[tile].clocks[hart]
        if start not in clocks:
            insort(starts, start)
            clocks[start] = clock
        if len(starts) > KEPT:
            del clocks[starts.pop(0)]

    def known(self, tile: int, hart: int, start: int) -> tuple[int, ...]:
        """Return the clocks that a core knew at its last message up to that number."""
        starts = self.seen[tile].starts[hart]
        i = bisect_right(starts, start)
        return self.seen[tile].clocks[hart][starts[i - 1]] if i else NOTHING

    def carried(
        self, sender: int, receiver: int, hart: int, start: int, clock: Sequence[int]
    ) -> list[int]:
        """Return in lines of the receiver what a message of another tile carries: that of a core,
        by the number of its store, with its clock."""
        into = [0] * CLOCKS
        self._reach(into, receiver, (sender, hart), start)
        self._after(into, receiver, sender, clock)
        for (tile, who), line in self.seen[sender].lines.items():
            known = clock[line]
            if who >= FIRST_NIU or not known:
                continue
            then = self.known(tile, who, known)
            if tile == receiver:
                into = [max(pair) for pair in zip(into, then, strict=True)]
            else:
                self._reach(into, receiver, (tile, who), known)
                self._after(into, receiver, tile, then)
        return into

    def _after(self, into: list[int], receiver: int, tile: int, clock: Sequence[int]) -> None:
        """Come after what a clock of another tile knows to be over: its requests and packets to the
        receiver, the receiver's packets to it, and what the host had done."""
        own, its = self.seen[receiver].lines, self.seen[tile].lines
        for (other, who), line in own.items():
            if other == tile and FIRST_NIU <= who < FIRST_QUEUE:
                niu, of_line = divmod(who - FIRST_NIU, NOC_LINES)
                into[line] = max(into[line], clock[of_niu(niu, of_line)])
            elif who >= FIRST_QUEUE and other in (tile, receiver):
                there = its.get((other, who))
                into[line] = max(into[line], 0 if there is None else clock[there])
        into[HOST] = max(into[HOST], self._host_before(tile, clock[HOST], receiver))

    def _reach(self, into: list[int], receiver: int, agent: Agent, count: int) -> None:
        line = self.line(receiver, agent)
        if line >= 0:
            into[line] = max(into[line], count)

    def line(self, tile: int, agent: Agent) -> int:
        """Return the line of a tile that stands for an agent, of another tile or a queue of its
        own; -1 if there is none left."""
        lines = self.seen[tile].lines
        if agent not in lines:
            if len(lines) == FOREIGN_LINES:
                self.unobserved.add((tile, agent))
                return -1
            lines[agent] = FOREIGN + len(lines)
            if agent[1] >= FIRST_NIU:
                self._met(tile, lines[agent], self._named(tile, agent))
        return lines[agent]

    def agents(self, tile: int) -> dict[int, Foreign]:
        """Return those with a line of a tile, by that."""
        lines = self.seen[tile].lines.items()
        return {line: self._named(tile, agent) for agent, line in lines if agent[1] >= FIRST_NIU}

    def _named(self, tile: int, agent: Agent) -> Foreign:
        other, who = agent
        of = f" of {self.names[other]}" if other != tile else ""
        if who >= FIRST_QUEUE:
            return Foreign(f"TX queue {(who - FIRST_QUEUE) // 2}{of}", is_packet=True)
        return Foreign(f"NoC {(who - FIRST_NIU) // NOC_LINES}{of}")
