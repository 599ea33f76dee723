# SPDX-License-Identifier: Apache-2.0
"""Configuration by the words of the chip itself: what the observer's cells are numbered by.

The record has Wormhole's configuration by fields, in Blackhole's places (core/arch/README.md). What
names a word, a store or WRCFG, names one of the chip. So the cells of the shadow are those words,
and the fields that units read are looked up in them: a table by chip, Blackhole's first.
"""

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.arch.chips import CONFIG_WORDS, GLOBAL_WORD, THREAD_CONFIG_WORDS
from tensix_gdb.core.devices.wormhole.config_places import CONFIG_RUNS, Run
from tensix_gdb.core.isa.architecture import CHIPS, Arch
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.config.words import THREAD_WORD_OF, WORD_OF

_RUNS_AT: dict[int, list[Run]] = {}  # by the word of the record
for _run in CONFIG_RUNS:
    _RUNS_AT.setdefault(_run.at, []).append(_run)


def on_wormhole(packed: int) -> list[int]:
    """Return a field of the record, packed as word, lowest bit and width, in the words of Wormhole;
    more than one if it is in pieces there, none if Wormhole lacks it."""
    word, low, width = packed >> 16, (packed >> 8) & 0xFF, packed & 0xFF
    pieces = []
    for run in _RUNS_AT.get(word, ()):
        first, end = max(run.at_low, low), min(run.at_low + run.width, low + width)
        if first < end:
            pieces.append(run.word << 16 | run.low + first - run.at_low << 8 | end - first)
    return pieces


def by_chip(fields: tuple[int, ...]) -> tuple[int, ...]:
    """Return a table of packed fields, Blackhole's and after it Wormhole's; 0 where that lacks
    one."""
    return (*fields, *(next(iter(on_wormhole(field)), 0) for field in fields))


def arch(S: View) -> Arch:
    """Return the chip of the record."""
    return CHIPS[int(S.tile.chip)]


def is_global(S: View, word: int) -> int:
    """True for a word that both banks share."""
    return 1 if word >= GLOBAL_WORD[S.tile.chip] else 0


def value(S: View, bank: int, word: int) -> int:
    """Return what a word holds."""
    return WORD_OF[S.tile.chip](S, 0 if is_global(S, word) else bank, word)


def words(S: View, bank: int) -> list[int]:
    """Return all words of a bank."""
    chip = int(S.tile.chip)
    return [int(WORD_OF[chip](S, bank, word)) for word in range(CONFIG_WORDS[chip])]


def thread_words(S: View) -> list[list[int]]:
    """Return all words of ThreadConfig, of each thread."""
    chip = int(S.tile.chip)
    of_word, count = THREAD_WORD_OF[chip], THREAD_CONFIG_WORDS[chip]
    return [[int(of_word(S, t, word)) for word in range(count)] for t in range(THREADS)]
