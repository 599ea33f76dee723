# SPDX-License-Identifier: Apache-2.0
"""Configuration that was written where nothing reads it, next to where something does.

Two mistakes leave such words: the words of the other unpacker (SEC1 for SEC0), and the other bank.
Nothing is noted while the tile runs: what the words hold, which unpacker has got instructions, and
which banks the threads use is enough. A word that holds 0 counts as not written.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.arch.chips import GLOBAL_WORD
from tensix_gdb.core.devices.backend_config import BANKS
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import ConfigField, config_fields, fields_of_word
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.places.config import value_of
from tensix_gdb.core.tensix.config.unit import bank_of
from tensix_gdb.core.tensix.config.words import WORD_OF
from tensix_gdb.core.tensix.gate.issued import UNPACKER, UNPACKER_1
from tensix_gdb.core.tensix.unpacker import config as unpackers

UNPACKERS = (UNPACKER, UNPACKER_1)
NO_FIELDS = ("REGISTER_ADDRESSES", "MESSAGE_WORDS")
MOST = 4  # lines


def unread_config(machine: Machine) -> list[str]:
    """Return a line for each such word, the first few. Nothing of a tile without instructions."""
    if not any(machine.S.passed.count.raw):
        return []
    return list(islice(_unread(machine), MOST))


def _unread(machine: Machine) -> Iterator[str]:
    used = {bank_of(machine.S, thread) for thread in range(THREADS)}
    got = [
        any(machine.S.passed.to_when[thread, place] for thread in range(THREADS))
        for place in UNPACKERS
    ]
    if got[0] != got[1]:
        yield from _other_unpacker(machine, used, other=int(got[0]))
    if len(used) < BANKS:
        yield from _other_bank(machine, used.pop())


def _other_unpacker(machine: Machine, used: set[int], *, other: int) -> Iterator[str]:
    """Yield words of unpacker `other`, which has got no instruction."""
    known = config_fields(machine.arch)
    for pair in _pairs():
        # By name: the pairs are places of the record, which both chips share.
        written, read = (known.get(pair[which].name) for which in (other, 1 - other))
        if written is None or read is None:
            continue
        for bank in sorted(used):
            if (value := value_of(machine.S, written, bank)) and not value_of(
                machine.S, read, bank
            ):
                yield (
                    f"{written.name} is {value:#x} and nothing has read it, as unpacker {other} "
                    f"has got no instruction; unpacker {1 - other} reads {read.name}, which is 0"
                )


def _other_bank(machine: Machine, used: int) -> Iterator[str]:
    """Yield words of the bank that no thread uses."""
    S, arch, chip = machine.S, machine.arch, int(machine.S.tile.chip)
    for word in range(GLOBAL_WORD[chip]):
        value = WORD_OF[chip](S, 1 - used, word)
        if not value or WORD_OF[chip](S, used, word):
            continue
        for field in fields_of_word(arch, word, thread=False)[:1]:
            yield (
                f"{field.name} (word {word}) is {value:#x} in bank {1 - used}, which no thread "
                f"uses; in bank {used} it is 0"
            )


@cache
def _pairs() -> tuple[tuple[ConfigField, ConfigField], ...]:
    """Return the fields that unpacker 0 reads, each with the same one of unpacker 1."""
    named = {
        (field.word, field.low, field.width): field
        for field in config_fields(Arch.BLACKHOLE).values()
    }
    pairs: dict[str, tuple[ConfigField, ConfigField]] = {}
    for name, fields in vars(unpackers).items():
        if not name.isupper() or not isinstance(fields, tuple) or name in NO_FIELDS:
            continue
        half = len(fields) // 2
        for packed, other in zip(fields[:half], fields[half:], strict=True):
            first, second = (
                named.get((one >> 16, one >> 8 & 0xFF, one & 0xFF)) for one in (packed, other)
            )
            if first is not None and second is not None:
                pairs[first.name] = first, second
    return tuple(pairs.values())
