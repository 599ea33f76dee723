# SPDX-License-Identifier: Apache-2.0
"""The coprocessor at a glance: what its units, semaphores, mutexes, banks and Dst have, in few
lines. `monitor status` shows them once something was pushed."""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.arch.blackhole import THREAD_NAMES, THREADS
from tensix_gdb.core.devices.semaphores import SEMAPHORES
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.tensix import occupancy
from tensix_gdb.core.tensix.sync import MUTEXES, is_mutex
from tensix_gdb.gdbstub.tensix.glance.dst_rows import rows_of_dst
from tensix_gdb.gdbstub.tensix.glance.units import units
from tensix_gdb.gdbstub.tensix.monitor.shared_state import wants_mutex, wants_semaphore

WIDTH = 12  # of the word at the beginning
_ROWS = {"?": "without a value", "!": "partly without", "N": "with NaN", "I": "infinite", "0": "0"}


def coprocessor_lines(machine: Machine) -> Iterator[str]:
    """Yield the lines; none while nothing was pushed to any thread."""
    if not any(machine.S.push.count[thread] for thread in range(THREADS)):
        return
    first = "units"
    for unit in units(machine):
        if unit.last or unit.threads:
            state = f"busy for {', '.join(unit.threads)}" if unit.threads else "idle"
            had = f", had {unit.last.split(' ')[0]} of {unit.thread}, {unit.place}"
            yield f"{first:{WIDTH}}{unit.name}: {state}{had if unit.last else ''}"
            first = ""
    yield f"{'semaphores':{WIDTH}}{'; '.join(_semaphores(machine)) or 'all 0'}"
    held = "; ".join(_mutexes(machine))
    if held:
        yield f"{'mutexes':{WIDTH}}{held}"
    for source, name in enumerate(("SrcA", "SrcB")):
        yield f"{name:{WIDTH}}{', '.join(_banks(machine, source))}"
    name, rows = rows_of_dst(machine)
    found = [f"{rows.count(letter)} {words}" for letter, words in _ROWS.items() if letter in rows]
    values = sum(letter.islower() for letter in rows)
    found += [f"{values} of values"] if values else []
    yield f"{'Dst':{WIDTH}}rows of {name}: {', '.join(found)}"


def _semaphores(machine: Machine) -> Iterator[str]:
    semaphore = machine.S.semaphore
    for i in range(SEMAPHORES):
        waiting = [THREAD_NAMES[t] for t in range(THREADS) if wants_semaphore(machine, t, i)]
        if semaphore.value[i] or semaphore.max[i] or waiting:
            waits = f", {' and '.join(waiting)} wait{'s' * (len(waiting) == 1)}" if waiting else ""
            yield f"{i}: {semaphore.value[i]} of {semaphore.max[i]}{waits}"


def _mutexes(machine: Machine) -> Iterator[str]:
    S = machine.S
    for i in range(MUTEXES):
        holder = int(S.mutex.holder[i]) if is_mutex(S, i) else 0
        if holder:
            waiting = [THREAD_NAMES[t] for t in range(THREADS) if wants_mutex(machine, t, i)]
            wants = f", {' and '.join(waiting)} wait" if waiting else ""
            yield f"{i}: {THREAD_NAMES[holder - 1]}{wants}"


def _banks(machine: Machine, source: int) -> Iterator[str]:
    clients = machine.S.busy.src_client
    for bank in range(2):
        is_matrix = clients[source, bank] == occupancy.MATRIX_OWNS
        yield f"bank {bank} of the {'Matrix Unit' if is_matrix else 'unpackers'}"
