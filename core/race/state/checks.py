# SPDX-License-Identifier: Apache-2.0
"""Switching the checks of state and memory on, where a kernel begins, and what was found."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS, L1_BYTES, LOCAL_BASE, LOCAL_BYTES
from tensix_gdb.core.devices.overlay import STREAMS
from tensix_gdb.core.noc.state import NIUS
from tensix_gdb.core.program.elf import Image
from tensix_gdb.core.race import places
from tensix_gdb.core.race.checks.reports import access_of, finding
from tensix_gdb.core.race.fields import CONFIG_CELLS, DST_BLOCK, DST_CELLS, LOCAL_CELLS, PAST
from tensix_gdb.core.race.findings import Access, Kind, Place, Report, State, Verdict
from tensix_gdb.core.race.kept import Family, clear, places_of
from tensix_gdb.core.race.lines import Noc, of_niu
from tensix_gdb.core.race.network.host import THE_HOST
from tensix_gdb.core.race.registers.own_words import arch
from tensix_gdb.core.race.stages.reports import clear as clear_stages
from tensix_gdb.core.race.stages.reports import forget as forget_stages
from tensix_gdb.core.race.stages.reports import reports as of_stages
from tensix_gdb.core.race.state.areas import Arguments, Buffer, Overlap, fill, give
from tensix_gdb.core.race.state.broken import Judge, Polled, Said, times_of
from tensix_gdb.core.race.state.fields import STATE
from tensix_gdb.core.race.state.leaked import Functions, Leak
from tensix_gdb.core.race.state.leaks import Kept, kept, leaks
from tensix_gdb.core.race.state.memory import (
    ACKNOWLEDGED,
    COUNT_BITS,
    IN_MAILBOXES,
    NOT_PUSHED,
    OVERWRITES,
    POPPED,
    RECEIVED,
)
from tensix_gdb.core.race.state.table import CHECKS, Check, Group, Number, mask_of
from tensix_gdb.core.race.state.vector import ALWAYS, CONSTANTS
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.record.record import clear as clear_row

_PAGES = {
    NOT_PUSHED: "Page {} was not pushed.",
    POPPED: "Page {} was popped.",
    OVERWRITES: "Page {} is in the buffer.",
}
_MAILBOXES = "The mailboxes of tt-metal are there, which its firmware and the host write."
_HARTS_ROWS = ("unknown", "unknown_at", "unknown_site", "stack_at")
_KEPT_ROWS = ("written", "kernel", "stale", "lregs", "lregs_kernel", "lregs_stale")
_CODE_ROWS = ("cached", "changed", "changer", "code_first", "code_end")  # kernel after kernel
_WAITED = {
    **{Noc.LANDED + i: "reads" for i in range(4)},
    Noc.ACKED: "writes",
    Noc.ACKED + 1: "writes of words",
    Noc.ANSWERED: "atomics",
    Noc.SENT: "posted writes, of which the data was read",
}
NOT_KNOWN = "an instruction that was not observed"


class StateChecks:
    """The checks of one tile. `functions` names those at an instruction (leaked.py). `fresh`: what
    registers have when the checks begin counts as written by nothing, as at power-up."""

    def __init__(
        self,
        record: Record,
        groups: Collection[str],
        functions: Functions,
        *,
        alone: bool,
        fresh: bool = False,
        polled: Polled = lambda hart: None,
        said: Said = lambda i: "",
    ) -> None:
        self._record, self._S = record, record.S
        self.groups, self._functions, self._alone = tuple(groups), functions, alone
        self._fresh, self._polled, self._said = fresh, polled, said
        self.arguments: Sequence[Arguments] = ()
        self.images: Sequence[Image] = ()
        self.buffers: list[Buffer] = []
        self.mailboxes = range(0)  # bytes of tt-metal's, in L1
        self.firmware: Sequence[Image] = ()
        self.firmware_harts: frozenset[int] = frozenset()
        self._before: Kept = Kept()
        self._overlaps: list[Overlap] = []
        self._defects: Sequence[int] = ()
        self.begin_state()

    @property
    def finds_races(self) -> bool:
        """True if races were asked for as well."""
        return not self._alone

    def begin_state(self) -> None:
        """Begin with a tile as it is: what it has done until now counts as written."""
        S = self._S
        self._clear(but=("written", "areas"))
        if int(S.tile.cycle):
            self._fill("written", slice(None), 0xFFFFFFFF)
            S.state.lregs = 0xFFFF | ALWAYS
        if self._fresh or not int(S.tile.cycle):
            self._fill("written", slice(CONFIG_CELLS * 4, LOCAL_CELLS * 4), 0)
            self._fill("written", slice(DST_CELLS * 4, None), 0)
            S.state.lregs = CONSTANTS | ALWAYS
        self.switch()
        self.kernel_begins()

    def boot_ended(self) -> None:
        """Take all that was executed until now for firmware, which writes for kernels and is not
        judged: what it is was not known while it booted."""
        S = self._S
        row = self._row("kernel")
        clear_row(row)
        clear(self._record, Family.STATE)
        S.state.lregs_kernel = 0

    def switch(self) -> None:
        """Let the record say what is on."""
        S = self._S
        S.state.on = mask_of(self.groups)
        forget_stages(self._record)
        # Whether a NoC transfer was waited for is known by the shadow of races.
        S.state.alone = int(self._alone and not S.state.on & Group.MEMORY)

    def kernel_begins(self) -> None:
        """Begin a kernel: forget what was found, and count what was written as an earlier
        kernel's."""
        S = self._S
        self._clear(but=(*_KEPT_ROWS, *_CODE_ROWS, *_HARTS_ROWS, "areas"))
        clear_stages(self._record)
        self.switch()
        first = CONFIG_CELLS * 4
        written, mine, stale = (self._row(name)[first:].cast("I") for name in _KEPT_ROWS[:3])
        for i, bits in enumerate(mine):
            if bits:
                stale[i] |= bits & written[i]
                written[i] &= ~bits & 0xFFFFFFFF
                mine[i] = 0
        left = int(S.state.lregs_kernel)
        S.state.lregs_stale |= left & int(S.state.lregs)
        S.state.lregs &= ~left & 0x1FFFF
        S.state.lregs_kernel = 0
        sampled = self._record.row(self._record.layout.slot("race", "sampled_at"))
        clear_row(sampled)
        for stream in range(STREAMS):
            for i, register in enumerate((RECEIVED, ACKNOWLEDGED)):
                count = int(S.overlay.word[stream, register]) & COUNT_BITS
                S.state.pages_at[stream, i] = count
        self._before, self._defects = kept(S), times_of(S)
        self.note_programs()

    def note_programs(self) -> None:
        """Programs or buffers have changed."""
        S = self._S
        if S.state.on & Group.MEMORY:
            self._overlaps = fill(S, self._row("areas"), self.images, self.buffers, self.mailboxes)
            give(self._row("arguments"), self._row("argument_words"), self.arguments)
        for hart in range(HARTS):
            code = [
                segment
                for image in self.firmware
                if image.hart == hart
                for segment in image.code
                if segment.addr < L1_BYTES
            ]
            S.state.from_pc[hart] = min((one.addr for one in code), default=0)
            S.state.to_pc[hart] = max((one.end for one in code), default=0)
            if hart in self.firmware_harts:
                S.state.from_pc[hart], S.state.to_pc[hart] = 0, 0xFFFFFFFF

    def _row(self, name: str) -> memoryview:
        return self._record.row(self._record.layout.slot("state", name))

    def _fill(self, name: str, where: slice, value: int) -> None:
        row = self._row(name)[where]
        row[:] = value.to_bytes(4, "little") * (len(row) // 4)

    def _clear(self, but: Sequence[str]) -> None:
        clear(self._record, Family.STATE)
        for each in STATE.fields:
            if each.name not in but:
                row = self._row(each.name)
                clear_row(row)

    # What was found

    def reports(self, races: Sequence[Report], tiles: Sequence[str] = ()) -> list[Report]:
        """Return all findings, in the order of the run; their numbers are 0. `races` are those of
        the observer, some of which are transfers without a barrier; `tiles` the names of the
        chip's."""
        S = self._S
        judge = Judge(
            S, self._functions, self.buffers, self.arguments, firmware=bool(self.firmware)
        )
        kept_ones = (i for i in places_of(S, Family.STATE) if judge.counts(i))
        result = [self._found(i, judge) for i in kept_ones]
        if S.state.on & Group.STAGES:
            result += of_stages(S, tiles)
        if S.state.on & Group.LEAKS:
            result += [self._leak(one) for one in leaks(S, self._before, self._functions)]
        if S.state.on & Group.MEMORY:
            result += self._transfers(races)
            result += self._outstanding()
            result += [self._overlap(one) for one in self._overlaps]
            result += judge.waits(self._polled)
            result += judge.defects(self._defects, self._said)
        return sorted(result, key=lambda one: (one.check, one.later.first, one.later.pc))

    @property
    def lost(self) -> int:
        """The number of findings that there was no room for."""
        lost = self._S.found.lost
        return int(self._S.state.lost) + int(lost[Family.STATE]) + int(lost[Family.STAGES])

    def notes(self) -> Iterator[str]:
        """Yield how deep stacks were."""
        S = self._S
        if not S.state.on & Group.MEMORY:
            return
        for hart in range(HARTS):
            if not S.state.lowest[hart]:
                continue
            top = LOCAL_BASE + LOCAL_BYTES[hart]
            deep, room = top - int(S.state.lowest[hart]), top - int(S.state.floor[hart])
            at = int(S.state.lowest_pc[hart])
            where = next(iter(self._functions(hart, at)), f"{at:#x} -").rpartition(" ")[0]
            yield f"stack of {HART_NAMES[hart]}: {deep:,} of {room:,} bytes, in {where}"

    def _found(self, i: int, judge: Judge) -> Report:
        S = self._S
        key = int(S.found.key[i])
        check = CHECKS[(key >> 44 & 0xFF) - 1]
        detail, other, site = key >> 28 & 0xFFFF, key >> 14 & 0x3FFF, key & 0x3FFF
        first, last = int(S.found.when[i, 0]), int(S.found.when[i, 1])
        later = access_of(S, site, first, last)
        earlier = self._side(other, first) if other else later
        place, more = judge.place(i) or self._place(
            check, detail, int(S.found.cell[i]), int(S.found.mask[i])
        )
        if check.number is Number.M11:
            earlier, more = self._old_copy(i, other)
        return finding(check, place, earlier, later, int(S.found.times[i]), more)

    def _place(self, check: Check, detail: int, cell: int, mask: int) -> tuple[Place, str]:
        match check.number:
            case Number.U1 | Number.U2:
                if detail >> 12 == 0xF:
                    return Place(State.LREG, 0, cell, 1, f"lreg {cell}"), ""
                more = ""
                if DST_CELLS <= cell < DST_CELLS + 1024 // DST_BLOCK:
                    halves = [i for i in range(2 * DST_BLOCK) if mask >> i & 1]
                    if all(i & 1 for i in halves):
                        more = "Of each row the odd columns were not written."
                    elif not any(i & 1 for i in halves):
                        more = "Of each row the even columns were not written."
                return places.place(cell, mask, arch(self._S)), more
            case Number.M1:
                addr = LOCAL_BASE + cell & 0xFFFFFFFF
                return Place(State.LOCAL, 0, addr, 0, f"stack pointer {addr:#x}"), ""
            case Number.M2 if detail == IN_MAILBOXES:
                return Place(State.L1, 0, cell * 16, 0, f"L1 {cell * 16:#x}"), _MAILBOXES
            case Number.M3:
                name = self._buffer(detail) if detail else "no buffer"
                more = f"It has begun in {name}." if detail else ""
                return Place(State.L1, 0, cell * 16, 0, f"L1 {cell * 16:#x}"), more
            case Number.M4 | Number.M5:
                addr = cell << 4
                buffer = self.buffers[detail & 0xFF]
                text = _PAGES[detail >> 8].format(mask)
                return Place(State.L1, 0, addr, 0, f"L1 {addr:#x}", f" ({buffer.name})"), text
            case Number.M10:
                return Place(State.L1, 0, cell * 4, 0, f"L1 {cell * 4:#x}"), ""
            case Number.M11:
                return Place(State.L1, 0, cell, 0, f"L1 {cell:#x}"), ""
            case _:
                return Place(State.L1, 0, cell * 16, 0, f"L1 {cell * 16:#x}"), ""

    def _old_copy(self, i: int, writer: int) -> tuple[Access, str]:
        """Return the write that the line does not have, and both values."""
        S = self._S
        since, old, new = int(S.found.when[i, 2]), int(S.found.mask[i]), int(S.found.more[i])
        text = f"The line has {old:#x}, and L1 had {new:#x}."
        return self._side(writer, since), text

    def _buffer(self, area: int) -> str:
        return self.buffers[area - 3].name

    def _side(self, site: int, when: int = -1) -> Access:
        now = when if when >= 0 else int(self._S.tile.cycle)
        if site and int(self._S.race.site[site]) & 7 == THE_HOST:
            return _unknown(now, "the host")
        if site:
            return access_of(self._S, site, now, now)
        return _unknown(now)

    def _leak(self, one: Leak) -> Report:
        check = CHECKS[one.check - 1]
        later = self._side(one.site, one.when)
        earlier = self._side(one.given, one.given_when) if one.given else later
        if one.check is Number.K1:
            place = places.place(one.cell, one.mask, arch(self._S))
        else:
            state = State.ADC if one.check is Number.K2 else State.SYNC
            place = Place(state, 0, one.cell, one.mask, one.name)
        found = finding(check, place, earlier, later, 1, one.text)
        if found.fix is None or one.back is None:
            return found
        return replace(found, fix=replace(found.fix, value=one.back))

    def _transfers(self, races: Sequence[Report]) -> Iterator[Report]:
        """M6: races with data that a NIU moves."""
        check = CHECKS[Number.M6 - 1]
        for race in races:
            sides = race.earlier, race.later
            if any(one.is_request and not one.outside for one in sides):
                yield replace(
                    race,
                    verdict=Verdict.SYNC,
                    check=check.name,
                    title=check.title,
                    same_value=False,
                )

    def _outstanding(self) -> Iterator[Report]:
        """M7: of each hart, requests that it has not waited for."""
        S, check = self._S, CHECKS[Number.M7 - 1]
        for niu in range(NIUS):
            for line, what in _WAITED.items():
                for hart in range(HARTS):
                    number = int(S.state.by_hart[niu, line, hart])
                    if number > int(S.race.clock[PAST + hart, of_niu(niu, line)]):
                        later = self._side(int(S.state.by_site[niu, line, hart]))
                        place = Place(State.SYNC, niu, line, 0, f"{what} of NoC {niu}")
                        yield finding(check, place, later, later, 1, "")

    def _overlap(self, one: Overlap) -> Report:
        name = f"{one.one} and {one.other}: {one.first:#x} to {one.end - 1:#x}"
        loading = _unknown(int(self._S.tile.cycle), "no instruction: where they are loaded")
        place = Place(State.L1, 0, one.first, 0, name)
        return finding(CHECKS[Number.M9 - 1], place, loading, loading, 1, "")


def _unknown(now: int, what: str = NOT_KNOWN) -> Access:
    return Access("", Kind.SYNC, 0, None, 0, "", "", now, now, outside=what)
