# SPDX-License-Identifier: Apache-2.0
"""A smallest wrong order in words: what is late, by how much, and what it then comes after.

What a decision delays is seen by making the cycle in which it is drawn twice, with it and without:
the row of the state that differs is the request, the step of a unit or the pause. Which order that
turns round is seen by observing the run (orders.py) beside the one in `latency`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from tensix_gdb.core import decisions as d
from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS, T0, THREAD_NAMES, THREADS
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.execution import Decision, Execution
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine.executions import put_plan
from tensix_gdb.core.memory import streams
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.tensix.frontend.fifo import C
from tensix_gdb.core.tensix.table import find
from tensix_gdb.gdbstub.order.seeds.bench import Bench
from tensix_gdb.gdbstub.order.seeds.case import Case
from tensix_gdb.gdbstub.order.seeds.orders import Accessor, line_at, named
from tensix_gdb.gdbstub.order.seeds.smallest import Smallest

MOST_TOLD = 12  # decisions
CHUNK = 4096  # cycles between two looks for a decision
KINDS = {streams.READ: "load", streams.WRITE: "store", streams.ATOMIC: "atomic"}
# What decides (core/decisions.py), where it is no instruction that can be named: in words.
UNITS = {
    d.L0: "the L0 data cache is dropped",
    d.PORT: "a store goes before a load",
    d.OLD_DST: "a MOVD2B does not see the last write of Dst",
    d.SFPLOAD: "an SFPLOAD sees the last write of Dst",
    d.UNPACKER: "a step of unpacker 0",
    d.UNPACKER + 1: "a step of unpacker 1",
    d.UNPACKER_WAITS: "unpacker 0 waits for L1",
    d.UNPACKER_WAITS + 1: "unpacker 1 waits for L1",
    d.UNPACKER_SAMPLES: "unpacker 0 takes a field that has changed",
    d.UNPACKER_SAMPLES + 1: "unpacker 1 takes a field that has changed",
    d.PACKER: "a step of the packer",
    d.PACKER_OUT: "a block on its way to L1",
    d.PACKER_SAMPLES: "the packer takes a field that has changed",
    d.MOVER: "a step of the mover",
    d.TDMA: "a command of TDMA-RISC",
    d.CONFIG: "a step of the configuration pipeline",
    d.ORDER: "another thread goes first",
    d.BANKS: "the handing over of a source bank",
    d.UNDEFINED: "a row of Dst stays undefined",
}
AT_GATE = (d.SCALAR, d.STAGE, d.MATRIX)  # each of a thread's instruction
DELAYS = (d.UNPACKER, d.UNPACKER + 1, d.PACKER, d.PACKER_OUT, d.MOVER, d.TDMA)  # of UNITS: cycles
_INDEX = re.compile(r"([a-z_0-9]+)\.([a-z_0-9]+)(?:\[([0-9, ]+)\])?")


@dataclass(frozen=True, slots=True)
class Late:
    """One thing that is late: in words, from when, and by how many cycles."""

    what: str
    cycle: int
    by: int
    hart: int = -1
    pc: int = -1
    thread: int | None = None  # of a Tensix instruction
    whole: bool = False  # `what` is a sentence


def late_things(bench: Bench, found: Smallest) -> list[Late]:
    """Return what each decision that is left does."""
    return [*_delays(bench, found), *_pauses(bench, found)]


def _is_decided(one: Decision, S: View) -> bool:
    return bool(S.decision.count[one.agent] > one.number)


def _has_paused(number: int, S: View) -> bool:
    return bool(S.pause.count >= number)


def _delays(bench: Bench, found: Smallest) -> Iterator[Late]:
    """Yield the delays: runs up to the cycle of each, which is then made twice."""
    for one in (found.execution.delays or ())[:MOST_TOLD]:
        cycle = _cycle_of(bench, found.case, partial(_is_decided, one))
        if cycle is not None:
            yield _seen(bench, found.execution, cycle, one)


def _cycle_of(bench: Bench, case: Case, is_reached: Callable[[View], bool]) -> int | None:
    """Return the cycle in which something has been reached at its end; the tile is at its start."""
    machine, S = bench.machine, bench.machine.S
    bench.begin_case(case)
    begun = int(S.tile.cycle)
    size, stuck = CHUNK, 0
    while int(S.tile.cycle) - begun < bench.program.most:
        before = machine.record.snapshot()
        cycle = int(S.tile.cycle)
        machine.run(size)
        if is_reached(S):
            machine.restore(before)
            if size == 1:
                return cycle
            size = max(1, size // 8)
        elif int(S.tile.cycle) == cycle and S.schedule.cycle_phase == 0 and machine.idle():
            return None
        elif int(S.tile.cycle) == cycle:
            stuck += 1
            if stuck > HARTS + THREADS:
                return None
        else:
            stuck = 0
    return None


def _seen(bench: Bench, execution: Execution, cycle: int, one: Decision) -> Late:
    """Make a cycle twice, with a decision and without it: what differs."""
    machine, S = bench.machine, bench.machine.S
    before = machine.record.snapshot()
    machine.run(1)
    other = Record(machine.record.layout)
    other.restore(machine.record.snapshot())
    machine.restore(before)
    plan = (*(execution.delays or ()), *(execution.kept_pauses or ()))
    put_plan(S, [each for each in plan if each != one])
    machine.run(1)
    put_plan(S, plan)
    differences = [
        each
        for each in other.diff(machine.record)
        if not each.path.startswith(("schedule.", "decision.", "pause.", "promised."))
    ]
    for difference in differences:
        match = _INDEX.fullmatch(difference.path)
        if match is None:
            continue
        part, row = match[1], match[2]
        index = [int(text) for text in (match[3] or "0").split(",")]
        by = difference.left - difference.right
        if part == "stream" and row == "due":
            hart, stream, i = index
            pc = int(other.S.stream.pc[hart, stream, i])
            kind = KINDS.get(int(other.S.stream.kind[hart, stream, i]), "request")
            what = f"the {kind} of {line_at(machine.places, hart, pc)} ({HART_NAMES[hart]})"
            return Late(what, cycle, by, hart, pc)
    machine.restore(before)
    return _unit(bench, one, cycle)


def _unit(bench: Bench, one: Decision, cycle: int) -> Late:
    """Return what is late by a decision that is no request of a hart; the tile is before its
    cycle."""
    machine, S = bench.machine, bench.machine.S
    if d.QUEUE <= one.agent < d.QUEUE + HARTS:
        hart = one.agent - d.QUEUE
        pc = int(S.pipeline.sq_pc[hart, 0])
        what = f"the store of {line_at(machine.places, hart, pc)} ({HART_NAMES[hart]})"
        return Late(what, cycle, one.value, hart, pc)
    for first in AT_GATE:
        if first <= one.agent < first + THREADS:
            thread = one.agent - first
            at = int(S.fifo.head[thread, C])
            hart, pc = int(S.fifo.hart[thread, C, at]), int(S.fifo.pc[thread, C, at])
            found = find(int(S.fifo.word[thread, C, at]), Arch[bench.program.arch])
            name = found.mnemonic if found is not None else "an instruction"
            what = f"{name} of {line_at(machine.places, hart, pc)} ({THREAD_NAMES[thread]})"
            by = 0 if first == d.STAGE else one.value
            return Late(what, cycle, by, hart, pc, thread=thread)
    group = next(at for at in sorted(UNITS, reverse=True) if at <= one.agent)
    by = one.value if group in DELAYS else 0
    return Late(UNITS[group], cycle, by, whole=group not in DELAYS)


def _pauses(bench: Bench, found: Smallest) -> Iterator[Late]:
    """Yield the pauses that the schedule has drawn, and those that were named."""
    machine, S = bench.machine, bench.machine.S
    count = len(found.execution.kept_pauses or ()) + len(found.case.setting.pauses)
    for number in range(1, min(count, MOST_TOLD) + 1):
        cycle = _cycle_of(bench, found.case, partial(_has_paused, number))
        if cycle is None:
            return
        before = [int(S.pause.hart[hart]) for hart in range(HARTS)]
        before += [int(S.pause.thread[thread]) for thread in range(THREADS)]
        machine.run(1)
        after = [int(S.pause.hart[hart]) for hart in range(HARTS)]
        after += [int(S.pause.thread[thread]) for thread in range(THREADS)]
        names = (*HART_NAMES, *THREAD_NAMES)
        for party, (old, new) in enumerate(zip(before, after, strict=True)):
            if new == old:
                continue
            hart = party if party < HARTS else T0 + party - HARTS
            pc = int(S.hart.pc[hart])
            where = f" at {line_at(machine.places, hart, pc)}" if party < HARTS else ""
            yield Late(f"{names[party]}{where} pauses", cycle, new - cycle + 1, whole=True)


def turned(bench: Bench, found: Smallest) -> list[tuple[str, str]]:
    """Return the pairs of accesses that come in another order than in `latency`: first what now
    comes first. Both runs are observed."""
    if found.case.execution == "latency" and not found.case.setting.name:
        return []
    with bench.to_the_end(), bench.strict():  # a late access may come after what shows it
        usual = bench.run(Case(found.case.program, "latency", observed=True)).orders
        now = bench.run(replace(found.case, observed=True)).orders
    return [order for order in now if order[::-1] in usual and order not in usual]


def sentences(bench: Bench, found: Smallest) -> list[str]:
    """Return the smallest wrong order in words, and how to have it again."""
    late = late_things(bench, found)
    flipped = turned(bench, found)
    places = bench.machine.places
    lines = []
    for one in late:
        by = f", {one.by} cycles" if one.by > 0 else ""
        after = _after(one, flipped, bench)
        if after:
            lines.append(
                f"{one.what} is processed after {after}{by and f' ({one.by} cycles late)'}"
            )
        else:
            verb = "" if one.whole else " is late"
            lines.append(f"{one.what}{verb}{by}")
    if found.case.setting.pokes or (found.case.setting.pauses and not late):
        lines.insert(0, found.case.setting.name)
    told = {line for one in late for line in [_after(one, flipped, bench)] if line}
    for first, second in flipped[:4]:
        if named(first, places) not in told:
            lines.append(
                f"so {named(first, places)} comes before {named(second, places)}, and after it in "
                "latency"
            )
    if not lines:
        lines = ["nothing has to be late: the run is wrong in this schedule without any delay"]
    return [*lines, "nothing else is late"] if late else lines


def _after(one: Late, flipped: Sequence[tuple[str, str]], bench: Bench) -> str:
    """Return the access that a late request is processed after; empty if that is not seen."""
    for first, second in flipped:
        side = Accessor.of_text(second)
        if (side.thread, side.hart, side.pc) == (one.thread, one.hart, one.pc):
            return named(first, bench.machine.places)
    return ""
