# SPDX-License-Identifier: Apache-2.0
"""A profile: the cycles of harts by function and line, of wait gates by reason, of units.

All of it is counted, nothing sampled, so the same run gives the same profile. A hart's cycle is its
instruction's: the one executed in it, or the one that waited to be. A function has its own cycles
and those with all that it calls; of a recursive one, the outermost call has them.

Where a host has loaded one kernel after the other to the same addresses, each has its own counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import takewhile
from pathlib import PurePath

from tensix_gdb.core.arch.blackhole import HARTS, THREADS
from tensix_gdb.core.counting.coprocessor import SEMAPHORES as SEMAPHORE_SHIFT
from tensix_gdb.core.counting.counts import Counts
from tensix_gdb.core.counting.launched import flits_of_ports
from tensix_gdb.core.counting.shares import Share, more
from tensix_gdb.core.counting.site import Hold, Site
from tensix_gdb.core.counting.tree import Call
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.devices.semaphores import SEMAPHORES
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.noc.state import NIUS
from tensix_gdb.core.program.elf import Image
from tensix_gdb.core.tensix.gate.latch import NONE, SEMWAIT, STALLWAIT, STREAMWAIT
from tensix_gdb.core.tensix.gate.wait_gate import COUNT, Held
from tensix_gdb.gdbstub.tensix.output.coverage import instruction_name, mnemonics
from tensix_gdb.gdbstub.tensix.output.polled import Loop, polling_loops
from tensix_gdb.gdbstub.tensix.output.source_map import SourceMaps
from tensix_gdb.gdbstub.tensix.output.timeline import HELD, UNIT_NAMES

# Where a kernel of tt-metal begins for the firmware, and for its author.
START, KERNEL_MAIN = "_start", "kernel_main"
NOC_PORTS = tuple(f"NoC {niu} {way}" for niu in range(NIUS) for way in ("in", "out"))
_TEMPLATE = re.compile(r"<.*>$")
KINDS = {STALLWAIT: "STALLWAIT", SEMWAIT: "SEMWAIT", STREAMWAIT: "STREAMWAIT"}


@dataclass(slots=True)
class Function:
    """Cycles of a function: its own, and with what it calls."""

    name: str
    own: int = 0
    total: int = 0
    calls: int = 0


class Profile:
    """The counts of a machine, in the names of its programs."""

    def __init__(
        self, machine: Machine, counts: Counts, flits_before: Sequence[int] | None = None
    ) -> None:
        self.machine, self.counts = machine, counts
        self._flits_before = flits_before or [0] * len(NOC_PORTS)
        self.cycles = int(machine.S.tile.cycle) - counts.start
        self._maps = SourceMaps(machine.images)
        self._replaced = {image.hart for image, _ in counts.shares.past()}
        self._of_past: dict[int, SourceMaps] = {}  # of programs that have gone, by identity
        wormhole = bool(machine.S.tile.chip)
        self._names = mnemonics(Arch.WORMHOLE if wormhole else Arch.BLACKHOLE)

    # Harts

    def harts(self) -> list[int]:
        """Return those that have executed anything."""
        return [hart for hart in range(HARTS) if self.counts.time(hart)]

    def function(self, hart: int, pc: int, owner: Image | None = None) -> str:
        """Return the function at an address, in `owner` if that has gone. Where kernels have
        replaced each other it has the kernel's name, too: all of them have a kernel_main. SFPI
        inlines that into `_start`, and the firmware calls `_start`."""
        name = self._maps_of(owner).function(hart, pc)
        image = owner or self.machine.places.image(hart, pc)
        kernel = "" if image is None else kernel_of(image)
        if image is not None and kernel and name == START and has_kernel_main(image.content):
            name = KERNEL_MAIN
        return f"{name} ({kernel})" if kernel and hart in self._replaced else name

    def line(self, hart: int, pc: int, owner: Image | None = None) -> tuple[str, int] | None:
        """File and line of an address."""
        piece = self._maps_of(owner).at(hart, pc)
        return None if piece is None else (piece.file, piece.line)

    def _maps_of(self, owner: Image | None) -> SourceMaps:
        if owner is None:
            return self._maps
        if id(owner) not in self._of_past:
            self._of_past[id(owner)] = SourceMaps([owner])
        return self._of_past[id(owner)]

    def functions(self, hart: int) -> list[Function]:
        """Return them by their own cycles, most first. A kernel that was launched again has one
        row."""
        found: dict[tuple[str, int], Function] = {}

        def visit(call: Call, above: frozenset[tuple[str, int]]) -> None:
            image = call.owner or self.machine.places.image(hart, call.pc)
            key = ("", call.pc) if image is None else (str(image.path), call.pc - image.bias)
            if key not in found:
                found[key] = Function(self.function(hart, call.pc, call.owner))
            function = found[key]
            function.own += call.spent
            function.calls += call.calls
            if key not in above:
                function.total += call.total
            for below in call.below:
                visit(below, above | {key})

        for call in self.counts.calls_by_program(hart).below:
            visit(call, frozenset())
        return sorted(
            found.values(), key=lambda function: (-function.own, -function.total, function.name)
        )

    def lines(self, hart: int) -> list[tuple[str, int, int]]:
        """Return lines (or addresses) by their cycles, most first: place, cycles, executions."""
        past = self.counts.shares.all_past(hart)
        present = Share(
            executed=more(self.counts.executions(hart), past.executed),
            cycles=more(self.counts.cycles(hart), past.cycles),
        )
        by_line: dict[str, tuple[int, int]] = {}
        for owner, share in self._shares(present):
            if owner is not None and owner.hart != hart:
                continue
            most: dict[str, int] = {}
            for pc, cycles in share.cycles.items():
                name = self._place(hart, pc, owner)
                most[name] = max(most.get(name, 0), share.executed.get(pc, 0))
                spent, times = by_line.get(name, (0, 0))
                by_line[name] = spent + cycles, times
            for name, times in most.items():
                by_line[name] = by_line[name][0], by_line[name][1] + times
        rows = [(name, spent, times) for name, (spent, times) in by_line.items()]
        return sorted(rows, key=lambda row: (-row[1], row[0]))

    def _shares(self, present: Share) -> list[tuple[Image | None, Share]]:
        return [(None, present), *self.counts.shares.past()]

    def polls(self, hart: int) -> list[tuple[str, str, int, int]]:
        """Return loops in which the hart has polled (polled.py), by their cycles, most first:
        function, place, cycles, rounds."""
        past = self.counts.shares.all_past(hart)
        present = Share(
            executed=more(self.counts.executions(hart), past.executed),
            cycles=more(self.counts.cycles(hart), past.cycles),
        )
        found: dict[tuple[str, str], tuple[int, int]] = {}
        for owner, share in self._shares(present):
            images = self.machine.images if owner is None else [owner]
            for image in images:
                for loop in polling_loops(image) if image.hart == hart else ():
                    cycles = sum(share.cycles.get(pc, 0) for pc in loop.pcs)
                    if cycles:
                        key = self._polls(image, loop), self._place(hart, loop.load, owner)
                        before = found.get(key, (0, 0))
                        rounds = share.executed.get(loop.load, 0)
                        found[key] = before[0] + cycles, before[1] + rounds
        rows = [(*key, cycles, rounds) for key, (cycles, rounds) in found.items()]
        return sorted(rows, key=lambda row: (-row[2], row))

    def _polls(self, image: Image, loop: Loop) -> str:
        """Return the innermost function that has all of the loop: the one that goes round in it."""
        chains = self.machine.places.inlining.learn(image)
        first, *others = ([step.function for step in chains.at(pc)][::-1] for pc in loop.pcs)
        common = first
        for other in others:
            pairs = zip(common, other, strict=False)
            common = [one for one, _ in takewhile(lambda pair: pair[0] == pair[1], pairs)]
        name = common[-1] if common else self.function(image.hart or 0, loop.load)
        return _TEMPLATE.sub("", name)

    # The coprocessor

    def threads(self) -> list[int]:
        """Tensix threads that have had an instruction at their gate."""
        seen = {site.thread for site, _ in self.counts.issued()}
        return sorted(seen | {hold.site.thread for hold in self.counts.holds()})

    def issued(self, thread: int) -> list[tuple[str, str, int]]:
        """Return what has passed a gate: instruction, from where, how often."""
        counts: dict[tuple[str, str], int] = {}
        for owner, share in self._coprocessor:
            for (site, via), count in share.issued.items():
                if site.thread == thread:
                    name = instruction_name(self._names, site.opcode, via)
                    key = name, self.place(site, owner)
                    counts[key] = counts.get(key, 0) + count
        return sorted(((*key, n) for key, n in counts.items()), key=lambda row: (-row[2], row))

    def held(self, thread: int) -> list[tuple[str, str, str, int]]:
        """Return what was held at a gate: why, which instruction, from where, for how many
        cycles."""
        counts: dict[tuple[str, str, str], int] = {}
        for owner, share in self._coprocessor:
            for hold, count in share.held.items():
                if hold.site.thread == thread:
                    name = instruction_name(self._names, hold.site.opcode, 0)
                    key = why(hold), name, self.place(hold.site, owner)
                    counts[key] = counts.get(key, 0) + count
        return sorted(((*key, n) for key, n in counts.items()), key=lambda row: (-row[3], row))

    @cached_property
    def _coprocessor(self) -> list[tuple[Image | None, Share]]:
        """The shares of what was issued and held, by the program that has pushed it."""
        left = Share(issued=self.counts.issued(), held=self.counts.holds())
        for _, share in self.counts.shares.past():
            left = left.without(Share(issued=share.issued, held=share.held))
        return self._shares(left)

    def place(self, site: Site, owner: Image | None = None) -> str:
        """Return where an instruction was pushed."""
        return self._place(site.hart, site.pc, owner)

    def _place(self, hart: int, pc: int, owner: Image | None = None) -> str:
        """Return the line of an address; of what a library's header has there, the line of the
        kernel and that of the header."""
        places = self.machine.places
        image = owner or places.image(hart, pc)
        if image is not None and (steps := places.inlining.of_kernel(image, pc)):
            return f"{steps[0].place} ({steps[-1].place})"
        at = self.line(hart, pc, owner)
        return f"{pc:#010x}" if at is None else in_short(at)

    def units(self) -> list[tuple[str, int]]:
        """Return cycles in which each unit was busy, and each port of a NIU that passed any data:
        one for each flit of 64 bytes."""
        pairs = zip(flits(self.machine), self._flits_before, strict=True)
        ports = zip(NOC_PORTS, (now - before for now, before in pairs), strict=True)
        busy = zip(UNIT_NAMES, self.counts.busy(), strict=True)
        return [*busy, *(port for port in ports if port[1])]

    def gate_cycles(self, thread: int) -> tuple[int, int]:
        """Return cycles in which the gate has let something pass (at most one in a cycle, but in
        the schedule `sc`), and in which it held something."""
        issued = sum(n for (site, _), n in self.counts.issued().items() if site.thread == thread)
        held = sum(n for hold, n in self.counts.holds().items() if hold.site.thread == thread)
        return issued, held


def flits(machine: Machine) -> list[int]:
    """Return the flits of data that the NIUs have counted, by NOC_PORTS."""
    return flits_of_ports(machine.S)


@lru_cache(maxsize=256)
def has_kernel_main(content: bytes) -> bool:
    """True if a file has code of `kernel_main`, be it inlined."""
    from tensix_gdb.core.dwarf.info import debug_info
    from tensix_gdb.core.dwarf.named import entries

    return bool(entries(debug_info(content), KERNEL_MAIN))


def kernel_of(image: Image) -> str:
    """Return the name of a kernel of tt-metal, the files of which are
    kernels/NAME/HASH/trisc1/trisc1.elf; nothing for other programs."""
    parts = image.path.parts
    return parts[-4] if len(parts) > 4 and parts[-5] == "kernels" else ""


def in_short(place: tuple[str, int]) -> str:
    """`main.cpp:12`: paths of kernels are long, and in one program names seldom come twice."""
    return f"{PurePath(place[0]).name}:{place[1]}"


def why(hold: Hold) -> str:
    """`SEMWAIT sem=S1 wait=C0`, `its unit is taken`."""
    if hold.held != Held.LATCHED_WAIT or hold.kind == NONE:
        return HELD[Held(hold.held)]
    parts = [KINDS[hold.kind]]
    waits = range(COUNT)
    if hold.kind == SEMWAIT:
        parts.append("sem=" + "|".join(_bits(hold.conditions >> SEMAPHORE_SHIFT, "S", SEMAPHORES)))
        waits = range(2)
    if hold.kind != STREAMWAIT:
        parts.append("wait=" + "|".join(_bits(hold.conditions, "C", len(waits))))
    return " ".join(parts)


def _bits(value: int, letter: str, count: int) -> Iterator[str]:
    return (f"{letter}{bit}" for bit in range(count) if value >> bit & 1)


assert THREADS == 3
