# SPDX-License-Identifier: Apache-2.0
"""K1 to K7: what differs between before and after a kernel, and its last writer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.devices.backend_config import BANKS
from tensix_gdb.core.devices.semaphores import SEMAPHORES
from tensix_gdb.core.places.kinds import ADC_UNITS
from tensix_gdb.core.race.fields import ADC_CELLS, SITES, STRIDE, pc_of
from tensix_gdb.core.race.registers import own_words
from tensix_gdb.core.race.shadow import SITE
from tensix_gdb.core.race.state.leaked import COUNTS, Functions, Leak, is_one_of, leaked_words
from tensix_gdb.core.race.state.table import Number
from tensix_gdb.core.race.state.vector import FIRST_CONSTANT
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.occupancy import MATRIX_OWNS
from tensix_gdb.core.tensix.sync import MUTEXES
from tensix_gdb.core.tensix.vector.state import LANES

_AXES = "XYZW"


@dataclass(slots=True)
class Kept:
    """The state before a kernel that is compared afterwards."""

    config: list[list[int]] = field(default_factory=list)
    thread: list[list[int]] = field(default_factory=list)
    counters: list[int] = field(default_factory=list)
    semaphores: list[int] = field(default_factory=list)
    mutexes: list[int] = field(default_factory=list)
    banks: list[int] = field(default_factory=list)
    constant: list[int] = field(default_factory=list)  # LReg[11]: an init sets the other three
    off: int = 0  # lanes that their flags switch off


def kept(S: View) -> Kept:
    """Return the state of now."""
    return Kept(
        [own_words.words(S, bank) for bank in range(BANKS)],
        own_words.thread_words(S),
        [
            int(row[t, unit, channel, axis])
            for t in range(THREADS)
            for unit in range(3)
            for row in (S.adc.value, S.adc.cr)
            for channel in range(2)
            for axis in range(4)
        ],
        [int(S.semaphore.value[i]) for i in range(SEMAPHORES)],
        [int(S.mutex.holder[i]) for i in range(MUTEXES)],
        [int(S.busy.src_client[source, bank]) for source in range(2) for bank in range(2)],
        [int(S.vector.lreg[FIRST_CONSTANT, lane]) for lane in range(LANES)],
        int(S.vector.use_flags) & ~int(S.vector.flags),
    )


def leaks(S: View, before: Kept, functions: Functions) -> Iterator[Leak]:
    """Yield what the kernel has left until now."""
    now = kept(S)
    config = list(zip(before.config, now.config, strict=True))
    thread = list(zip(before.thread, now.thread, strict=True))
    yield from leaked_words(S, config, thread, functions)
    for i, (old, new) in enumerate(zip(before.semaphores, now.semaphores, strict=True)):
        began = int(S.state.semaphore_init[i]) - 1
        if new not in (old, began):
            site = int(S.state.semaphore_site[i])
            text = f"It is {new}, and was {old if began < 0 else began}."
            yield Leak(Number.K3, f"sem {i}", 0, 1, site, 0, text)
    for i, (old, new) in enumerate(zip(before.mutexes, now.mutexes, strict=True)):
        if new and new != old:
            site = int(S.state.mutex_site[i])
            yield Leak(Number.K4, f"mutex {i}", 0, 1, site, 0, f"Thread {new - 1} holds it.")
    for i, (old, new) in enumerate(zip(before.banks, now.banks, strict=True)):
        if new == MATRIX_OWNS and old != MATRIX_OWNS:
            source, bank = divmod(i, 2)
            site = int(S.state.bank_site[source, bank])
            name = f"src {'ab'[source]} {bank}"
            yield Leak(Number.K5, name, 0, 1, site, 0, "The Matrix Unit has it.")
    yield from _counters(S, before, now, functions)
    was, lanes = before.constant, now.constant
    if was != lanes:
        site = int(S.state.constant_site[0])
        lane = next(j for j in range(LANES) if was[j] != lanes[j])
        text = f"In lane {lane} it is {lanes[lane]:#010x}, was {was[lane]:#010x}."
        yield Leak(Number.K6, f"lreg {FIRST_CONSTANT}", 0, 1, site, 0, text)
    if off := now.off & ~before.off:
        which = [lane for lane in range(LANES) if off >> lane & 1]
        text = f"They are {_lanes(which)}: conditional execution is on, and their flags are 0."
        site, when = int(S.state.flags_site), int(S.state.flags_when)
        yield Leak(Number.K7, "vector.flags", 0, 1, site, 0, text, when if site else -1)


def _lanes(which: Sequence[int]) -> str:
    if len(which) == LANES:
        return f"all {LANES}"
    shown = ", ".join(map(str, which[:8]))
    return f"{shown} and {len(which) - 8} more" if len(which) > 8 else shown


def _counters(S: View, before: Kept, now: Kept, functions: Functions) -> Iterator[Leak]:
    for thread in range(THREADS):
        for unit in range(3):
            first = (thread * 3 + unit) * 16
            changed = [
                _counter(i, before.counters[first + i], now.counters[first + i])
                for i in range(16)
                if before.counters[first + i] != now.counters[first + i]
            ]
            if changed:
                cell = ADC_CELLS + (thread * 3 + unit) * 2
                name = f"adc T{thread} {ADC_UNITS[unit]}"
                site = _last_counted(S, cell + 1)
                what = int(S.race.site[site])
                if not site or not is_one_of(functions(what & 7, pc_of(what)), COUNTS):
                    yield Leak(Number.K2, name, cell, 1, site, 0, f"Now {', '.join(changed)}.")


def _counter(i: int, old: int, new: int) -> str:
    cr, channel, axis = i >> 3, (i >> 2) & 1, i & 3
    return f"{_AXES[axis]} of channel {channel}{' (CR)' if cr else ''} is {new}, was {old}"


def _last_counted(S: View, cell: int) -> int:
    """Return the last write of counters; of each thread the observer keeps one."""
    slots = [cell * STRIDE + thread for thread in range(THREADS)]
    slots = [slot for slot in slots if int(S.race.slot_at[slot])]
    last = max(slots, key=lambda slot: int(S.race.slot_when[slot]), default=-1)
    return int(S.race.slot_what[last]) >> SITE & (SITES - 1) if last >= 0 else 0
