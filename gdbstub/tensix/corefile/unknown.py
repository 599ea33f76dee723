# SPDX-License-Identifier: Apache-2.0
"""The answer of commands on a snapshot of a card, where what they show could not be read.

A row that was not read is zero in the record, and zero is a value: so a command that would show one
says that it is unknown, and why. `why` is in `why_of_card.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.blocked.instructions import at_gate
from tensix_gdb.gdbstub.tensix.corefile.why_of_card import why
from tensix_gdb.gdbstub.tensix.monitor.counters import monitor_adc
from tensix_gdb.gdbstub.tensix.monitor_row import NAMES, chosen, named, table

# What each command shows that a snapshot never has, or not always; those that are not here show
# what is always known, or change something.
SHOWS: dict[str, tuple[str, ...]] = {
    "order": ("requests under way",),
    "ttsync": ("requests under way",),
    "mop": ("MOP and replay configuration",),
    "replay": ("MOP and replay configuration",),
    "mutex": ("mutexes",),
    "dst": ("Dst",),
    "src": ("SrcA and SrcB",),
    "vector": ("LRegs",),
    "cfg": ("configuration",),
    "perf": ("devices that are not named here",),
}
NO_PAST = "a snapshot of a card has no past"
ADC = "address counters of T1, T0's packers, T2's unpackers"
Z_AND_W = "bits 8 to 12 of address counters Z and W"
PHASES = "fidelity phases and extra address-mod bits"


def answered(machine: Machine, name: str, thread: int, words: Sequence[str]) -> str | None:
    """Return the answer, or None if the command can answer itself."""
    match name:
        case "why":
            return "".join(f"{line}\n" for line in why(machine))
        case "origin":
            return f"unknown: {NO_PAST}\n"
        case "show":
            return "unknown: `dst`, `gpr`, `cfg` and the like know what was read of a card\n"
        case "fifo":
            return _fifo(machine, chosen(thread, list(words), name))
        case "sem":
            return _sem(machine, words)
        case "rwc":
            return _rwc(machine, chosen(thread, list(words), name))
        case "adc":
            return _adc(machine)
        case "gpr":
            return _gpr(machine, thread, list(words))
    missing = [what for what in SHOWS.get(name, ()) if what in machine.unknown]
    return _unknown(machine, missing) if missing else None


def _unknown(machine: Machine, missing: Sequence[str]) -> str:
    return "".join(f"unknown: {what}, because {machine.unknown[what]}\n" for what in missing)


def _fifo(machine: Machine, threads: Sequence[int]) -> str:
    lines = []
    for thread in threads:
        if (key := f"wait gate of T{thread}") in machine.unknown:
            lines.append(_unknown(machine, [key]))
            continue
        gate = at_gate(machine, thread)
        lines.append(f"{NAMES[thread]}: {gate.text if gate else 'nothing'} at the wait gate\n")
        queued = (f"instructions queued for T{thread}", f"what T{thread} has in units")
        lines.append(_unknown(machine, [key for key in queued if key in machine.unknown]))
    return "".join(lines)


def _sem(machine: Machine, words: Sequence[str]) -> str:
    if "semaphores" in machine.unknown:
        return _unknown(machine, ["semaphores", "maxima of semaphores"])
    if any("=" in word for word in words):
        raise TargetError("a snapshot of a card is not changed; continue from it by `run --from`")
    numbers = [int(word.upper().removeprefix("S")) for word in words if word[-1:].isdecimal()]
    rows = [("semaphore", "value", "max")]
    for number in numbers or range(8):
        rows.append((str(number), str(machine.S.semaphore.value[number]), "unknown"))
    return table(rows) + _unknown(machine, ["maxima of semaphores"])


def _rwc(machine: Machine, threads: Sequence[int]) -> str:
    if "row counters" in machine.unknown:
        return _unknown(machine, ["row counters", PHASES])
    S = machine.S
    rows: list[tuple[str, ...]] = [("RWC", "Dst", "SrcA", "SrcB")]
    for thread in threads:
        pairs = (
            (S.rwc.dst[thread], S.rwc.dst_cr[thread]),
            (S.rwc.src_a[thread], S.rwc.src_a_cr[thread]),
            (S.rwc.src_b[thread], S.rwc.src_b_cr[thread]),
        )
        shown = [str(now) if now == back else f"{now} ({back})" for now, back in pairs]
        rows.append((NAMES[thread], *shown))
    return table(rows) + _unknown(machine, [PHASES])


def _adc(machine: Machine) -> str:
    if "address counters" in machine.unknown:
        return _unknown(machine, ["address counters"])
    lines = monitor_adc(machine, 0, ["all"]).splitlines(keepends=True)
    # Six lines of each thread: unpackers 0 and 1, packers.
    shown = [lines[0], *lines[1:5], *lines[17:19]]
    return "".join(shown) + _unknown(machine, [ADC, Z_AND_W])


def _gpr(machine: Machine, thread: int, words: list[str]) -> str | None:
    wanted = range(THREADS)
    if words and (number := named(words[0])) is not None:
        wanted = range(number, number + 1)
    missing = [key for i in wanted if (key := f"GPRs of T{i}") in machine.unknown]
    if not missing:
        return None
    known = [f"T{i}" for i in wanted if f"GPRs of T{i}" not in machine.unknown]
    more = f"`monitor gpr {known[0]}` shows those that are known\n" if known else ""
    return _unknown(machine, missing) + more
