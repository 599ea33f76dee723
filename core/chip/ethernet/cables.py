# SPDX-License-Identifier: Apache-2.0
"""Cables between Ethernet tiles: which tiles there are, and when a packet is at the other end.

A packet is on its way for longer than a quantum (core/chip/in_step.py), so nothing that a tile
sends reaches another one before all tiles are at that cycle: `Cables.next_due` ends a run of the
chips there. What is under way is in the record of its sender (packets.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tensix_gdb.core.arch.chips import BLACKHOLE
from tensix_gdb.core.chip.ethernet.packets import NEVER
from tensix_gdb.core.chip.links import CHANNELS, TRANSLATED_X, TRANSLATED_Y, Link, channel_of
from tensix_gdb.core.chip.places import ETHERNET, Place, chip_of, is_ethernet, on_noc
from tensix_gdb.core.debug.memory import MemoryFault
from tensix_gdb.core.devices.niu import SLOT, niu_of
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.stop import Stop, StopKind

if TYPE_CHECKING:
    from tensix_gdb.core.chip.ethernet.assembled import Side
    from tensix_gdb.core.chip.ethernet.tile import Ethernet

COMMAND, TARG_HI, RET_HI = 0x40, 2, 5  # bytes, words after the first register of an initiator
CUT, LOSE, LATE = "cut", "lose", "late"
CableFault = tuple[str, Place, int, int]  # which, at what tile, from which cycle on, by how much
# By kind of chip the first board, a p150 or an n150; each chip has one of its own.
BOARD_OF = (0x400 << 32 | 1, 0x180 << 32 | 1)


def _side(place: Place, kind: int) -> Side:
    from tensix_gdb.core.chip.ethernet.assembled import Side

    chip = max(chip_of(place), 0)
    return Side(BOARD_OF[kind] + chip, 0, 1 + chip, channel_of(place))


class Cables:
    """The Ethernet tiles among these tiles, and the cables between them. `touch` is called with
    the number of a tile before a packet changes it."""

    def __init__(
        self, tiles: Mapping[Place, Machine], links: Sequence[Link], touch: Callable[[int], None]
    ) -> None:
        self._touch, self.links = touch, tuple(links)
        self.faults: list[CableFault] = []  # on purpose
        self._numbers = {place: number for number, place in enumerate(tiles)}
        self.tiles: dict[Place, Ethernet] = {}
        count: dict[int, int] = {}
        for place in filter(is_ethernet, tiles):
            # Here, as most chips have no cable: their start is the shorter.
            from tensix_gdb.core.chip.ethernet.tile import Ethernet

            logical = count[chip_of(place)] = count.get(chip_of(place), -1) + 1
            self.tiles[place] = Ethernet(tiles[place], place, logical)
        for one, other in links:
            self.tiles[one].peer, self.tiles[other].peer = self.tiles[other], self.tiles[one]
            kind = int(tiles[one].S.tile.chip)
            near, far = _side(one, kind), _side(other, kind)
            self.tiles[one].power_up(near, far)
            self.tiles[other].power_up(far, near)
        self.by_number = {self._numbers[place]: tile for place, tile in self.tiles.items()}
        self._all = list(self.by_number.values())

    def next_due(self) -> int:
        """Return the cycle in which the next packet arrives; NEVER without one."""
        return min([tile.packets.next_due() for tile in self._all], default=NEVER)

    def deliver(self, now: int) -> tuple[int, str] | None:
        """Write what has arrived, in the order of time and tiles. What cannot be written: the
        number of the tile that has sent it, and a sentence."""
        due = [(tile.packets.next_due(), number) for number, tile in self.by_number.items()]
        for when, number in sorted(due):
            tile = self.by_number[number]
            while when <= now:
                assert tile.peer is not None
                if tile.races is not None:
                    self._touch(number)  # its memory is looked at
                self._touch(self._numbers[tile.peer.place])
                try:
                    tile.arrive()
                except MemoryFault as problem:
                    return number, str(problem)
                when = tile.packets.next_due()
        return None

    def serve(self, number: int, S: View) -> bool:
        """Carry out what has stopped a tile, if it is of Ethernet; False if it is not."""
        ethernet = self.by_number.get(number)
        if ethernet is not None and ethernet.serve():
            return True
        return bool(self.tiles) and self.translate(S)

    def in_words(self, number: int, stop: Stop | None) -> Stop | None:
        """Return a stop with the sentence of what an Ethernet tile has refused, if it has."""
        ethernet = self.by_number.get(number)
        if stop is None or ethernet is None or not ethernet.problem:
            return stop
        return replace(stop, text=f"{ethernet.problem}. {stop.text}")

    def translate(self, S: View) -> bool:
        """Put the NoC's coordinates in place of translated ones of an Ethernet tile, in the
        registers of the request that has stopped a tile. False if it has stopped for another
        reason.

        NIUs translate so (BlackholeA0 NoC/Coordinates.md). That of a Tensix tile here knows none of
        these coordinates, and stops before the request is made; it is made again after this."""
        if S.stop.kind != StopKind.FAULT or S.stop.code != Fault.NOC_TRANSLATION:
            return False
        if S.tile.chip != BLACKHOLE:  # a Wormhole's NIUs have them in their tables
            return False
        addr = int(S.stop.a)
        niu, base = niu_of(addr), SLOT[((addr - COMMAND) & 0xFFFF) >> 2]
        found = False
        for word in (base + TARG_HI, base + RET_HI):
            value = int(S.niu.word[niu, word])
            number = (value & 63) - TRANSLATED_X
            if value >> 6 & 63 == TRANSLATED_Y and 0 <= number < len(CHANNELS):
                x, y = on_noc(ETHERNET[BLACKHOLE][CHANNELS[number]])
                S.niu.word[niu, word] = value & ~0xFFF | x | y << 6
                found = True
        if found:
            S.stop.kind = StopKind.NONE
        return found

    def damage(self, fault: CableFault) -> None:
        """Put a fault on a cable: `cut` in both directions, others in that of the tile."""
        self.faults.append(fault)
        kind, place, cycle, by = fault
        one = self.tiles[place]
        if kind == LOSE:
            one.packets.damage.lose_at = cycle
        elif kind == LATE:
            one.packets.damage.late_at, one.packets.damage.late_by = cycle, by
        else:
            for tile in (one, one.peer):
                if tile is not None:
                    tile.packets.damage.cut_at = cycle

    def lines(self) -> list[str]:
        """Return in words what is on the cables, and what came last."""
        return [line for tile in self._all for line in tile.lines()]

    def is_quiet(self) -> bool:
        """True if no packet is on its way."""
        return self.next_due() == NEVER
