# SPDX-License-Identifier: Apache-2.0
"""The timeline of a run in words: what a change of core/timeline/record.py means, and as lines of
text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS, T0, THREAD_NAMES, THREADS
from tensix_gdb.core.assembly.tensix_text import show_on
from tensix_gdb.core.counting.fields import MOVER
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.devices.semaphores import SEMAPHORES
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.memory import streams
from tensix_gdb.core.stall import describe
from tensix_gdb.core.tensix.gate.wait_gate import Held
from tensix_gdb.core.tensix.table import find, mnemonic_of
from tensix_gdb.core.timeline import record as trace
from tensix_gdb.core.timeline.tracer import Change
from tensix_gdb.gdbstub.tensix.blocked.instructions import place

UNIT_NAMES = ("unpacker 0", "unpacker 1", "packer", "Matrix Unit", "Vector Unit",
              "Scalar Unit", "Configuration Unit", "mover")  # fmt: skip
_LATCHING = ("STALLWAIT", "SEMWAIT", "STREAMWAIT")
HELD = {
    Held.LATCHED_WAIT: "a latched wait",
    Held.OWN_SCALAR: "the thread's own scalar instruction",
    Held.UNIT: "its unit is taken",
    Held.MUTEX: "its mutex",
    Held.SOURCE_BANK: "a source bank",
    Held.CONFIG_PIPE: "the configuration pipeline",
    Held.AUTO_TTSYNC: "Auto TTSync",
    Held.OWN_UNPACKER: "the thread's own unpacking instruction",
    Held.PAUSED: "a pause of the thread",
}
_STREAMS = {
    streams.L1: "L1", streams.LOCAL: "local RAM", streams.TDMA: "TDMA-RISC",
    streams.TILE_CONTROL: "tile control", streams.PIC: "PIC", streams.NOC0: "NoC 0",
    streams.NOC1: "NoC 1", streams.OVERLAY: "NoC overlay", streams.MOP_CONFIG: "MOP configuration",
    streams.DST: "Dst", streams.GPR: "Tensix GPRs", streams.PCBUF: "PCBufs",
    streams.TTSYNC: "TTSync", streams.SEMAPHORE: "semaphores",
    streams.CONFIG: "Tensix configuration", streams.NOWHERE: "nothing",
}  # fmt: skip


def stream_name(stream: int) -> str:
    """Return the region that a stream leads to; of several streams into one, which."""
    if stream in _STREAMS:
        return _STREAMS[stream]
    for first, name in ((streams.MAILBOX_WRITE, "mailboxes, writes"),
                        (streams.MAILBOX_READ, "mailboxes, reads"),
                        (streams.PUSH, "push window"),
                        (streams.SLOW_LOCAL, "slow local RAM")):  # fmt: skip
        if stream >= first:
            return f"{name} {stream - first}"
    raise AssertionError(stream)


def track_name(track: int) -> str:
    """Of which the state is."""
    if track < trace.GATE_TRACK:
        return HART_NAMES[track]
    if track < trace.UNIT_TRACK:
        return THREAD_NAMES[track - trace.GATE_TRACK]
    if track < trace.FIFO_TRACK:
        return UNIT_NAMES[track - trace.UNIT_TRACK]
    if track < trace.SEMAPHORE_TRACK:
        return f"FIFOs of {THREAD_NAMES[track - trace.FIFO_TRACK]}"
    if track < trace.STREAM_TRACK:
        return f"semaphore {track - trace.SEMAPHORE_TRACK}"
    if track < trace.PERF_TRACK:
        return f"queue to {stream_name(track - trace.STREAM_TRACK)}"
    return trace.PERF_NAMES[track - trace.PERF_TRACK]


@dataclass(frozen=True, slots=True)
class State:
    """A state in words: nothing to show when `name` is empty. `why` says more."""

    name: str
    kind: str = ""
    why: str = ""


class Words:
    """Changes in words. It remembers the wait that each thread has latched last."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._waits = ["", "", ""]
        self._functions: dict[tuple[int, int], str] = {}

    def of(self, change: Change) -> State:
        """Return what a hart or a gate does from now on."""
        if change.track < HARTS:
            return self._hart(change)
        return self._gate(change, change.track - trace.GATE_TRACK)

    def _hart(self, change: Change) -> State:
        hart, state = change.track, change.a & 0xFF
        if state == trace.RUNNING:
            return State(self._function(hart, change.b), "runs")
        if state == trace.WAITING:
            why = describe(hart, change.a >> 8 & 0xFF, change.a >> 16)
            return State("waits", "waits", why)
        return State("", "in reset" if state == trace.IN_RESET else "paused")

    def in_unit(self, change: Change, thread: int) -> State:
        """Return what a unit has of a thread: the last one that it got, and of several how many."""
        count, opcode = (value >> (8 * thread) & 0xFF for value in (change.a, change.b))
        if not count:
            return State("")
        wormhole = self._machine.S.tile.chip
        name = mnemonic_of(opcode << 24, Arch.WORMHOLE if wormhole else Arch.BLACKHOLE)
        several = f", {count} in it" if count > 1 else ""
        return State(name or f"opcode {opcode:#04x}", "busy", f"of {THREAD_NAMES[thread]}{several}")

    def _function(self, hart: int, addr: int) -> str:
        known = self._functions.get((hart, addr))
        if known is None:
            image = self._machine.places.image(hart, addr)
            function = None if image is None else image.function_at(addr)
            known = f"{addr:#010x}" if function is None else function.shown
            self._functions[hart, addr] = known
        return known

    def _gate(self, change: Change, thread: int) -> State:
        state = change.a & 0xFF
        if state == trace.EMPTY:
            return State("", "empty")
        row = find(change.b, Arch.BLACKHOLE)
        name = row.mnemonic if row is not None else f".word {change.b:#010x}"
        origin = place(self._machine, T0 + thread, change.c)
        text = f"{show_on(change.b, self._machine.S.tile.chip)} from {origin}"
        if state == trace.PASSED:
            if name in _LATCHING:
                self._waits[thread] = text
            return State(name, "passes", text)
        if state == trace.ARRIVED:
            return State(name, "comes", text)
        held = Held(change.a >> 8 & 0xFF)
        by = (
            self._waits[thread] if held is Held.LATCHED_WAIT and self._waits[thread] else HELD[held]
        )
        return State(f"{name} held", "held", f"{text}; by {by}")


class TextTimeline:
    """A line for each change: cycle, hart or thread, what."""

    def __init__(self, machine: Machine, out: TextIO) -> None:
        self._words = Words(machine)
        self._out = out

    def changes(self, changes: Sequence[Change]) -> None:
        """Write them."""
        for change in changes:
            self._out.write(line(self._words, change) + "\n")

    def close(self) -> None:
        """Nothing is left to be written."""


def line(words: Words, change: Change) -> str:
    """`      123  T1 math        MVMUL held: MVMUL from math.c:30; by STALLWAIT ...`"""
    name = track_name(change.track)
    if change.track >= trace.FIFO_TRACK:
        what = str(change.a)
    elif change.track >= trace.UNIT_TRACK:
        if change.track == trace.UNIT_TRACK + MOVER:
            what = f"{change.a} requests" if change.a else "idle"
        else:
            states = [words.in_unit(change, thread) for thread in range(THREADS)]
            what = "; ".join(f"{state.name} {state.why}" for state in states if state.name)
    else:
        state = words.of(change)
        what = state.why or state.name if state.kind != "held" else f"held: {state.why}"
        if state.kind in ("passes", "comes"):
            what = f"{state.kind}: {state.why}"
        what = what or state.kind
    return f"{change.cycle:10}  {name:24}  {what or 'idle'}"


assert SEMAPHORES == trace.STREAM_TRACK - trace.SEMAPHORE_TRACK
