# SPDX-License-Identifier: Apache-2.0
"""`monitor sem`, `mutex` and `gpr`: what the threads of the coprocessor share, and their GPRs."""

from __future__ import annotations

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.devices.semaphores import SEMAPHORES
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.places.kinds import GPRS
from tensix_gdb.core.places.place import numbers
from tensix_gdb.core.tensix.decode import decode_as, field
from tensix_gdb.core.tensix.frontend.fifo import C
from tensix_gdb.core.tensix.gate.head import word_at_gate
from tensix_gdb.core.tensix.gate.latch import SEMWAIT
from tensix_gdb.core.tensix.gate.wait_gate import ATGETM, Held
from tensix_gdb.core.tensix.sync import MUTEXES, is_mutex
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.blocked.semaphore_posts import in_code
from tensix_gdb.gdbstub.tensix.monitor_row import (
    NAMES,
    assign,
    chosen,
    named,
    no_more,
    place_in,
    table,
)
from tensix_gdb.gdbstub.tensix.monitor_show import monitor_show

PER_ROW = 8


def monitor_sem(machine: Machine, thread: int, words: list[str]) -> str:
    """Return the semaphores, or one of them; `N=VALUE` and `N.max=VALUE` set it."""
    wanted = list(range(SEMAPHORES))
    if words:
        name, _, value = words.pop(0).partition("=")
        no_more(words, "sem")
        place = place_in(["sem", name.upper().removeprefix("S").lower()])
        wanted = numbers(place.indexes[0])
        if value:
            assign(machine, place, value)
    S = machine.S
    rows = [("semaphore", "value", "max", "waiting threads")]
    for i in wanted:
        waiting = [
            f"{NAMES[t]} {_until(machine, t)}"
            for t in range(THREADS)
            if wants_semaphore(machine, t, i)
        ]
        rows.append(
            (
                str(i),
                str(S.semaphore.value[i]),
                str(S.semaphore.max[i]),
                "; ".join(waiting),
            )
        )
    shown = table(rows)
    if len(wanted) == 1 and machine.images:
        shown += "In the code of the programs (a store or a MOP may push more):\n"
        shown += table([(f"  {name}", places) for name, places in in_code(machine, wanted[0])])
    return shown


def wants_semaphore(machine: Machine, thread: int, semaphore: int) -> bool:
    """True if a SEMWAIT of the thread is latched that names the semaphore."""
    latch = machine.S.latch
    return bool(latch.kind[thread] == SEMWAIT and latch.semaphores[thread] >> semaphore & 1)


def _until(machine: Machine, thread: int) -> str:
    conditions = machine.S.latch.conditions[thread]
    return " and ".join(
        text
        for bit, text in ((1, "until it is not 0"), (2, "until it is below its max"))
        if conditions & bit
    )


def monitor_mutex(machine: Machine, thread: int, words: list[str]) -> str:
    """Return the thread that holds each mutex, and those that wait for it at the gate."""
    if words:
        return monitor_show(machine, thread, ["mutex", *words])
    S = machine.S
    rows = [("mutex", "held by", "waited for by")]
    for i in (number for number in range(MUTEXES) if is_mutex(S, number)):
        holder = S.mutex.holder[i]
        waiting = [NAMES[t] for t in range(THREADS) if wants_mutex(machine, t, i)]
        rows.append((str(i), NAMES[holder - 1] if holder else "none", ", ".join(waiting)))
    return table(rows)


def wants_mutex(machine: Machine, thread: int, mutex: int) -> bool:
    """True if the thread waits for the mutex at its gate."""
    S = machine.S
    if not S.fifo.count[thread, C] or S.gate.held[thread] != Held.MUTEX:
        return False
    word = word_at_gate(S, thread)
    return decode_as(word, int(S.tile.chip)) & 0xFF == ATGETM and field(word, ATGETM, 0) == mutex


def monitor_gpr(machine: Machine, thread: int, words: list[str]) -> str:
    """Return all 64 of a thread, or one; `N=VALUE` sets it."""
    names_thread = words and (
        words[0] == "all"
        or (named(words[0]) is not None and (words[0][0] in "tT" or len(words) > 1))
    )
    threads = chosen(thread, words if names_thread else [], "gpr")
    S = machine.S
    if not words:
        return "".join(f"{line}\n" for owner in threads for line in _gprs(machine, owner))
    name, _, value = words.pop(0).partition("=")
    no_more(words, "gpr")
    place = place_in(["gpr", name.upper().removeprefix("G").removeprefix("PR")])
    if value:
        if len(threads) != 1:
            raise TargetError(f"of which thread? Type for example `monitor gpr T0 {name}={value}`")
        assign(machine, place.owned(f"T{threads[0]}"), value)
    return "".join(
        f"gpr T{owner} {number} = {S.gpr.word[owner * GPRS + number]:#010x} "
        f"({S.gpr.word[owner * GPRS + number]})\n"
        for owner in threads
        for number in numbers(place.indexes[0])
    )


def _gprs(machine: Machine, thread: int) -> list[str]:
    first = thread * GPRS
    lines = [f"{NAMES[thread]}"]
    for start in range(0, GPRS, PER_ROW):
        values = " ".join(
            f"{machine.S.gpr.word[first + i]:08x}" for i in range(start, start + PER_ROW)
        )
        lines.append(f"  {start:2}  {values}")
    return lines
