# SPDX-License-Identifier: Apache-2.0
"""Search the places at which one more wait makes all runs go well.

A wait is tried before each instruction that pushes, stores or loads, and at the wait gates before
each that was pushed. First all places of a hart or thread together, then halves of them, against
the runs that go wrong without it: where waits at many places do not help, one of them does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from tensix_gdb.core.arch.blackhole import HARTS, L1_BYTES, THREADS
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.riscv.decode import decode
from tensix_gdb.core.riscv.table import FORMS, Form
from tensix_gdb.gdbstub.order.seeds.trial import Trials
from tensix_gdb.gdbstub.order.seeds.waits import OWN, Party, Until, Wait

ACCESSES = (Form.STORE, Form.LOAD, Form.TTINSN)
MOST_NAMED = 6
MOST_TOGETHER = 200  # places of a hart or thread: more cannot be armed


@dataclass(frozen=True, slots=True)
class Places:
    """The places of a party that a run has come to: how often, and of a thread with which opcodes:
    a MOP is pushed at one place."""

    party: Party
    times: dict[int, int]
    opcodes: dict[int, set[int]]


@dataclass(frozen=True, slots=True)
class Found:
    """A wait that mends all runs: how often it waits in one of them, and which conditions of
    STALLWAIT are enough alone, if it is one at a gate for the thread itself."""

    wait: Wait
    times: int
    opcodes: frozenset[int]
    conditions: tuple[int, ...] = ()


def places_of(trials: Trials, execution: Execution) -> list[Places]:
    """Return the places where an execution may be late; the threads first."""
    machine = trials.machine
    counts = machine.count()
    try:
        trials.goes_well(execution)
        found = [Places(Party(at_gate=True, number=n), {}, {}) for n in range(THREADS)]
        for (site, _), times in counts.issued().items():
            thread = found[site.thread]
            thread.times[site.pc] = thread.times.get(site.pc, 0) + times
            thread.opcodes.setdefault(site.pc, set()).add(site.opcode)
        for hart in range(HARTS):
            executed = counts.executions(hart).items()
            times_at = {pc: times for pc, times in executed if _is_access(machine, pc)}
            found.append(Places(Party(at_gate=False, number=hart), times_at, {}))
    finally:
        counts.stop()
        machine.runner.counts = None
    return [places for places in found if places.times]


def _is_access(machine: Machine, pc: int) -> bool:
    return pc < L1_BYTES and FORMS[decode(machine.S.l1.word[pc >> 2]) & 0xFF] in ACCESSES


@dataclass(frozen=True, slots=True)
class Orders:
    """Executions: some that go wrong, and those with which a wait has to go well."""

    wrong: Sequence[Execution]
    all_of: Sequence[Execution]


def search(trials: Trials, places: Sequence[Places], orders: Orders) -> list[Found]:
    """Return the waits with which all runs go well: those for what a party has under way itself,
    the one that waits least often first; or if there are none, those for others."""
    own = [
        _found(one, wait)
        for one in places
        for wait in _of_party(trials, one, orders.wrong, Until.OWN_IS_DONE)
    ]
    gates = {_place(one.wait) for one in own if one.wait.party.at_gate}
    own = [one for one in own if one.wait.party.at_gate or _place(one.wait) not in gates]
    good = _confirmed(trials, sorted(own, key=lambda one: one.times), orders)
    if good:
        return [
            replace(one, conditions=_conditions(trials, one.wait, orders.wrong)) for one in good
        ]
    for at_gate in (True, False):
        others = [
            _found(one, wait)
            for one in places
            if one.party.at_gate == at_gate
            for wait in _of_party(trials, one, orders.wrong, Until.OTHERS_GO_ON)
        ]
        # Whatever delays the late one mends it too, so the last one comes first.
        others.sort(key=lambda one: -trials.first_pass(orders.wrong[0], one.wait))
        if good := _confirmed(trials, others, orders):
            return good
    return []


def _confirmed(trials: Trials, found: Sequence[Found], orders: Orders) -> list[Found]:
    """Return the first few that go well in all orders."""
    return list(islice((f for f in found if _mends(trials, f.wait, orders.all_of)), MOST_NAMED))


def _found(places: Places, wait: Wait) -> Found:
    (addr,) = wait.addresses
    return Found(wait, places.times[addr], frozenset(places.opcodes.get(addr, ())))


def _place(wait: Wait) -> tuple[int, int]:
    """Return where a program has the instruction: a thread's were pushed by its T core."""
    return wait.party.hart, wait.addresses[0]


def _of_party(
    trials: Trials, places: Places, wrong: Sequence[Execution], until: Until
) -> Iterator[Wait]:
    """Yield the waits of one party, each before one instruction."""
    addresses = tuple(sorted(places.times))
    for first in range(0, len(addresses), MOST_TOGETHER):
        part = addresses[first : first + MOST_TOGETHER]
        yield from _within(trials, Wait(places.party, part, until), wrong)


def _within(trials: Trials, wait: Wait, wrong: Sequence[Execution]) -> Iterator[Wait]:
    """Halve the places of a wait that mends, as long as a half does."""
    if not _mends(trials, wait, wrong):
        return
    addresses, half = wait.addresses, len(wait.addresses) // 2
    if not half:
        yield wait
        return
    for part in (addresses[:half], addresses[half:]):
        yield from _within(trials, replace(wait, addresses=part), wrong)


def _mends(trials: Trials, wait: Wait, wrong: Sequence[Execution]) -> bool:
    return all(trials.goes_well(execution, wait) for execution in wrong)


def _conditions(trials: Trials, wait: Wait, wrong: Sequence[Execution]) -> tuple[int, ...]:
    if not wait.party.at_gate:
        return ()
    return tuple(n for n in OWN if _mends(trials, replace(wait, conditions=(n,)), wrong))
