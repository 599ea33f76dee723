# SPDX-License-Identifier: Apache-2.0
"""The knowledge that observers of tiles have of each other: clocks of one in the lines of another.

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
    all of these                                    what the host had heard when it did what the
                                                    sender knows of

The last row but one is exact: the clocks with which each core has sent are kept here, by the
numbers of their stores.
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
    # What it had heard here by then, as a clock.
    heard: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)
    # Requests of this tile, by NIU, line and target: numbers and channels of those that arrived.
    arrived: dict[tuple[int, int, int], list[tuple[int, int]]] = field(default_factory=dict)


class Knowledge:
    """Of tiles with these names; `met` is told of each line that is given out, and `host_past` says
    what the host knows of a tile's lines."""

    def __init__(
        self,
        names: Sequence[str],
        met: Callable[[int, int, Foreign], None],
        host_past: Callable[[int], tuple[int, ...]],
    ) -> None:
        self.names, self._met, self._host_past = names, met, host_past
        self.seen = [Seen() for _ in names]
        self.unobserved: set[tuple[int, Agent]] = set()  # tiles, and agents without a line there
        self._when, self._last_by_host = 0, -1
        self._by_host: dict[tuple[int, int], list[int]] = {}  # by tile and when

    def forget_state(self) -> None:
        """All clocks begin anew, and lines keep their meaning."""
        for seen in self.seen:
            fresh = Seen(seen.lines)
            seen.starts, seen.clocks, seen.arrived = fresh.starts, fresh.clocks, fresh.arrived
            seen.host, seen.heard = fresh.host, fresh.heard
        self._by_host.clear()

    # The host

    def host(self, tile: int, number: int) -> None:
        """The host has read or written a tile. What it does in one tile and then in another one is
        in order."""
        host, last = self.seen[tile].host, self._last_by_host
        if last not in (-1, tile) and self.seen[last].host:
            heard = self.seen[last].heard
            heard.append((self.seen[last].host[-1][0], self._host_past(last)))
            del heard[:-KEPT]
        if host and self._last_by_host == tile:
            host[-1] = host[-1][0], number
        else:
            self._when += 1
            host.append((self._when, number))
            del host[:-KEPT]
        self._last_by_host = tile

    def when(self, tile: int, number: int) -> int:
        """Return when the host has made the access to a tile with that number; 0: not known."""
        host = self.seen[tile].host
        i = bisect_left(host, number, key=lambda pair: pair[1])
        return host[i][0] if number and i < len(host) else 0

    def by_host(self, receiver: int, when: int) -> list[int]:
        """Return in lines of a tile what the host had heard of all others before then, and how far
        it had come in this one."""
        found = self._by_host.get((receiver, when))
        if found is not None:
            return found
        into = [0] * CLOCKS
        for tile, seen in enumerate(self.seen):
            i = bisect_left(seen.heard, when, key=lambda pair: pair[0])
            if i:
                self._pass_on(into, tile, receiver, seen.heard[i - 1][1])
        at_receiver = self.seen[receiver].host
        j = bisect_left(at_receiver, when, key=lambda pair: pair[0])
        into[HOST] = at_receiver[j - 1][1] if j else 0
        if len(self._by_host) >= KEPT:
            self._by_host.clear()
        self._by_host[receiver, when] = into
        return into

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
        self._pass_on(into, sender, receiver, clock)
        when = {self.when(sender, clock[HOST])}
        for (tile, who), line in self.seen[sender].lines.items():
            if who < FIRST_NIU and clock[line]:
                when.add(self.when(tile, self.known(tile, who, clock[line])[HOST]))
        for one in when - {0}:
            _join(into, self.by_host(receiver, one))
        return into

    def _pass_on(self, into: list[int], tile: int, receiver: int, clock: Sequence[int]) -> None:
        """Come after what a clock of a tile knows, in lines of the receiver."""
        if tile == receiver:
            _join(into, clock)
            return
        self._after(into, receiver, tile, clock)
        for (other, who), line in self.seen[tile].lines.items():
            known = clock[line]
            if who >= FIRST_NIU or not known:
                continue
            then = self.known(other, who, known)
            if other == receiver:
                _join(into, then)
            else:
                self._reach(into, receiver, (other, who), known)
                self._after(into, receiver, other, then)

    def _after(self, into: list[int], receiver: int, tile: int, clock: Sequence[int]) -> None:
        """Come after what a clock of another tile knows to be over: its requests and packets to the
        receiver, and the receiver's packets to it."""
        own, its = self.seen[receiver].lines, self.seen[tile].lines
        for (other, who), line in own.items():
            if other == tile and FIRST_NIU <= who < FIRST_QUEUE:
                niu, of_line = divmod(who - FIRST_NIU, NOC_LINES)
                into[line] = max(into[line], clock[of_niu(niu, of_line)])
            elif who >= FIRST_QUEUE and other in (tile, receiver):
                there = its.get((other, who))
                into[line] = max(into[line], 0 if there is None else clock[there])

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


def _join(into: list[int], clock: Sequence[int]) -> None:
    into[:] = map(max, into, clock)
