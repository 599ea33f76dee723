# SPDX-License-Identifier: Apache-2.0
"""Requests over the NoC in words: those under way, and the last ones of each NIU.

A slot of a NIU keeps what its request was until another one takes it (core/noc/state.py), so the
last sixteen requests of each NIU are known, with the line that has started them.
"""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.arch.blackhole import HART_NAMES
from tensix_gdb.core.chip.holes import OverHole
from tensix_gdb.core.chip.places import Place, beside, name_of, place_of
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.noc.request import ATOMIC, BROADCAST, INLINE, KIND, MARKED, READ, target
from tensix_gdb.core.noc.state import COMING, FREE, NIUS, SLOTS
from tensix_gdb.gdbstub.tensix.blocked.instructions import place
from tensix_gdb.gdbstub.tensix.blocked.noc_names import noc_name
from tensix_gdb.gdbstub.tensix.chip.tiles import OneTile, Tiles

MAX_NAMES = 8  # of tiles in a sentence
INCREMENT = 1  # of NOC_AT_LEN_BE, bits 15:12
ANSWERS = {READ: "its data is on its way back", ATOMIC: "its answer is on its way back"}


@dataclass(frozen=True, slots=True)
class Request:
    """One request. `first` and `last` are the corners of a broadcast, and equal otherwise."""

    tile: OneTile
    niu: int
    slot: int
    ctrl: int
    first: Place
    last: Place
    there: int  # the address at the target
    here: int
    length: int
    stage: int
    due: int
    hart: int
    pc: int  # where it was started

    @property
    def started(self) -> str:
        """`NC at reader.cpp:88`. It takes long where debug information has not been read yet."""
        return f"{HART_NAMES[self.hart]} at {place(self.tile.machine, self.hart, self.pc)}"

    @property
    def kind(self) -> int:
        """READ, ATOMIC or WRITE."""
        return self.ctrl & KIND

    @property
    def increments(self) -> bool:
        """True if it is an atomic increment."""
        return self.kind == ATOMIC and self.length >> 12 & 15 == INCREMENT

    def places(self) -> Iterator[Place]:
        """Yield its target, or all of a broadcast."""
        (x0, y0), (x1, y1) = self.first, self.last
        for x in range(min(x0, x1), max(x0, x1) + 1):
            yield from ((x, y) for y in range(min(y0, y1), max(y0, y1) + 1))

    def covers(self, addr: int) -> bool:
        """True if it changes the byte at `addr` of its targets; of one that is no read."""
        size = 4 if self.ctrl & INLINE or self.kind == ATOMIC else self.length
        return self.there <= addr < self.there + max(size, 4)

    @property
    def does(self) -> str:
        """`writes 2048 bytes to 0x9000 of 2-3`."""
        chip = int(self.tile.machine.S.tile.chip)
        to = f"{self.there:#x} of {noc_name(chip, self.first)}"
        if self.first != self.last:
            to += f" to {noc_name(chip, self.last)}"
        if self.kind == READ:
            return f"reads {self.length} bytes at {to}"
        if self.kind == ATOMIC:
            return f"increments {to}" if self.increments else f"has an atomic at {to}"
        return (
            f"writes a word to {to}"
            if self.ctrl & INLINE
            else f"writes {self.length} bytes to {to}"
        )

    def text(self) -> str:
        """Return a line about one that is under way, without the tile."""
        if self.stage == COMING:
            state = ANSWERS.get(self.kind, "its acknowledgement is on its way back")
        else:
            state = (
                "on its way" if self.ctrl & MARKED or self.kind == READ else "on its way, posted"
            )
        cycles = self.due - int(self.tile.machine.S.tile.cycle)
        when = f", {cycles} more cycles" if cycles > 0 else ""
        return f"NIU {self.niu}: {self.does}: {state}{when}; started by {self.started}"


def under_way(tiles: Tiles) -> Iterator[Request]:
    """Yield every request that has not ended."""
    for tile in tiles.all:
        yield from (one for one in _of(tile) if one.stage != FREE)


def last_ones(tile: OneTile) -> Iterator[Request]:
    """Yield the last requests of a tile, ended or not."""
    return _of(tile)


def over_hole(tiles: Tiles, one: OverHole) -> str:
    """Return a sentence on what a line of a program has sent to places without a tile."""
    tile = tiles.by_place[one.sender]
    names = [name_of(missing) for missing in one.missing]
    more = f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else ""
    where = place(tile.machine, one.hart, one.pc)
    return (
        f"{tile.name} {HART_NAMES[one.hart]} at {where} sends to a rectangle that has no tile at "
        f"{' '.join(names[:MAX_NAMES])}{more}: nothing there receives it, and no acknowledgement "
        "comes from there"
    )


def _of(tile: OneTile) -> Iterator[Request]:
    record = tile.machine.record
    if not any(record.row(record.layout.slot("noc", "pc"))):
        return
    noc = tile.machine.S.noc
    for niu in range(NIUS):
        for slot in range(SLOTS):
            pc = int(noc.pc[niu, slot])
            if pc or noc.stage[niu, slot]:
                yield _request(tile, niu, slot, pc)


def _request(tile: OneTile, niu: int, slot: int, pc: int) -> Request:
    noc = tile.machine.S.noc
    ctrl, hart = int(noc.ctrl[niu, slot]), int(noc.hart[niu, slot])
    to_target = bool(target(ctrl))
    coordinates = int((noc.targ_at if to_target else noc.ret_at)[niu, slot])
    chip = int(tile.machine.S.tile.chip)
    first = last = beside(place_of(chip, niu, coordinates & 0xFFF), tile.place)
    if ctrl & BROADCAST:
        first = beside(place_of(chip, niu, coordinates >> 12 & 0xFFF), tile.place)
    there, here = (noc.targ, noc.ret) if to_target else (noc.ret, noc.targ)
    length = int(noc.length[niu, slot]) & 0xFFFFFFFF
    return Request(
        tile,
        niu,
        slot,
        ctrl,
        first,
        last,
        int(there[niu, slot]),
        int(here[niu, slot]),
        length,
        int(noc.stage[niu, slot]),
        int(noc.due[niu, slot]),
        hart,
        pc,
    )
