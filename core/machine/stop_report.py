# SPDX-License-Identifier: Apache-2.0
"""What a stop is told as, where that takes more than the hart's own registers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS, B
from tensix_gdb.core.explain.gate_stop import explain_gate
from tensix_gdb.core.explain.stop import explain
from tensix_gdb.core.stop import AT_GATE, Stop, StopKind, WatchKind

if TYPE_CHECKING:
    from tensix_gdb.core.machine import Machine


def now(machine: Machine) -> Stop | None:
    """Why the machine stands where it stands; None when it runs, or was only told to halt."""
    recorded = machine.S.stop
    kind, hart, pc = StopKind(recorded.kind), recorded.hart, recorded.pc
    if kind is StopKind.NONE:
        return None
    if recorded.stream >= AT_GATE:
        return at_gate(machine, kind, recorded.stream - AT_GATE)
    addr: int | None = None
    access: WatchKind | None = None
    if kind is StopKind.WATCH:
        addr, access = machine.armed.watched(recorded.b)
    elif kind is StopKind.FAULT:
        addr = recorded.a & 0xFFFFFFFF
    stop = Stop(kind, hart, pc, addr, access, recorded.code)
    text = explain(machine.S, stop, machine.places)
    return Stop(kind, hart, pc, addr, access, recorded.code, text)


def at_gate(machine: Machine, kind: StopKind, thread: int) -> Stop:
    """Of a Tensix thread: it is not to be passed by a hart."""
    recorded = machine.S.stop
    addr: int | None = None
    access: WatchKind | None = None
    if kind is StopKind.WATCH:
        addr = machine.gates.watches[machine.gates.watch_number(recorded.a)].addr
        access = WatchKind.WRITE
    elif kind is StopKind.FAULT:
        addr = recorded.a & 0xFFFFFFFF
    found = Stop(kind, recorded.hart, recorded.pc, addr, access, recorded.code, thread=thread)
    if kind is StopKind.FAULT:
        return replace(found, text=explain(machine.S, found, machine.places))
    return replace(found, text=explain_gate(machine.S, found, machine.places, machine.gates))


def all_paused(machine: Machine) -> Stop:
    """No hart can go on, and why."""
    states = "; ".join(f"{HART_NAMES[hart]} {machine.hart_state(hart)}" for hart in range(HARTS))
    text = f"no hart can go on: {states}"
    return Stop(StopKind.ALL_PAUSED, B, machine.read_pc(B), text=text)
