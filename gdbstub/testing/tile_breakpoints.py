# SPDX-License-Identifier: Apache-2.0
"""The stops of a tile in a test: lines, functions, variables, the wait gates, pauses."""

from __future__ import annotations

from collections.abc import Iterable

from tensix_gdb.core.arch.blackhole import HART_NAMES
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.tensix.pauses import add_pause
from tensix_gdb.gdbstub.testing.breakpoint import (
    Breakpoint,
    Condition,
    gate_breakpoint,
    gate_watchpoint,
)
from tensix_gdb.gdbstub.testing.hart import Hart
from tensix_gdb.gdbstub.testing.program import NoSuchPlace
from tensix_gdb.gdbstub.usage import HARTS as TYPED_NAMES

__tracebackhide__ = True  # pytest shows the test's own line


class TileBreakpoints:
    """The part of a `Tile` that sets and deletes what stops it."""

    machine: Machine
    harts: tuple[Hart, ...]
    breakpoints: list[Breakpoint]

    def hart(self, which: str | int | Hart) -> Hart:
        """Return a hart by name, number or itself."""
        if isinstance(which, Hart):
            return which
        if isinstance(which, int):
            return self.harts[which]
        if which.lower() not in TYPED_NAMES:
            raise LookupError(f"there is no hart {which}; there are {', '.join(HART_NAMES)}")
        return self.harts[TYPED_NAMES.index(which.lower())]

    def break_at(
        self,
        place: str | int,
        *,
        hart: str | int | Hart | None = None,
        when: Condition | None = None,
    ) -> Breakpoint:
        """Stop before a function (`"filter"`), a line (`"t0.c:27"`), a symbol or an address.

        The place is looked for in the program of every hart, or of the one that is named.
        `when` is asked with the hart that gets there; the tile continues while it is false.
        """
        chosen = self.harts if hart is None else (self.hart(hart),)
        addresses = [(each.number, at) for each in chosen for at in self._places(each, place)]
        meant = self._harts_of_line(place, {number for number, _ in addresses})
        addresses = [(number, at) for number, at in addresses if number in meant]
        if not addresses:
            raise NoSuchPlace(self._no_such(place, chosen))
        for number, at in addresses:
            self.machine.add_break(at, number)
        self.breakpoints.append(Breakpoint(str(place), when, tuple(addresses)))
        return self.breakpoints[-1]

    def _places(self, hart: Hart, place: str | int) -> list[int]:
        return [place] if isinstance(place, int) else hart.program_addresses(place)

    def _harts_of_line(self, place: str | int, harts: set[int]) -> set[int]:
        """Find, of these harts, those that have code nearest after a line. A file that is compiled
        for several harts has other lines for each, as with `#ifdef`."""
        programs = {number: self.harts[number].program for number in harts}
        lines = {number: one.line(place) for number, one in programs.items() if one is not None}
        nearest = min(lines.values(), default=0)
        return {number for number in harts if lines.get(number, nearest) == nearest}

    def _no_such(self, place: str | int, harts: Iterable[Hart]) -> str:
        programs = [hart.program for hart in harts if hart.program is not None]
        if not programs:
            return f"no program is loaded that could have {place}"
        files = ", ".join(str(program.image.path) for program in programs)
        wanted = str(place).lower()
        near = [n for p in programs for n in p.names if wanted in n.lower() or n.lower() in wanted]
        hint = f"; there is {', '.join(near[:4])}" if near else ""
        return f"{place} is no function, symbol or line with code in {files}{hint}"

    def watch(
        self,
        what: str | int,
        *,
        hart: str | int | Hart,
        length: int = 4,
        access: str = "write",
        when: Condition | None = None,
    ) -> Breakpoint:
        """Stop before a "write", "read" or any "access" to a variable or to bytes at an address.

        `hart` is the one that has the variable, or that means something by the address. In L1 all
        harts' accesses stop; `when` is asked with the one that does it.
        """
        chosen = self.hart(hart)
        addr = what if isinstance(what, int) else chosen.variable(what).addr
        size = length if isinstance(what, int) else chosen.variable(what).type.size
        self.machine.add_watch(chosen.number, addr, size, access)
        watched = (chosen.number, addr, size, access)
        self.breakpoints.append(Breakpoint(str(what), when, watched=watched))
        return self.breakpoints[-1]

    def break_gate(
        self,
        *what: str,
        thread: int | str | None = None,
        fields: str = "",
        nth: int = 0,
        when: Condition | None = None,
    ) -> Breakpoint:
        """Stop at the wait gate, held or not: what an instruction ("STALLWAIT"), a line
        ("math.c:45") or a function pushes, of all threads or one; `fields` are comparisons
        ("which_unpacker=UNP1, last=0"), `nth` counts what one push became. `when` is asked with
        the Tensix thread."""
        made = gate_breakpoint(self.machine, what, thread, fields, nth, when)
        self.breakpoints.append(made)
        return made

    def watch_tensix(
        self, what: str, *, hart: str | int | Hart = "t0", when: Condition | None = None
    ) -> Breakpoint:
        """Stop after a change by the coprocessor: "gpr T1 5", "cfg NAME", "sem 3", "mutex 2",
        "lreg 3.7", "dst32 0-3", or an address that `hart` sees. `when` is asked with the thread."""
        made = gate_watchpoint(self.machine, what, self.hart(hart).number, when)
        self.breakpoints.append(made)
        return made

    def pause(self, where: str) -> None:
        """Pause a hart or Tensix thread at a place: "T0@unpack.c:45#3:79", before the
        third time, for 79 cycles; "gate.T1@0xB3C4:79" at the gate, what is pushed there."""
        add_pause(self.machine, where)

    def delete(self, breakpoint: Breakpoint | None = None) -> None:
        """Remove a breakpoint, or all of them."""
        for deleted in [breakpoint] if breakpoint is not None else list(self.breakpoints):
            self.breakpoints.remove(deleted)
            for number, at in deleted.addresses:
                self.machine.remove_break(at, number)
            if deleted.watched is not None:
                self.machine.remove_watch(*deleted.watched)
            if deleted.armed:
                self.machine.gates.remove(deleted.armed)
