# SPDX-License-Identifier: Apache-2.0
"""`monitor order`: what harts have under way, and what the Tensix threads do with it.

A request is *queued* in a hart's store queue, then *emitted* into its stream, then *processed* by
its region (MemoryOrdering.md). Those of T cores to GPRs, configuration and TDMA-RISC that are
emitted and not processed are what C10 of STALLWAIT waits for.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.arch.blackhole import HART_NAMES, HARTS, T0, T2, THREADS
from core.isa.text import show
from core.machine import Machine
from core.memory import streams
from core.memory.map import describe
from core.riscv.load_store import TRACKED
from core.tensix.fifo import CAPACITIES, C
from core.tensix.latch import NONE
from core.tensix.wait_gate import Held

_KINDS = {streams.READ: "load from", streams.WRITE: "store to", streams.ATOMIC: "atomic on"}
_HELD = {
    Held.NOT: "",
    Held.LATCHED_WAIT: "held by the latched wait",
    Held.OWN_SCALAR: "waits for the thread's scalar instruction",
    Held.UNIT: "waits for its unit",
    Held.MUTEX: "waits for its mutex",
    Held.SOURCE_BANK: "waits for a source bank",
    Held.CONFIG_PIPE: "waits for the configuration pipeline",
    Held.AUTO_TTSYNC: "held by Auto TTSync",
}


def monitor_order(machine: Machine) -> str:
    """Every hart with something under way, then every Tensix thread with instructions."""
    lines = [line for hart in range(HARTS) for line in _of_hart(machine, hart)]
    lines += [line for thread in range(THREADS) for line in _of_thread(machine, thread)]
    return "".join(f"{line}\n" for line in lines) or "Nothing is under way.\n"


def _of_hart(machine: Machine, hart: int) -> Iterator[str]:
    S = machine.S
    name = HART_NAMES[hart]
    for i in range(S.pipeline.sq_count[hart]):
        where = describe(hart, S.pipeline.sq_addr[hart, i])
        pc = machine.places.at(hart, S.pipeline.sq_pc[hart, i])
        yield f"{name}  queued   store to {where} {S.pipeline.sq_addr[hart, i]:#010x}, from {pc}"
    emitted = [
        (int(S.stream.born[hart, stream, i]), stream, i)
        for stream in range(streams.STREAMS)
        for i in range(S.stream.count[hart, stream])
    ]
    for born, stream, i in sorted(emitted):
        addr = S.stream.addr[hart, stream, i]
        kind = _KINDS[S.stream.kind[hart, stream, i]]
        pc = machine.places.at(hart, S.stream.pc[hart, stream, i])
        mark = " (C10)" if T0 <= hart <= T2 and TRACKED[stream] else ""
        yield (
            f"{name}  emitted  {kind} {describe(hart, addr)} {addr:#010x} "
            f"in cycle {born}, from {pc}{mark}"
        )


def _of_thread(machine: Machine, thread: int) -> Iterator[str]:
    S = machine.S
    held = sum(S.fifo.count[thread, fifo] for fifo in range(len(CAPACITIES)))
    if held:
        yield f"Tensix {thread}  {held} instructions before the wait gate"
    if S.fifo.count[thread, C]:
        at = S.fifo.head[thread, C]
        pc = machine.places.at(S.fifo.hart[thread, C, at], S.fifo.pc[thread, C, at])
        why = _HELD[Held(S.gate.held[thread])]
        yield (
            f"Tensix {thread}  at the gate: {show(S.fifo.word[thread, C, at])}, "
            f"pushed at {pc}" + (f"; {why}" if why else "")
        )
    if S.latch.kind[thread] != NONE:
        yield (
            f"Tensix {thread}  latched wait: block {S.latch.block[thread]:#05x}, "
            f"conditions {S.latch.conditions[thread]:#06x}"
        )
