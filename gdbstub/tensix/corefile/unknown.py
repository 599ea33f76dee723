# SPDX-License-Identifier: Apache-2.0
"""What commands say of a snapshot of a card, where what they show could not be read.

A row that was not read is zero in the record, and zero is a value: so a command that would show one
says that it is unknown, and why. `why` says what the snapshot tells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS, T0
from tensix_gdb.core.machine import Machine

# What each command shows; those that are not here show what is always known, or change something.
SHOWS: dict[str, tuple[str, ...]] = {
    "fifo": ("instructions in FIFOs and at the wait gates",),
    "order": ("requests under way",),
    "ttsync": ("requests under way",),
    "mop": ("instructions in FIFOs and at the wait gates",),
    "replay": ("instructions in FIFOs and at the wait gates",),
    "mutex": ("mutexes",),
    "adc": ("address counters",),
    "rwc": ("row counters",),
    "dst": ("Dst",),
    "src": ("SrcA and SrcB",),
    "vector": ("LRegs",),
    "sem": ("semaphores",),
    "cfg": ("configuration",),
    "perf": ("what units have under way",),
    "origin": ("what the tile has done before",),
}
NO_PAST = "a snapshot of a card has no past"


def answered(machine: Machine, name: str, words: Sequence[str]) -> str | None:
    """The answer, or None if the command can answer itself."""
    if name == "why":
        return "".join(f"{line}\n" for line in why(machine))
    if name == "gpr":
        wanted = tuple(f"GPRs of T{thread}" for thread in range(3))
        missing = [what for what in wanted if what in machine.unknown]
        return _unknown(machine, missing) if len(missing) == 3 else None
    if name == "origin":
        return f"unknown: {NO_PAST}\n"
    missing = [what for what in SHOWS.get(name, ()) if what in machine.unknown]
    return _unknown(machine, missing) if missing else None


def _unknown(machine: Machine, missing: Sequence[str]) -> str:
    return "".join(f"unknown: {what}, because {machine.unknown[what]}\n" for what in missing)


def why(machine: Machine) -> Iterator[str]:
    """Where each core is, semaphores, and what cannot be known."""
    S = machine.S
    for hart in range(HARTS):
        name = HART_NAMES[hart]
        if S.hart.in_reset[hart]:
            yield f"{name}: in reset"
            continue
        if f"pc of {name}" in machine.unknown:
            yield f"{name}: unknown, because {machine.unknown[f'pc of {name}']}"
            continue
        where = machine.places.at(hart, machine.read_pc(hart))
        state = "halted" if S.hart.paused[hart] else "was"
        yield f"{name}: {state} at {where}{_reads(machine, hart)}"
    if "semaphores" not in machine.unknown:
        values = [int(S.semaphore.value[number]) for number in range(8)]
        yield "semaphores: " + ", ".join(
            f"S{number} = {value}" for number, value in enumerate(values)
        )
    for thread in range(3):
        yield (
            f"T{thread}'s Tensix thread: it cannot be known what is at its wait gate and why it is "
            "held: the debug interface does not show it"
        )
    yield from (f"unknown: {what}, because {reason}" for what, reason in machine.unknown.items())


def _reads(machine: Machine, hart: int) -> str:
    """What the load at the pc reads, if the registers are known."""
    if f"registers of {HART_NAMES[hart]}" in machine.unknown:
        return ""
    word = int.from_bytes(machine.peek(hart, machine.read_pc(hart), 4), "little")
    if word & 0x7F != 0x03:
        return ""
    offset = (word >> 20) - (0x1000 if word >> 31 else 0)
    addr = (machine.read_x(hart, word >> 15 & 31) + offset) & 0xFFFFFFFF
    owner = " (of its own Tensix thread)" if hart >= T0 and addr >= 0xFFE80000 else ""
    return f", a load from {addr:#010x}{owner}"
