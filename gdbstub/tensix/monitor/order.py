# SPDX-License-Identifier: Apache-2.0
"""`monitor order`: what harts have under way, and what the Tensix threads do with it.

A request waits in *EX1* for the Load/Store Unit, is *queued* in its hart's store queue, then
*emitted* into its stream, then *processed* by its region (MemoryOrdering.md); what is processed is
no longer here. Last come the orders that no page grants and the run has relied on, or broken.
Those of T cores to GPRs, configuration and TDMA-RISC that are emitted and not
processed are what C10 of STALLWAIT waits for: a mark says so, and a line per thread what it sees.
"""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS, PUSH_BASE, T0, T2, THREADS
from tensix_gdb.core.assembly.tensix_text import show_on
from tensix_gdb.core.explain.orders import order_lines
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.memory import streams
from tensix_gdb.core.memory.map import Region, describe, region_of
from tensix_gdb.core.riscv.pipeline.fields import LINE_BYTES
from tensix_gdb.core.riscv.pipeline.load_store import ATOMICS, LOADS, TRACKED
from tensix_gdb.core.tensix.auto_ttsync import tracker
from tensix_gdb.core.tensix.frontend.fifo import CAPACITIES
from tensix_gdb.core.tensix.scalar import pipeline as thcon
from tensix_gdb.gdbstub.tensix.monitor.order_packer import packer_buffers, packer_order
from tensix_gdb.gdbstub.tensix.monitor_row import NAMES, no_more

# The condition of STALLWAIT that looks at requests, on Blackhole and on Wormhole.
RISCV_CONDITION = ("C10", "C13")
_KINDS = {streams.READ: "load from", streams.WRITE: "store to", streams.ATOMIC: "atomic on"}
_SCALAR = {
    thcon.LOAD_L1: "load from L1",
    thcon.STORE_L1: "store to L1",
    thcon.INCREMENT: "ATINCGET on L1",
    thcon.SWAP: "ATSWAP on L1",
    thcon.COMPARE: "ATCAS on L1, repeated until the word fits",
    thcon.ADVANCE: "ATINCGETPTR on L1, repeated until there is room",
    thcon.LOAD_DEVICE: "load from a device",
    thcon.STORE_DEVICE: "store to a device",
}


def monitor_order(machine: Machine, thread: int, words: list[str]) -> str:
    """Return every hart with something under way, then what the Tensix threads see of it."""
    no_more(words, "order")
    lines = [line for hart in range(HARTS) for line in requests_of_hart(machine, hart)]
    lines += [line for number in range(THREADS) for line in _of_thread(machine, number)]
    lines += packer_buffers(machine)
    lines = lines or ["Nothing is under way."]
    lines += order_lines(machine.S, machine.places)
    return "".join(f"{line}\n" for line in lines)


def requests_of_hart(machine: Machine, hart: int) -> Iterator[str]:
    """Yield a line for each request of the hart that is under way, the first to be made last."""
    S, pipeline = machine.S, machine.S.pipeline
    name = HART_NAMES[hart]
    wormhole = S.tile.chip

    def at(pc: int) -> str:
        return f"from {machine.places.at(hart, pc)}"

    op = pipeline.ex1_op[hart]
    if op:
        kind = "load from" if LOADS[op] else "atomic on" if ATOMICS[op] else "store to"
        where = _where(hart, pipeline.ex1_addr[hart])
        since, more = pipeline.ex1_since[hart], pipeline.ex1_fused[hart]
        pushed = ""
        if kind == "store to":
            pushed = _pushed(wormhole, hart, pipeline.ex1_addr[hart], pipeline.ex1_data[hart], more)
        origin = at(pipeline.ex1_pc[hart])
        yield f"{name}  in EX1   {kind} {where} since cycle {since}, {origin}{pushed}"
    for i in range(pipeline.sq_count[hart]):
        addr = pipeline.sq_addr[hart, i]
        start = pipeline.sq_start[hart, i] if pipeline.sq_size[hart, i] == LINE_BYTES else addr
        pushed = _pushed(wormhole, hart, addr, pipeline.sq_data[hart, i, 0], 0)
        origin = at(pipeline.sq_pc[hart, i])
        yield f"{name}  queued   store to {_where(hart, start)}, {origin}{pushed}"
    emitted = [
        (int(S.stream.born[hart, stream, i]), stream, i)
        for stream in range(streams.STREAMS)
        for i in range(S.stream.count[hart, stream])
    ]
    for born, stream, i in sorted(emitted):
        addr = S.stream.addr[hart, stream, i]
        kind = _KINDS[S.stream.kind[hart, stream, i]]
        mark = f" ({RISCV_CONDITION[wormhole]})" if T0 <= hart <= T2 and TRACKED[stream] else ""
        pushed = (
            _pushed(wormhole, hart, addr, S.stream.data[hart, stream, i, 0], 0)
            if kind[0] == "s"
            else ""
        )
        yield (
            f"{name}  emitted  {kind} {_where(hart, addr)} in cycle {born}, "
            f"{at(S.stream.pc[hart, stream, i])}{mark}{pushed}"
        )


def _where(hart: int, addr: int) -> str:
    return f"{describe(hart, addr)} {addr:#010x}"


def _pushed(wormhole: int, hart: int, addr: int, word: int, more: int) -> str:
    """Return the instruction that a store to a push window hands over."""
    if addr < PUSH_BASE or region_of(hart, addr) != Region.PUSH:
        return ""
    return f": {show_on(word, wormhole)}" + (f" and {more} more" if more else "")


def _of_thread(machine: Machine, thread: int) -> Iterator[str]:
    S = machine.S
    for i in range(S.thcon.requests):
        if S.thcon.owner[i] == thread:
            state = "answered" if S.thcon.answer[i] else "emitted "
            kind = _SCALAR[S.thcon.kind[i]]
            yield f"{NAMES[thread]}  {state} {kind}, {S.thcon.addr[i]:#010x} (C0)"
    yield from packer_order(machine, thread)
    held = sum(S.fifo.count[thread, fifo] for fifo in range(len(CAPACITIES)))
    seen = tracker.requests(S, thread)
    if held:
        many = "1 instruction" if held == 1 else f"{held} instructions"
        yield f"{NAMES[thread]}  {many} before the wait gate (monitor fifo, why)"
    if held or seen or S.latch.kind[thread]:
        condition = RISCV_CONDITION[S.tile.chip]
        yield (
            f"{NAMES[thread]}  {condition} would wait: {seen} requests of {HART_NAMES[T0 + thread]}"
            if seen
            else f"{NAMES[thread]}  {condition} would not wait"
        )
