# SPDX-License-Identifier: Apache-2.0
"""`monitor why` of a snapshot of a card: what the live tile would say, as far as it is known.

Of a core that runs, or that waits for what the debug bus shows, it is the same sentence. Of a
Tensix thread the instruction at its wait gate is known, and not what holds it: no read path shows
latched waits, mutexes and the owners of banks. What the programs have before such an instruction is
named: as a rule it is the wait that holds it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS, T0, THREADS
from tensix_gdb.core.assembly.tensix_text import show_on
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.tensix.table import opcode
from tensix_gdb.gdbstub.tensix.blocked.instructions import Instruction, at_gate, place
from tensix_gdb.gdbstub.tensix.blocked.why import PARTIES, Waiter, party, report

LOAD = 0x03
DEVICES = 0xFFE80000
WAITS = tuple(map(opcode, ("STALLWAIT", "SEMWAIT", "STREAMWAIT")))
BEFORE = 8  # words of a program that are looked at for a wait
MOST = 3  # places that are named


def why(machine: Machine) -> Iterator[str]:
    """Yield the lines: all parties, semaphores, and what else is not known."""
    waiters = [_hart(machine, hart) for hart in range(HARTS)]
    waiters += [_thread(machine, thread) for thread in range(THREADS)]
    yield from report(waiters, range(PARTIES)).splitlines()
    if "semaphores" not in machine.unknown:
        values = [int(machine.S.semaphore.value[number]) for number in range(8)]
        yield "semaphores: " + ", ".join(
            f"S{number} = {value}" for number, value in enumerate(values)
        )
    yield from unknown_lines(machine.unknown)


def unknown_lines(unknown: Mapping[str, str]) -> Iterator[str]:
    """Yield what is not known: a line for each reason."""
    reasons: dict[str, list[str]] = {}
    for what, reason in unknown.items():
        reasons.setdefault(reason, []).append(what)
    for reason, names in reasons.items():
        yield f"unknown, because {reason}: {', '.join(names)}"


def _hart(machine: Machine, hart: int) -> Waiter:
    name = HART_NAMES[hart]
    if machine.S.hart.in_reset[hart]:
        return Waiter(hart, "")
    if (reason := machine.unknown.get(f"pc of {name}")) is not None:
        return Waiter(hart, f"it cannot be known where it is, because {reason}")
    if (reason := machine.unknown.get(f"whether {name} runs")) is not None:
        at = machine.places.at(hart, machine.read_pc(hart))
        return Waiter(hart, f"at {at}; it cannot be known whether it runs: {reason}")
    found = party(machine, hart)
    if found.moves and (reads := _reads(machine, hart)):
        found.more.append(reads)
    return found


def _reads(machine: Machine, hart: int) -> str:
    """Return what the load at the pc reads, if the registers are known."""
    if f"registers of {HART_NAMES[hart]}" in machine.unknown:
        return ""
    word = int.from_bytes(machine.peek(hart, machine.read_pc(hart), 4), "little")
    if word & 0x7F != LOAD:
        return ""
    offset = (word >> 20) - (0x1000 if word >> 31 else 0)
    addr = (machine.read_x(hart, word >> 15 & 31) + offset) & 0xFFFFFFFF
    owner = " (of its own Tensix thread)" if hart >= T0 and addr >= DEVICES else ""
    return f"there is a load from {addr:#010x}{owner}"


def _thread(machine: Machine, thread: int) -> Waiter:
    number = HARTS + thread
    if (reason := machine.unknown.get(f"wait gate of T{thread}")) is not None:
        return Waiter(number, f"it cannot be known what is at its wait gate, because {reason}")
    gate = at_gate(machine, thread)
    if gate is None:
        if f"what T{thread} has in units" in machine.unknown:
            return Waiter(number, "has something in flight; it cannot be known what, nor where")
        return Waiter(number, "has nothing in flight; it cannot be known whether a wait is latched")
    holds = (
        "who has the mutex"
        if gate.name == "ATGETM"
        else "whether a wait is latched, and who has the banks and mutexes"
    )
    does = f"{gate.name} is at the wait gate; it cannot be known what holds it: {holds}"
    more = [f"{gate.text}", *_in_code(machine, gate)]
    if f"instructions queued for T{thread}" in machine.unknown:
        more.append("more wait after it; which ones cannot be known")
    return Waiter(number, does, more)


def _in_code(machine: Machine, gate: Instruction) -> Iterator[str]:
    """Yield where programs push this word, and the wait that they push before it."""
    turned = (gate.word << 2 | gate.word >> 30) & 0xFFFFFFFF
    found = 0
    for image in machine.images:
        if image.hart is None or found == MOST:
            continue
        for segment in image.code:
            words = memoryview(segment.data[: len(segment.data) & ~3]).cast("I")
            for at, word in enumerate(words):
                if word != turned or found == MOST:
                    continue
                found += 1
                here = place(machine, image.hart, segment.addr + 4 * at)
                yield f"the program of {HART_NAMES[image.hart]} pushes it at {here}"
                for back in range(at - 1, max(at - 1 - BEFORE, -1), -1):
                    wait = (words[back] >> 2 | words[back] << 30) & 0xFFFFFFFF
                    if words[back] & 3 != 3 and wait >> 24 in WAITS:
                        there = place(machine, image.hart, segment.addr + 4 * back)
                        yield f"    before it, at {there}: {show_on(wait, 0)}"
                        break
