# SPDX-License-Identifier: Apache-2.0
"""Races in DRAM: requests of NIUs that meet there, of one tile or of several tiles of a chip.

DRAM is outside the records, and Python moves its data (core/noc/outside.py). So this observer is
Python: it keeps the last accesses of each piece of memory, and asks the clock with which a new
request has begun whether they are over. A request ends on a line of its NIU, as one to L1 does
(network/requests.py). What a request of another tile is after is asked of core/chip/races/tiles.py.

Two requests of one NIU to the same port of a channel, on the same virtual channel, are in order
where the pages say so (core/noc/order.py). Two ports are two ways: nothing orders what comes by
them. The host reads and writes DRAM while nothing there is under way by its own knowledge, so what
it touches is begun anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.noc.request import KIND, READ, STATIC
from tensix_gdb.core.noc.state import SLOTS
from tensix_gdb.core.race.fields import NOC_REQUEST
from tensix_gdb.core.race.findings import Access, Kind, Place, Report, State, Verdict
from tensix_gdb.core.race.lines import CLOCKS, OTHER_TILE, Named, name, of_niu
from tensix_gdb.core.race.network.requests import channel_of
from tensix_gdb.core.race.remedies.advice import advise
from tensix_gdb.core.race.remedies.end import End
from tensix_gdb.core.race.stages.carried import taken
from tensix_gdb.core.race.stages.outside import Carried, of_request, put
from tensix_gdb.core.race.state.table import Group
from tensix_gdb.core.record.layout import View

PIECE = 64  # bytes
KEPT = 8  # accesses of a piece
MOST = 256  # reports
STORE = "a store to NOC_CMD_CTRL"

# Whether a tile that has begun a request with a clock knows of another tile's that it is over: by
# the number of each, the clock, a line of the other tile and the number there. None: that cannot be
# said.
Knows = Callable[[int, Sequence[int], int, int, int], bool | None]


@dataclass(frozen=True, slots=True, eq=False)
class Request:
    """The access of a request to DRAM."""

    tile: int
    line: int
    number: int
    channel: int  # virtual channel and port; 0 if hardware chooses the virtual channel
    start: int
    end: int
    writes: bool
    changes: bool
    hart: int
    pc: int
    cycle: int


@dataclass
class Pair:
    """Two instructions with requests that nothing orders, and where they met first."""

    earlier: Request
    later: Request
    memory: int  # channel of DRAM
    last: tuple[int, int] = (0, 0)
    count: int = 0
    changes: bool = False


Key = tuple[int, int, int, int, int, int, bool, bool]


@dataclass
class DramRaces:
    """The observer of all DRAM of a chip; `tiles` are the records' views, and their names if there
    are several."""

    tiles: Sequence[View]
    names: Sequence[str] = ()
    knows: Knows = lambda tile, clock, other, line, number: None
    chip: str = ""  # before the names of its channels
    lost: int = 0
    _pieces: dict[tuple[int, int], list[Request]] = field(default_factory=dict)
    _pairs: dict[Key, Pair] = field(default_factory=dict)
    _numbers: dict[int, int] = field(default_factory=dict)
    _formats: dict[tuple[int, int], Carried] = field(default_factory=dict)  # of pieces

    def __post_init__(self) -> None:
        self._numbers = {id(S): number for number, S in enumerate(self.tiles)}

    def forget_tile(self, S: View) -> None:
        """Forget what was found in a tile, too: it starts again."""
        tile = self._numbers[id(S)]
        self._pairs = {key: pair for key, pair in self._pairs.items() if pair.later.tile != tile}
        self.restart_clocks()

    def restart_clocks(self) -> None:
        """The state is another one: clocks begin anew. What was found stays."""
        self._pieces.clear()
        self._formats.clear()

    def host(self, memory: int, start: int, length: int) -> None:
        """The host reads or writes a channel."""
        for piece in range(start // PIECE, (start + length - 1) // PIECE + 1):
            self._pieces.pop((memory, piece), None)
            self._formats.pop((memory, piece), None)

    def moved(
        self, S: View, niu: int, slot: int, memory: int, start: int, length: int, *, changes: bool
    ) -> None:
        """The data of a request has been moved to or from a channel."""
        number = int(S.race.noc_end[niu, slot, 0])
        if not S.race.on or not number or not length:
            return  # not observed, or it had left before
        row, tile = NOC_REQUEST + niu * SLOTS + slot, self._numbers[id(S)]
        request = Request(
            tile,
            of_niu(niu, int(S.race.noc_line[niu, slot])),
            number,
            int(channel_of(S, niu, slot)) if S.noc.ctrl[niu, slot] & STATIC else 0,
            start,
            start + length,
            S.noc.ctrl[niu, slot] & KIND != READ,
            changes,
            int(S.noc.hart[niu, slot]),
            int(S.noc.pc[niu, slot]),
            int(S.tile.cycle),
        )
        if S.state.on & Group.STAGES:
            self._carry(S, niu, slot, memory, start, length)
        clock = tuple(int(S.race.clock[row, i]) for i in range(CLOCKS))
        known: dict[Request, bool | None] = {}
        met: set[Request] = set()
        for piece in range(start // PIECE, (start + length - 1) // PIECE + 1):
            kept = self._pieces.setdefault((memory, piece), [])
            for other in kept:
                if other not in known:
                    known[other] = self._is_over(other, request, clock)
                meets = other.start < request.end and request.start < other.end
                if meets and known[other] is False and (other.writes or request.writes):
                    met.add(other)
            first, last = PIECE * piece, PIECE * (piece + 1)
            kept[:] = [
                other
                for other in kept
                if not (known[other] and _hides(request, other, first, last))
            ]
            kept.append(request)
            del kept[:-KEPT]
        for other in sorted(met, key=lambda each: each.cycle):
            self._keep_report(other, request, memory)

    def _carry(self, S: View, niu: int, slot: int, memory: int, start: int, length: int) -> None:
        """Keep the format of what a request writes; a request that reads one has it."""
        at, place = niu * SLOTS + slot, range(start // PIECE, (start + length - 1) // PIECE + 1)
        if S.noc.ctrl[niu, slot] & KIND == READ:
            kept = {self._formats.get((memory, piece)) for piece in place}
            one = kept.pop()
            put(S, at, one if not kept else None, self._numbers[id(S)])
            return
        taken(S, at, int(S.noc.targ[niu, slot]), length)
        one = of_request(S, at, self._numbers[id(S)])
        for piece in place:
            is_whole = start <= piece * PIECE and (piece + 1) * PIECE <= start + length
            if one is not None and is_whole:
                self._formats[memory, piece] = one
            else:
                self._formats.pop((memory, piece), None)

    def _is_over(self, other: Request, request: Request, clock: Sequence[int]) -> bool | None:
        if other.tile == request.tile:
            if clock[other.line] >= other.number:
                return True
            same = other.channel and other.channel == request.channel
            return bool(same and other.writes and not request.writes)
        return self.knows(request.tile, clock, other.tile, other.line, other.number)

    def _keep_report(self, earlier: Request, later: Request, memory: int) -> None:
        key = (
            *(earlier.tile, earlier.hart, earlier.pc),
            *(later.tile, later.hart, later.pc),
            *(earlier.writes, later.writes),
        )
        if key not in self._pairs and len(self._pairs) >= MOST:
            self.lost += 1
            return
        pair = self._pairs.setdefault(key, Pair(earlier, later, memory))
        pair.last = earlier.cycle, later.cycle
        pair.count += 1
        pair.changes |= later.changes if later.writes else earlier.changes

    def reports(self, S: View, number: int) -> list[Report]:
        """Return the reports of a tile: those with the later request; the first one has that
        number."""
        tile = self._numbers[id(S)]
        pairs = [pair for pair in self._pairs.values() if pair.later.tile == tile]
        return [self._report(pair, i) for i, pair in enumerate(pairs, number)]

    def _report(self, pair: Pair, number: int) -> Report:
        earlier, later = pair.earlier, pair.later
        lines = [name(each.line) for each in (earlier, later)]
        if earlier.tile != later.tile:
            lines[0] = Named(OTHER_TILE)
        accesses = (
            self._access(earlier, later.tile, pair.last[0]),
            self._access(later, later.tile, pair.last[1]),
        )
        ends = [End(line, access) for line, access in zip(lines, accesses, strict=True)]
        advice = advise(ends[0], ends[1], State.DRAM)
        addr = max(earlier.start, later.start)
        length = min(earlier.end, later.end) - addr
        memory = f"{self.chip}DRAM {pair.memory}"
        return Report(
            number=number,
            verdict=Verdict.RACE,
            same_value=not pair.changes,
            place=Place(State.DRAM, pair.memory, addr, length, f"{memory} {addr:#x}"),
            earlier=accesses[0],
            later=accesses[1],
            count=pair.count,
            reason=advice.reason,
            fix=advice.fix,
            page=advice.page,
        )

    def _access(self, request: Request, seen_by: int, last: int) -> Access:
        niu = name(request.line).niu
        is_other = request.tile != seen_by
        of = f" of {self.names[request.tile]}" if is_other else ""
        return Access(
            agent=f"NoC {niu}{of}",
            kind=Kind.WRITE if request.writes else Kind.READ,
            hart=request.hart,
            thread=None,
            pc=request.pc,
            instruction=STORE,
            via="",
            first=request.cycle,
            last=last,
            outside=self.names[request.tile] if is_other else "",
            is_request=True,
        )


def _hides(new: Request, old: Request, first: int, last: int) -> bool:
    """True if an access that is in order with the new one is so with the old one, in this piece."""
    whole = new.start <= max(old.start, first) and min(old.end, last) <= new.end
    return whole and (new.writes or not old.writes)
