# SPDX-License-Identifier: Apache-2.0
"""Requests between tiles: what is under way, and what is due in a cycle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from tensix_gdb.core.chip.broadcast import Broadcast, Copy
from tensix_gdb.core.chip.ends import End
from tensix_gdb.core.chip.holes import Holes
from tensix_gdb.core.chip.places import Place
from tensix_gdb.core.chip.routes import Routes
from tensix_gdb.core.chip.transfer import arrive, come_back
from tensix_gdb.core.noc.order import NEVER, read_before, there_of
from tensix_gdb.core.noc.request import BROADCAST, KIND, READ
from tensix_gdb.core.noc.state import AFTER_READ, COMING, HELD, NIUS, SLOTS, THERE

if TYPE_CHECKING:
    from tensix_gdb.core.chip.network import Network

Key = tuple[int, int, int]  # number of the tile, NIU, slot


class Traffic:
    """Requests for other tiles are in the slots of their NIU; which tiles have a broadcast is kept
    here. `touch` is called with the number of a tile before a request changes or reads it; `due`
    tells in a cycle which tiles have a request that is to do something, and `settle` lets the links
    act up to one. Without a `network` packets never wait for links."""

    def __init__(
        self,
        places: Sequence[Place],
        ends: Sequence[End],
        touch: Callable[[int], None],
        due: Callable[[int], Iterable[int]],
        settle: Callable[[int], None],
        network: Network | None,
    ) -> None:
        self._places, self._ends, self._touch, self._tiles_due = places, ends, touch, due
        self._settle, self.network = settle, network
        chip = int(ends[0].S.tile.chip)
        self.routes = Routes(places, chip)
        self._broadcasts: dict[Key, Broadcast] = {}
        self.holes = Holes(places, chip)

    def deliver(self, now: int) -> int:
        """Carry out what is due, in the order of time, tiles, NIUs and slots. The tile of a hart
        that gets a fault by it, or -1."""
        self.advance(now)
        due = sorted(
            (self._ends[key[0]].dues[SLOTS * key[1] + key[2]], key) for key in self._due(now)
        )
        for _, (number, niu, slot) in due:
            if not self._carry_out(number, niu, slot, now):
                return number
        return -1

    def advance(self, now: int) -> None:
        """Let the links know what has left, and bring what they carry up to a cycle."""
        self._settle(now)

    def _due(self, now: int) -> Iterator[Key]:
        """Yield every request for other tiles that is to do something up to a cycle."""
        for number in self._tiles_due(now):
            end = self._ends[number]
            stages, dues = bytes(end.stages), end.dues
            due = [at for at, stage in enumerate(stages) if stage and dues[at] <= now]
            if len(due) > 1:  # of a NIU the oldest first: a broadcast has older ones
                oldest = end.nexts
                due.sort(key=lambda at: (at // SLOTS, (at - oldest[at // SLOTS]) % SLOTS))
            for at in due:
                if end.helds[at] in (HELD, AFTER_READ):
                    continue  # the links will say
                niu, slot = divmod(at, SLOTS)
                if end.ctrls[at] & BROADCAST:
                    self._follow((number, niu, slot))
                if dues[at] <= now and not end.alone(at):
                    yield number, niu, slot

    def _follow(self, key: Key) -> None:
        """Begin to follow a broadcast that has left its NIU."""
        number, niu, slot = key
        if not self.routes.is_followed(number, SLOTS * niu + slot):
            self._drop_done()
            self._touch(number)
            older = [each for at, each in self._broadcasts.items() if at[:2] == key[:2]]
            broadcast = Broadcast(self._ends, self._places, number, niu, slot)
            packet = (number * NIUS + niu) * SLOTS + slot
            broadcast.leave(older, None if self.network is None else self.network.left(packet))
            self._keep(key, broadcast)
            S = self._ends[number].S
            hart, pc = int(S.noc.hart[niu, slot]), int(S.noc.pc[niu, slot])
            self.holes.note(self._places[number], hart, pc, niu, int(there_of(S, niu, slot)))

    def _carry_out(self, number: int, niu: int, slot: int, now: int) -> bool:
        """Carry out what a request does now. False with a fault of the hart that has started it."""
        self._touch(number)
        near, at = self._ends[number], SLOTS * niu + slot
        if near.ctrls[at] & BROADCAST:
            broadcast = self._broadcasts[number, niu, slot]
            for receiver in broadcast.due(now):
                self._touch(receiver)
            if not broadcast.deliver(now):
                return False
            if not near.stages[at]:
                self.routes.follow(number, at, None)
            return True
        there, held, noc = near.there_of(at), near.helds[at], near.S.noc
        if held == THERE:
            noc.due[niu, slot] = max(now, int(read_before(near.S, niu, slot)))
            if noc.due[niu, slot] > now:
                return True
        receiver = self.routes.receiver(number, niu, there)
        if held:
            noc.held[niu, slot] = 0
            if receiver in (-1, number):  # DRAM, or itself: the tile does the rest
                near.S.asleep.niu = 0
                return True
        self._touch(receiver)
        far = self._ends[receiver]
        if near.stages[at] == COMING:
            return come_back(near, far, niu, slot)
        if not arrive(near, far, niu, slot, there):
            return False
        is_coming = near.stages[at] == COMING
        if self.network is not None and is_coming and near.ctrls[at] & KIND == READ:
            self.network.answer(number, niu, slot, there)
        return True

    def _keep(self, key: Key, broadcast: Broadcast) -> None:
        self._broadcasts[key] = broadcast
        number, niu, slot = key
        self.routes.follow(number, SLOTS * niu + slot, broadcast.kept)

    def _drop_done(self) -> None:
        """Forget the broadcasts that are over; compiled code ends them, too."""
        for key in list(self._broadcasts):
            number, niu, slot = key
            if not self.routes.is_followed(number, SLOTS * niu + slot):
                del self._broadcasts[key]

    # Whole states

    def state(self, now: int) -> bytes:
        """Return the state that is in no tile's record, to be hashed."""
        self._follow_all(now)
        rows = ((key, each.state()) for key, each in sorted(self._broadcasts.items()))
        links = b"" if self.network is None else self.network.state()
        return repr(tuple(rows)).encode("ascii") + links

    def snapshot(self, now: int) -> dict[Key, tuple[Copy, ...]]:
        """Copy it but for the links."""
        self._follow_all(now)
        return {key: tuple(each.copies) for key, each in self._broadcasts.items()}

    def restore(self, snapshot: dict[Key, tuple[Copy, ...]]) -> None:
        """Put a copy back."""
        self._broadcasts = {}
        self.routes.forget()
        for key, copies in snapshot.items():
            broadcast = Broadcast(self._ends, self._places, *key)
            broadcast.copies = list(copies)
            self._keep(key, broadcast)

    def _follow_all(self, now: int) -> None:
        """A broadcast that has left since the last delivery is followed from now on."""
        self.advance(now)
        for _ in self._due(NEVER):
            pass
        self._drop_done()
