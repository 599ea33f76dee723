# SPDX-License-Identifier: Apache-2.0
"""A request to a rectangle of tiles, once it has left its NIU (BlackholeA0 NoC/MemoryMap.md).

It keeps its slot until the last receiver has it and, if it is marked, the last acknowledgement is
back: the initiator counts each of them. `Broadcast.next_due` is when something happens next, and is
what the slot has as `due`.

UNSPECIFIED(NoC/RoutingPaths.md): on which tree a packet goes, beyond its two axes. Each receiver
has it after as many hops as a request to it alone would take; a tile that receives what it sends
itself has it after one hop.
UNSPECIFIED(NoC/README.md): how long a path reservation takes. All routers have to answer before
data leaves, so it takes as long as to the farthest receiver and back, unless the chip has links
(core/links/multicast.py). Here it never fails.
UNSPECIFIED(NoC/Counters.md): when the data of a broadcast has left. It is read for each receiver as
it arrives there, so it has left when the last one has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tensix_gdb.core.chip.ends import End
from tensix_gdb.core.chip.places import Place, chip_of, coordinates, is_ethernet
from tensix_gdb.core.chip.routes import Copies
from tensix_gdb.core.chip.transfer import FAILED, answer, reach
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.noc.arrive import count_sent
from tensix_gdb.core.noc.carry import is_answered
from tensix_gdb.core.noc.columns import COPY_BACK
from tensix_gdb.core.noc.coordinates import covers, way, way_back
from tensix_gdb.core.noc.deliver import COLUMN_MASK, ROW_MASK
from tensix_gdb.core.noc.initiate import NEAREST
from tensix_gdb.core.noc.order import keeps_order, late, same_channel, there_of
from tensix_gdb.core.noc.request import PATH_RESERVE, SRC_INCLUDE, length_cycles
from tensix_gdb.core.noc.state import COMING, FREE, GOING, NIUS, SLOTS
from tensix_gdb.core.noc.turns import turn_of


@dataclass(slots=True)
class Copy:
    """The data for one receiver, or the acknowledgement of that receiver."""

    due: int
    receiver: int  # its number among the tiles of the chip
    stage: int = GOING
    word: int = 0  # that an atomic answers with; before, its turn at the receiver (turns.py)


class Broadcast:
    """One of them, in a slot of an NIU of a tile; tiles are numbers in `ends` and `places`."""

    def __init__(
        self, ends: Sequence[End], places: Sequence[Place], tile: int, niu: int, slot: int
    ) -> None:
        self._ends, self._places = ends, places
        self._tile, self._near = tile, ends[tile]
        self._niu, self._slot = niu, slot
        self._at = SLOTS * niu + slot
        self.kept = Copies(len(places))

    @property
    def copies(self) -> list[Copy]:
        """Those that are left. They are kept in words, which compiled code changes, too."""
        return [Copy(*row[:COPY_BACK]) for row in self.kept.rows()]

    @copies.setter
    def copies(self, copies: Iterable[Copy]) -> None:
        ways = self._ways(self._near.ctrls[self._at], self._near.there_of(self._at))
        rows = []
        for copy in copies:
            _, back, where = ways[copy.receiver]
            rows.append((copy.due, copy.receiver, copy.stage, copy.word, back, *where))
        self.kept.put(rows)

    def leave(self, older: Iterable[Broadcast], left: int | None) -> None:
        """It has left its NIU; `older` are those before it there. `left` is when, if the links
        have said it: its path is reserved then."""
        S, niu, slot = self._near.S, self._niu, self._slot
        ctrl, rectangle = int(S.noc.ctrl[niu, slot]), int(there_of(S, niu, slot))
        cycles = int(length_cycles(S, ctrl, int(S.noc.length[niu, slot])))
        ways = self._ways(ctrl, rectangle)
        if left is None:
            left = int(S.noc.due[niu, slot]) - NEAREST
            if ctrl & PATH_RESERVE:
                left += max((there + back for there, back, _ in ways.values()), default=0)
        before = [other._on_the_way() for other in older if other._comes_before(slot, rectangle)]
        copies = []
        for receiver, (there, _, _) in ways.items():
            due = int(late(S, niu, slot, left + max(there, NEAREST) + cycles, receiver + 1))
            for other in before:
                due = max(due, other.get(receiver, 0) + cycles)
            copies.append(Copy(due, receiver))
        self.copies = copies
        self._keep_due(copies)

    def _ways(self, ctrl: int, rectangle: int) -> dict[int, tuple[int, int, tuple[int, int]]]:
        """Return cycles to each receiver, and back, and where it is."""
        S, niu = self._near.S, self._niu
        key = niu, rectangle, ctrl & SRC_INCLUDE
        if (known := self._near.ways.get(key)) is not None:
            return known
        ways = self._near.ways[key] = {}
        own = chip_of(self._places[self._tile])
        for number, place in enumerate(self._places):
            if chip_of(place) != own or is_ethernet(place):  # which has opted out
                continue
            x, y = coordinates(int(S.tile.chip), niu, place)
            if covers(rectangle, x, y) and (number != self._tile or ctrl & SRC_INCLUDE):
                there = x | y << 6
                ways[number] = int(way(S, niu, there)), int(way_back(S, niu, there)), (x, y)
        return ways

    def _comes_before(self, slot: int, rectangle: int) -> bool:
        """True if a later request of the same NIU may not overtake it."""
        S, niu = self._near.S, self._niu
        if there_of(S, niu, self._slot) != rectangle:
            return False
        same = same_channel(S, niu, self._slot, slot)
        return bool(same and keeps_order(S, niu, self._slot, slot))

    def _on_the_way(self) -> dict[int, int]:
        """Return when each receiver has it that has not yet."""
        return {copy.receiver: copy.due for copy in self.copies if copy.stage == GOING}

    def _keep_due(self, copies: Sequence[Copy]) -> None:
        if copies:
            self._near.dues[self._at] = min(copy.due for copy in copies)

    def due(self, now: int) -> list[int]:
        """Return the receivers that get it now, or that an answer comes from."""
        return [copy.receiver for copy in self.copies if copy.due <= now]

    def deliver(self, now: int) -> bool:
        """Carry out what is due. False with a fault of the hart that has started it."""
        copies = self.copies
        is_done = self._carry_out(copies, now)
        self.copies = copies
        if is_done:
            if not copies:
                self._near.stages[self._at] = FREE
            self._keep_due(copies)
        return is_done

    def _carry_out(self, copies: list[Copy], now: int) -> bool:
        S, niu, slot = self._near.S, self._niu, self._slot
        due = [copy for copy in copies if copy.due <= now]
        if len(due) > 1:
            due.sort(key=lambda copy: (copy.due, copy.receiver))
        for copy in due:
            if copy.stage == COMING:
                far = self._ends[copy.receiver]
                if not answer(self._near, far, niu, slot, copy.word):
                    return False
                copies.remove(copy)
            elif not self._arrive(copies, copy, now):
                return False
        if not due and not copies:
            count_sent(S, niu, slot, int(S.noc.ctrl[niu, slot]))  # nothing receives it
        return True

    def _arrive(self, copies: list[Copy], copy: Copy, now: int) -> bool:
        S, niu, slot = self._near.S, self._niu, self._slot
        near, far = self._near, self._ends[copy.receiver]
        ctrl = near.ctrls[self._at]
        # It has left by them: no run changes its rectangle, or where tiles are.
        _, way_of_answer, (x, y) = self._ways(ctrl, near.there_of(self._at))[copy.receiver]
        receives = not _opts_out(far, niu, x, y)
        if receives and (turn := int(turn_of(S, niu, slot, far.record.address, copy.word))):
            copy.due = copy.word = turn
            return True
        word = reach(near, far, niu, slot) if receives else 0
        if word == FAILED:
            return False
        if receives and is_answered(ctrl):
            back = now + way_of_answer + 1  # as cycles_back of core/noc/carry.py: one flit
            copy.stage, copy.word = COMING, word
            copy.due = int(late(S, niu, slot, back, copy.receiver + 1))
        else:
            copies.remove(copy)
        if all(other.stage == COMING for other in copies):
            count_sent(S, niu, slot, ctrl)
        return True

    def state(self) -> tuple[tuple[int, int, int, int], ...]:
        """Return all of it, to be hashed."""
        return tuple((copy.due, copy.receiver, copy.stage, copy.word) for copy in self.copies)


def _opts_out(end: End, niu: int, x: int, y: int) -> bool:
    words, first = end.niu_words, niu * (len(end.niu_words) // NIUS)
    return bool(words[first + COLUMN_MASK] >> x & 1 or words[first + ROW_MASK] >> y & 1)
