# SPDX-License-Identifier: Apache-2.0
"""`monitor cfg`: the backend configuration by the names of its fields.

Config has two banks; each thread uses the one that its CFG_STATE_ID selects (BackendConfiguration.
md). ThreadConfig is each thread's own. Fields and words are those of the tile's chip.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from tensix_gdb.core.arch.blackhole import T0, THREADS
from tensix_gdb.core.arch.chips import CONFIG_WORDS, THREAD_CONFIG_WORDS
from tensix_gdb.core.devices.backend_config import BANKS
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import ConfigField, Space, config_fields, fields_of_word
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.places.config import field_of, value_of
from tensix_gdb.core.places.place import NotAPlace
from tensix_gdb.core.places.state import owned
from tensix_gdb.core.tensix.config.unit import bank_of
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.monitor_row import (
    NAMES,
    assign,
    no_more,
    number_of,
    place_in,
    selected,
    table,
)

MAX_SHOWN = 60


@cache
def field_names(arch: Arch) -> tuple[str, ...]:
    """Return all fields, in alphabetical order."""
    return tuple(sorted(config_fields(arch)))


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
    return any(value_of(machine.S, field, place) for place in range(places))


def _shown(machine: Machine, fields: Sequence[ConfigField]) -> str:
    rows = [row for field in fields[:MAX_SHOWN] for row in _rows(machine, field)]
    more = len(fields) - MAX_SHOWN
    rest = f"and {more} more fields: type more of the name\n" if more > 0 else ""
    return (table(rows) if rows else "") + rest


def _rows(machine: Machine, field: ConfigField) -> list[tuple[str, ...]]:
    """Return a field in a row: its values, with bank or thread when they are not all the same."""
    bits = (
        f"bits {field.low + field.width - 1}:{field.low}" if field.width > 1 else f"bit {field.low}"
    )
    where = f"word {field.word}", bits
    if field.space is Space.THREAD:
        values = [value_of(machine.S, field, thread) for thread in range(THREADS)]
        owners = list(NAMES)
    else:
        values = [value_of(machine.S, field, bank) for bank in range(BANKS)]
        owners = [_bank_name(machine, bank) for bank in range(BANKS)]
    if field.space is Space.GLOBAL or len(set(values)) == 1:
        owner = "both banks" if field.space is not Space.THREAD else "every thread"
        return [(field.name, *where, f"{values[0]:#x}", owner)]
    return [
        (field.name, *where, f"{value:#x}", owner)
        for value, owner in zip(values, owners, strict=True)
    ]


def _bank_name(machine: Machine, bank: int) -> str:
    users = [NAMES[thread] for thread in range(THREADS) if bank_of(machine.S, thread) == bank]
    return f"bank {bank}" + (
        f", that of {', '.join(users)}" if users else ", in use by no thread now"
    )


def _set(machine: Machine, thread: int, name: str, value: str, words: list[str]) -> str:
    place = place_in(["cfg", name, *words])
    try:
        field = field_of(machine.S, place)
        own = selected(thread)
        if not place.owner and own is None and field.space is not Space.GLOBAL:
            which = "T0, T1 or T2" if field.space is Space.THREAD else "0 or 1 for the bank"
            raise TargetError(f"of which thread? Add {which}, or select a T core's thread")
        place = owned(machine, place, None if own is None else T0 + own)
    except NotAPlace as problem:
        raise TargetError(str(problem)) from None
    assign(machine, place, value)
    return _shown(machine, [field])
