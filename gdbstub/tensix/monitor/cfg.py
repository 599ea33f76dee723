# SPDX-License-Identifier: Apache-2.0
"""`monitor cfg`: the backend configuration by the names of its fields.

Config has two banks; each thread uses the one that its CFG_STATE_ID selects (BackendConfiguration.
md). ThreadConfig is each thread's own. Fields and words are those of the tile's chip.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.arch.chips import CONFIG_WORDS, THREAD_CONFIG_WORDS
from tensix_gdb.core.devices.backend_config import BANKS
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import ConfigField, Space, config_fields, fields_of_word
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.tensix.config.words import (
    SET_CONFIG,
    SET_THREAD_CONFIG,
    THREAD_WORD_OF,
    WORD_OF,
)
from tensix_gdb.gdbstub.target import TargetError
from tensix_gdb.gdbstub.tensix.monitor_row import NAMES, no_more, number_of, selected, table

MAX_SHOWN = 60
STATE_ID = config_fields(Arch.BLACKHOLE)["CFG_STATE_ID_StateID"]


@cache
def field_names(arch: Arch) -> tuple[str, ...]:
    """All fields, in alphabetical order."""
    return tuple(sorted(config_fields(arch)))


def bank_of(machine: Machine, thread: int) -> int:
    """The bank that a Tensix thread uses."""
    return int(machine.S.config.thread[thread, STATE_ID.word] >> STATE_ID.low & 1)


def value_of(machine: Machine, field: ConfigField, place: int) -> int:
    """Return the value of a field: of bank `place`, or of thread `place` when it is in
    ThreadConfig."""
    S, chip = machine.S, int(machine.S.tile.chip)
    read = (THREAD_WORD_OF if field.space is Space.THREAD else WORD_OF)[chip]
    words = range((field.low + field.width + 31) // 32)
    whole = sum(read(S, place, field.word + i) << (32 * i) for i in words)
    return int(whole >> field.low & (1 << field.width) - 1)


def write_field(machine: Machine, field: ConfigField, place: int, value: int) -> None:
    """Write a field as a store or SETC16 would."""
    S, chip = machine.S, int(machine.S.tile.chip)
    if field.space is Space.THREAD:
        old = THREAD_WORD_OF[chip](S, place, field.word)
        new = (old & ~field.mask) | value << field.low
        SET_THREAD_CONFIG[chip](S, place, field.word, new)
        return
    for i in range((field.low + field.width + 31) // 32):
        mask = field.mask >> (32 * i) & 0xFFFFFFFF
        bits = (value << field.low) >> (32 * i) & 0xFFFFFFFF
        old = WORD_OF[chip](S, place, field.word + i)
        SET_CONFIG[chip](S, place, field.word + i, (old & ~mask) | bits)


def monitor_cfg(machine: Machine, thread: int, words: list[str]) -> str:
    """Fields that are not 0, those with a text in their names, one field, one word; or set one."""
    if not words:
        fields = [f for f in config_fields(machine.arch).values() if _anywhere(machine, f)]
        return _shown(machine, fields) or "Every word of the configuration is 0.\n"
    text, equals, value = words.pop(0).partition("=")
    if equals:
        return _set(machine, thread, text, value, words)
    no_more(words, "cfg")
    return _shown(machine, _found(text, machine.arch))


def _found(text: str, arch: Arch) -> list[ConfigField]:
    known = config_fields(arch)
    chip = int(arch is Arch.WORMHOLE)
    if text in known:
        return [known[text]]
    if text[0].isdecimal():
        word = number_of(text, "word of the configuration", CONFIG_WORDS[chip] - 1)
        fields = [*fields_of_word(arch, word, thread=False)]
        if word < THREAD_CONFIG_WORDS[chip]:
            fields += fields_of_word(arch, word, thread=True)
        if not fields:
            raise TargetError(f"word {word} of the configuration has no field with a name")
        return fields
    fields = [known[name] for name in field_names(arch) if text.lower() in name.lower()]
    if not fields:
        raise TargetError(
            f"no field of the configuration has {text!r} in its name; in GDB, `tensix cfg` and the "
            "TAB key complete names"
        )
    return fields


def _anywhere(machine: Machine, field: ConfigField) -> bool:
    places = THREADS if field.space is Space.THREAD else BANKS
    return any(value_of(machine, field, place) for place in range(places))


def _shown(machine: Machine, fields: Sequence[ConfigField]) -> str:
    rows = [row for field in fields[:MAX_SHOWN] for row in _rows(machine, field)]
    more = len(fields) - MAX_SHOWN
    rest = f"and {more} more fields: type more of the name\n" if more > 0 else ""
    return (table(rows) if rows else "") + rest


def _rows(machine: Machine, field: ConfigField) -> list[tuple[str, ...]]:
    """A field in a row: its values, with bank or thread when they are not all the same."""
    bits = (
        f"bits {field.low + field.width - 1}:{field.low}" if field.width > 1 else f"bit {field.low}"
    )
    where = f"word {field.word}", bits
    if field.space is Space.THREAD:
        values = [value_of(machine, field, thread) for thread in range(THREADS)]
        owners = list(NAMES)
    else:
        values = [value_of(machine, field, bank) for bank in range(BANKS)]
        owners = [_bank_name(machine, bank) for bank in range(BANKS)]
    if field.space is Space.GLOBAL or len(set(values)) == 1:
        owner = "both banks" if field.space is not Space.THREAD else "every thread"
        return [(field.name, *where, f"{values[0]:#x}", owner)]
    return [
        (field.name, *where, f"{value:#x}", owner)
        for value, owner in zip(values, owners, strict=True)
    ]


def _bank_name(machine: Machine, bank: int) -> str:
    users = [NAMES[thread] for thread in range(THREADS) if bank_of(machine, thread) == bank]
    return f"bank {bank}" + (
        f", that of {', '.join(users)}" if users else ", in use by no thread now"
    )


def _set(machine: Machine, thread: int, name: str, value: str, words: list[str]) -> str:
    field = config_fields(machine.arch).get(name)
    if field is None:
        raise TargetError(f"there is no field {name!r}; `monitor cfg {name}` looks for parts of it")
    number = number_of(value, f"value of {field.width} bits", (1 << field.width) - 1)
    of_thread = field.space is Space.THREAD
    if words:
        word = words.pop(0).upper().removeprefix("T" if of_thread else "BANK")
        what = "thread" if of_thread else "bank"
        place = number_of(word, what, (THREADS if of_thread else BANKS) - 1)
        no_more(words, "cfg")
    else:
        own = selected(thread)
        if own is None and field.space is not Space.GLOBAL:
            which = "T0, T1 or T2" if of_thread else "0 or 1 for the bank"
            raise TargetError(f"of which thread? Add {which}, or select a T core's thread")
        place = (own or 0) if of_thread else bank_of(machine, own or 0)
    write_field(machine, field, place, number)
    return _shown(machine, [field])
