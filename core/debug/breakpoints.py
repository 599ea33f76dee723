# SPDX-License-Identifier: Apache-2.0
"""Breakpoints and watches: counted here, and kept in the record where the loop looks for them."""

from __future__ import annotations

from collections import Counter

from tensix_gdb.core.arch.blackhole import HARTS, L1_BYTES
from tensix_gdb.core.debug.conditions import CODE_BYTES, CONDITIONS, IGNORED, ignore
from tensix_gdb.core.memory.map import place_of
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.stop import FAR_BREAKS, WATCHES, WatchKind

KINDS = {"read": WatchKind.READ, "write": WatchKind.WRITE, "access": WatchKind.ACCESS}

_Watch = tuple[int, int, int, WatchKind]
Conditions = tuple[bytes, ...]


class ArmedError(ValueError):
    """It cannot be armed; the message is one sentence."""


class Armed:
    """What stops the tile. The same breakpoint or watch may be added several times."""

    def __init__(self, S: View) -> None:
        self._S = S
        self._stepping, self._passing = S.debug.stepping.raw, S.debug.passing.raw
        self._breaks: dict[tuple[int, int], int] = {}  # how often each was added
        # Of each breakpoint that was added with conditions: its place and them.
        self._conditional: list[tuple[int, int | None, Conditions]] = []
        self._watches: Counter[_Watch] = Counter()
        self._order: list[_Watch] = []

    def anything(self) -> bool:
        """Does the loop have to check for anything?"""
        return bool(self._breaks or self._watches) or self.steps()

    def steps(self) -> bool:
        """Is a hart to step, or to pass what was reported?"""
        return any(self._stepping) or any(self._passing)

    def add_break(self, addr: int, hart: int | None, conditions: Conditions = ()) -> None:
        """ArmedError when the table of breakpoints outside L1 is full.

        With conditions (core/debug/conditions.py) it stops no hart for which all of them are false.
        """
        full = addr >= L1_BYTES and self._S.debug.far_breaks == FAR_BREAKS
        if full and not self._harts(addr):
            raise ArmedError(f"no more than {FAR_BREAKS} breakpoints can be set outside L1")
        for h in range(HARTS) if hart is None else (hart,):
            self._breaks[addr, h] = self._breaks.get((addr, h), 0) + 1
        if conditions:
            self._conditional.append((addr, hart, conditions))
        self._write_break(addr)
        self._conditions_changed(addr, conditions)

    def remove_break(self, addr: int, hart: int | None, conditions: Conditions = ()) -> None:
        """Removing what is not there does nothing."""
        for h in range(HARTS) if hart is None else (hart,):
            left = self._breaks.pop((addr, h), 0) - 1
            if left > 0:
                self._breaks[addr, h] = left
        if (addr, hart, conditions) in self._conditional:
            self._conditional.remove((addr, hart, conditions))
        self._write_break(addr)
        self._conditions_changed(addr, conditions)

    def _conditions_changed(self, addr: int, conditions: Conditions) -> None:
        if conditions or any([at == addr for at, _, _ in self._conditional]):
            self._write_conditions()

    def _write_conditions(self) -> None:
        """Into the record, as far as there is room: without its conditions a breakpoint stops."""
        table, count, end = self._S.condition, 0, 0
        at: dict[int, list[tuple[int | None, Conditions]]] = {}
        for addr, whom, conditions in self._conditional:
            at.setdefault(addr, []).append((whom, conditions))
        harts_of: dict[tuple[int, Conditions], int] = {}
        for addr, there in at.items():
            for hart in range(HARTS):
                mine = [conditions for whom, conditions in there if whom in (None, hart)]
                # One that was added without conditions stops in any case.
                if mine and len(mine) == self._breaks.get((addr, hart)):
                    programs = tuple(program for conditions in mine for program in conditions)
                    harts_of[addr, programs] = harts_of.get((addr, programs), 0) | 1 << hart
            if len(harts_of) > CONDITIONS:
                break
        for (addr, programs), harts in harts_of.items():
            if count + len(programs) > CONDITIONS or end + sum(map(len, programs)) > CODE_BYTES:
                continue
            for program in programs:
                table.addr[count], table.harts[count] = addr, harts
                table.start[count], table.end[count] = end, end + len(program)
                for byte in program:
                    table.code[end] = byte
                    end += 1
                count += 1
        table.count = count
        table.active = 1 if count or table.ignored else 0

    def ignore(self, addr: int, hits: int) -> None:
        """Let the next `hits` hits of the breakpoint at `addr` pass; ArmedError without room."""
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
        self._write_conditions()

    def ignored(self, addr: int) -> bool:
        """Is this hit, which the machine could not decide about, one of those to ignore?"""
        return bool(ignore(self._S, addr))

    def _write_break(self, addr: int) -> None:
        debug = self._S.debug
        if addr < L1_BYTES:
            debug.breaks[addr >> 2] = self._harts(addr)
            # Without a decoded copy, the fast loop leaves the word to the one that looks.
            self._S.decoded.word[addr >> 2] = 0
            return
        far = sorted({at for at, _ in self._breaks if at >= L1_BYTES})
        for i, at in enumerate(far):
            debug.far_addr[i], debug.far_harts[i] = at, self._harts(at)
        debug.far_breaks = len(far)

    def _harts(self, addr: int) -> int:
        return sum([1 << h for h in range(HARTS) if (addr, h) in self._breaks])

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
        """The address of watch `number` as it was given, and what it watches."""
        _, addr, _, kind = self._order[number]
        return addr, kind
