# SPDX-License-Identifier: Apache-2.0
"""`monitor ttsync`: Auto TTSync of a Tensix thread (AutoTTSync.md): on or off, and what it tracks.

Of a thread where it is off, which is the reset value and what all shipped Blackhole kernels have,
it says what it would have ordered now. `why` and `explain` ask here too.
"""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.arch.blackhole import HART_NAMES, T0, T2
from tensix_gdb.core.devices.backend_config import CONFIG_BASE, GLOBAL_WORD, WORDS
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.memory import streams
from tensix_gdb.core.memory.map import Region, describe, region_of
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.auto_ttsync import tracker
from tensix_gdb.core.tensix.auto_ttsync.resources import (
    ALL_PARTS,
    BOTH_BANKS,
    GPRS,
    SUBDIVIDED,
    SYNC_WORD,
    TDMA,
    TRACK_CONFIG,
    TRACK_GPRS,
    TRACK_INSTRUCTIONS,
    TRACK_TDMA,
    tracks,
)
from tensix_gdb.core.tensix.frontend.fifo import NO_SLOT, C
from tensix_gdb.core.tensix.gate.head import slot_at_gate
from tensix_gdb.gdbstub.tensix.blocked.instructions import at_gate
from tensix_gdb.gdbstub.tensix.monitor_row import NAMES, chosen, no_more

BITS = {
    TRACK_CONFIG: "TrackGlobalCfg",
    SUBDIVIDED: "EnSubdividedCfgForUnpacr",
    TRACK_GPRS: "TrackGPR",
    TRACK_TDMA: "TrackTDMARegs",
    TRACK_INSTRUCTIONS: "TrackTensixInstructions",
}
RESOURCES = (
    *(f"{part} of Config[{bank}]" for bank in (0, 1) for part in ("UNP0", "UNP1", "the rest")),
    "GPRs",
    "TDMA-RISC",
)
TRACKED = (streams.GPR, streams.CONFIG, streams.TDMA)
KINDS = {streams.READ: "load from", streams.WRITE: "store to"}
REGIONS = (Region.GPR, Region.CONFIG, Region.TDMA)


def monitor_ttsync(machine: Machine, thread: int, words: list[str]) -> str:
    """Return a few lines for each thread."""
    lines: list[str] = []
    threads = chosen(thread, words, "ttsync")
    no_more(words, "ttsync")
    for number in threads:
        lines.append(f"{NAMES[number]}  Auto TTSync is {state(machine.S, number)}")
        lines += [f"    {line}" for line in _tracked(machine, number)]
        lines += [f"    {line}" for line in would_order(machine, number)]
    return "".join(f"{line}\n" for line in lines)


def state(S: View, thread: int) -> str:
    """`on (ThreadConfig[56] = 0x14: TrackGPR, TrackTensixInstructions)`, or off, and why."""
    word = int(S.config.thread[thread, SYNC_WORD])
    bits = ", ".join(name for bit, name in BITS.items() if word & bit) or "no bit set"
    shown = f"(ThreadConfig[{SYNC_WORD}] = {word:#x}: {bits})"
    if not tracks(S, thread):
        return f"off {shown}: it orders nothing"
    if not word & (TRACK_CONFIG | TRACK_GPRS | TRACK_TDMA):
        return f"off {shown}: instructions are tracked and no accesses, so it orders nothing"
    return f"on {shown}"


def is_on(S: View, thread: int) -> bool:
    """True if the thread tracks instructions and some accesses."""
    return bool(tracks(S, thread) & (TRACK_CONFIG | TRACK_GPRS | TRACK_TDMA))


def _names(resources: int) -> str:
    return " and ".join(name for bit, name in enumerate(RESOURCES) if resources >> bit & 1)


def _tracked(machine: Machine, thread: int) -> Iterator[str]:
    """Yield what is outstanding, while it is on."""
    S, hart = machine.S, T0 + thread
    if not is_on(S, thread):
        return
    for i in range(S.tracker.count[thread]):
        slot = (S.tracker.head[thread] + i) % tracker.SLOTS
        reads, writes = int(S.tracker.reads[thread, slot]), int(S.tracker.writes[thread, slot])
        uses = [f"reads {_names(reads)}"] if reads else []
        uses += [f"writes {_names(writes)}"] if writes else []
        many = int(S.tracker.pending[thread, slot])
        instructions = "1 instruction" if many == 1 else f"{many} instructions"
        yield (
            f"push {S.tracker.number[thread, slot]}: {instructions} before the gate"
            + (f", {', '.join(uses)}" if uses else ", uses nothing that is tracked")
        )
    for stream, i in _requests(S, hart):
        if touched := int(S.stream.touches[hart, stream, i]):
            number = S.stream.number[hart, stream, i]
            yield f"access {number}: {_request(machine, hart, stream, i)}, {_names(touched)}"


def _requests(S: View, hart: int) -> Iterator[tuple[int, int]]:
    for stream in TRACKED:
        for i in range(S.stream.count[hart, stream]):
            yield stream, i


def _request(machine: Machine, hart: int, stream: int, i: int) -> str:
    S = machine.S
    addr = int(S.stream.addr[hart, stream, i])
    kind = KINDS.get(S.stream.kind[hart, stream, i], "access to")
    origin = machine.places.at(hart, S.stream.pc[hart, stream, i])
    return f"{kind} {describe(hart, addr)} {addr:#010x} from {origin}"


def _touches(stream: int, addr: int) -> int:
    """Return the resources that an access counts as, if all accesses are tracked and none
    subdivided."""
    if stream == streams.GPR:
        return GPRS
    if stream == streams.TDMA:
        return TDMA
    index = (addr - CONFIG_BASE) >> 2
    if index < 2 * WORDS and index % WORDS < GLOBAL_WORD:
        return ALL_PARTS << (3 * (index // WORDS))
    return ALL_PARTS * BOTH_BANKS


def would_order(machine: Machine, thread: int) -> Iterator[str]:
    """Yield, where it is off, the accesses under way that it would order with the instruction at
    the gate."""
    S, hart = machine.S, T0 + thread
    instruction = at_gate(machine, thread)
    if is_on(S, thread) or instruction is None or not S.fifo.count[thread, C]:
        return
    slot = slot_at_gate(S, thread)
    if slot == NO_SLOT or S.tile.chip:
        return
    for stream, i in _requests(S, hart):
        touched = _touches(stream, int(S.stream.addr[hart, stream, i]))
        if not tracker.conflict(S, thread, slot, touched, S.stream.kind[hart, stream, i]):
            continue
        request = _request(machine, hart, stream, i)
        first, second = f"the {request}", instruction.name
        if S.stream.born[hart, stream, i] > instruction.cycle:
            first, second = second, first
        yield f"Auto TTSync is off; on, it would let {second} wait for {first}"


def of_access(machine: Machine, hart: int, addr: int) -> str:
    """Return the words for a line about a load or store of `hart`; empty where it is of no
    concern."""
    if not T0 <= hart <= T2 or region_of(hart, addr) not in REGIONS:
        return ""
    return of_thread(machine, hart - T0, "this access and pushed instructions that use the same")


def of_thread(machine: Machine, thread: int, what: str) -> str:
    """Return whether it is on, and if not, `what` it would order."""
    said = f"Auto TTSync of {HART_NAMES[T0 + thread]} is {state(machine.S, thread)}"
    return said if is_on(machine.S, thread) else f"{said}; on, it would order {what}"
