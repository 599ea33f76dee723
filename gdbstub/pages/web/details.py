# SPDX-License-Identifier: Apache-2.0
"""The inside of a box of the floor plan, for the panel beside it.

    {"id": "hart-1", "title": "T0", "sections": [["registers", "..."]], "source": {...} | null,
     "values": {"title": ..., "values": [[name, text, place], ...]}, "datums": "dst",
     "paths": [["/k/hang.c", ""], ...]}

`paths` has for each section the files of the places that it names (place_links.py). `values` and
`datums` are what one may ask the origin of (values.py). The text of a section is what `monitor`
says, from the same functions, so it is what GDB shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS, T0, THREADS
from tensix_gdb.core.explain.stop import waiting_pc
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stall import sentence
from tensix_gdb.gdbstub.pages.picture.plan import unit_id
from tensix_gdb.gdbstub.pages.web.memory import cell_of_l1, local_ram
from tensix_gdb.gdbstub.pages.web.place_links import PlaceLinks
from tensix_gdb.gdbstub.pages.web.sources import AROUND, Sources
from tensix_gdb.gdbstub.pages.web.values import configuration, datums, gprs, registers
from tensix_gdb.gdbstub.protocol.capabilities import Monitor
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.blocked.instructions import at_gate, held_by_wait, latched
from tensix_gdb.gdbstub.tensix.capabilities.threads import thread_of
from tensix_gdb.gdbstub.tensix.glance.units import NAMES, last_in, unit_of

# What is in a box: commands of `monitor`, by the beginning of its id. {n} is the box's number,
# {t} a Tensix thread.
COMMANDS: dict[str, tuple[str, ...]] = {
    "front": ("fifo T{n}", "mop T{n}", "replay T{n}", "ttsync T{n}"),
    "gate": ("adc T{n}", "rwc T{n}"),
    "semaphore": ("sem {n}",),
    "mutexes": ("mutex",),
    "dst": ("dst tile {n}",),
    "lreg": ("vector {n}", "vector"),
}
UNITS = tuple(map(unit_id, NAMES))
BANKS = ("src a 0", "src a 1", "src b 0", "src b 1")
CONFIGURATION = unit_id("Configuration Unit")


class Details:
    """Looks into boxes of one tile."""

    def __init__(self, machine: Machine, monitor: Monitor, sources: Sources) -> None:
        self._machine = machine
        self._monitor = monitor
        self._sources = sources
        self.links = PlaceLinks(sources)

    def of(self, box: str) -> dict[str, Any] | None:
        """Return the inside of a box; None if there is no such box."""
        name, _, number = box.rpartition("-")
        n = int(number) if number.isdecimal() and len(number) < 5 else 0
        found = self._of(box, name, n)
        if found is not None:
            found["datums"] = datums(self._machine, name, n)
            hart = found.pop("hart", None)
            found["paths"] = [self.links.of(text, hart) for _, text in found["sections"]]
        return found

    def _of(self, box: str, name: str, n: int) -> dict[str, Any] | None:
        if name == "hart" and n < HARTS:
            return self._hart(box, n)
        if name == "l1":
            return cell_of_l1(self._machine, box, n)
        if name == "local" and n < HARTS:
            return local_ram(self._machine, box, n)
        if name == "bank" and n < len(BANKS):
            return self._said(box, (BANKS[n],))
        if name in ("gate", "front") and n < THREADS:
            found = self._said(box, COMMANDS[name], n)
            why = self._command(f"why T{n}") if name == "gate" else ""
            found["sections"] = [*([["why", why]] if why else []), *found["sections"]]
            found["source"] = self._source_of_gate(n) if name == "gate" else None
            found["hart"] = T0 + n
            if name == "gate":
                found["values"] = gprs(self._machine, n)
            return found
        if box in UNITS:
            found = self._said(box, ("vector",) if box == "unit-vector-unit" else ())
            if box == CONFIGURATION:
                found["values"] = configuration(self._machine)
            return self._with_last(found, UNITS.index(box))
        commands = COMMANDS.get(box) or COMMANDS.get(name) or COMMANDS.get(box.partition("-")[0])
        return None if commands is None else self._said(box, commands, n)

    def _said(self, box: str, commands: tuple[str, ...], n: int = 0) -> dict[str, Any]:
        wanted = [command.format(n=n) for command in commands]
        sections = [[command, self._command(command)] for command in wanted]
        return {"id": box, "sections": sections, "source": None}

    def answer(self, line: str) -> str:
        """Return what a command of `monitor` says that only looks."""
        return self._command(line)

    def _command(self, line: str, thread: int = 1) -> str:
        try:
            # These only look, so a run of another client is no reason to refuse them.
            return str(self._monitor.command(thread, line, running=False))
        except TargetError as problem:
            return str(problem)

    def _hart(self, box: str, hart: int) -> dict[str, Any]:
        machine = self._machine
        pc = int(machine.read_pc(hart))
        sections = [["why", self._command(f"why {HART_NAMES[hart]}")]]
        in_reset = bool(machine.S.hart.in_reset[hart])
        # With time, a hart may have run past what waits: the line is the one that `why` names.
        at = waiting_pc(machine.S, hart) if sentence(machine.S, hart) else pc
        if not in_reset and (steps := self._sources.called_from(hart, at)):
            sections += [["called from", "\n".join(f"  {step.text}" for step in steps)]]
        sections += [["registers", f"  pc {pc:08x}"]]
        sections += [["order", self._command("order", thread_of(hart))]]
        source = None if in_reset else self.source(hart, at)
        return {
            "id": box,
            "hart": hart,
            "sections": sections,
            "source": source,
            "thread": thread_of(hart),
            "values": registers(machine, hart),
        }

    def _with_last(self, found: dict[str, Any], number: int) -> dict[str, Any]:
        """Add what a unit has got last, and from which line."""
        machine = self._machine
        unit = unit_of(machine, number)
        last = last_in(machine, number)
        lines = [f"busy for {', '.join(unit.threads)}" if unit.threads else "idle"]
        if last is not None:
            lines += [f"{unit.last}, of {unit.thread}", f"from {unit.place}"]
            lines += [f"passed its gate in cycle {unit.cycle}"]
            found["source"] = self.source(last.hart, last.pc)
            found["hart"] = last.hart
        else:
            lines.append("nothing was given to it")
        found["sections"].insert(0, ["the last instruction that it got", "\n".join(lines)])
        return found

    def _source_of_gate(self, thread: int) -> dict[str, Any] | None:
        if held_by_wait(self._machine, thread):
            wait = latched(self._machine, thread)
            return self.source(wait.hart, wait.pc)
        gate = at_gate(self._machine, thread)
        return None if gate is None else self.source(gate.hart, gate.pc)

    def source(self, hart: int, pc: int) -> dict[str, Any] | None:
        """Return the lines around an address, if they are found."""
        place = self._sources.at(hart, pc)
        if place is None:
            return None
        return self.lines(place.file, place.line)

    def lines(self, file: str, line: int) -> dict[str, Any] | None:
        """Return the lines around one of a file, those with code marked."""
        text = self._sources.text(file)
        if text is None:
            return {"file": file, "line": line, "first": line, "text": [], "code": {}}
        first = max(line - AROUND, 1)
        shown = text[first - 1 : line + AROUND]
        return {
            "file": file,
            "line": line,
            "first": first,
            "text": shown,
            "code": dict(self._code(file, first, first + len(shown))),
        }

    def _code(self, file: str, first: int, end: int) -> Iterator[tuple[int, list[int]]]:
        for line, addresses in self._sources.lines_with_code(file).items():
            if first <= line < end:
                yield line, addresses
