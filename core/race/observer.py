# SPDX-License-Identifier: Apache-2.0
"""Switching the observer on, and what it has found: the side of core/race that is no machine."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from itertools import count

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.core.devices.semaphores import SEMAPHORES
from tensix_gdb.core.memory.map import fetched_at
from tensix_gdb.core.ordering.promises import PROMISES
from tensix_gdb.core.race import heard, near, places, shadow
from tensix_gdb.core.race.checks import reports as checks
from tensix_gdb.core.race.checks.fields import CHECK
from tensix_gdb.core.race.checks.table import DEFAULT, mask_of
from tensix_gdb.core.race.dram import DramRaces
from tensix_gdb.core.race.fields import NEAR, RACE, RELIED_SITES, REPORTS, SITES, pc_of
from tensix_gdb.core.race.findings import (
    Access,
    Findings,
    Kind,
    RelianceCount,
    Report,
    Site,
    Verdict,
)
from tensix_gdb.core.race.harts.uses import USES
from tensix_gdb.core.race.kept import Family, clear
from tensix_gdb.core.race.lines import (
    FOREIGN,
    LOAD,
    OTHER_TILE,
    PACKET,
    TDMA_RISC,
    Foreign,
    Named,
    name,
)
from tensix_gdb.core.race.network import host
from tensix_gdb.core.race.registers.own_words import arch
from tensix_gdb.core.race.remedies.advice import advise
from tensix_gdb.core.race.remedies.end import End
from tensix_gdb.core.race.remedies.failed_waits import Tried, between, failed_wait
from tensix_gdb.core.race.remedies.heard import Heard, heard_of
from tensix_gdb.core.race.remedies.program_order import is_later_first
from tensix_gdb.core.race.state.checks import StateChecks
from tensix_gdb.core.record.layout import Mark
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.record.record import clear as clear_row
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix.packer.state import OUT

# Rows that say what was found.
_SAMPLING = (
    "They are in order if the unit samples the field when its instruction begins; it may sample it "
    "at any time until it ends."
)
_TURNED = "In the program {} comes first. "


# How often an observer has begun: clocks say nothing to one that has begun anew.
_BEGUN = count(1)
_NUMBER = 8  # bytes of it before kept clocks


def _started_by(end: End) -> End:
    """Return a side with its line; that of a copy which a command has started is TDMA-RISC's."""
    is_command = end.line.agent == "mover" and end.access.thread is None
    return End(Named(TDMA_RISC), end.access) if is_command else end


class Observer:
    """Observes a tile from now on; `strict` also reports what only a promise orders, `local` what
    harts do with local RAMs. As a rule no other hart reaches one, and on Blackhole a hart sees what
    it has stored itself; on Wormhole it may not, so there they are observed unless `local` is
    False. `checks` are names of checks of synchronisation."""

    def __init__(
        self,
        record: Record,
        *,
        strict: bool = False,
        local: bool | None = None,
        checks: Collection[str] = DEFAULT,
    ) -> None:
        self._record, self._S = record, record.S
        self.strict = strict
        self._local = bool(record.S.tile.chip) if local is None else local
        # How to go to a cycle of the observed run again, and the resets at that time.
        self.mark: tuple[Callable[[int], bool], int] | None = None
        self._stops = False
        self._withdrawn: set[int] = set()
        # Of other tiles that have reached this one: their names, and agents by line.
        self.tiles: Sequence[str] = ()
        self.before_host: Callable[[], None] = lambda: None  # an access of the host
        self.on_host: Callable[[], None] = lambda: None  # after it
        self.agents: dict[int, Foreign] = {}
        self.checks = tuple(checks)
        self.state: StateChecks | None = None  # other checks, which need its accesses
        self.dram = DramRaces((self._S,))
        self.begin_anew()

    def begin_anew(self) -> None:
        """Forget all that was found, too: the tile starts again."""
        self._begun = next(_BEGUN).to_bytes(_NUMBER, "little")
        for row in self._rows(found=True):
            clear_row(row)
        clear(self._record, Family.SYNC)
        if self.state is not None:
            self.state.begin_state()
        self._withdrawn.clear()
        self.dram.forget_tile(self._S)
        self.first_cycle = int(self._S.tile.cycle)
        self.look_again()

    def look_again(self) -> None:
        """The state of the tile is another one: what is under way counts as done."""
        for row in self._rows(found=False):
            clear_row(row)
        self.dram.restart_clocks()
        S = self._S
        for i in range(SEMAPHORES):
            S.race.begun[i] = S.semaphore.value[i]
        for at in range(4):
            S.race.client[at] = S.busy.src_client[at // 2, at % 2]
        for unpacker in range(2):
            S.race.unpack_head[unpacker] = S.unpack.head[unpacker]
        S.race.pack_tail = (S.pack.out_first + S.pack.out_count) % OUT
        self._switch()

    def clocks(self) -> bytes:
        """Return the known order of this moment; empty while it is not observed."""
        if not self._S.race.on:
            return b""
        return b"".join((self._begun, *self._rows(found=False)))

    def put_back(self, clocks: memoryview) -> None:
        """The state of the tile is again that of which `clocks` are."""
        if clocks[:_NUMBER] != self._begun:
            self.look_again()
            return
        at = _NUMBER
        for row in self._rows(found=False):
            row[:] = clocks[at : at + len(row)]
            at += len(row)
        self._S.race.hit = 0
        self.dram.restart_clocks()
        self._switch()

    def _switch(self) -> None:
        S = self._S
        S.race.strict = int(self.strict)
        S.race.locals = int(self._local)
        S.race.stops = int(self._stops)
        S.check.on = mask_of(self.checks)
        if self.state is not None:
            self.state.switch()
        S.race.on = int(S.schedule.kind != Schedule.SC)

    def _rows(self, *, found: bool) -> Iterator[memoryview]:
        """Yield the rows with findings, or all others: clocks and what is under way."""
        for part in (RACE, CHECK):
            for field in part.fields:
                if (Mark.FOUND in field.marks) is found and not field.alias:
                    yield self._record.row(self._record.layout.slot(part.name, field.name))

    def stop(self) -> None:
        """Observe no more."""
        self._S.race.on = self._S.state.on = 0

    @property
    def stops(self) -> bool:
        """True if the tile stops at each new report."""
        return self._stops

    @stops.setter
    def stops(self, on: bool) -> None:
        self._stops = on
        self._S.race.stops, self._S.race.hit = int(on), 0

    @property
    def finds_races(self) -> bool:
        """True if races were asked for, and not only checks of state."""
        return self.state is None or self.state.finds_races

    def withdraw(self, number: int) -> None:
        """Keep a report as a gap of the model: something orders the two."""
        self._withdrawn.add(int(self._S.race.pair[self._found()[number - 1]]))

    def report_at(self, i: int) -> Report:
        """Return the report in a row of the record."""
        return self._report(self._found().index(i) + 1, i)

    def _found(self) -> list[int]:
        """Return the rows of reports, in the order of the later accesses."""
        S = self._S
        found = [i for i in range(REPORTS) if S.race.pair[i] and not self._is_unused(i)]
        found.sort(key=lambda i: (S.race.when[i, 0, 1], S.race.when[i, 0, 0], i))
        return found

    def _is_unused(self, i: int) -> bool:
        """True if one side of a report is a load, and its hart uses none of the bits that the other
        one writes."""
        S = self._S
        pair = int(S.race.pair[i])
        for side, site in ((0, pair >> 16), (1, pair >> 2)):
            line = name(int(S.race.lines[i, side]))
            if line.way == LOAD and line.region is not None and line.region in USES:
                key = int(S.race.site[site & (SITES - 1)])
                at = fetched_at(S, key & 7, pc_of(key))
                if 0 <= at < L1_BYTES and not USES[line.region](S, at) & int(S.race.mask[i]):
                    return True
        return False

    def findings(self) -> Findings:
        """Return what was found so far. Reports of checks, then of DRAM, are numbered after the
        races."""
        S = self._S
        races = [(i, self._report(number, i)) for number, i in enumerate(self._found(), 1)]
        gone = self._withdrawn
        kept = [report for i, report in races if int(S.race.pair[i]) not in gone]
        others, state = checks.reports(S), self.state
        lost = int(S.race.lost) + int(S.found.lost[Family.SYNC]) + self.dram.lost
        if state is not None:
            others += state.reports([report for _, report in races], self.tiles)
            kept = kept if state.finds_races else []
            lost += state.lost
        for number, report in enumerate(others, len(races) + 1):
            kept.append(replace(report, number=number))
        if self.finds_races:
            kept += self.dram.reports(S, 1 + len(races) + len(others))
        return Findings(
            tuple(kept),
            tuple(self._relied()) if self.finds_races else (),
            lost,
            self.strict,
            self.first_cycle,
            int(S.tile.cycle),
            tuple(report for i, report in races if int(S.race.pair[i]) in gone),
            self.checks,
            () if state is None else state.groups,
            self.finds_races,
            () if state is None else tuple(state.notes()),
        )

    def _report(self, number: int, i: int) -> Report:
        S = self._S
        pair = int(S.race.pair[i])
        promised = (pair >> 32) & 0x3F
        earlier_line, later_line = (self._line(int(S.race.lines[i, side])) for side in range(2))
        earlier = self._access(pair >> 16, (pair >> 1) & 1, earlier_line, i, 0)
        later = self._access(pair >> 2, pair & 1, later_line, i, 1)
        place = places.place(int(S.race.cell[i]), int(S.race.mask[i]), arch(S))
        # A remedy has its place in the program, whichever side was processed first.
        turned = is_later_first(S, earlier, later, int(S.race.heard[i]))
        sides = [End(earlier_line, earlier), End(later_line, later)]
        if turned:
            sides.reverse()
        known = None if turned else self._heard(i)
        advice = advise(_started_by(sides[0]), _started_by(sides[1]), place.state, arch(S), known)
        reason, page = advice.reason, advice.page
        if turned:
            reason = _TURNED.format(sides[0].what) + reason
        verdict = Verdict.RACE
        if promised == shadow.SAMPLED:
            verdict = Verdict.SAMPLING
            reason, page = _SAMPLING, "TensixCoprocessor/PACR.md"
        elif promised:
            verdict = Verdict.PROMISED
            promise = PROMISES[promised - 1]
            reason, page = f"Only promise {promise.name} orders them: {promise}.", promise.source
        failed = None
        if verdict is Verdict.RACE:
            tried = [self._tried(i, side) for side in range(2)]
            if turned:
                tried.reverse()
            code = between(S, sides[0].access, sides[1].access)
            sent = known is not None and known.push and not known.gate
            failed = failed_wait(sides[0], sides[1], tried, code, sent=sent)
        return Report(
            number=number,
            verdict=verdict,
            same_value=not S.race.changes[i],
            place=place,
            earlier=earlier,
            later=later,
            count=int(S.race.times[i]),
            reason=reason,
            fix=advice.fix,
            page=page,
            failed=failed,
        )

    def _line(self, number: int) -> Named:
        agent = self.agents.get(number)
        return Named(PACKET) if agent is not None and agent.is_packet else name(number)

    def _heard(self, i: int) -> Heard | None:
        """Return what the later side of a report has heard of the earlier side's thread."""
        kept = int(self._S.race.heard[i])
        site = self._site(kept >> heard.SITE) if kept & heard.SIGNALLED else Site(0, 0)
        return heard_of(kept, site.hart, site.pc)

    def _tried(self, i: int, side: int) -> list[Tried]:
        """Return the waits near a report, of the thread of one side, the youngest first."""
        kept = [int(self._S.race.tried[i, side, at]) for at in range(NEAR)]
        found = []
        for wait in kept:
            if wait & near.THERE:
                key = int(self._S.race.site[(wait >> near.SITE) & (SITES - 1)])
                hart, pc = key & 7, pc_of(key)
                found.append(
                    Tried(
                        hart,
                        pc,
                        wait & 0xFFFFFFFF,
                        bool(wait & near.AFTER),
                        bool(wait & near.PASSED),
                    )
                )
        return found

    def _access(self, site: int, writes: int, line: Named, i: int, side: int) -> Access:
        S = self._S
        key = int(S.race.site[site & (SITES - 1)])
        hart, thread, pc = key & 7, (key >> 3) & 3, pc_of(key)
        foreign = self.agents.get(int(S.race.lines[i, side]))
        outside, agent = "", line.agent if foreign is None else foreign.name
        if hart == host.THE_HOST:
            hart, outside = 0, "the host"
            instruction = "a write" if writes else "a read"
        elif not thread and (tile := shadow.tile_of(key)):
            outside = self.tiles[tile - 1]
            instruction = (foreign or Foreign(OTHER_TILE)).instruction
        elif thread:
            instruction = places.thread_instruction(S, (key >> 8) & 0xFF)
        else:
            instruction = places.hart_instruction(key)
        kind = Kind.WRITE if writes else Kind.READ
        if instruction.startswith("amo"):
            kind = Kind.ATOMIC
        return Access(
            agent=agent,
            kind=kind,
            hart=hart,
            thread=thread - 1 if thread else None,
            pc=pc,
            instruction=instruction,
            via=" of ".join(text for bit, text in checks.VIA if (key >> 5) & bit),
            first=int(S.race.when[i, 0, side]),
            last=int(S.race.when[i, 1, side]),
            outside=outside,
            is_request=line.niu is not None or int(S.race.lines[i, side]) >= FOREIGN,
            configured=int(S.race.configured[site & (SITES - 1)]),
        )

    def _relied(self) -> list[RelianceCount]:
        S, result = self._S, []
        for promise in PROMISES:
            count = int(S.race.relied[promise.number])
            if not count:
                continue
            pairs = [int(S.race.relied_at[promise.number, i]) for i in range(RELIED_SITES)]
            sites = tuple((self._site(pair >> 16), self._site(pair)) for pair in pairs if pair)
            result.append(RelianceCount(promise, count, sites))
        return result

    def _site(self, site: int) -> Site:
        key = int(self._S.race.site[site & (SITES - 1)])
        return Site(key & 7, pc_of(key))
