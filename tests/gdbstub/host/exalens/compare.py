# SPDX-License-Identifier: Apache-2.0
"""Is a snapshot what the tile is, field by field; does its `why` say what the tile's says?"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tensix_gdb.core.arch.blackhole import (
    HART_NAMES,
    HARTS,
    LOCAL_BASE,
    LOCAL_BYTES,
    T2,
    THREAD_NAMES,
)
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.tensix.frontend.fifo import C
from tensix_gdb.gdbstub.tensix.blocked.why import monitor_why
from tensix_gdb.gdbstub.tensix.corefile.unknown import answered
from tensix_gdb.gdbstub.tensix.corefile.unknown_memory import T2_HALF

NAMES = (*HART_NAMES, *THREAD_NAMES)
NOTHING = "Nothing to do: "
MAY_BE = "cannot be known"
SAME, UNKNOWN, OTHERWISE = "same", "unknown", ""
LOW_8 = 0xFF
SHOWN_COUNTERS = ((0, 0), (0, 1), (2, 2))  # of threads and units: those of the debug bus


def fields(machine: Machine, unknown: dict[str, str]) -> Iterator[tuple[str, object]]:
    """All that hardware can show of a tile, by name, but for what a snapshot says is unknown."""
    S = machine.S
    yield "L1", bytes(machine.peek(0, 0, 1 << 20))
    for hart in range(HARTS):
        name = HART_NAMES[hart]
        yield f"reset of {name}", int(S.hart.in_reset[hart])
        if f"registers of {name}" not in unknown:
            yield f"registers of {name}", [machine.read_x(hart, number) for number in range(32)]
            yield f"pause of {name}", bool(S.hart.paused[hart])
        if f"local RAM of {name}" not in unknown:
            local = machine.peek(hart, LOCAL_BASE, LOCAL_BYTES[hart])
            if hart == T2 and T2_HALF in unknown:
                local = b"".join(local[at : at + 8] for at in range(0, len(local), 16))
            yield f"local RAM of {name}", local
        if S.hart.waits_for[hart] and f"whether {name} runs" not in unknown:
            yield f"wait of {name}", (int(S.hart.waits_for[hart]), int(S.hart.waits_on[hart]))
    if "configuration" not in unknown:
        yield "configuration", bytes(S.config.word.raw)
        yield "thread configuration", bytes(S.config.thread.raw)
    if "NIUs" not in unknown:
        yield "registers of the NIUs", bytes(S.niu.word.raw)
        yield "counters of the NIUs", bytes(S.noc.counter.raw)
    for row in ("dst", "dst_cr", "src_a", "src_a_cr", "src_b", "src_b_cr"):
        yield f"row counters {row}", bytes(getattr(S.rwc, row).raw)
    for thread, unit in SHOWN_COUNTERS:
        for channel in range(2):
            for axis in range(4):
                at = thread, unit, channel, axis
                bits = LOW_8 if axis > 1 else -1
                yield f"address counter {at}", (S.adc.value[at] & bits, S.adc.cr[at] & bits)
    for thread in range(3):
        if f"GPRs of T{thread}" not in unknown:
            yield f"GPRs of T{thread}", [int(S.gpr.word[thread * 64 + i]) for i in range(64)]
        there = bool(S.fifo.count[thread, C])
        head = int(S.fifo.word[thread, C, S.fifo.head[thread, C]]) if there else 0
        yield f"wait gate of T{thread}", (there, head)
        if f"PCBuf of T{thread}" not in unknown:
            yield f"PCBuf of T{thread}", int(S.pcbuf.count[thread])
    for writer in range(4):
        for reader in range(4):
            name = f"mailbox from {HART_NAMES[writer]} to {HART_NAMES[reader]}"
            if name not in unknown:
                yield name, int(S.mailbox.count[writer, reader])
    if "semaphores" not in unknown:
        yield "semaphores", [int(S.semaphore.value[number]) for number in range(8)]
    if "Dst" not in unknown:
        yield "Dst", bytes(S.dst.bits.raw)


def differences(card: Machine, own: Machine) -> list[str]:
    """The fields that differ."""
    theirs = dict(fields(own, card.unknown))
    return [name for name, value in fields(card, card.unknown) if theirs.get(name) != value]


def said_otherwise(card: Machine, own: Machine) -> list[str]:
    """The sentences of the tile's `why` that the snapshot's has not, and does not call unknown."""
    return [text for text, agrees in _compared(card, own) if not agrees]


def said_alike(card: Machine, own: Machine) -> tuple[int, int]:
    """Of how many parties both say the same, and of how many the snapshot that it cannot know."""
    agrees = [which for _, which in _compared(card, own)]
    return agrees.count(SAME), agrees.count(UNKNOWN)


def _compared(card: Machine, own: Machine) -> list[tuple[str, str]]:
    live, found = _by_party(monitor_why(own, 0, [])), _by_party(why_of(card))
    return [(text, _agree(name, text, found.get(name, ""))) for name, text in live.items()]


def why_of(card: Machine) -> str:
    """Return what `why` says on a snapshot."""
    return answered(card, "why", 0, []) or ""


def _by_party(text: str) -> dict[str, str]:
    """Return what is said of each party, of those that have nothing to do, and of circles."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        name, _, said = line.partition(": ")
        if name in NAMES:
            found[name] = said
        elif line.startswith(NOTHING):
            found |= dict.fromkeys(line[len(NOTHING) :].rstrip(".").split(", "), NOTHING)
        elif line.startswith("In a circle"):
            found["circle"] = line
    return found


def _agree(name: str, live: str, said: str) -> str:
    """SAME, or UNKNOWN where the snapshot says so and nothing false, or OTHERWISE."""
    if said == live:
        return SAME
    if live.startswith(("runs,", "spins", "polls")):
        live = live[live.index(", at ") :] if live.startswith("polls") else live
        at = re.compile(r"0x[0-9a-f]+")
        near = [int(found[0], 16) for found in map(at.findall, (live, said)) if found]
        close = len(near) == 2 and abs(near[0] - near[1]) <= 8
        if close and said.startswith("runs,"):
            return SAME
        return UNKNOWN if close and said.startswith("at ") else OTHERWISE
    if MAY_BE not in said:
        return OTHERWISE
    if live == NOTHING or live.startswith("nothing to hold back"):
        is_right = said.startswith("has nothing in flight")
    elif " held at the gate" in live:  # the same instruction
        is_right = said.split()[0] == live.split()[0]
    else:
        starts = live.startswith("waits") and said.startswith("at ")
        is_right = starts and live.split()[-1] in said
    return UNKNOWN if is_right else OTHERWISE
