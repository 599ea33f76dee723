# SPDX-License-Identifier: Apache-2.0
"""Switching the observer on, and what it has found: the side of core/race that is no machine."""

from __future__ import annotations

from tensix_gdb.core.devices.semaphores import SEMAPHORES
from tensix_gdb.core.ordering.promises import PROMISES
from tensix_gdb.core.race import places, shadow
from tensix_gdb.core.race.advice import advise
from tensix_gdb.core.race.fields import RACE, RELIED_SITES, REPORTS, SITES
from tensix_gdb.core.race.findings import (
    Access,
    Findings,
    Kind,
    RelianceCount,
    Report,
    Site,
    Verdict,
)
from tensix_gdb.core.race.lines import Named, name
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix.frontend.fifo import VIA_MOP, VIA_REPLAY
from tensix_gdb.core.tensix.packer.state import OUT

# Rows that say what was found.
_FOUND = (
    *("site", "polls", "lost", "pair", "cell", "mask", "times", "changes", "when", "lines"),
    *("relied", "relied_at"),
)
_SAMPLING = (
    "They are in order if the unit samples the field when its instruction begins; it may sample it "
    "at any time until it ends."
)
_VIA = ((VIA_MOP, "MOP"), (VIA_REPLAY, "REPLAY"))


class NotObservable(Exception):
    """Races cannot be observed, or are not; the message says why."""


class Observer:
    """Observes a tile from now on; `strict` also reports what only a promise orders, `local` what
    harts do with local RAMs, which no other hart reaches as a rule."""

    def __init__(self, record: Record, *, strict: bool = False, local: bool = False) -> None:
        self._record, self._S = record, record.S
        self.strict, self._local = strict, local
        self.begin()

    def begin(self) -> None:
        """Forget all that was found, too: the tile starts again."""
        self._clear(())
        self.first_cycle = int(self._S.tile.cycle)
        self.look_again()

    def look_again(self) -> None:
        """The state of the tile is another one: what is under way counts as done."""
        self._clear(_FOUND)
        S = self._S
        for i in range(SEMAPHORES):
            S.race.begun[i] = S.semaphore.value[i]
        for at in range(4):
            S.race.client[at] = S.busy.src_client[at // 2, at % 2]
        for unpacker in range(2):
            S.race.unpack_head[unpacker] = S.unpack.head[unpacker]
        S.race.pack_tail = (S.pack.out_first + S.pack.out_count) % OUT
        S.race.strict = int(self.strict)
        S.race.locals = int(self._local)
        S.race.on = int(S.schedule.kind != Schedule.SC)

    def _clear(self, kept: tuple[str, ...]) -> None:
        for field in RACE.fields:
            if field.name not in kept:
                row = self._record.row(self._record.layout.slot("race", field.name))
                row[:] = bytes(len(row))

    def stop(self) -> None:
        """Observe no more."""
        self._S.race.on = 0

    def findings(self) -> Findings:
        """What was found so far, in the order of the later accesses."""
        S = self._S
        found = [i for i in range(REPORTS) if S.race.pair[i]]
        found.sort(key=lambda i: (S.race.when[i, 0, 1], S.race.when[i, 0, 0], i))
        return Findings(
            tuple(self._report(number, i) for number, i in enumerate(found, 1)),
            tuple(self._relied()),
            int(S.race.lost),
            self.strict,
            self.first_cycle,
            int(S.tile.cycle),
        )

    def _report(self, number: int, i: int) -> Report:
        S = self._S
        pair = int(S.race.pair[i])
        promised = (pair >> 32) & 0x3F
        earlier_line, later_line = name(S.race.lines[i, 0]), name(S.race.lines[i, 1])
        earlier = self._access(pair >> 16, (pair >> 1) & 1, earlier_line, i, 0)
        later = self._access(pair >> 2, pair & 1, later_line, i, 1)
        place = places.place(int(S.race.cell[i]), int(S.race.mask[i]))
        advice = advise(earlier_line, later_line, later.instruction, place.state)
        reason, page = advice.reason, advice.page
        verdict = Verdict.RACE
        if promised == shadow.SAMPLED:
            verdict = Verdict.SAMPLING
            reason, page = _SAMPLING, "TensixCoprocessor/PACR.md"
        elif promised:
            verdict = Verdict.PROMISED
            promise = PROMISES[promised - 1]
            reason, page = f"Only promise {promise.name} orders them: {promise}.", promise.source
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
        )

    def _access(self, site: int, writes: int, line: Named, i: int, side: int) -> Access:
        S = self._S
        key = int(S.race.site[site & (SITES - 1)])
        hart, thread, pc = key & 7, (key >> 3) & 3, ((key >> 16) & 0x3FFFFF) << 2
        if thread:
            instruction = places.thread_instruction((key >> 8) & 0xFF)
        else:
            instruction = places.hart_instruction(S, pc)
        kind = Kind.WRITE if writes else Kind.READ
        if instruction.startswith("amo"):
            kind = Kind.ATOMIC
        return Access(
            agent=line.agent,
            kind=kind,
            hart=hart,
            thread=thread - 1 if thread else None,
            pc=pc,
            instruction=instruction,
            via=" of ".join(text for bit, text in _VIA if (key >> 5) & bit),
            first=int(S.race.when[i, 0, side]),
            last=int(S.race.when[i, 1, side]),
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
        return Site(key & 7, ((key >> 16) & 0x3FFFFF) << 2)
