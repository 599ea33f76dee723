# SPDX-License-Identifier: Apache-2.0
"""A field of the configuration, or a word of it: its value, and where the record has it.

A word is a field that has all of its bits. A wide field is in several words; on Wormhole one may be
in several pieces (core/arch/README.md).
"""

from __future__ import annotations

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.arch.chips import CONFIG_WORDS, THREAD_CONFIG_WORDS
from tensix_gdb.core.devices.backend_config import BANKS
from tensix_gdb.core.devices.wormhole.config_places import pieces
from tensix_gdb.core.isa.architecture import CHIPS
from tensix_gdb.core.isa.config_words import ConfigField, Space, config_fields
from tensix_gdb.core.places.place import NotAPlace, Place
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.config.words import (
    SET_CONFIG,
    SET_THREAD_CONFIG,
    THREAD_WORD_OF,
    WORD_OF,
)


def field_of(S: View, place: Place) -> ConfigField:
    """Return the field that a place of the configuration names, with its bits; NotAPlace on a chip
    that lacks it."""
    chip, is_thread = int(S.tile.chip), place.owner.startswith("T")
    if place.name.isdecimal():
        word = int(place.name)
        words = (THREAD_CONFIG_WORDS if is_thread else CONFIG_WORDS)[chip]
        if word >= words:
            raise NotAPlace(f"there is no word {word} of the configuration: 0 to {words - 1}")
        space = Space.THREAD if is_thread else Space.STATE
        field = ConfigField(place.name, space, word, 0, 16 if is_thread else 32)
    else:
        arch = CHIPS[chip]
        found = config_fields(arch).get(place.name)
        if found is None:
            raise NotAPlace(f"{place.name} is no field of {arch.title}'s configuration")
        field = found
    if (field.space is Space.THREAD) is not is_thread and place.owner:
        what = "a thread, T0 to T2" if field.space is Space.THREAD else "a bank, 0 or 1"
        raise NotAPlace(f"{place.name} is of {what}, and not of {place.owner}")
    if place.bits is None:
        return field
    further, low = divmod(field.low + place.bits.start, 32)
    return ConfigField(field.name, field.space, field.word + further, low, len(place.bits))


def owners_of(field: ConfigField) -> tuple[str, ...]:
    """Return all threads or banks; a word that both banks share is of bank 0."""
    if field.space is Space.THREAD:
        return tuple(f"T{thread}" for thread in range(THREADS))
    return ("0",) if field.space is Space.GLOBAL else tuple(map(str, range(BANKS)))


def number_of(owner: str) -> int:
    """That of a thread or a bank."""
    return int(owner.removeprefix("T"))


def value_of(S: View, field: ConfigField, number: int) -> int:
    """Return the value of a field: of bank `number`, or of thread `number` when it is in
    ThreadConfig."""
    chip = int(S.tile.chip)
    read = (THREAD_WORD_OF if field.space is Space.THREAD else WORD_OF)[chip]
    words = range((field.low + field.width + 31) // 32)
    whole = sum(read(S, number, field.word + i) << (32 * i) for i in words)
    return int(whole >> field.low & (1 << field.width) - 1)


def write_field(S: View, field: ConfigField, number: int, value: int) -> None:
    """Write a field as a store or SETC16 would."""
    chip = int(S.tile.chip)
    if field.space is Space.THREAD:
        old = THREAD_WORD_OF[chip](S, number, field.word)
        new = (old & ~field.mask) | value << field.low
        SET_THREAD_CONFIG[chip](S, number, field.word, new)
        return
    for i in range((field.low + field.width + 31) // 32):
        mask = field.mask >> (32 * i) & 0xFFFFFFFF
        bits = (value << field.low) >> (32 * i) & 0xFFFFFFFF
        old = WORD_OF[chip](S, number, field.word + i)
        SET_CONFIG[chip](S, number, field.word + i, (old & ~mask) | bits)


def in_record(S: View, field: ConfigField) -> ConfigField:
    """Return a field as a field of one word of the record. NotAPlace for several words."""
    found = [field]
    if S.tile.chip:
        runs = (run for _, run in pieces(field))
        found = [ConfigField(field.name, field.space, r.at, r.at_low, r.width) for r in runs]
    if len(found) != 1 or found[0].low + found[0].width > 32:
        raise NotAPlace(f"{field.name} is in several words: ask for some of its bits, NAME[7:0]")
    return found[0]
