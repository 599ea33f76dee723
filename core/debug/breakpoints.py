# SPDX-License-Identifier: Apache-2.0
"""Breakpoints and watches: counted here, and kept in the record where the loop looks for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import field

from tensix_gdb.core.arch.blackhole import HARTS, L1_BYTES
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.debug.armed import FAR_BREAKS, WATCHES
from tensix_gdb.core.debug.condition_table import ConditionTable, Group
from tensix_gdb.core.debug.conditions import IGNORED, ignore
from tensix_gdb.core.memory.map import place_of
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.stop import WatchKind

KINDS = {"read": WatchKind.READ, "write": WatchKind.WRITE, "access": WatchKind.ACCESS}

_Watch = tuple[int, int, int, WatchKind]
Conditions = tuple[bytes, ...]
Break = tuple[int, int | None, Conditions]  # address, hart or None for all of them, conditions
_ALL = (1 << HARTS) - 1


class ArmedError(ValueError):
    """It cannot be armed; the message is one sentence."""


@dataclass(eq=False, slots=True)
class _Breaks:
    """The breakpoints at one address. `sure` and `decided` count them by hart (None is all harts):
    those that stop in any case, and those that a condition in the record decides about. `groups`
    has their groups in the record by hart and conditions; None where the record had no room."""

    sure: dict[int | None, int] = field(default_factory=dict)
    decided: dict[int | None, int] = field(default_factory=dict)
    groups: dict[tuple[int | None, Conditions], list[Group | None]] = field(default_factory=dict)


class Armed:
    """The breakpoints, watches and steps that stop the tile. The same one may be added several
    times."""

    def __init__(self, S: View) -> None:
        self._S = S
        self._stepping, self._step_over = S.debug.stepping.raw, S.debug.step_over.raw
        self._near, self._words = S.debug.breaks.raw, S.decoded.word.raw
        self._translated = S.translated.of.raw
        self._breaks: dict[int, _Breaks] = {}
        self._far: list[int] = []  # addresses outside L1, as the record has them
        self._conditions = ConditionTable(S)
        self._watches: Counter[_Watch] = Counter()
        self._order: list[_Watch] = []

    def anything(self) -> bool:
        """True if the loop has to check for anything."""
        return bool(self._breaks or self._watches) or self.steps()

    def steps(self) -> bool:
        """True if a hart is to step, or to step over what was reported."""
        return any(self._stepping) or any(self._step_over)

    def add_break(self, addr: int, hart: int | None, conditions: Conditions = ()) -> None:
        """ArmedError when the table of breakpoints outside L1 is full.

        With conditions (core/debug/conditions.py) it stops no hart for which all of them are false.
        """
        here = self._breaks.get(addr)
        if here is None:
            if addr >= L1_BYTES and len(self._far) == FAR_BREAKS:
                raise ArmedError(f"no more than {FAR_BREAKS} breakpoints can be set outside L1")
            here = self._breaks[addr] = _Breaks()
        group = None
        if conditions:
            # Without its conditions a breakpoint stops.
            group = self._conditions.add(addr, _mask((hart,)), conditions)
            here.groups.setdefault((hart, conditions), []).append(group)
        counted = here.sure if group is None else here.decided
        counted[hart] = counted.get(hart, 0) + 1
        self._write_break(addr, here)

    def remove_breaks(self, several: Iterable[Break]) -> None:
        """Remove these; removing what is not there does nothing."""
        changed: dict[int, _Breaks] = {}
        for addr, hart, conditions in several:
            here = self._breaks.get(addr)
            if here is not None and self._take_away(addr, here, hart, conditions):
                changed[addr] = here
        for addr, here in changed.items():
            if not here.sure and not here.decided:
                del self._breaks[addr]
            self._write_break(addr, here)

    def _take_away(
        self, addr: int, here: _Breaks, hart: int | None, conditions: Conditions
    ) -> bool:
        """Remove one; False when it is not there."""
        group = None
        if conditions:
            groups = here.groups.get((hart, conditions))
            if groups is None:
                return False
            group = groups.pop()
            if not groups:
                del here.groups[hart, conditions]
            if group is not None:
                self._conditions.remove(addr, group)
        counted = here.sure if group is None else here.decided
        left = counted.pop(hart, 0) - 1
        if left > 0:
            counted[hart] = left
        return left >= 0

    def _write_break(self, addr: int, here: _Breaks) -> None:
        sure, decided = _mask(here.sure), _mask(here.decided)
        if addr < L1_BYTES:
            self._near[addr >> 2] = sure | decided
            # Without a decoded copy, the fast loop leaves the word to the one that looks.
            self._words[addr >> 2] = 0
            if (translation := self._translated[addr >> 2]) != 0:
                self._S.translated.code[translation] = 0
            self._S.translated.dropped = 1  # or there is one that can be entered again
        else:
            self._write_far(addr, sure | decided)
        if decided:
            self._conditions.decide(addr, decided & ~sure)

    def _write_far(self, addr: int, harts: int) -> None:
        debug, far = self._S.debug, self._far
        if addr not in far:
            far.append(addr)
        at = far.index(addr)
        if not harts:
            # The last one takes its place.
            addr, harts = far[-1], debug.far_harts[len(far) - 1]
            far[at] = addr
            far.pop()
        if at < len(far):
            debug.far_addr[at], debug.far_harts[at] = addr, harts
        debug.far_breaks = len(far)

    def ignore(self, addr: int, hits: int) -> None:
        """Ignore the next `hits` hits of the breakpoint at `addr`; ArmedError without room."""
        table = self._S.condition
        number = next((i for i in range(table.ignored) if table.ignored_addr[i] == addr), -1)
        if number < 0:
            number = next((i for i in range(table.ignored) if not table.ignored_left[i]), -1)
        if number < 0:
            number = table.ignored
            if number == IGNORED:
                raise ArmedError(f"hits of no more than {IGNORED} breakpoints can be ignored")
            table.ignored = number + 1
        table.ignored_addr[number], table.ignored_left[number] = addr, hits
        self._conditions.activate()

    def ignored(self, addr: int) -> bool:
        """True if this hit, which the machine could not decide about, is to be ignored."""
        return bool(ignore(self._S, addr))

    def add_watch(self, hart: int, addr: int, length: int, kind: str) -> None:
        """ArmedError when the table of watches is full."""
        watch = (hart, addr, max(length, 1), KINDS[kind])
        if watch not in self._watches and len(self._order) == WATCHES:
            raise ArmedError(f"no more than {WATCHES} watchpoints can be set")
        self._watches[watch] += 1
        self._write_watches()

    def remove_watch(self, hart: int, addr: int, length: int, kind: str) -> None:
        """Removing what is not there does nothing."""
        watch = (hart, addr, max(length, 1), KINDS[kind])
        if self._watches[watch] > 1:
            self._watches[watch] -= 1
        else:
            del self._watches[watch]
        self._write_watches()

    def _write_watches(self) -> None:
        debug = self._S.debug
        self._order = list(self._watches)
        for i, (hart, addr, length, kind) in enumerate(self._order):
            place = place_of(hart, addr)
            debug.watch_lo[i], debug.watch_hi[i] = place, place + length
            debug.watch_kind[i] = int(kind)
        debug.watches = len(self._order)

    def watched(self, number: int) -> tuple[int, WatchKind]:
        """Return the address of watch `number` as it was given, and what it watches."""
        _, addr, _, kind = self._order[number]
        return addr, kind


def _mask(counted: Collection[int | None]) -> int:
    """Return a bit for each hart."""
    return _ALL if None in counted else sum([1 << hart for hart in counted if hart is not None])
