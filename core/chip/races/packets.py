# SPDX-License-Identifier: Apache-2.0
"""Races over cables: a packet is to the tiles at its ends what a request of a NIU is.

    sent      a store to ETH_TXQ_CMD     clock = what its core had used
    arrived   the source is read, an access of the queue's line in the sender's tile; the write is
              one of a line that stands for the queue at the other end, or a signal by a register

A packet of the same queue is there after it, so a word that is sent after data says that the data
is there. The source may be read until the other end has the packet, and no register says when: only
what the other end sends back does.

UNSPECIFIED(BlackholeA0 EthernetTile/EthernetTxRx.md): whether the data of a packet is in L1 before
a later packet of its queue takes effect; the page has sequence numbers, and counters that are ahead
of the data. tt-metal's router relies on it, so it is kept, but for `strict`. Of two queues nothing
is promised.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from tensix_gdb.core.chip.ends import End
from tensix_gdb.core.chip.ethernet.packets import L1_WRITE, Packet
from tensix_gdb.core.chip.races.knowledge import FIRST_QUEUE, Knowledge
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.entries import FAR_END
from tensix_gdb.core.noc.request import INLINE, READ, WRITE
from tensix_gdb.core.race.fields import PAST
from tensix_gdb.core.race.lines import CLOCKS, NO_REGION, STORE
from tensix_gdb.core.race.network.tiles import place_of
from tensix_gdb.core.race.stages.fields import ARRIVES as REQUEST
from tensix_gdb.core.race.stages.outside import put
from tensix_gdb.core.race.state.table import Group

DATA, WORD = 0, 1  # kinds of packets


class Sent(NamedTuple):
    """A packet that is on its way."""

    hart: int
    start: int  # number of its store
    queue: int
    made: tuple[int, int]  # packets of the queue so far, with it: data, and words for registers
    clock: tuple[int, ...]


class PacketRaces:
    """Packets between the tiles of several chips. `arrives_with` gives a tile the clock of what
    reaches it next."""

    def __init__(
        self,
        ends: Sequence[End],
        knowledge: Knowledge,
        arrives_with: Callable[[int, Sequence[int]], None],
    ) -> None:
        self._knowledge, self._arrives_with = knowledge, arrives_with
        self._numbers = {id(end.machine): number for number, end in enumerate(ends)}
        self._under_way: dict[tuple[int, int], Sent] = {}  # by tile and packet
        self._made: dict[tuple[int, int], tuple[int, int]] = {}  # by tile and queue

    def forget_state(self) -> None:
        """The chips have another state."""
        self._under_way.clear()

    def sent(self, machine: Machine, packet: int, hart: int, queue: int, *, is_data: bool) -> None:
        """A core has sent the packet with that number of its tile."""
        S, tile = machine.S, self._numbers[id(machine)]
        if not S.race.on:
            return
        # As for a store to NOC_CMD_CTRL, which is in no region with data either.
        start = int(S.race.made[hart, NO_REGION, STORE]) + 1
        S.race.made[hart, NO_REGION, STORE] = start
        clock = tuple(int(S.race.clock[PAST + hart, i]) for i in range(CLOCKS))
        self._knowledge.keep_sent_clock(tile, hart, start, clock)
        data, words = self._made.get((tile, queue), (0, 0))
        made = self._made[tile, queue] = data + is_data, words + (not is_data)
        self._under_way[tile, packet] = Sent(hart, start, queue, made, clock)

    def arrived(self, near: Machine, far: Machine, number: int, packet: Packet | None) -> None:
        """A packet is at the other end; None: it was lost."""
        sender, receiver = self._numbers[id(near)], self._numbers[id(far)]
        sent = self._under_way.pop((sender, number), None)
        if sent is None or packet is None:
            return  # not observed, or sent before
        is_data = packet.command == L1_WRITE
        if is_data and near.S.race.on:
            self._read(near, sender, sent, packet)
        if not far.S.race.on:
            return
        lines = [self._line(receiver, sender, sent.queue, kind) for kind in (DATA, WORD)]
        line, count = lines[not is_data], sent.made[not is_data]
        if line < 0:
            return
        into = self._knowledge.carried(sender, receiver, sent.hart, sent.start, sent.clock)
        if not far.S.race.strict:
            for one, made in zip(lines, sent.made, strict=True):
                if one >= 0:
                    into[one] = max(into[one], made - (one == line))
        self._arrives_with(receiver, into)
        if far.S.state.on & Group.STAGES:
            put(far.S, REQUEST, None)
        ctrl, length = (WRITE, packet.size) if is_data else (WRITE | INLINE, 4)
        place = place_of(sent.hart, 1 + sender, packet.pc)
        far.engine.call(FAR_END.name, ctrl, packet.to, length, 0, line, count, place)

    def _read(self, near: Machine, sender: int, sent: Sent, packet: Packet) -> None:
        """The queue has read what it sends."""
        line = self._line(sender, sender, sent.queue, DATA)
        if line < 0:
            return
        self._arrives_with(sender, sent.clock)
        place = place_of(sent.hart, 0, packet.pc)
        at = packet.start, packet.size
        near.engine.call(FAR_END.name, READ, *at, 0, line, sent.made[DATA], place)

    def _line(self, tile: int, of: int, queue: int, kind: int) -> int:
        return self._knowledge.line(tile, (of, FIRST_QUEUE + 2 * queue + kind))
