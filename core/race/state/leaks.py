# SPDX-License-Identifier: Apache-2.0
"""K1 to K6: what differs between before and after a kernel, and its last writer.

A kernel gives itself most of its configuration: what a hw_configure has written stays, and the next
kernel writes it again. So a field has leaked if it has neither its value from before nor the one
from such a function, whichever was last.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.devices.backend_config import BANKS, THREAD_WORDS, WORDS
from tensix_gdb.core.devices.semaphores import SEMAPHORES
from tensix_gdb.core.isa.config_words import ConfigField, fields_of_word
from tensix_gdb.core.places.kinds import ADC_UNITS
from tensix_gdb.core.race.fields import (
    ADC_CELLS,
    CONFIG_CELLS,
    SITES,
    SLOTS,
    THREAD_CONFIG_CELLS,
    pc_of,
)
from tensix_gdb.core.race.registers import own_words
from tensix_gdb.core.race.shadow import SITE
from tensix_gdb.core.race.state.fields import WRITES_KEPT, is_kernel
from tensix_gdb.core.race.state.table import Number
from tensix_gdb.core.race.state.vector import FIRST_CONSTANT, LAST_CONSTANT
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.occupancy import MATRIX_OWNS
from tensix_gdb.core.tensix.sync import MUTEXES
from tensix_gdb.core.tensix.vector.state import LANES

# Functions at the site of an instruction of a hart with their files, the innermost first:
# `set ckernel_addrmod.h`.
Functions = Callable[[int, int], Sequence[str]]
_AXES = "XYZW"

# What each kernel gives itself, by the functions that write it: without their template arguments,
# or with the file, as `set ckernel_addrmod.h`.
CONFIGURES = (
    ("*hw_configure*", "formats, strides, sizes of tiles"),
    ("*reconfig*data_format*", "the same of another operand"),
    ("*reconfig_tile_shape*", "the same of another operand"),
    ("configure_unpack_AB", "the same of unpackers"),
    ("configure_pack", "the same of the packer"),
    ("set_packer_strides", "the same"),
    ("set ckernel_addrmod.h", "address modifiers: each init of LLK writes those that it uses"),
    ("*configure_addrmod*", "the same"),
    ("device_setup", "what boot code sets"),
)
# What gives itself address counters: a call of LLK sets those that it uses before its first UNPACR
# or PACR, and an init the ends of X (tt-llk#1036).
COUNTS = ("_llk_*",)
# Fields that each tile or each section of Dst has anew.
PER_TILE = (
    ("*_Base_address", "where an unpacker reads"),
    ("*_Base_cntx?_address", "the same, of its contexts"),
    ("*_L1_Dest_addr", "where the packer writes"),
    ("DEST_TARGET_REG_CFG_*_Offset", "the half of Dst that is in use"),
    ("CFG_STATE_ID_*", "the bank that is in use"),
    ("UNPACK_MISC_CFG_CfgContext*", "the context that is in use"),
)


@dataclass(frozen=True, slots=True)
class Leak:
    """One of them. `cell` is of the shadow; `site` of the last write, 0 if it is not known, and
    `given` that of the hw_configure before it."""

    check: Number
    name: str
    cell: int
    mask: int
    site: int
    given: int
    text: str
    when: int = -1  # the cycle of the last write; -1: not known
    given_when: int = -1


@dataclass(slots=True)
class Kept:
    """The state before a kernel that is compared afterwards."""

    config: list[list[int]] = field(default_factory=list)
    thread: list[list[int]] = field(default_factory=list)
    counters: list[int] = field(default_factory=list)
    semaphores: list[int] = field(default_factory=list)
    mutexes: list[int] = field(default_factory=list)
    banks: list[int] = field(default_factory=list)
    constants: list[list[int]] = field(default_factory=list)


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
        [
            [int(S.vector.lreg[number, lane]) for lane in range(LANES)]
            for number in range(FIRST_CONSTANT, LAST_CONSTANT + 1)
        ],
    )


def leaks(S: View, before: Kept, functions: Functions) -> Iterator[Leak]:
    """Yield what the kernel has left until now."""
    now = kept(S)
    yield from _config(S, before, now, functions)
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
    for i, (was, lanes) in enumerate(zip(before.constants, now.constants, strict=True)):
        if was != lanes:
            site = int(S.state.constant_site[i])
            lane = next(j for j in range(LANES) if was[j] != lanes[j])
            text = f"In lane {lane} it is {lanes[lane]:#010x}, was {was[lane]:#010x}."
            yield Leak(Number.K6, f"lreg {FIRST_CONSTANT + i}", 0, 1, site, 0, text)


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
    slots = [cell * SLOTS + thread for thread in range(THREADS)]
    slots = [slot for slot in slots if int(S.race.slot_at[slot])]
    last = max(slots, key=lambda slot: int(S.race.slot_when[slot]), default=-1)
    return int(S.race.slot_what[last]) >> SITE & (SITES - 1) if last >= 0 else 0


@dataclass(frozen=True, slots=True)
class _Write:
    when: int
    site: int
    value: int
    bits: int
    configures: bool  # a function of CONFIGURES, or no kernel


def _config(S: View, before: Kept, now: Kept, functions: Functions) -> Iterator[Leak]:
    writes = _writes(S, functions)
    arch = own_words.arch(S)
    for bank in range(BANKS):
        for word, (old, new) in enumerate(zip(before.config[bank], now.config[bank], strict=True)):
            if old != new and not (bank and own_words.is_global(S, word)):
                cell = CONFIG_CELLS + bank * WORDS + word
                fields = fields_of_word(arch, word, thread=False)
                yield from _word(cell, word, old, new, writes.get(cell, []), fields)
    for thread in range(THREADS):
        pairs = zip(before.thread[thread], now.thread[thread], strict=True)
        for word, (old, new) in enumerate(pairs):
            if old != new:
                cell = THREAD_CONFIG_CELLS + thread * THREAD_WORDS + word
                fields = fields_of_word(arch, word, thread=True)
                yield from _word(cell, word, old, new, writes.get(cell, []), fields)


def _word(
    cell: int,
    word: int,
    old: int,
    new: int,
    writes: list[_Write],
    fields: Sequence[ConfigField],
) -> Iterator[Leak]:
    """Yield the fields of a word that have leaked, as one."""
    given = next((one for one in reversed(writes) if one.configures), None)
    leaked = old ^ new
    if given is not None:
        leaked &= given.value ^ new if given.value >= 0 else 0xFFFFFFFF
    last = next((one for one in reversed(writes) if one.bits & leaked), None)
    if not leaked or (last is not None and last.configures):
        return
    names = []
    for each in fields:
        if is_per_tile(each.name) and each.word == word:
            leaked &= ~each.mask & 0xFFFFFFFF
    if not leaked:
        return
    rest = leaked
    for each in fields:
        mask = each.mask & 0xFFFFFFFF if each.word == word else 0xFFFFFFFF
        if leaked & mask and each.word == word:
            at = each.low
            size = (1 << each.width) - 1
            parts = f"{each.name} is {new >> at & size:#x}, was {old >> at & size:#x}"
            if given is not None and given.value >= 0 and given.value != old:
                parts += f", configured as {given.value >> at & size:#x}"
            names.append(parts)
            rest &= ~mask
    if rest:
        names.append(f"bits {rest:#x} are {new & rest:#x}, were {old & rest:#x}")
    text = f"{'; '.join(names)}."
    yield Leak(
        Number.K1,
        "",
        cell,
        leaked,
        last.site if last else 0,
        given.site if given else 0,
        text,
        last.when if last else -1,
        given.when if given else -1,
    )


def _writes(S: View, functions: Functions) -> dict[int, list[_Write]]:
    """Return the last write of each instruction to each word, by time."""
    found: dict[int, list[_Write]] = {}
    for i in range(WRITES_KEPT):
        key = int(S.state.log_key[i])
        if not key:
            continue
        cell, site = CONFIG_CELLS + (key >> 16 & 0xFFFFFFF), key & 0xFFFF
        what = int(S.race.site[site])
        names = functions(what & 7, pc_of(what))
        configures = is_configuring(names) or not is_kernel(S, site)
        value, bits = int(S.state.log_value[i]), int(S.state.log_bits[i])
        write = _Write(int(S.state.log_when[i]), site, value, bits, configures)
        found.setdefault(cell, []).append(write)
    for writes in found.values():
        writes.sort(key=lambda one: one.when)
    return found


def is_configuring(names: Sequence[str]) -> bool:
    """True if one of the functions gives a kernel what each kernel gives itself."""
    return is_one_of(names, [pattern for pattern, _ in CONFIGURES])


def is_one_of(names: Sequence[str], patterns: Sequence[str]) -> bool:
    """True if one of the functions, with its file, has one of the names."""
    for name in names:
        function, _, file = name.rpartition(" ")
        plain = function.partition("<")[0].rpartition("::")[2]
        for pattern in patterns:
            if fnmatch.fnmatchcase(f"{plain} {file}" if " " in pattern else plain, pattern):
                return True
    return False


def is_per_tile(field_name: str) -> bool:
    """True if each tile has the field anew."""
    return any(fnmatch.fnmatchcase(field_name, pattern) for pattern, _ in PER_TILE)
