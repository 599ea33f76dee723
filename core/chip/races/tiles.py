# SPDX-License-Identifier: Apache-2.0
"""Races over the NoC: what the observers of the tiles (core/race) know of each other.

Each tile is observed by itself, with clocks of its own lines. A request carries the clock of its
store to NOC_CMD_CTRL to its target, where it is put into the lines of that tile:

    a core of the sender, or one that it knows of   how far it had come: the number of its store
    requests of the sender's NIU to this tile       those that the sender knows to be over
    lines of this tile                              what that core of this tile had known when it
                                                    sent the message that the sender knows of

So a tile needs a line for each core that it has heard of, and one for each line of another NIU on
which something has come; they are given out as they are met. The third row is exact: the clocks
with which each core has sent are kept here, by the numbers of their stores.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Sequence
from dataclasses import field
from functools import partial

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.chip.ends import End
from tensix_gdb.core.chip.places import Place
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.entries import FAR_END, NEAR_END
from tensix_gdb.core.noc.order import there_of
from tensix_gdb.core.noc.request import KIND, READ, is_write_of_data
from tensix_gdb.core.noc.state import GOING, NIUS, SLOTS
from tensix_gdb.core.race.dram import DramRaces
from tensix_gdb.core.race.fields import ARRIVES, HOST_PAST, NOC_REQUEST
from tensix_gdb.core.race.lines import (
    CLOCKS,
    FOREIGN,
    FOREIGN_LINES,
    HOST,
    NOC_LINES,
    Noc,
    of_niu,
)
from tensix_gdb.core.race.network.requests import channel_of
from tensix_gdb.core.race.network.tiles import COMES_BACK, SENDS
from tensix_gdb.core.race.stages.fields import ARRIVES as REQUEST
from tensix_gdb.core.race.stages.outside import of_request, put
from tensix_gdb.core.race.state.table import Group

KEPT = 1 << 14  # clocks of a core; knowledge of an older message is lost
Agent = tuple[int, int]  # number of a tile; its hart, or FIRST_NIU and above: a line of an NIU
FIRST_NIU = HARTS
assert FIRST_NIU + NIUS * NOC_LINES < 256


@dataclass
class Seen:
    """The knowledge that others have of a tile, and that the tile has of others."""

    lines: dict[Agent, int] = field(default_factory=dict)  # of others: lines of this tile
    starts: list[list[int]] = field(default_factory=lambda: [[] for _ in range(HARTS)])
    clocks: list[dict[int, tuple[int, ...]]] = field(
        default_factory=lambda: [{} for _ in range(HARTS)]
    )
    # Accesses of the host here, one after the other: when, and the number of the last one.
    host: list[tuple[int, int]] = field(default_factory=list)
    # Requests of this tile, by NIU, line and target: numbers and channels of those that arrived.
    arrived: dict[tuple[int, int, int], list[tuple[int, int]]] = field(default_factory=dict)


class Races:
    """The observers of the tiles of a chip, as one."""

    def __init__(self, places: Sequence[Place], ends: Sequence[End]) -> None:
        self._ends = ends
        self._numbers = {id(end): number for number, end in enumerate(ends)}
        self._names = [f"tile ({x}, {y})" for x, y in places]
        self._seen = [Seen() for _ in ends]
        self._when, self._last_by_host = 0, -1
        self.unobserved: set[tuple[int, Agent]] = set()  # tiles, and agents without a line there
        # Their DRAM is one.
        self.dram = DramRaces([end.S for end in ends], self._names, self._knows)
        self._observers: set[int] = set()  # of tiles that are observed, by id
        # The last write of a slot of which the source was read: a multicast reads it once.
        self._read: dict[tuple[int, int, int], int] = {}

    def add(self, machine: Machine) -> None:
        """Know the observer of a tile: it has begun."""
        observer = machine.runner.races
        assert observer is not None
        number = next(i for i, end in enumerate(self._ends) if end.machine is machine)
        self._observers.add(id(observer))
        observer.tiles, observer.agents, observer.dram = self._names, {}, self.dram
        observer.before_host = partial(self._host_knows, number)
        observer.on_host = partial(self._host, number)

    def has(self, machine: Machine) -> bool:
        """True if the observer of a tile is known."""
        return id(machine.runner.races) in self._observers

    def forget_state(self) -> None:
        """The chip has another state: all clocks begin anew, and lines keep their meaning."""
        for seen in self._seen:
            fresh = Seen(seen.lines)
            seen.starts, seen.clocks, seen.arrived = fresh.starts, fresh.clocks, fresh.arrived
            seen.host = fresh.host
        self._read = {}

    def _host(self, tile: int) -> None:
        """The host has read or written a tile. What it does in one tile and then in another one is
        in order."""
        host, number = self._seen[tile].host, int(self._ends[tile].S.race.host_made)
        if host and self._last_by_host == tile:
            host[-1] = host[-1][0], number
        else:
            self._when += 1
            host.append((self._when, number))
            del host[:-KEPT]
        self._last_by_host = tile

    def _host_knows(self, receiver: int) -> None:
        """The host is about to read or write a tile: it comes after requests to that tile of which
        it has heard from their sender that they are over."""
        clock = self._ends[receiver].S.race.clock
        for (tile, who), line in self._seen[receiver].lines.items():
            if who >= FIRST_NIU:
                niu, of_line = divmod(who - FIRST_NIU, NOC_LINES)
                known = int(self._ends[tile].S.race.clock[HOST_PAST, of_niu(niu, of_line)])
                if known > clock[HOST_PAST, line]:
                    clock[HOST_PAST, line] = known

    def _host_before(self, tile: int, number: int, receiver: int) -> int:
        """Return the last access of the host to the receiver that came before its access to a tile
        with that number."""
        i = bisect_left(self._seen[tile].host, number, key=lambda pair: pair[1])
        if not number or i == len(self._seen[tile].host):
            return 0
        when, at_receiver = self._seen[tile].host[i][0], self._seen[receiver].host
        j = bisect_left(at_receiver, when, key=lambda pair: pair[0])
        return at_receiver[j - 1][1] if j else 0

    def arrived(self, near: End, far: End, niu: int, slot: int) -> None:
        """A request is at a target."""
        S = near.S
        if not S.race.on or not int(S.race.noc_end[niu, slot, 0]):
            return  # not observed, or it had left before
        at, number = (self._numbers[id(near)], niu, slot), int(S.race.noc_end[niu, slot, 1])
        if number and self._read.get(at) != number:
            near.machine.engine.call(NEAR_END.name, niu, slot, SENDS)
            self._read[at] = number
        if int(S.noc.ctrl[niu, slot]) & KIND != READ:
            self._at_target(near, far, niu, slot)

    def answered(self, near: End, far: End, niu: int, slot: int) -> None:
        """The answer of a target is back; that of a read has its data."""
        S = near.S
        if not S.race.on or not int(S.race.noc_end[niu, slot, 0]):
            return
        if int(S.noc.ctrl[niu, slot]) & KIND == READ:
            self._at_target(near, far, niu, slot)
        near.machine.engine.call(NEAR_END.name, niu, slot, COMES_BACK)

    def _at_target(self, near: End, far: End, niu: int, slot: int) -> None:
        """The access at the target."""
        S, noc = near.S, near.S.noc
        if not far.S.race.on:
            return
        sender, receiver = self._numbers[id(near)], self._numbers[id(far)]
        ctrl, hart = int(noc.ctrl[niu, slot]), int(noc.hart[niu, slot])
        of_line = int(S.race.noc_line[niu, slot])
        is_own = sender == receiver  # of a multicast that takes in its sender
        line = of_niu(niu, of_line)
        if not is_own:
            line = self._line(receiver, (sender, FIRST_NIU + niu * NOC_LINES + of_line))
        if line < 0:
            return
        number = int(S.race.noc_end[niu, slot, 0])
        self._carry(near, sender, receiver, niu, slot)
        to = noc.ret[niu, slot] if is_write_of_data(ctrl) else noc.targ[niu, slot]
        length, mask = int(noc.length[niu, slot]), int(noc.mask[niu, slot])
        place = hart | (0 if is_own else 1 + sender) << 3 | (int(noc.pc[niu, slot]) >> 2) << 11
        call = far.machine.engine.call
        self._formats(near, far, niu, slot, is_back=False)
        call(FAR_END.name, ctrl, int(to), length, mask, line, number, place)
        self._formats(near, far, niu, slot, is_back=True)
        requests = self._seen[sender].arrived.setdefault((niu, of_line, receiver), [])
        insort(requests, (number, int(channel_of(S, niu, slot))))
        del requests[:-KEPT]

    def _formats(self, near: End, far: End, niu: int, slot: int, *, is_back: bool) -> None:
        """The data of a request go to a target, or come back, with their format."""
        reads = int(near.S.noc.ctrl[niu, slot]) & KIND == READ
        ends = (near, niu * SLOTS + slot), (far, REQUEST)
        (one, source), (other, target) = ends[::-1] if reads else ends
        if reads is is_back and other.S.state.on & Group.STAGES:
            known = None
            if one.S.state.on & Group.STAGES:
                known = of_request(one.S, source, self._numbers[id(one)])
            put(other.S, target, known, self._numbers[id(other)])

    # Clocks

    def _carry(self, near: End, sender: int, receiver: int, niu: int, slot: int) -> None:
        """Put the clock of a request into the lines of its target, in the row ARRIVES."""
        row = NOC_REQUEST + niu * SLOTS + slot
        clock = tuple(int(near.S.race.clock[row, i]) for i in range(CLOCKS))
        hart, start = int(near.S.noc.hart[niu, slot]), int(near.S.race.number[row])
        self._keep_sent_clock(sender, hart, start, clock)
        if sender == receiver:
            own = list(clock)
            if int(near.S.noc.targ[niu, slot]) == int(near.S.noc.ret[niu, slot]):
                own[of_niu(niu, Noc.SENT)] = int(near.S.race.noc_end[niu, slot, 1])
            return self._arrives_with(receiver, own)
        into = [0] * CLOCKS
        self._reach(into, receiver, (sender, hart), start)
        self._after_requests(into, receiver, sender, clock)
        into[HOST] = self._host_before(sender, clock[HOST], receiver)
        for (tile, who), line in self._seen[sender].lines.items():
            known = clock[line]
            if who >= FIRST_NIU or not known:
                continue
            then = self._known(tile, who, known)
            if tile == receiver:
                into = [max(pair) for pair in zip(into, then, strict=True)]
            else:
                self._reach(into, receiver, (tile, who), known)
                self._after_requests(into, receiver, tile, then)
                into[HOST] = max(into[HOST], self._host_before(tile, then[HOST], receiver))
        if not near.S.race.strict:
            self._after_channel(into, near, sender, receiver, niu, slot)
        return self._arrives_with(receiver, into)

    def _arrives_with(self, receiver: int, clock: Sequence[int]) -> None:
        """Put a clock into the row ARRIVES of a tile."""
        S = self._ends[receiver].S
        for i, value in enumerate(clock):
            S.race.clock[ARRIVES, i] = value

    def _after_requests(
        self, into: list[int], receiver: int, sender: int, clock: Sequence[int]
    ) -> None:
        """Come after requests to the receiver that a clock of the sender knows to be over."""
        for (tile, who), line in self._seen[receiver].lines.items():
            if tile == sender and who >= FIRST_NIU:
                niu, of_line = divmod(who - FIRST_NIU, NOC_LINES)
                into[line] = max(into[line], clock[of_niu(niu, of_line)])

    def _after_channel(
        self, into: list[int], near: End, sender: int, receiver: int, niu: int, slot: int
    ) -> None:
        """Come after writes that went before on the channel, by promise P25: those that follow
        what is known to be over, in the order of their line."""
        channel = int(channel_of(near.S, niu, slot))
        if not channel or int(near.S.noc.ctrl[niu, slot]) & KIND == READ:
            return
        seen = self._seen
        for of_line in range(Noc.ACKED, NOC_LINES):
            line = seen[receiver].lines.get((sender, FIRST_NIU + niu * NOC_LINES + of_line))
            if line is None or of_line == Noc.SENT:
                continue
            missing = _oldest_under_way(near, niu, slot, of_line)
            for number, other in seen[sender].arrived.get((niu, of_line, receiver), ()):
                if number > into[line]:
                    if other != channel or number > missing:
                        break
                    into[line] = number

    def _keep_sent_clock(self, tile: int, hart: int, start: int, clock: tuple[int, ...]) -> None:
        """Keep the clock with which a core has sent a message."""
        starts, clocks = self._seen[tile].starts[hart], self._seen[tile].clocks[hart]
        if start not in clocks:
            insort(starts, start)
            clocks[start] = clock
        if len(starts) > KEPT:
            del clocks[starts.pop(0)]

    def _known(self, tile: int, hart: int, start: int) -> tuple[int, ...]:
        """Return the clocks that a core knew at its last message up to that number."""
        starts = self._seen[tile].starts[hart]
        i = bisect_right(starts, start)
        return self._seen[tile].clocks[hart][starts[i - 1]] if i else (0,) * CLOCKS

    def _knows(
        self, receiver: int, clock: Sequence[int], tile: int, line: int, number: int
    ) -> bool | None:
        """True if a tile that has begun a request with this clock knows that a request of another
        tile is over, the one with this number on a line there. None if it hears from more than it
        has lines for."""
        niu, of_line = divmod(line - of_niu(0, 0), NOC_LINES)
        over = FIRST_NIU + niu * NOC_LINES + of_line
        for (other, who), own in self._seen[receiver].lines.items():
            if other != tile or not clock[own]:
                continue
            known = self._known(tile, who, clock[own])[line] if who < FIRST_NIU else 0
            if known >= number or (who == over and clock[own] >= number):
                return True
        return None if any(full == receiver for full, _ in self.unobserved) else False

    def _reach(self, into: list[int], receiver: int, agent: Agent, count: int) -> None:
        line = self._line(receiver, agent)
        if line >= 0:
            into[line] = max(into[line], count)

    def _line(self, receiver: int, agent: Agent) -> int:
        """Return the line of a tile that stands for an agent of another one; -1 if there is none
        left."""
        lines = self._seen[receiver].lines
        if agent not in lines:
            if len(lines) == FOREIGN_LINES:
                self.unobserved.add((receiver, agent))
                return -1
            lines[agent] = FOREIGN + len(lines)
            tile, who = agent
            observer = self._ends[receiver].machine.runner.races
            if observer is not None and who >= FIRST_NIU:
                niu = (who - FIRST_NIU) // NOC_LINES
                observer.agents[lines[agent]] = f"NoC {niu} of {self._names[tile]}"
        return lines[agent]


def _oldest_under_way(near: End, niu: int, slot: int, line: int) -> int:
    """Return the number of the oldest other request to the same tile on a line that is on its
    way."""
    S, oldest = near.S, 1 << 32
    to = there_of(S, niu, slot)
    for other in range(SLOTS):
        if other == slot or S.noc.stage[niu, other] != GOING:
            continue
        if S.race.noc_line[niu, other] == line and there_of(S, niu, other) == to:
            oldest = min(oldest, int(S.race.noc_end[niu, other, 0]))
    return oldest
