# SPDX-License-Identifier: Apache-2.0
"""Races over the NoC: what the observers of the tiles (core/race) know of each other.

Each tile is observed by itself, with clocks of its own lines. A request carries the clock of its
store to NOC_CMD_CTRL to its target, where it is put into the lines of that tile (knowledge.py). So
a tile needs a line for each core that it has heard of, and one for each line of another NIU on
which something has come. Packets of a cable are messages as well (packets.py).
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from functools import partial

from tensix_gdb.core.chip.ends import End
from tensix_gdb.core.chip.places import Place, chip_of
from tensix_gdb.core.chip.races.knowledge import (
    FIRST_NIU,
    FIRST_QUEUE,
    KEPT,
    Agent,
    Knowledge,
    tile_name,
)
from tensix_gdb.core.chip.races.packets import PacketRaces
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.entries import FAR_END, NEAR_END
from tensix_gdb.core.noc.order import there_of
from tensix_gdb.core.noc.request import KIND, READ, is_write_of_data
from tensix_gdb.core.noc.state import GOING, SLOTS
from tensix_gdb.core.race.dram import DramRaces
from tensix_gdb.core.race.fields import ARRIVES, HOST_PAST, NOC_REQUEST
from tensix_gdb.core.race.lines import (
    CLOCKS,
    HOST,
    NOC_LINES,
    Foreign,
    Noc,
    of_niu,
)
from tensix_gdb.core.race.network.requests import channel_of
from tensix_gdb.core.race.network.tiles import COMES_BACK, SENDS, place_of
from tensix_gdb.core.race.stages.fields import ARRIVES as REQUEST
from tensix_gdb.core.race.stages.outside import of_request, put
from tensix_gdb.core.race.state.table import Group


class Races:
    """The observers of the tiles of a chip, as one."""

    def __init__(self, places: Sequence[Place], ends: Sequence[End]) -> None:
        self._ends = ends
        self._numbers = {id(end): number for number, end in enumerate(ends)}
        names = [tile_name(place) for place in places]
        self._known = Knowledge(names, self._met, self._host_past)
        self.packets = PacketRaces(ends, self._known, self._arrives_with)
        # Tiles of a chip have one DRAM; by chip.
        views = [end.S for end in ends]
        self._chips = [chip_of(place) for place in places]
        self.drams = {
            chip: DramRaces(views, names, self._knows, "" if chip < 0 else f"c{chip}.")
            for chip in self._chips
        }
        self._observers: set[int] = set()  # of tiles that are observed, by id
        # The last write of a slot of which the source was read: a multicast reads it once.
        self._read: dict[tuple[int, int, int], int] = {}

    @property
    def unobserved(self) -> set[tuple[int, Agent]]:
        """The tiles, by number, and agents that have no line there."""
        return self._known.unobserved

    def _host_past(self, tile: int) -> tuple[int, ...]:
        clock = self._ends[tile].S.race.clock
        return tuple(int(clock[HOST_PAST, i]) for i in range(CLOCKS))

    def _met(self, tile: int, line: int, agent: Foreign) -> None:
        observer = self._ends[tile].machine.runner.races
        if observer is not None:
            observer.agents[line] = agent

    def add(self, machine: Machine) -> None:
        """Know the observer of a tile: it has begun."""
        observer = machine.runner.races
        assert observer is not None
        number = next(i for i, end in enumerate(self._ends) if end.machine is machine)
        self._observers.add(id(observer))
        observer.tiles, observer.agents = self._known.names, self._known.agents(number)
        observer.dram = self.drams[self._chips[number]]
        observer.before_host = partial(self._host_knows, number)
        observer.on_host = partial(self._host, number)

    def has(self, machine: Machine) -> bool:
        """True if the observer of a tile is known."""
        return id(machine.runner.races) in self._observers

    def forget_state(self) -> None:
        """The chip has another state: all clocks begin anew, and lines keep their meaning."""
        self._known.forget_state()
        self.packets.forget_state()
        self._read = {}

    def _host(self, tile: int) -> None:
        self._known.host(tile, int(self._ends[tile].S.race.host_made))

    def _host_knows(self, receiver: int) -> None:
        """The host is about to read or write a tile: it comes after requests to that tile of which
        it has heard from their sender that they are over."""
        clock = self._ends[receiver].S.race.clock
        for (tile, who), line in self._known.seen[receiver].lines.items():
            if FIRST_NIU <= who < FIRST_QUEUE:
                niu, of_line = divmod(who - FIRST_NIU, NOC_LINES)
                known = int(self._ends[tile].S.race.clock[HOST_PAST, of_niu(niu, of_line)])
                if known > clock[HOST_PAST, line]:
                    clock[HOST_PAST, line] = known

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
            line = self._known.line(receiver, (sender, FIRST_NIU + niu * NOC_LINES + of_line))
        if line < 0:
            return
        number = int(S.race.noc_end[niu, slot, 0])
        self._carry(near, sender, receiver, niu, slot)
        to = noc.ret[niu, slot] if is_write_of_data(ctrl) else noc.targ[niu, slot]
        length, mask = int(noc.length[niu, slot]), int(noc.mask[niu, slot])
        place = place_of(hart, 0 if is_own else 1 + sender, int(noc.pc[niu, slot]))
        call = far.machine.engine.call
        self._formats(near, far, niu, slot, is_back=False)
        call(FAR_END.name, ctrl, int(to), length, mask, line, number, place)
        self._formats(near, far, niu, slot, is_back=True)
        requests = self._known.seen[sender].arrived.setdefault((niu, of_line, receiver), [])
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
        self._known.keep_sent_clock(sender, hart, start, clock)
        if sender == receiver:
            own = list(clock)
            if int(near.S.noc.targ[niu, slot]) == int(near.S.noc.ret[niu, slot]):
                own[of_niu(niu, Noc.SENT)] = int(near.S.race.noc_end[niu, slot, 1])
            return self._arrives_with(receiver, own)
        into = self._known.carried(sender, receiver, hart, start, clock)
        if not near.S.race.strict:
            self._after_channel(into, near, sender, receiver, niu, slot)
        return self._arrives_with(receiver, into)

    def _arrives_with(self, receiver: int, clock: Sequence[int]) -> None:
        """Put a clock into the row ARRIVES of a tile."""
        S = self._ends[receiver].S
        for i, value in enumerate(clock):
            S.race.clock[ARRIVES, i] = value

    def _after_channel(
        self, into: list[int], near: End, sender: int, receiver: int, niu: int, slot: int
    ) -> None:
        """Come after writes that went before on the channel, by promise P25: those that follow
        what is known to be over, in the order of their line."""
        channel = int(channel_of(near.S, niu, slot))
        if not channel or int(near.S.noc.ctrl[niu, slot]) & KIND == READ:
            return
        seen = self._known.seen
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

    def _knows(
        self, receiver: int, clock: Sequence[int], tile: int, line: int, number: int
    ) -> bool | None:
        """True if a tile that has begun a request with this clock knows that a request of another
        tile is over, the one with this number on a line there. None if it hears from more than it
        has lines for."""
        when = self._known.when(receiver, clock[HOST])
        if when and self._known.by_host(tile, when)[line] >= number:
            return True
        niu, of_line = divmod(line - of_niu(0, 0), NOC_LINES)
        over = FIRST_NIU + niu * NOC_LINES + of_line
        for (other, who), own in self._known.seen[receiver].lines.items():
            if other != tile or not clock[own]:
                continue
            known = self._known.known(tile, who, clock[own])[line] if who < FIRST_NIU else 0
            if known >= number or (who == over and clock[own] >= number):
                return True
        return None if any(full == receiver for full, _ in self.unobserved) else False


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
