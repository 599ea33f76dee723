# SPDX-License-Identifier: Apache-2.0
"""The footprint of a kernel: what it reads of the coprocessor's state before it writes it, and what
it leaves changed, each with the function of the operation and the line.

Reads come from one observed run, in which nothing counts as written at the beginning
(core/race/state/reads.py): configuration that units sample, GPRs, LRegs, MOP templates, Dst. Of the
other kinds a read shows only in what comes of it (confirm.py). What is left changed is the
difference between the images of beginning and end. The last write of an element is found by looking
at each cycle of the run; which instruction it was is known of configuration, and of the rest it is
the last one that the unit has got until then.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

import numpy as np

from tensix_gdb.core.arch.blackhole import HARTS, T0, THREADS, B
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.devices.mop_config import WORDS as MOP_WORDS
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.fields import CONFIG_CELLS, DST_CELLS, SRC_CELLS, pc_of
from tensix_gdb.core.race.kept import Family, places_of
from tensix_gdb.core.race.state.fields import WRITES_KEPT
from tensix_gdb.core.race.state.table import Number
from tensix_gdb.core.tensix.gate.issued import UNPACKER_1
from tensix_gdb.core.tensix.instruction import Unit
from tensix_gdb.gdbstub.pollution import state
from tensix_gdb.gdbstub.pollution.kernel import Ended, Kernel
from tensix_gdb.gdbstub.pollution.state import Element, Image, changed_bits, image_of
from tensix_gdb.gdbstub.pollution.where import CONFIGURE, NOWHERE, Where, where

_UNITS = {unit: i for i, unit in enumerate(Unit)}
_UNPACK = (_UNITS[Unit.UNPACKER], UNPACKER_1)
_ALL = (*_UNITS.values(), UNPACKER_1)
# The units with instructions that change a kind of state.
_CHANGED_BY: dict[str, tuple[int, ...]] = {
    state.COUNTERS: (_UNITS[Unit.MISC], *_UNPACK, _UNITS[Unit.PACKER]),
    state.RWCS: (_UNITS[Unit.FPU], _UNITS[Unit.SFPU], *_UNPACK),
    state.GPRS: (_UNITS[Unit.THCON], _UNITS[Unit.CONFIG]),
    **dict.fromkeys((state.LREGS_, state.FLAGS, state.VECTOR), (_UNITS[Unit.SFPU],)),
    state.SYNC: (_UNITS[Unit.SYNC],),
    state.DST: (_UNITS[Unit.FPU], _UNITS[Unit.SFPU], *_UNPACK),
    **dict.fromkeys((state.SOURCES, state.BANKS_), (_UNITS[Unit.FPU], *_UNPACK)),
    state.UNPACKERS: _UNPACK,
    state.PACKER: (_UNITS[Unit.PACKER],),
}
_BY_HARTS = (state.MOPS, state.REPLAY, state.TDMA)
_LREG = 0xF  # `detail` of a finding about an LReg


@dataclass(frozen=True, slots=True)
class Read:
    """A read of what the kernel has not written; of the first instruction that did it. `cell` is
    that of the observer's shadow; of an LReg -1 - its number."""

    cell: int
    mask: int
    cycle: int
    where: Where


@dataclass(frozen=True, slots=True)
class Configured:
    """A field as the kernel's hw_configure has left it, and the cycle after that."""

    value: int
    cycle: int


@dataclass(slots=True)
class Footprint:
    """That of one kernel. Elements that are not in `writers` have an unknown last write.
    `given` has the last value that functions of CONFIGURE gave a field, `configured` the one before
    anything else has written it."""

    name: str
    start: Image
    end: Ended
    reads: list[Read] = field(default_factory=list)
    left: list[Element] = field(default_factory=list)
    writers: dict[Element, Where] = field(default_factory=dict)
    given: dict[Element, int] = field(default_factory=dict)
    configured: dict[Element, Configured] = field(default_factory=dict)
    reads_within: list[Read] = field(default_factory=list)  # of what only CONFIGURE has written
    functions: frozenset[str] = frozenset()  # of operations, that its instructions belong to
    lost: int = 0  # findings without room

    def read_of(self, element: Element, *, within: bool = False) -> Read | None:
        """Return the first read of an element before its first write, as far as it is known;
        `within`: before the first one that is not by a function of CONFIGURE. Those read to change
        a part of a word."""
        reads = self.reads_within if within else self.reads
        mine = [read for read in reads if _is_of(read, element) and read.where.section != CONFIGURE]
        return min(mine, key=lambda read: read.cycle, default=None)


def _is_of(read: Read, element: Element) -> bool:
    if element.kind == state.LREGS_:
        return element.name == f"lreg {-1 - read.cell}"
    if element.kind == state.DST:
        return DST_CELLS <= read.cell < SRC_CELLS
    return element.cell >= 0 and read.cell == element.cell and bool(read.mask & element.mask)


def footprint(kernel: Kernel, *, with_writers: bool = True) -> Footprint:
    """Return the footprint; the tile is observed afterwards. Without writers it is done sooner."""
    fresh = kernel.run()
    found = Footprint(kernel.name, kernel.start, fresh)
    found.left = list(changed_bits(kernel.start, fresh.image))
    if with_writers and not fresh.why:
        _note_writers(kernel, found)
    _observe(kernel, found)
    return found


def _note_writers(kernel: Kernel, found: Footprint) -> None:
    """Look at each cycle for the last change of what is left changed."""
    machine = kernel.machine
    kernel.begin()
    wanted = {element for element in found.left if element.kind != state.CONFIGURATION}
    before, last = image_of(machine.record), dict[Element, Where]()
    for cycle in range(1, found.end.cycles + 1):
        if kernel.advance(cycle):
            break
        now = image_of(machine.record)
        if not np.array_equal(before, now):
            for element in changed_bits(before, now):
                if element in wanted:
                    last[element] = changer(machine, element)
            before = now
    found.writers.update(last)


def changer(machine: Machine, element: Element) -> Where:
    """Return the instruction that has changed an element in the cycle before: the last one that one
    of its units has got."""
    S = machine.S
    thread = _thread(element)
    if element.kind == state.MOPS and element.cell >= 0:
        assert thread is not None
        last = max(int(S.mop_config.pc[thread, word]) for word in range(MOP_WORDS))
        return where(machine, T0 + thread, last)
    if element.kind not in _BY_HARTS:
        units = _CHANGED_BY.get(element.kind, _ALL)
        found = [
            (int(S.passed.to_when[t, unit]), int(S.passed.to_hart[t, unit]), t, unit)
            for t in (range(THREADS) if thread is None else (thread,))
            for unit in units
            if S.passed.to_when[t, unit]
        ]
        if found:
            _, hart, t, unit = max(found)
            return where(machine, hart, int(S.passed.to_pc[t, unit]))
    hart = T0 + (thread or 0)
    return where(machine, hart, int(S.hart.pc[hart]))


def _thread(element: Element) -> int | None:
    """Return the thread that an element is of."""
    words = [word for word in element.name.split() if word in ("T0", "T1", "T2")]
    return int(words[-1][1]) if words else None


def _observe(kernel: Kernel, found: Footprint) -> None:
    """Run it once more, observed: what it reads before it writes, and the writes of
    configuration."""
    machine = kernel.machine
    kernel.begin()
    checks = machine.check_state(["init", "leaks"], fresh=True)
    ran = [hart for hart in range(HARTS) if machine.S.hart.retired[hart]]
    checks.firmware_harts = frozenset(ran) & {B}  # it has booted, and serves the host
    checks.begin_state()
    kernel.finish()
    found.reads = list(reads(machine))
    found.lost = checks.lost
    _note_configuration(machine, found, kernel.cycle)
    found.functions = frozenset(
        where(machine, hart, pc).function for hart, pc in _sites(machine)
    ) - {NOWHERE.function}
    kernel.begin()
    checks.begin_state()
    for element, given in sorted(found.configured.items(), key=lambda one: one[1].cycle):
        kernel.advance(given.cycle)
        machine.S.state.written[element.cell] &= ~element.mask & 0xFFFFFFFF
        machine.S.race.changed += 1  # units that sample look again
    kernel.finish()
    found.reads_within = list(reads(machine))


def reads(machine: Machine) -> Iterator[Read]:
    """Yield the reads that an observed run has found."""
    S = machine.S
    for i in places_of(S, Family.STATE):
        key = int(S.found.key[i])
        if key >> 44 & 0xFF not in (Number.U1, Number.U2):
            continue
        what = int(S.race.site[key & 0x3FFF])
        cell = int(S.found.cell[i])
        if key >> 28 + 12 & 0xF == _LREG:
            cell = -1 - cell
        mask, cycle = int(S.found.mask[i]), int(S.found.when[i, 0])
        yield Read(cell, mask, cycle, where(machine, what & 7, pc_of(what)))


def _sites(machine: Machine) -> Iterator[tuple[int, int]]:
    """Yield hart and pc of all instructions that were observed."""
    keys = np.frombuffer(machine.record.row(machine.record.layout.slot("race", "site")), np.int64)
    for key in keys[keys != 0].tolist():
        if key & 7 in range(T0, HARTS):
            yield key & 7, pc_of(key)


def _note_configuration(machine: Machine, found: Footprint, start: int) -> None:
    """Note the last writes of fields of configuration, and what functions of CONFIGURE gave
    them."""
    S = machine.S
    writes = []
    for i in range(WRITES_KEPT):
        if key := int(S.state.log_key[i]):
            what = int(S.race.site[key & 0xFFFF])
            at = where(machine, what & 7, pc_of(what))
            cell = CONFIG_CELLS + (key >> 16 & 0xFFFFFFF)
            value, bits = int(S.state.log_value[i]), int(S.state.log_bits[i])
            writes.append((int(S.state.log_when[i]), cell, value, bits, at))
    by_cell: dict[int, list[Element]] = {}
    for each in {one for found_ in state.elements().values() for one in found_}:
        if each.kind in (state.CONFIGURATION, state.THREAD):
            by_cell.setdefault(each.cell, []).append(each)
    last, others = dict[Element, int](), set[Element]()
    for when, cell, value, bits, at in sorted(writes, key=lambda one: one[0]):
        for each in by_cell.get(cell, ()):
            if not bits & each.mask:
                continue
            now = (value & each.mask) >> each.low if value >= 0 else -1
            if last.get(each) != now or now < 0:  # a store of a word keeps its other fields
                found.writers[each] = at
                last[each] = now
            if at.section != CONFIGURE:
                others.add(each)
            elif now >= 0:
                found.given[each] = now
                if each not in others:
                    found.configured[each] = Configured(now, when - start + 1)
