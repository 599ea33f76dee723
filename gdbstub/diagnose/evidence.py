# SPDX-License-Identifier: Apache-2.0
"""All that is known of one run: how it ended, its tiles, its reports, and what second runs say.

The run itself is observed, for races and by all checks: it takes the same cycles then. The rest is
looked for when a cause asks for it, and kept. A tile is compared only after a run that came to its
end: after a fault or a hang, what has not been computed differs, and that says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from functools import cached_property

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.origin.query import NotRepeated
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind
from tensix_gdb.gdbstub.diagnose.chain import Chain
from tensix_gdb.gdbstub.diagnose.subject import Subject
from tensix_gdb.gdbstub.order.report.known import Judgement
from tensix_gdb.gdbstub.order.report.located import Located
from tensix_gdb.gdbstub.order.report.text import plural
from tensix_gdb.gdbstub.origin.blame.command import blamed_for_fault, odd_moves
from tensix_gdb.gdbstub.origin.blame.tiles import Odd, tiles_of
from tensix_gdb.gdbstub.tensix.blocked.at_fault import fault_of
from tensix_gdb.gdbstub.tensix.blocked.last_write import LastWrite, is_unwritten, last_write
from tensix_gdb.gdbstub.tensix.blocked.polled_words import is_firmware
from tensix_gdb.gdbstub.tensix.blocked.polls import Polling, Polls, polling
from tensix_gdb.gdbstub.tensix.blocked.why import Waiter, parties
from tensix_gdb.gdbstub.tensix.origins.wrong import Wrong, first_wrong_of
from tensix_gdb.gdbstub.tensix.races.output import faults_of, stop_observing
from tensix_gdb.gdbstub.tensix.tiles.files import TileFiles

# The cycles of a run beyond which the first wrong datum is not followed: an instrumented run is in
# plain Python.
MOST_FOLLOWED = 2_000_000
MOST_ENDING = 3  # lines
UNJUDGED = ", as far as it is known: no array is expected (`--expect`)"


class Symptom(Enum):
    """The way in which a run has failed; its value is the end of the page's first sentence."""

    FAULT = "stops at a fault"
    HANG = "hangs: it is proved that nothing can move any more"
    WAITS = "may hang: its host waits, and all that kernels do is to poll or to wait"
    ENDLESS = "does not come to its end"
    STATUS = "ends with an exit status that says failure"
    HOST = "ends, and the exit status of its host says failure"
    WRONG_TILE = "ends, and a tile is not as expected"
    NONE = "ends as wanted"


@dataclass(frozen=True, slots=True)
class Seeds:
    """The words about other orders, and True if a run in one of them was not as wanted."""

    lines: Sequence[str]
    found: bool


@dataclass(frozen=True, slots=True)
class Gap:
    """Bytes of an expected tile that nothing has written, and the last write before them."""

    first: int
    end: int
    before: LastWrite | None


@dataclass(frozen=True, slots=True)
class Waiting:
    """The harts and threads of a tile that wait at the end, and those of them that poll. `tile` is
    "" of a tile alone."""

    tile: str
    waiters: Sequence[Waiter]
    polled: Sequence[Polling]
    idle: frozenset[int] = frozenset()  # waiters that have nothing to do with the failure

    @property
    def waiting(self) -> list[Waiter]:
        """Those that may be what the others wait for."""
        return [
            one
            for one in self.waiters
            if one.does and not one.moves and one.number not in self.idle
        ]


class Evidence:
    """The evidence of one run, which is over."""

    def __init__(
        self,
        subject: Subject,
        ending: Sequence[str],
        ended_well: bool,
        judgement: Judgement | None,
        is_interrupted: Callable[[], bool],
    ) -> None:
        self.subject, self.judgement = subject, judgement
        self.machine = machine = subject.machine
        self.files: TileFiles | None = subject.files
        self.ending, self._ended_well = list(ending), ended_well
        self.is_interrupted = is_interrupted
        # Second runs come back to this place; the stop does not survive all of them.
        self._kind = int(machine.S.stop.kind)
        self.cycles = int(machine.S.tile.cycle)
        self.is_observed = judgement is not None
        self.wrong = self._first_wrong()
        self.unwritten = self._unwritten()
        self.polled = self._polled()
        self.waiters: list[Waiter] = []
        if self.symptom in (Symptom.HANG, Symptom.ENDLESS):
            self.waiters = [
                Waiter(one.number, "") if one.number in subject.idle else one
                for one in parties(machine)
            ]
        paused = {hart for hart in range(HARTS) if machine.S.hart.paused[hart]}
        idle = frozenset(paused | self._in_firmware())
        self.waits = [Waiting("", self.waiters, self.polled, idle)]
        stop = fault_of(machine)
        self.fault = stop.text if stop is not None else ""
        self.fault_lines = [line for one in faults_of(machine) for line in one.lines]
        stop_observing(machine)  # second runs are about something else

    @property
    def symptom(self) -> Symptom:
        """The way in which the run has failed."""
        if self._kind == StopKind.FAULT:
            return Symptom.FAULT
        if self._kind == StopKind.STANDSTILL:
            return Symptom.HANG
        if not self._ended_well:
            is_over = self._kind in (StopKind.EXIT, StopKind.ALL_PAUSED)
            return Symptom.STATUS if is_over else Symptom.ENDLESS
        return Symptom.WRONG_TILE if self.wrong is not None else Symptom.NONE

    @property
    def ending_lines(self) -> Iterator[str]:
        """The end of the run, briefly: a fault and a hang are said as the cause."""
        if self.symptom in (Symptom.NONE, Symptom.WRONG_TILE, Symptom.STATUS):
            yield from self.ending[-1].split("\n")[:MOST_ENDING]
        else:
            yield f"after {self.cycles} cycles"
            if self.files is not None and self.files.wanted:
                yield "the expected tiles are not compared: what has not been computed differs"
        if self.wrong is not None:
            yield from self.wrong.said.split("\n")
        elif self.symptom is Symptom.NONE and self.files is not None:
            count = len(self.files.wanted)
            yield from [f"{plural(count, 'expected array')}: as wanted"] if count else []

    @property
    def unjudged(self) -> str:
        """The words that nothing says whether a result is right; "" if something does."""
        is_compared = self.files is not None and self.files.wanted
        return "" if is_compared or self.symptom is not Symptom.NONE else UNJUDGED

    @property
    def reports(self) -> list[Located]:
        """The reports that count, of races and checks."""
        return [] if self.judgement is None else [one.located for one in self.judgement.new]

    def _first_wrong(self) -> Wrong | None:
        if not self._ended_well or self.files is None:
            return None
        for one in self.files.wanted:
            wrong = first_wrong_of(self.machine, one)
            if wrong.place is not None:
                return wrong
        return None

    def _unwritten(self) -> Gap | None:
        """Return the gap that the first wrong datum is in; None if it was written."""
        wrong = self.wrong
        if wrong is None or wrong.addr is None or not self.is_observed:
            return None
        end = at = wrong.addr
        while end < wrong.end and is_unwritten(self.machine, end, wrong.size):
            end += wrong.size
        if end == at:
            return None
        return Gap(at, end, last_write(self.machine, at - wrong.size, wrong.size))

    def _polled(self) -> list[Polling]:
        """Return the harts that poll where the run has stopped."""
        if self._kind == StopKind.FAULT or self._ended_well:
            return []
        polls = Polls(self.machine)
        idle = {*self.subject.idle, *self._in_firmware()}
        harts = (hart for hart in range(HARTS) if hart not in idle)
        found = (polling(self.machine, hart, polls) for hart in harts)
        return [one for one in found if one is not None]

    def _in_firmware(self) -> set[int]:
        """Return the harts that are in tt-metal's firmware, and wait for work."""
        places = self.machine.places
        images = {hart: places.image(hart, self.machine.read_pc(hart)) for hart in range(HARTS)}
        return {hart for hart, image in images.items() if image is not None and is_firmware(image)}

    @cached_property
    def fault_settings(self) -> list[str]:
        """Lines on what wrote the fields that a unit has refused."""
        return blamed_for_fault(self.machine, self.is_interrupted, self.subject.begin)

    @cached_property
    def _moves(self) -> tuple[list[Odd], list[str]]:
        if self.files is None or self.wrong is None or self.cycles > MOST_FOLLOWED:
            return [], []
        inputs, wanted = tiles_of(self.files.inputs), tiles_of(self.files.wanted)
        return odd_moves(self.machine, inputs, wanted, self.is_interrupted, self.subject.begin)

    @property
    def odd_moves(self) -> list[str]:
        """Lines on moves of units that do not fit the tiles, and on tiles that were left out; none
        without such a move."""
        found, left = self._moves
        lines = [line for one in found for line in one.lines(self.machine)]
        return [*lines, *left] if found else []

    @property
    def left_out(self) -> list[str]:
        """Lines on tiles that no move begins with."""
        return self._moves[1]

    def is_in_datum(self, one: Located) -> bool:
        """True if a report has a part in the first wrong datum, or in a move that does not fit."""
        found, _ = self._moves
        settings = [
            setting for each in found for setting in (each.move.address, *each.move.formats)
        ]
        at = {(each.move.hart, each.move.pc) for each in found}
        at |= {(each.write.hart, each.write.pc) for each in settings if each.write is not None}
        if any((side.access.hart, side.access.pc) in at for side in one.sides):
            return True
        return self.chain.has(one)

    @cached_property
    def chain(self) -> Chain:
        """The writes that the first wrong datum was made by; empty without one, in long runs, and
        where the run cannot be repeated."""
        if self.wrong is None or self.wrong.place is None or self.cycles > MOST_FOLLOWED:
            return Chain([])
        from tensix_gdb.core.origin.ask import origins

        try:
            found = origins(
                self.machine,
                self.subject.rerun(),
                (self.wrong.place,),
                cycles=self.cycles,
                is_interrupted=self.is_interrupted,
            )
        except NotRepeated:
            return Chain([])
        return Chain(found.trees)

    def other_orders(self, count: int) -> Seeds:
        """Run in other orders, and look where a wait is missing."""
        from tensix_gdb.gdbstub.order.seeds.command import other_orders

        if not count or self.machine.execution.schedule is Schedule.SC:
            return Seeds([], found=False)
        is_right = (lambda _: True) if self.files is None else self.files.are_as_wanted
        went_well = self.symptom is Symptom.NONE
        lines, all_right = other_orders(
            self.machine, range(count), is_right, self.is_interrupted, went_well=went_well
        )
        return Seeds(lines, not all_right)
